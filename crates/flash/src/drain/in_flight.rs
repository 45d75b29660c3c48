//! Entries that were delivered and are not acknowledged yet, in stream order.
//!
//! An entry leaves when the last of its orders is recorded or dead-lettered. A redelivery of an entry in flight is
//! recognised, so no entry is processed twice at the same time.
//!
//! A barrier waits for entries with a lower id and for entries that were delivered before it. The two differ after a
//! failover: the ids of the old and the new master come from two clocks, and only this worker has the entries that only
//! the old master had.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use crate::Order;
use crate::stream::Acknowledgement;
use crate::stream::entry::{EntryId, StreamEntry, Undecodable};
use crate::transport::source::Delivery;

/// Identifies a delivery. A broker may deliver an entry twice under different tags, and wants both acknowledged.
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
pub(super) struct InFlight {
    entries: BTreeMap<DeliveryId, InFlightEntry>,
    /// Deliveries so far.
    delivered: u64,
}

#[derive(Debug)]
struct InFlightEntry {
    /// Orders that are neither recorded nor dead-lettered.
    open_orders: usize,
    acknowledgement: Acknowledgement,
    barrier: Option<String>,
    /// Position in the order of deliveries.
    delivered: u64,
}

/// What a delivery turned out to be.
#[derive(Debug)]
pub(super) enum Accepted {
    Orders(DeliveryId, Vec<Order>),
    Barrier,
    Undecodable(Acknowledgement, Undecodable),
    AlreadyInFlight,
}

impl InFlight {
    pub(super) fn accept(&mut self, delivery: Delivery) -> Accepted {
        let acknowledgement = delivery.acknowledgement();
        let id = DeliveryId::of(delivery.id, delivery.tag);
        let entry = match delivery.entry {
            Ok(entry) => entry,
            Err(why) => return Accepted::Undecodable(acknowledgement, why),
        };
        let Slot::Vacant(slot) = self.entries.entry(id) else {
            return Accepted::AlreadyInFlight;
        };
        let (accepted, barrier) = match entry {
            StreamEntry::Orders(orders) => (Accepted::Orders(id, orders), None),
            StreamEntry::Barrier(nonce) => (Accepted::Barrier, Some(nonce)),
        };
        self.delivered += 1;
        slot.insert(InFlightEntry {
            open_orders: acknowledgement.orders,
            acknowledgement,
            barrier,
            delivered: self.delivered,
        });
        accepted
    }

    /// One order of a delivery is recorded or dead-lettered. Returns what to acknowledge if it was the last.
    pub(super) fn finish_order(&mut self, id: DeliveryId) -> Option<Acknowledgement> {
        let entry = self.entries.get_mut(&id)?;
        entry.open_orders = entry.open_orders.saturating_sub(1);
        match entry.open_orders {
            0 => self.entries.remove(&id).map(|entry| entry.acknowledgement),
            _ => None,
        }
    }

    /// The first barrier, if nothing in flight is before it.
    pub(super) fn first_barrier(&self) -> Option<(Acknowledgement, &str)> {
        let (_, first) = self.entries.first_key_value()?;
        let nonce = first.barrier.as_deref()?;
        let mut orders = self
            .entries
            .values()
            .filter(|entry| entry.barrier.is_none());
        let is_first = orders.all(|entry| entry.delivered > first.delivered);
        is_first.then_some((first.acknowledgement, nonce))
    }

    pub(super) fn remove_barrier(&mut self, barrier: Acknowledgement) {
        self.entries
            .remove(&DeliveryId::of(barrier.id, barrier.tag));
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuyerId, OrderId, SaleId};

    fn deliver(in_flight: &mut InFlight, id: &str, entry: StreamEntry) -> Accepted {
        in_flight.accept(Delivery {
            id: id.parse().expect("an id"),
            tag: 0,
            entry: Ok(entry),
        })
    }

    fn orders() -> StreamEntry {
        StreamEntry::Orders(vec![Order {
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
        let mut in_flight = InFlight::default();
        // The clock of the old master was ahead.
        let Accepted::Orders(old, _) = deliver(&mut in_flight, "9000-0", orders()) else {
            panic!("orders are accepted");
        };
        deliver(
            &mut in_flight,
            "8000-0",
            StreamEntry::Barrier("nonce".to_owned()),
        );
        assert_eq!(in_flight.first_barrier(), None);
        in_flight.finish_order(old);
        assert!(in_flight.first_barrier().is_some());
    }

    #[test]
    fn a_barrier_waits_for_lower_ids_and_not_for_what_comes_after_it() {
        let mut in_flight = InFlight::default();
        deliver(
            &mut in_flight,
            "8000-0",
            StreamEntry::Barrier("nonce".to_owned()),
        );
        let Accepted::Orders(later, _) = deliver(&mut in_flight, "9000-0", orders()) else {
            panic!("orders are accepted");
        };
        assert!(in_flight.first_barrier().is_some());
        // A broker delivered this one late.
        deliver(&mut in_flight, "7000-0", orders());
        assert_eq!(in_flight.first_barrier(), None);
        in_flight.finish_order(later);
        assert_eq!(in_flight.first_barrier(), None);
    }
}
