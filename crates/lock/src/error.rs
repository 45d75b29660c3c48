//! What can go wrong, told apart by what the caller may conclude.
//!
//! [`Error::Lost`] says "not yours any more": somebody else may hold the lock. [`Error::Unasked`] says "could not ask":
//! Redis gave no answer, so nothing is known. Neither is ever guessed from the other.

use link::LinkError;

/// Why a lock was not acquired, or not released.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The wait limit passed first. Nothing is held, and the place in line is given up.
    #[error("the lock was not granted within the wait limit")]
    WaitLimit,
    /// The lock was not the caller's any more when it was released.
    #[error("the lock was lost: {0}")]
    Lost(LostReason),
    /// Redis gave no usable answer, although it was asked repeatedly. If the lock was granted or is still held, it is
    /// released in the background, or ends with its lease.
    #[error("redis could not be asked")]
    Unasked(#[source] LinkError),
    /// So few members of a [`MultiLock`](crate::MultiLock) answered that no majority could be had.
    #[error("too few nodes answered")]
    NoQuorum,
    /// [`Locks::shutdown`](crate::Locks::shutdown) was called.
    #[error("the locks are shut down")]
    Closed,
}

/// How a holder came to lose its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LostReason {
    /// Its fixed lease is over.
    #[error("its lease is over")]
    LeaseOver,
    /// It could not be renewed in time, because Redis did not answer or this process did not run.
    #[error("it could not be renewed in time")]
    NotRenewed,
    /// It is gone from Redis before its time: deleted by hand, flushed, evicted, or lost in a failover.
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
