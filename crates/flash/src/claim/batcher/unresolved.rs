//! Orders whose fate is not known: the next claim of the same buyer uses the same id, so it settles the matter.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use moka::sync::Cache;

use crate::{BuyerId, OrderId, SaleId};

/// Longer than anybody goes on asking.
const TIME_TO_LIVE: Duration = Duration::from_secs(600);

/// Everybody in the queues of a process, several times over.
const MAX_DOUBTS: u64 = 100_000;

#[derive(Debug)]
pub(super) struct Doubts {
    /// Whether there ever was one: looking is for processes that had trouble.
    any: AtomicBool,
    orders: Cache<(SaleId, BuyerId), OrderId>,
}

impl Doubts {
    pub(super) fn new() -> Self {
        let orders = Cache::builder()
            .max_capacity(MAX_DOUBTS)
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

    /// The order that the buyer is in doubt about from then on: whoever clicks twice is told of the first.
    pub(super) fn keep(&self, sale: SaleId, buyer: BuyerId, order: OrderId) -> OrderId {
        self.any.store(true, Ordering::Relaxed);
        let kept = self.orders.entry((sale, buyer)).or_insert(order);
        kept.into_value()
    }

    /// The gate has decided: another claim of the buyer is another order.
    pub(super) fn settle(&self, sale: SaleId, buyer: BuyerId) {
        if self.order_of(sale, buyer).is_some() {
            self.orders.invalidate(&(sale, buyer));
        }
    }
}
