//! A flash-sale engine: ten thousand people want a hundred pieces in the same second.
//!
//! It decides in Redis and records in a ledger that it knows only by the trait [`Ledger`].

mod fail_point;
mod keys;
mod ledger;
mod types;

pub use keys::Keys;
pub use ledger::{Audit, Holding, Ledger, LedgerError, Piece, Refused, Seat, Terms, Written};
pub use types::{BuyerId, KeyHash, Order, OrderId, Partition, Partitions, SaleId};
