//! What goes wrong, each as often as the scope allows; and the repair of the reconciliation that nothing else makes.

use super::drain::is_on_its_way;
use super::world::{Fate, Process, World};
use super::{Event, Protocol};

impl Protocol {
    pub(super) fn fault_events(&self, world: &World, events: &mut Vec<Event>) {
        let left = &world.left;
        if left.gate_losses > 0 && world.master.gate.is_some() {
            events.push(Event::LoseGate);
        }
        if left.failovers > 0 && world.lagging.is_none() {
            events.push(Event::FallBehind);
        }
        if world.lagging.is_some() {
            events.push(Event::Promote);
            if left.is_split {
                events.push(Event::PromoteBesideIsolatedMaster);
            }
        }
        for (process, state) in world.processes.iter().enumerate() {
            if state.is_isolated {
                events.push(Event::Reconnect(process));
            }
            if left.crashes > 0 {
                events.push(Event::Crash(process));
            }
        }
        if left.outages > 0 && !world.ledger.is_down {
            events.push(Event::LedgerFails);
        }
        if world.ledger.is_down {
            events.push(Event::LedgerRecovers);
        }
    }

    /// A replica takes over with what it has. The old master is gone, or still serves the clients that reach it.
    pub(super) fn promote(&self, world: &mut World, is_split: bool) -> Option<()> {
        let mut promoted = world.lagging.take()?;
        world.left.failovers -= 1;
        world.last_stamp += 1;
        promoted.stamp = world.last_stamp;
        let before = std::mem::replace(&mut world.master, promoted);
        for process in &mut world.processes {
            process.is_isolated = is_split;
            if !is_split {
                reconnect(process);
            }
        }
        world.isolated = is_split.then_some(before);
        if !is_split {
            world.late.clear();
        }
        self.expose(world);
        Some(())
    }

    pub(super) fn reconnect(&self, world: &mut World, process: usize) {
        world.processes[process].is_isolated = false;
        reconnect(&mut world.processes[process]);
        if world.processes.iter().all(|process| !process.is_isolated) {
            world.isolated = None;
            let here = world.master.stamp;
            world.late.retain(|late| late.to == here);
        }
        self.expose(world);
    }

    /// Without replicas that confirm, orders that only a lost master had are not promised (ADR 0031).
    fn expose(&self, world: &mut World) {
        if self.scope.replicas {
            return;
        }
        for order in world.orders() {
            if world.row(order).fate == Fate::Absent && !is_on_its_way(world, order) {
                world.row_mut(order).is_exposed = true;
            }
        }
    }

    /// What is in the memory of a process is gone; another one starts in its place.
    pub(super) fn crash(&self, world: &mut World, process: usize) {
        world.left.crashes -= 1;
        let died = &mut world.processes[process];
        *died = Process {
            doubts: vec![None; died.doubts.len()],
            ..Process::default()
        };
        for buyer in &mut world.buyers {
            let is_its =
                |deciding: &super::world::Deciding| usize::from(deciding.process) == process;
            buyer.deciding = buyer.deciding.filter(|deciding| !is_its(deciding));
        }
        if world.processes.iter().all(|process| !process.is_isolated) && world.isolated.is_some() {
            world.isolated = None;
            self.expose(world);
        }
    }

    /// `reconcile/repair.rs`: items that are live in the gate and have ended in the ledger.
    pub(super) fn reconcile(&self, world: &mut World) -> Option<()> {
        let rows = world.ledger.rows.clone();
        let gate = world.master.gate.as_mut()?;
        for item in &mut gate.items {
            let fate = rows[usize::from(item.order)].fate;
            if item.is_live && matches!(fate, Fate::Cancelled | Fate::DeadLettered) {
                item.is_live = false;
                gate.stock += 1;
            }
        }
        Some(())
    }

    pub(super) fn reconcile_events(&self, world: &World, events: &mut Vec<Event>) {
        let Some(gate) = self.open_gate(&world.master) else {
            return;
        };
        let has_ended =
            |order| matches!(world.row(order).fate, Fate::Cancelled | Fate::DeadLettered);
        let mut items = gate.items.iter();
        let finds_some = items.any(|item| item.is_live && has_ended(item.order));
        if world.left.reconciles && finds_some && world.is_quiescent() {
            events.push(Event::Reconcile);
        }
    }
}

fn reconnect(process: &mut Process) {
    if let Some(drain) = &mut process.drain {
        // A reading that was cut off may have brought entries.
        drain.has_reclaimed = false;
    }
}
