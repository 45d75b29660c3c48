//! What a [`Ledger`] must do, as checks that an implementer runs against a database of their own.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use redis_flash_sale::ledger_contract::{Subject, violations};
//! use redis_flash_sale::{MemoryLedger, OrderId, SaleId, Terms};
//!
//! struct Memory(MemoryLedger);
//!
//! impl Subject for Memory {
//!     type Ledger = MemoryLedger;
//!
//!     fn ledger(&self) -> &MemoryLedger {
//!         &self.0
//!     }
//!
//!     async fn publish(&self, number: i64, terms: Terms) -> SaleId {
//!         self.0.publish(SaleId(number), terms);
//!         SaleId(number)
//!     }
//!
//!     async fn return_unit(&self, order: OrderId) {
//!         self.0.return_unit(order);
//!     }
//! }
//!
//! assert_eq!(violations(&Memory(MemoryLedger::new())).await, []);
//! # });
//! ```
//!
//! The checks look for wrong results, alone and beside each other. They do not kill the database: that a committed order
//! survives a crash is the promise of the database itself.

mod rules;

use std::fmt;
use std::future::Future;

use crate::{BuyerId, Ledger, OrderId, SaleId, Terms};

/// A ledger under test, with what the contract needs and the engine never does. It must be empty: use a database of its own
/// for each run.
pub trait Subject: Sync {
    /// The ledger.
    type Ledger: Ledger;

    /// The ledger.
    fn ledger(&self) -> &Self::Ledger;

    /// Puts up a sale whose units are all there. `number` is different in each call; the id may be another.
    fn publish(&self, number: i64, terms: Terms) -> impl Future<Output = SaleId> + Send;

    /// Ends a live order and returns its unit to the ledger's stock, as a cancellation does.
    fn return_unit(&self, order: OrderId) -> impl Future<Output = ()> + Send;

    /// A buyer that the ledger knows, if it has to know buyers.
    fn buyer(&self, number: i64) -> impl Future<Output = BuyerId> + Send {
        async move { BuyerId(number) }
    }
}

/// A rule that the ledger breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule, as a sentence.
    pub rule: &'static str,
    /// What was found instead.
    pub found: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.found)
    }
}

/// Every rule that the ledger breaks. None is what a test asserts.
pub async fn violations<S: Subject>(subject: &S) -> Vec<Violation> {
    rules::check_all(subject).await
}
