//! What the engine needs from the store of record, usually a database.

use std::error::Error;
use std::future::Future;
use std::time::Duration;

use thiserror::Error;

use crate::gate::bucket::now_ms;
use crate::{BuyerId, KeyHash, Order, OrderId, Partition, SaleId};

/// The terms of a sale in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Units in all: `initial = stock + live orders`, always.
    pub initial: u32,
    /// Units that no live order in the ledger holds.
    pub stock: u32,
    /// The first millisecond of the window, since 1970.
    pub begin_ms: i64,
    /// The first millisecond after the window.
    pub end_ms: i64,
    /// Units that a buyer may hold at a time, from 1.
    pub limit_per_buyer: u8,
    /// Over how many buckets the sale is spread.
    pub spread: u16,
    /// `false` ends the sale whatever its window says.
    pub on_shelf: bool,
    /// Rises with every load, return and change of terms.
    pub epoch: i64,
}

impl Terms {
    /// A sale that opens now, one unit per buyer, in one bucket.
    pub fn open_now(initial: u32, window: Duration) -> Self {
        let begin_ms = now_ms();
        let window_ms = i64::try_from(window.as_millis()).unwrap_or(i64::MAX);
        Self {
            initial,
            stock: initial,
            begin_ms,
            end_ms: begin_ms.saturating_add(window_ms),
            limit_per_buyer: 1,
            spread: 1,
            on_shelf: true,
            epoch: 1,
        }
    }
}

/// An order that a gate has to know: a live one, which holds a unit, or an ended one whose request has a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The order.
    pub order: OrderId,
    /// Its buyer.
    pub buyer: BuyerId,
    /// Which of the buyer's units, from 1; 0 for an order that ended.
    pub slot: u8,
    /// The idempotency key of the request: a repetition gets this order, also from a gate that was loaded since.
    pub key: Option<KeyHash>,
}

impl Holding {
    /// Whether the order holds a unit.
    pub fn is_live(&self) -> bool {
        self.slot > 0
    }

    /// The field and the item that the gate stores for the order.
    pub(crate) fn to_item(self) -> (i64, String) {
        let item = match self.key {
            Some(key) => format!("{}:{}:{key}", self.slot, self.order),
            None => format!("{}:{}:", self.slot, self.order),
        };
        (self.buyer.0, item)
    }
}

/// The right to record the orders of a partition. A lease with a higher fencing token ends those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrainLease {
    /// Whose orders may be recorded.
    pub partition: Partition,
    /// The fencing token of the lock that the worker holds.
    pub fence: i64,
}

/// The outcome of writing one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteOutcome {
    /// It was recorded, and took a unit.
    New,
    /// The same order was recorded or dead-lettered before: there is nothing left to do for it.
    AlreadyRecorded,
    /// It can never be recorded; the other orders of the batch are.
    Refused(Refused),
}

/// Why an order can never be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refused {
    /// The ledger has no such sale.
    #[error("there is no such sale")]
    NoSuchSale,
    /// Another live order of the buyer has the slot: the unique key on sale, buyer and slot.
    #[error("the buyer's slot is taken by order {0}")]
    SlotTaken(OrderId),
}

/// Whether an order that cannot be recorded holds a unit of the ledger's stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StockUnit {
    /// It does, and the unit returns to stock.
    Held,
    /// The ledger had no unit left for it: there is nothing to return.
    None,
}

/// How an order ended without being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// It was never recorded, and there may have been no unit for it.
    DeadLettered,
    /// It was recorded, and its unit is back in the ledger's stock.
    Returned,
}

/// The figures of one sale, read in one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The terms of the sale.
    pub terms: Terms,
    /// Orders that hold a unit.
    pub live_orders: u64,
}

/// Why a ledger did nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// Worth a retry. Every error belongs here that is not known to be the fault of these orders.
    #[error("the ledger is unavailable")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The ledger answered and rejected these orders. That alone does not dead-letter one of them: others must be recorded
    /// before and after each failure.
    #[error("the ledger failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
    /// Another worker took the drain lease. Nothing was recorded.
    #[error("another worker took the drain lease")]
    Fenced,
    /// The sale has fewer units than these orders need. Nothing was recorded.
    #[error("sale {0} has too few units left")]
    OutOfStock(SaleId),
}

