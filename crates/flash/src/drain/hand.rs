//! Entries that were delivered and are not settled yet, in the order of the stream.
//!
//! An entry leaves the hand when the last of its orders is over and done with. What is delivered again meanwhile is
//! known, so nothing is worked on twice at the same time.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;

use crate::Order;
use crate::inlet::Delivery;
use crate::stream::Settled;
use crate::stream::entry::{Entry, EntryId, Undecodable};

/// Which delivery. A broker may deliver an entry twice under different numbers, and wants both settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DeliveryId {
    entry: EntryId,
    tag: u64,
}

impl DeliveryId {
    pub(super) fn of(entry: EntryId, tag: u64) -> Self {
        Self { entry, tag }
    }
}

#[derive(Debug, Default)]
pub(super) struct Hand {
    held: BTreeMap<DeliveryId, Held>,
}

#[derive(Debug)]
struct Held {
    /// Orders that are not over and done with.
    left: usize,
    settled: Settled,
    barrier: Option<String>,
}

/// What a delivery turned out to be.
#[derive(Debug)]
pub(super) enum Taken {
    Orders(DeliveryId, Vec<Order>),
    Barrier,
    Unreadable(Settled, Undecodable),
    /// It is in hand already.
    Again,
}

impl Hand {
    pub(super) fn take(&mut self, delivery: Delivery) -> Taken {
        let settled = delivery.settled();
        let id = DeliveryId::of(delivery.id, delivery.tag);
        let entry = match delivery.entry {
            Ok(entry) => entry,
            Err(why) => return Taken::Unreadable(settled, why),
        };
        let Place::Vacant(place) = self.held.entry(id) else {
            return Taken::Again;
        };
        let (taken, barrier) = match entry {
            Entry::Orders(orders) => (Taken::Orders(id, orders), None),
            Entry::Barrier(nonce) => (Taken::Barrier, Some(nonce)),
        };
        place.insert(Held {
            left: settled.orders,
            settled,
            barrier,
        });
        taken
    }

    /// One order of a delivery is over and done with. Answers the delivery if it was the last.
    pub(super) fn finish_order(&mut self, id: DeliveryId) -> Option<Settled> {
        let held = self.held.get_mut(&id)?;
        held.left = held.left.saturating_sub(1);
        match held.left {
            0 => self.held.remove(&id).map(|held| held.settled),
            _ => None,
        }
    }

    /// The barrier that everything before it has left, if there is one.
    pub(super) fn first_barrier(&self) -> Option<(Settled, &str)> {
        let (_, first) = self.held.first_key_value()?;
        first.barrier.as_deref().map(|nonce| (first.settled, nonce))
    }

    pub(super) fn drop_barrier(&mut self, settled: Settled) {
        self.held.remove(&DeliveryId::of(settled.id, settled.tag));
    }

    pub(super) fn len(&self) -> usize {
        self.held.len()
    }
}
