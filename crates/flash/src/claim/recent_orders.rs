//! Orders that this process granted recently: a buyer may look one up before the ledger has it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{BuyerId, OrderId, SaleId};

/// Seconds of full load, longer than an order takes to the ledger.
const MAX_ORDERS: usize = 100_000;

#[derive(Debug, Default)]
pub(crate) struct RecentOrders {
    granted: Mutex<Granted>,
}

#[derive(Debug, Default)]
struct Granted {
    by_order: HashMap<OrderId, (BuyerId, SaleId)>,
    oldest_first: VecDeque<OrderId>,
}

impl RecentOrders {
    /// Adds the orders of one call, under one lock.
    pub(crate) fn insert(&self, sale: SaleId, orders: impl Iterator<Item = (OrderId, BuyerId)>) {
        let mut granted = self.lock();
        for (order, buyer) in orders {
            if granted.by_order.insert(order, (buyer, sale)).is_none() {
                granted.oldest_first.push_back(order);
            }
        }
        while granted.oldest_first.len() > MAX_ORDERS {
            let oldest = granted.oldest_first.pop_front();
            oldest.and_then(|order| granted.by_order.remove(&order));
        }
    }

    /// The sale of the buyer's order.
    pub(crate) fn find(&self, buyer: BuyerId, order: OrderId) -> Option<SaleId> {
        let granted = self.lock();
        let (holder, sale) = granted.by_order.get(&order)?;
        (*holder == buyer).then_some(*sale)
    }

    fn lock(&self) -> MutexGuard<'_, Granted> {
        // Entries are added one by one, so a poisoned lock is harmless.
        self.granted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_orders_are_found_by_their_buyer_alone() {
        let recent = RecentOrders::default();
        let many = i64::try_from(MAX_ORDERS).unwrap() + 1;
        recent.insert(SaleId(7), (0..many).map(|n| (OrderId(n), BuyerId(n))));
        let last = many - 1;
        assert_eq!(recent.find(BuyerId(last), OrderId(last)), Some(SaleId(7)));
        assert_eq!(recent.find(BuyerId(1), OrderId(last)), None);
        assert_eq!(recent.find(BuyerId(0), OrderId(0)), None);
        assert_eq!(recent.lock().by_order.len(), MAX_ORDERS);
    }
}
