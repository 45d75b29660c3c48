//! Order ids: unique for ever, chosen before the gate decides the claim, usually without I/O.
//!
//! # Counted ids, the default
//! An id is one sign bit, 31 bits of seconds since 2022-01-01T00:00:00Z and 32 bits of a counter that starts again each
//! day (UTC). Processes take blocks of the counter from Redis and fetch the next block while they use one.
//!
//! **Why they are unique.** A block belongs to a day, and is combined with seconds of that day only; the rest of it is
//! dropped at midnight. Two equal ids would have the same second, hence the same day, hence the same count of the
//! same counter; and no count is given out twice. So uniqueness does not depend on the clock: it may go back, even across
//! midnight, to the counter of that day. The time in an id does: a process uses the latest second it has seen, and refuses
//! when its clock is behind that by more than a minute.
//!
//! **Why no count is given out twice,** although Redis may lose the counter (a flush, an eviction, a restart
//! without its last writes, a failover to a replica that lagged behind, two masters during a split):
//!
//! 1. The counter names the server process that counted, and its replication id. If that is not the one that answers,
//!    or the counter is missing, nothing is taken from it: a new *generation* begins, above everything that was ever
//!    covered.
//! 2. A block is used only when the ledger's high-water mark covers it, and its generation was the latest *after* that
//!    mark was raised. Either the beginner of a generation sees the mark, or the owner of the block sees the generation
//!    (`high_water.rs`). The mark rises in steps of a million, so that costs a write per million ids.
//! 3. If the ledger is unavailable, and the covered counts are used up, ids are refused.
//!
//! Generations are random steps apart, so two that are begun at once are not taken for one.
//!
//! # Snowflake ids, the other kind
//! 41 bits of milliseconds since the same epoch, 10 bits of a worker number, 12 bits of a sequence. The number is leased by
//! a lock, and the time up to which a worker may give out ids is covered in the ledger, ten seconds ahead, with the lock's
//! fence as the generation. The next holder of the number starts above that, so a holder that was paused beyond its lease
//! gives out no id that another could. A clock that goes back a little is waited for.
//!
//! # Ids of the caller's own
//! An [`OrderIdSource`] replaces both. It is asked once per batch, not once per claim.
//!
//! # How it fails
//! | what happens | what follows |
//! |---|---|
//! | Redis is unavailable | ids in memory are used up, then refused |
//! | the ledger is unavailable | ids up to the covered mark, then refused |
//! | Redis lost the counter | a new generation: up to a million counts of that day are skipped |
//! | the clock is set back | counted ids keep the latest second; snowflakes wait; both refuse beyond a minute or a second |
//! | the clock is set far ahead, and back again | refused until the process is restarted or the time has come |
//! | a process dies | what is left of its block is never used |
//! | a day needs more than 2³² ids | refused until the next |

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use link::{Link, LinkError};
use lock::Locks;
use thiserror::Error;

use crate::{Keys, Ledger, LedgerError, OrderId};

mod clear_on_drop;
mod clock;
mod counter;
mod high_water;
mod layout;
mod snowflake;

use clear_on_drop::ClearOnDrop;
pub use clock::Clock;
use counter::Counter;
pub(crate) use layout::chosen_at_ms;
use snowflake::Snowflakes;

/// Part of the names of counters, high-water marks and locks.
const NAME: &str = "order";

/// How ids are generated. All processes of a deployment must use the same kind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum IdChoice {
    /// Seconds and a counter in Redis.
    Counted,
    /// With the locks that worker numbers are leased from.
    Snowflake(Locks),
    /// Ids of the caller's own.
    Custom(Arc<dyn OrderIdSource>),
}

/// What an [`OrderIdSource`] returns.
pub type IdFuture<'a> =
    Pin<Box<dyn Future<Output = Result<(), Box<dyn Error + Send + Sync>>> + Send + 'a>>;

/// A source of order ids of the caller's own, such as a sequence of the database or a service of the company.
///
/// An id must be positive and **unique for ever**, over all processes and whatever crashes: the ledger takes an order with a
/// known id for a repetition and records nothing. Ids need not rise.
///
/// The engine asks while claims wait: a source should take blocks ahead rather than go to a server each time. See it at work
/// in `examples/flash_sale_postgres.rs`.
pub trait OrderIdSource: fmt::Debug + Send + Sync + 'static {
    /// Appends `n` ids to `ids`. What an error leaves there is dropped and never used.
    fn take_many<'a>(&'a self, n: usize, ids: &'a mut Vec<OrderId>) -> IdFuture<'a>;

    /// When an id was chosen, in milliseconds since 1970, if the id tells. [`Flash::find_order`](crate::Flash::find_order) then
    /// searches the stream around that time alone.
    fn chosen_at_ms(&self, _order: OrderId) -> Option<i64> {
        None
    }
}

