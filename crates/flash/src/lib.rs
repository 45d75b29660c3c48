//! A flash-sale engine: ten thousand people want a hundred pieces in the same second.
//!
//! It decides in Redis and records in a ledger that it knows only by the trait [`Ledger`].

mod adjust;
mod amend;
mod barrier;
mod batcher;
mod claim;
mod claim_token;
mod drain;
mod engine;
mod fail_point;
mod find_order;
mod gate;
mod give_back;
mod ids;
mod inlet;
mod keys;
mod ledger;
mod load;
mod local_limit;
mod look;
mod meter;
mod options;
mod place;
mod recent;
mod relay;
mod reconcile;
mod replicas;
mod sales;
mod sold_out;
mod spread;
mod stream;
mod transport;
mod types;
mod upkeep;

pub use barrier::BarrierError;
pub use claim::{Claim, ClaimError, Outcome};
pub use claim_token::ClaimTokens;
pub use engine::{Flash, StartError};
pub use give_back::GiveBack;
pub use ids::{Clock, IdChoice, IdError, OrderIds};
pub use keys::Keys;
pub use ledger::{Audit, Holding, Ledger, LedgerError, Piece, Refused, Seat, Terms, Written};
pub use load::{LoadError, Loading};
pub use local_limit::{LocalLimit, RetryAfter};
pub use look::{LookError, Phase, SaleState};
pub use options::{FlashOptions, IdKind};
pub use reconcile::{Drift, Equations, Repair, Repaired, Report};
pub use spread::Pulled;
#[cfg(feature = "kafka")]
pub use transport::KafkaOptions;
pub use transport::{RabbitMqOptions, Transport, TransportError};
pub use types::{BuyerId, KeyHash, Order, OrderId, Partition, Partitions, SaleId};
