//! What must hold.

use stateright::Property;

use super::Protocol;
use super::world::{Fate, Item, OrderId, Progress, World};

pub(super) const OVERSELL: &str = "no more is promised than there is";
pub(super) const ONE_EACH: &str = "a buyer has one live order";
pub(super) const RECORDED: &str = "what is acknowledged is recorded";
pub(super) const BOOKS: &str = "the ledger's stock and live orders are all units";
pub(super) const UNITS: &str = "at rest gate and ledger have the same units and holders";
pub(super) const STUCK: &str = "what is on its way can go on";
const SOLD: &str = "everything can be sold and recorded";

pub(super) fn all() -> Vec<Property<Protocol>> {
    vec![
        Property::always(OVERSELL, |protocol: &Protocol, world: &World| {
            promised(world).count() <= usize::from(protocol.scope.units)
        }),
        Property::always(ONE_EACH, |protocol: &Protocol, world: &World| {
            let limit = usize::from(protocol.scope.limit);
            (0..protocol.scope.buyers).all(|buyer| {
                let theirs = |order: &OrderId| world.row(*order).buyer == buyer;
                let live = world.ledger.live().filter(theirs).count();
                live <= limit && promised(world).filter(theirs).count() <= limit
            })
        }),
        Property::always(RECORDED, |_, world: &World| {
            let mut orders = world.orders();
            orders.all(|order| is_kept(world, order))
        }),
        Property::always(BOOKS, |protocol: &Protocol, world: &World| {
            let live = i8::try_from(world.ledger.live().count()).unwrap();
            let units = i8::try_from(protocol.scope.units).unwrap();
            world.ledger.stock >= 0 && world.ledger.stock + live == units
        }),
        Property::always(UNITS, |protocol: &Protocol, world: &World| {
            !world.is_quiescent() || protocol.agrees(world)
        }),
        Property::always(STUCK, |protocol: &Protocol, world: &World| {
            !has_work(world) || protocol.can_go_on(world)
        }),
        Property::sometimes(SOLD, |protocol: &Protocol, world: &World| {
            let sold = world.ledger.live().count() == usize::from(protocol.scope.units);
            world.is_quiescent() && sold
        }),
    ]
}

/// Orders in replies to buyers that have not ended, except those that cannot be guaranteed.
fn promised(world: &World) -> impl Iterator<Item = OrderId> {
    world.orders().filter(|order| {
        let row = world.row(*order);
        let has_ended = matches!(row.fate, Fate::Cancelled | Fate::DeadLettered);
        let is_lost = row.is_exposed && row.fate == Fate::Absent;
        row.is_acknowledged && !has_ended && !is_lost
    })
}

/// Whether an acknowledged order is in the ledger, or on its way as long as anything is.
fn is_kept(world: &World, order: OrderId) -> bool {
    let row = world.row(order);
    match row.fate {
        Fate::Live | Fate::Cancelled => true,
        Fate::DeadLettered => row.is_poisoned || row.is_exposed || !row.is_acknowledged,
        Fate::Absent => !row.is_acknowledged || row.is_exposed || !world.is_quiescent(),
    }
}

/// Whether anything waits to be drained, returned or replied.
fn has_work(world: &World) -> bool {
    let mut processes = world.processes.iter();
    let is_drained = processes.all(|process| {
        let drain = process.drain.as_ref();
        drain.is_none_or(|drain| drain.hand.is_empty())
    });
    !world.master.stream.is_empty() || !world.ledger.outbox.is_empty() || !is_drained
}

fn has_failed_order(world: &World) -> bool {
    let drains = world.processes.iter().flat_map(|process| &process.drain);
    let mut jobs = drains.flat_map(|drain| &drain.hand);
    jobs.any(|job| matches!(job.progress, Progress::Failed { .. }))
}

impl Protocol {
    /// Whether some step changes something, without another fault. An outage ends by itself, and as long as the gate sells
    /// there will be another order to prove that the ledger works.
    fn can_go_on(&self, world: &World) -> bool {
        let is_unavailable =
            world.ledger.is_down || world.lagging.is_some() || world.isolated.is_some();
        let is_selling = has_failed_order(world) && self.open_gate(&world.master).is_some();
        let mut events = Vec::new();
        self.progress_events(world, &mut events);
        let changes = |event| {
            let mut next = world.clone();
            self.happen(&mut next, event).is_some() && next != *world
        };
        is_unavailable || is_selling || events.into_iter().any(changes)
    }

    /// Whether gate and ledger add up. A gate that is not open sells nothing and is made anew from the ledger.
    fn agrees(&self, world: &World) -> bool {
        let Some(gate) = self.open_gate(&world.master) else {
            return true;
        };
        let live = |item: &&Item| item.is_live;
        let held: Vec<OrderId> = gate.items.iter().filter(live).map(|it| it.order).collect();
        let mut events = Vec::new();
        self.reconcile_events(world, &mut events);
        !events.is_empty()
            || (gate.stock == world.ledger.stock && held.into_iter().eq(world.ledger.live()))
    }
}
