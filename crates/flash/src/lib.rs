//! A flash-sale engine: ten thousand people want a hundred units in the same second.
//!
//! It decides in Redis and records in a ledger that it knows only by the trait [`Ledger`].
//!
//! ```no_run
//! # async fn sell(ledger: impl flash::Ledger) -> Result<(), Box<dyn std::error::Error>> {
//! use flash::{BuyerId, Claim, Flash, FlashOptions, Outcome, SaleId};
//! use link::{Link, Options, Target};
//! use lock::Locks;
//! use tokio_util::sync::CancellationToken;
//!
//! let link = Link::connect(&Target::parse("redis://127.0.0.1")?, Options::default()).await?;
//! let locks = Locks::new(link.clone());
//! let flash = Flash::new(link, locks, ledger, FlashOptions::default());
//! flash.settle().await?;
//!
//! let stop = CancellationToken::new();
//! let (drainer, listener) = (flash.clone(), flash.clone());
//! let (stop_drain, stop_listen) = (stop.clone(), stop.clone());
//! tokio::spawn(async move { drainer.run_drain(stop_drain).await });
//! tokio::spawn(async move { listener.listen(stop_listen).await });
//!
//! let claim = Claim { sale: SaleId(7), buyer: BuyerId(42), key: None };
//! match flash.claim(claim).await? {
//!     Outcome::Granted(order) => println!("{order} will be in the ledger"),
//!     other => println!("{other:?}"),
//! }
//! # Ok(()) }
//! ```
//!
//! # What it promises
//! 1. A sale of N units sells exactly N, if enough people want them.
//! 2. A buyer holds no more orders of a sale than its limit.
//! 3. An order id that was told to a buyer becomes exactly one order in the ledger.
//! 4. Repeating a claim gives the same answer: what is not known is said not to be known ([`ClaimError::Unknown`]), and
//!    asking again settles it under the same id.
//! 5. What cannot be served is refused at once ([`ClaimError::Busy`]).
//!
//! The ledger is the truth. What Redis knows of a sale can be built anew from it, except orders that are on their way.
//!
//! # How a claim travels
//! A [`Flash::claim`] of a sale that is known to be over is answered from memory (`sold_out`). Otherwise it queues in
//! front of its partition's `batcher`, which asks the `gate` for everybody who waits at once: one script decides, and
//! writes the winners into the partition's `stream` in the same step. The `drain` takes them to the ledger, directly or
//! by way of a broker (`transport`). A sale that has no gate is loaded from the ledger first (`load`). Units that come
//! back go through [`Flash::give_back`], changed terms through [`Flash::amend`]. One hot sale can be spread over several
//! partitions (`spread`). [`Flash::reconcile`] proves that gate, stream and ledger add up. Each of these files says how
//! its part works and how it fails.
//!
//! # How it fails
//! | what happens | what follows |
//! |---|---|
//! | Redis is away | `Busy`, or `Unknown` for calls under way; nothing is sold twice or forgotten |
//! | Redis loses everything | sales are loaded again after the backlog is drained; orders that were only in Redis are lost |
//! | Redis fails over, or is restarted | sales are loaded again, so nothing is sold twice; an order that neither the new master nor a drain worker has is lost, unless `replicas` confirmed it |
//! | the ledger is away | orders wait in the stream; beyond its limit claims are refused |
//! | a process dies, anywhere | its claims are answered when asked again; its orders are drained by another |
//! | a message about a returned unit is lost | the unit is for sale a second later |
//! | an order is proven impossible to record | it is dead-lettered alone, its unit is sold again, and its buyer is notified |
//!
//! # What is deliberately absent
//! No lock on the way of a purchase, no timer in front of a batch, no limit on the length of the stream: entries leave it
//! when they are recorded and not before.

mod claim;
mod drain;
mod engine;
#[doc(hidden)]
pub mod fail_point;
mod gate;
mod ids;
mod keys;
mod ledger;
mod load;
mod local_limit;
mod meter;
mod options;
mod reconcile;
mod replicas;
mod stream;
mod transport;
mod types;

pub use claim::token::ClaimTokens;
pub use claim::{Claim, ClaimError, ClaimOutcome};
pub use drain::DrainOptions;
pub use engine::{Flash, StartError};
pub use gate::amend::Withdrawal;
pub use gate::return_units::StockReturn;
pub use gate::spread::PullOutcome;
pub use gate::state::{Phase, SaleState, StateError};
pub use ids::{Clock, IdChoice, IdError, OrderIds};
pub use keys::Keys;
pub use ledger::{
    Audit, DrainLease, Ended, Holding, Ledger, LedgerError, Refused, StockUnit, Terms, WriteOutcome,
};
pub use load::{LoadError, LoadOutcome};
pub use local_limit::{LocalLimit, RetryAfter};
pub use options::{FlashOptions, IdKind};
pub use reconcile::{Drift, Equations, Repair, Repaired, Report};
pub use stream::barrier::BarrierError;
#[cfg(feature = "kafka")]
pub use transport::KafkaOptions;
pub use transport::{RabbitMqOptions, Transport, TransportError};
pub use types::{BuyerId, KeyHash, Order, OrderId, Partition, Partitions, SaleId};
