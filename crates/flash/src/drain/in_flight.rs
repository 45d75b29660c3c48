//! Entries that were delivered and are not settled yet, in the order of the stream.
//!
//! An entry leaves the hand when the last of its orders is over and done with. What is delivered again meanwhile is
//! known, so nothing is worked on twice at the same time.
//!
//! A barrier waits for what has a lower id and for what was delivered before it. The two differ after a failover: the ids
//! of an old and of a new master come from two clocks, and what only the old one had is in nobody's hands but these.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;

use crate::Order;
use crate::stream::Settled;
use crate::stream::entry::{Entry, EntryId, Undecodable};
use crate::transport::source::Delivery;

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
    /// How many were ever delivered.
    arrived: u64,
}

#[derive(Debug)]
struct Held {
    /// Orders that are not over and done with.
    left: usize,
    settled: Settled,
    barrier: Option<String>,
    /// In which order it was delivered.
    arrived: u64,
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
        self.arrived += 1;
        place.insert(Held {
            left: settled.orders,
            settled,
            barrier,
            arrived: self.arrived,
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
        let nonce = first.barrier.as_deref()?;
        let mut others = self.held.values().filter(|held| held.barrier.is_none());
        let is_first = others.all(|held| held.arrived > first.arrived);
        is_first.then_some((first.settled, nonce))
    }

    pub(super) fn drop_barrier(&mut self, settled: Settled) {
        self.held.remove(&DeliveryId::of(settled.id, settled.tag));
    }

    pub(super) fn len(&self) -> usize {
        self.held.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuyerId, OrderId, SaleId};

    fn deliver(hand: &mut Hand, id: &str, entry: Entry) -> Taken {
        hand.take(Delivery {
            id: id.parse().expect("an id"),
            tag: 0,
            entry: Ok(entry),
        })
    }

    fn orders() -> Entry {
        Entry::Orders(vec![Order {
            id: OrderId(1),
            sale: SaleId(1),
            buyer: BuyerId(1),
            slot: 1,
            granted_at_ms: 0,
            key: None,
        }])
    }

    #[test]
    fn a_barrier_of_a_new_master_waits_for_what_only_the_old_one_had() {
        let mut hand = Hand::default();
        // The clock of the old master was ahead.
        let Taken::Orders(old, _) = deliver(&mut hand, "9000-0", orders()) else {
            panic!("orders are taken");
        };
        deliver(&mut hand, "8000-0", Entry::Barrier("nonce".to_owned()));
        assert_eq!(hand.first_barrier(), None);
        hand.finish_order(old);
        assert!(hand.first_barrier().is_some());
    }

    #[test]
    fn a_barrier_waits_for_lower_ids_and_not_for_what_comes_after_it() {
        let mut hand = Hand::default();
        deliver(&mut hand, "8000-0", Entry::Barrier("nonce".to_owned()));
        let Taken::Orders(later, _) = deliver(&mut hand, "9000-0", orders()) else {
            panic!("orders are taken");
        };
        assert!(hand.first_barrier().is_some());
        // A broker delivered this one late.
        deliver(&mut hand, "7000-0", orders());
        assert_eq!(hand.first_barrier(), None);
        hand.finish_order(later);
        assert_eq!(hand.first_barrier(), None);
    }
}