impl LedgerError {
    /// An error that is worth a retry, such as any that a database client returns.
    pub fn unavailable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(cause.into())
    }
}

/// The store of record for sales and orders. `SqlLedger` (feature `sql-ledger`) is one on SQLite or Postgres. Every function is one transaction and sees everything committed before it.
pub trait Ledger: Send + Sync + 'static {
    /// The number of partitions this deployment began with; `count` if it begins now.
    fn settle_partitions(
        &self,
        count: u16,
    ) -> impl Future<Output = Result<u16, LedgerError>> + Send;

    /// The terms of a sale; `None` if there is no such sale.
    fn sale(&self, sale: SaleId)
    -> impl Future<Output = Result<Option<Terms>, LedgerError>> + Send;

    /// Raises the sale's epoch and returns its terms as they are then.
    fn open_load(
        &self,
        sale: SaleId,
    ) -> impl Future<Output = Result<Option<Terms>, LedgerError>> + Send;

    /// At most `limit` orders of a sale with ids above `after`, by id: the live ones, and ended ones whose request has a
    /// key and may still be repeated.
    fn holdings(
        &self,
        sale: SaleId,
        after: OrderId,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Holding>, LedgerError>> + Send;

    /// The orders of one buyer in a sale, by id: as [`holdings`](Self::holdings).
    fn held_by(
        &self,
        sale: SaleId,
        buyer: BuyerId,
    ) -> impl Future<Output = Result<Vec<Holding>, LedgerError>> + Send;

    /// Terms and the number of live orders, read together.
    fn audit(
        &self,
        sale: SaleId,
    ) -> impl Future<Output = Result<Option<Audit>, LedgerError>> + Send;

    /// Sales whose window is open, or will be, or ended after `ended_after_ms`.
    fn current_sales(
        &self,
        ended_after_ms: i64,
    ) -> impl Future<Output = Result<Vec<SaleId>, LedgerError>> + Send;

    /// Registers a drain lease: from then on a worker with a lower fencing token gets [`LedgerError::Fenced`]. So does
    /// this call, if a higher token was registered before. Idempotent.
    fn take_drain_lease(
        &self,
        lease: DrainLease,
    ) -> impl Future<Output = Result<(), LedgerError>> + Send;

    /// Records orders and takes their units from the stock: all that can be recorded, or nothing on an error. One outcome
    /// per order, in order.
    fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> impl Future<Output = Result<Vec<WriteOutcome>, LedgerError>> + Send;

    /// Keeps an order that could not be recorded, for a person and for its buyer, who has its id. Idempotent, and without
    /// effect on an order that was recorded after all. The ledger's own stock stays: it never had the unit less. The gate
    /// has: in the same transaction the ledger should note that [`Flash::return_unit`](crate::Flash::return_unit) is due,
    /// with this `unit`. If that never comes, [`Flash::reconcile`](crate::Flash::reconcile) finds the order ended and returns it.
    fn dead_letter(
        &self,
        lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> impl Future<Output = Result<(), LedgerError>> + Send;

    /// How an order ended; `None` for one that is live, or unknown.
    fn find_end(
        &self,
        order: OrderId,
    ) -> impl Future<Output = Result<Option<Ended>, LedgerError>> + Send;

    /// Those of the orders that are live in the ledger.
    fn live_among(
        &self,
        orders: &[OrderId],
    ) -> impl Future<Output = Result<Vec<OrderId>, LedgerError>> + Send;

    /// Records a repair, for people to read.
    fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> impl Future<Output = Result<(), LedgerError>> + Send;

    /// The high-water mark of ids under this name: no id above it was given out.
    fn mark(&self, name: &str) -> impl Future<Output = Result<Option<i64>, LedgerError>> + Send;

    /// Raises the mark to at least `to`.
    fn raise_mark(
        &self,
        name: &str,
        to: i64,
    ) -> impl Future<Output = Result<(), LedgerError>> + Send;
}
