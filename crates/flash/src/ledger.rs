//! What the engine asks of whoever keeps the truth, usually a database.

use std::error::Error;
use std::future::Future;

use thiserror::Error;

use crate::{BuyerId, KeyHash, Order, OrderId, Partition, SaleId};

/// A sale as the ledger has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Pieces there were in all: `initial = stock + live orders`, always.
    pub initial: u32,
    /// Pieces that no order in the ledger holds.
    pub stock: u32,
    pub begin_ms: i64,
    pub end_ms: i64,
    pub limit_per_buyer: u8,
    /// Over how many buckets the sale is spread.
    pub spread: u16,
    pub on_shelf: bool,
    /// Rises with every load, return and change of terms.
    pub epoch: i64,
}

/// An order that a gate has to know: a live one, which holds a piece, or one that ended and whose request has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    pub order: OrderId,
    pub buyer: BuyerId,
    /// Which of the buyer's pieces, from 1; 0 for an order that ended.
    pub slot: u8,
    /// What the buyer called the request: a repetition gets this order, also from a gate that was loaded since.
    pub key: Option<KeyHash>,
}

impl Holding {
    pub fn is_live(&self) -> bool {
        self.slot > 0
    }

    /// The buyer, and the item that the gate has of the order.
    pub(crate) fn to_item(self) -> (i64, String) {
        let item = match self.key {
            Some(key) => format!("{}:{}:{key}", self.slot, self.order),
            None => format!("{}:{}:", self.slot, self.order),
        };
        (self.buyer.0, item)
    }
}

/// The right to record the orders of a partition. A seat with a higher fence ends those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub partition: Partition,
    pub fence: i64,
}

/// What became of one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    New,
    /// The same order was recorded before, or buried: it is over and done with.
    AlreadyThere,
    Refused(Refused),
}

/// Why an order can never be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    #[error("there is no such sale")]
    NoSuchSale,
    #[error("the buyer's place is taken by order {0}")]
    SlotTaken(OrderId),
}

/// Whether an order that cannot be recorded holds a piece of the ledger's stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    Held,
    /// The ledger had no piece left for it: there is nothing to sell again.
    None,
}

/// How an order came to its end without being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was never recorded, and there may have been no piece for it.
    Buried,
    /// It was recorded, and the ledger has its piece back.
    GivenBack,
}

/// A consistent look at one sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audit {
    pub terms: Terms,
    pub live_orders: u64,
}

#[derive(Debug, Error)]
pub enum LedgerError {
    /// Asking again later is sensible. Every error belongs here that is not known to be the fault of these orders.
    #[error("the ledger is away")]
    Away(#[source] Box<dyn Error + Send + Sync>),
    /// The ledger answered, and would not have these orders. It takes more than that to give one of them up: others must
    /// be recorded before and after each failure.
    #[error("the ledger failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
    /// Somebody took the seat since. Nothing was recorded.
    #[error("the seat is taken by another")]
    Fenced,
    /// The sale has fewer pieces than these orders want. Nothing was recorded.
    #[error("sale {0} has too few pieces left")]
    Short(SaleId),
}

/// Keeps the truth about sales and orders. Every function is one transaction and sees everything committed before it.
pub trait Ledger: Send + Sync + 'static {
    /// The number of partitions this deployment began with; `count` if it begins now.
    fn settle_partitions(
        &self,
        count: u16,
    ) -> impl Future<Output = Result<u16, LedgerError>> + Send;

    fn sale(&self, sale: SaleId)
    -> impl Future<Output = Result<Option<Terms>, LedgerError>> + Send;

    /// Raises the sale's epoch and returns its terms as they are then.
    fn open_load(
        &self,
        sale: SaleId,
    ) -> impl Future<Output = Result<Option<Terms>, LedgerError>> + Send;

    /// At most `limit` orders of a sale with ids above `after`, by id: the live ones, and those that ended and whose
    /// request has a name and may still be repeated.
    fn holdings(
        &self,
        sale: SaleId,
        after: OrderId,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Holding>, LedgerError>> + Send;

    /// What one buyer has of a sale, by id: as [`holdings`](Self::holdings).
    fn held_by(
        &self,
        sale: SaleId,
        buyer: BuyerId,
    ) -> impl Future<Output = Result<Vec<Holding>, LedgerError>> + Send;

    /// Terms and the number of live orders, of one moment.
    fn audit(
        &self,
        sale: SaleId,
    ) -> impl Future<Output = Result<Option<Audit>, LedgerError>> + Send;

    /// Sales whose window is open, or will be, or ended after `ended_after_ms`.
    fn current_sales(
        &self,
        ended_after_ms: i64,
    ) -> impl Future<Output = Result<Vec<SaleId>, LedgerError>> + Send;

    /// Sits down: from then on whoever has a lower fence is refused with [`LedgerError::Fenced`]. So is this, if
    /// somebody with a higher one came first. Repeating it changes nothing.
    fn take_seat(&self, seat: Seat) -> impl Future<Output = Result<(), LedgerError>> + Send;

    /// Records orders and takes their pieces from the stock: all that can be recorded, or nothing on an error. One
    /// answer per order, in order.
    fn write_orders(
        &self,
        seat: Seat,
        orders: &[Order],
    ) -> impl Future<Output = Result<Vec<Written>, LedgerError>> + Send;

    /// Keeps an order that could not be recorded, and sees to it that its buyer is told and its piece given back, unless
    /// there never was one ([`Piece::None`]). Repeating it changes nothing.
    fn bury(
        &self,
        seat: Seat,
        order: &Order,
        reason: &str,
        piece: Piece,
    ) -> impl Future<Output = Result<(), LedgerError>> + Send;

    /// How an order ended; nothing for one that is live, or not known here.
    fn end_of(
        &self,
        order: OrderId,
    ) -> impl Future<Output = Result<Option<Ended>, LedgerError>> + Send;

    /// Of these orders, those the ledger has as live ones.
    fn live_among(
        &self,
        orders: &[OrderId],
    ) -> impl Future<Output = Result<Vec<OrderId>, LedgerError>> + Send;

    /// Writes down what was repaired, for people to read.
    fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> impl Future<Output = Result<(), LedgerError>> + Send;

    /// The highest value that may have been given out under this name.
    fn mark(&self, name: &str) -> impl Future<Output = Result<Option<i64>, LedgerError>> + Send;

    /// Raises the mark to at least `to`.
    fn raise_mark(
        &self,
        name: &str,
        to: i64,
    ) -> impl Future<Output = Result<(), LedgerError>> + Send;
}
