//! Orders of claims without a reply: the next claim of the same buyer uses the same id, and its outcome resolves them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use moka::sync::Cache;

use crate::{BuyerId, OrderId, SaleId};

/// Longer than any caller keeps retrying.
const TIME_TO_LIVE: Duration = Duration::from_secs(600);

/// More than all queues of a process hold.
const MAX_ORDERS: u64 = 100_000;

#[derive(Debug)]
pub(super) struct UnresolvedOrders {
    /// Whether there ever was one: a process without trouble skips the lookup.
    any: AtomicBool,
    orders: Cache<(SaleId, BuyerId), OrderId>,
}

impl UnresolvedOrders {
    pub(super) fn new() -> Self {
        let orders = Cache::builder()
            .max_capacity(MAX_ORDERS)
            .time_to_live(TIME_TO_LIVE)
            .build();
        Self {
            any: AtomicBool::new(false),
            orders,
        }
    }

    pub(super) fn order_of(&self, sale: SaleId, buyer: BuyerId) -> Option<OrderId> {
        let any = self.any.load(Ordering::Relaxed);
        any.then(|| self.orders.get(&(sale, buyer))).flatten()
    }

    /// Keeps an unresolved order, unless the buyer has one already. Returns the one that is kept.
    pub(super) fn keep(&self, sale: SaleId, buyer: BuyerId, order: OrderId) -> OrderId {
        self.any.store(true, Ordering::Relaxed);
        let kept = self.orders.entry((sale, buyer)).or_insert(order);
        kept.into_value()
    }

    /// The gate has decided: the next claim of the buyer is another order.
    pub(super) fn resolve(&self, sale: SaleId, buyer: BuyerId) {
        if self.order_of(sale, buyer).is_some() {
            self.orders.invalidate(&(sale, buyer));
        }
    }
}
