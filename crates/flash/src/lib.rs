#![doc = include_str!("../README.md")]
//!
//! # Example
//! ```no_run
//! # async fn sell(ledger: impl flash::Ledger) -> Result<(), Box<dyn std::error::Error>> {
//! use flash::{BuyerId, Claim, ClaimOutcome, Flash, FlashOptions, SaleId};
//! use link::{Link, Options, Target};
//! use lock::Locks;
//! use tokio_util::sync::CancellationToken;
//!
//! let link = Link::connect(&Target::parse("redis://127.0.0.1")?, Options::default()).await?;
//! let locks = Locks::new(link.clone());
//! let flash = Flash::new(link, locks, ledger, FlashOptions::default());
//! flash.check_partitions().await?;
//!
//! let stop = CancellationToken::new();
//! let (drain, listener) = (flash.clone(), flash.clone());
//! let (stop_drain, stop_listen) = (stop.clone(), stop.clone());
//! tokio::spawn(async move { drain.run_drain(stop_drain).await });
//! tokio::spawn(async move { listener.listen(stop_listen).await });
//!
//! let claim = Claim { sale: SaleId(7), buyer: BuyerId(42), key: None };
//! match flash.claim(claim).await? {
//!     ClaimOutcome::Granted(order) => println!("{order} will be in the ledger"),
//!     other => println!("{other:?}"),
//! }
//! # Ok(()) }
//! ```

mod claim;
mod drain;
mod engine;
mod gate;
mod ids;
mod keys;
mod ledger;
mod load;
mod meter;
mod options;
mod reconcile;
mod replicas;
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

pub use claim::token::ClaimTokens;
pub use claim::{Claim, ClaimError, ClaimOutcome};
pub use drain::DrainOptions;
pub use engine::{Flash, StartError};
pub use gate::amend::Withdrawal;
pub use gate::return_units::StockReturn;
pub use gate::spread::PullOutcome;
pub use gate::state::{SalePhase, SaleState, StateError};
pub use ids::{Clock, IdChoice, IdError, OrderIds};
pub use keys::Keys;
pub use ledger::{
    Audit, DrainLease, Ended, Holding, Ledger, LedgerError, Refused, StockUnit, Terms, WriteOutcome,
};
pub use load::{LoadError, LoadOutcome};
pub use options::{FlashOptions, IdKind};
pub use reconcile::{Drift, Equations, ReconcileReport, Repair, Repaired};
pub use stream::barrier::BarrierError;
#[cfg(feature = "kafka")]
pub use transport::KafkaOptions;
#[cfg(feature = "rabbitmq")]
pub use transport::RabbitMqOptions;
pub use transport::{Transport, TransportError};
pub use types::{BuyerId, KeyHash, Order, OrderId, Partition, Partitions, SaleId};