/// Gives out ids of orders. Cheap to clone; a process needs one.
#[derive(Debug)]
pub struct OrderIds<L> {
    source: Source<L>,
}

#[derive(Debug)]
enum Source<L> {
    Counter(Arc<Counter<L>>),
    Snowflakes(Arc<Snowflakes<L>>),
    Custom(Arc<dyn OrderIdSource>),
}

/// Why there are no ids. Nothing was given out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IdError {
    /// Redis failed.
    #[error("redis gave no block of ids")]
    Redis(#[source] LinkError),
    /// The ledger failed.
    #[error("the high-water mark of ids could not be read or raised")]
    Ledger(#[source] LedgerError),
    /// The lock of a worker number could not be acquired.
    #[error("no worker number could be leased")]
    Lock(#[source] lock::Error),
    /// The clock was set back by more than is waited for.
    #[error("the clock is {by_ms} ms behind the time of ids given out already")]
    ClockBack {
        /// By how much, in milliseconds.
        by_ms: i64,
    },
    /// The clock is before 2022 or beyond the bits of an id.
    #[error("the clock is outside the range of ids")]
    ClockOutOfRange,
    /// A day has 2³² counted ids.
    #[error("the ids of this day are used up")]
    DayIsFull,
    /// 1,024 processes have one.
    #[error("all worker numbers are taken")]
    NoWorkerFree,
    /// Other processes or repeated failovers invalidated every block.
    #[error("no block of ids stayed valid for long enough to be used")]
    Unsettled,
    /// The [`OrderIdSource`] failed.
    #[error("the source of order ids failed")]
    Source(#[source] Box<dyn Error + Send + Sync>),
    /// The [`OrderIdSource`] gave another number of ids than it was asked for, or one that is not positive.
    #[error("the source of order ids gave {given} ids for {wanted}, or one that is not positive")]
    BadSource {
        /// How many ids it was asked for.
        wanted: usize,
        /// How many it gave.
        given: usize,
    },
}

impl<L: Ledger> OrderIds<L> {
    /// Ids of this kind, by the clock of the machine.
    pub fn new(link: Link, keys: Keys, ledger: Arc<L>, choice: IdChoice) -> Self {
        Self::with_clock(link, keys, ledger, choice, Clock::System)
    }

    /// As [`new`](Self::new), by another clock.
    pub fn with_clock(
        link: Link,
        keys: Keys,
        ledger: Arc<L>,
        choice: IdChoice,
        clock: Clock,
    ) -> Self {
        let source = match choice {
            IdChoice::Counted => Source::Counter(Counter::new(link, keys, ledger, clock)),
            IdChoice::Snowflake(locks) => Source::Snowflakes(Snowflakes::new(locks, ledger, clock)),
            IdChoice::Custom(source) => Source::Custom(source),
        };
        Self { source }
    }

    /// Appends `n` unique ids, or none. Usually without I/O.
    pub async fn take_many(&self, n: usize, ids: &mut Vec<OrderId>) -> Result<(), IdError> {
        let before = ids.len();
        let filled = match &self.source {
            Source::Counter(counter) => counter.fill(before + n, ids).await,
            Source::Snowflakes(snowflakes) => snowflakes.fill(before + n, ids).await,
            Source::Custom(source) => take_checked(&**source, n, ids).await,
        };
        if filled.is_err() {
            ids.truncate(before);
        }
        filled
    }
}

impl<L> Clone for OrderIds<L> {
    fn clone(&self) -> Self {
        let source = match &self.source {
            Source::Counter(counter) => Source::Counter(counter.clone()),
            Source::Snowflakes(snowflakes) => Source::Snowflakes(snowflakes.clone()),
            Source::Custom(source) => Source::Custom(source.clone()),
        };
        Self { source }
    }
}

/// The scripts of the gate know ids as digits, so an id with a sign would be granted and never found again.
async fn take_checked(
    source: &dyn OrderIdSource,
    n: usize,
    ids: &mut Vec<OrderId>,
) -> Result<(), IdError> {
    let before = ids.len();
    source.take_many(n, ids).await.map_err(IdError::Source)?;
    let new = ids.get(before..).unwrap_or_default();
    if new.len() == n && new.iter().all(|id| id.0 > 0) {
        return Ok(());
    }
    Err(IdError::BadSource {
        wanted: n,
        given: new.len(),
    })
}
