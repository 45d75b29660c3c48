#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod claim;
mod drain;
mod engine;
mod gate;
mod ids;
mod keys;
mod ledger;
#[cfg(feature = "ledger-contract")]
pub mod ledger_contract;
mod load;
#[cfg(feature = "memory-ledger")]
mod memory_ledger;
mod meter;
mod options;
mod reconcile;
mod replicas;
#[cfg(feature = "sql-ledger")]
mod sql_ledger;
mod stream;
#[cfg_attr(
    not(any(feature = "rabbitmq", feature = "kafka")),
    expect(
        dead_code,
        unused_variables,
        reason = "a build without brokers has a relay that nothing starts"
    )
)]
mod transport;
mod types;

// What a caller needs beside the engine, so that this crate is the only one to depend on.
pub use link::{Link, Options as LinkOptions, Target};
pub use lock::{Locks, Options as LockOptions};
pub use tokio_util::sync::CancellationToken;

pub use claim::token::ClaimTokens;
pub use claim::{Claim, ClaimError, ClaimOutcome};
pub use drain::DrainOptions;
pub use engine::{Flash, StartError};
pub use gate::amend::Withdrawal;
pub use gate::return_units::StockReturn;
pub use gate::spread::PullOutcome;
pub use gate::state::{SalePhase, SaleState, StateError};
pub use ids::{Clock, IdChoice, IdError, IdFuture, OrderIdSource, OrderIds};
pub use keys::Keys;
pub use ledger::{
    Audit, DrainLease, Ended, Holding, Ledger, LedgerError, Refused, StockUnit, Terms, WriteOutcome,
};
pub use load::{LoadError, LoadOutcome};
#[cfg(feature = "memory-ledger")]
pub use memory_ledger::{DeadLetter, MemoryLedger, RecordedRepair};
pub use options::{FlashOptions, IdKind};
pub use reconcile::{Drift, Equations, ReconcileReport, Repair, Repaired};
#[cfg(feature = "sql-ledger")]
pub use sql_ledger::{SqlDatabase, SqlError, SqlLedger, SqlRow, SqlValue};
pub use stream::barrier::BarrierError;
#[cfg(feature = "kafka")]
pub use transport::KafkaOptions;
#[cfg(feature = "rabbitmq")]
pub use transport::RabbitMqOptions;
pub use transport::{Transport, TransportError};
pub use types::{BuyerId, KeyHash, Order, OrderId, Partition, Partitions, SaleId};
