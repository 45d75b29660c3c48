//! The errors, distinguished by what the caller may conclude.
//!
//! [`Error::Lost`]: another holder may have the lock. [`Error::RedisUnavailable`]: Redis did not reply, so the outcome is
//! unknown. Neither is ever inferred from the other.

use link::LinkError;

/// Why a lock was not acquired, or not released.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The wait limit has passed. The caller holds nothing and is no longer queued.
    #[error("the lock was not granted within the wait limit")]
    WaitLimit,
    /// The caller had lost the lock before the release.
    #[error("the lock was lost: {0}")]
    Lost(LostReason),
    /// Redis did not reply, after retries. If the lock was granted or is still held, it is released in the background, or
    /// its lease expires.
    #[error("redis is unavailable")]
    RedisUnavailable(#[source] LinkError),
    /// Too few members of a [`MultiLock`](crate::MultiLock) replied for a majority.
    #[error("too few nodes replied")]
    NoQuorum,
    /// A [`Semaphore`](crate::Semaphore) is in use with another number of permits. Nothing was acquired.
    #[error(
        "the semaphore is in use with {kept} permits and not with {requested}: name the same number everywhere, or \
         change it while no permit is held"
    )]
    OtherPermits {
        /// How many permits it has.
        kept: u32,
        /// How many this caller named.
        requested: u32,
    },
    /// The members of a [`MultiLock`](crate::MultiLock) make no sense. No request was sent.
    #[error("these locks cannot be acquired as one")]
    BadMembers(#[from] BadMembers),
    /// [`RwLock::downgrade`](crate::RwLock::downgrade) got a guard that is not the only clone of a write guard of that lock.
    #[error("only the last clone of a write guard of this lock can be downgraded")]
    NotDowngradable,
    /// [`Locks::shutdown`](crate::Locks::shutdown) was called.
    #[error("the locks are shut down")]
    Closed,
}

/// Why locks cannot be the members of one [`MultiLock`](crate::MultiLock).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadMembers {
    /// There are none, so the lock would be granted to every caller.
    #[error("a multi-lock without members protects nothing: list at least one lock")]
    Empty,
    /// A lock is listed twice: its second grant would wait for the first one to be released.
    #[error(
        "the lock `{name}` on {server} is listed twice and would wait for itself: list it once"
    )]
    Repeated {
        /// The name of the lock.
        name: String,
        /// The address of its server.
        server: String,
    },
}

/// Why a holder lost its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LostReason {
    /// Its fixed lease is over.
    #[error("its lease is over")]
    LeaseOver,
    /// It was not renewed in time, because Redis did not reply or this process did not run.
    #[error("it could not be renewed in time")]
    NotRenewed,
    /// Its key vanished from Redis: taken by force, deleted by hand, flushed, evicted, or lost in a failover.
    #[error("it is gone from redis")]
    Gone,
    /// Another holder has it.
    #[error("another holder has it")]
    Taken,
    /// Too few members of a [`MultiLock`](crate::MultiLock) are left.
    #[error("too few of its members are held")]
    NoQuorum,
}

impl LostReason {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::LeaseOver => "lease_over",
            Self::NotRenewed => "not_renewed",
            Self::Gone => "gone",
            Self::Taken => "taken",
            Self::NoQuorum => "no_quorum",
        }
    }
}
