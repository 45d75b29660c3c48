//! The lock that is granted strictly in order of arrival: [`FairMutex`].

use std::time::Duration;

use crate::{Error, Guard, Term, queued_lock::QueuedLock, token::LockMode};

/// A lock with one holder at a time, granted in the order in which requests of all processes reach Redis.
///
/// Every waiter has an entry of its own in the queue, kept alive by polling; a waiter whose process died is skipped after
/// five seconds. A grant costs two or three commands; a [`Mutex`](crate::Mutex) is cheaper.
#[derive(Clone, Debug)]
pub struct FairMutex {
    inner: QueuedLock,
}

impl FairMutex {
    pub(crate) fn new(inner: QueuedLock) -> Self {
        Self { inner }
    }

    /// The same lock with another term.
    #[must_use]
    pub fn term(self, term: Term) -> Self {
        Self::new(self.inner.term(term))
    }

    /// The name it was created with.
    pub fn name(&self) -> &str {
        self.inner.name()
    }

    /// Acquires the lock, if it is free and no caller waits for it.
    pub async fn try_lock(&self) -> Result<Option<Guard>, Error> {
        self.inner.try_acquire(LockMode::Exclusive).await
    }

    /// Waits for the lock without a limit.
    pub async fn lock(&self) -> Result<Guard, Error> {
        self.inner.acquire(LockMode::Exclusive).await
    }

    /// Waits for the lock, or fails with [`Error::WaitLimit`] after `limit`.
    pub async fn lock_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.inner.acquire_within(LockMode::Exclusive, limit).await
    }
}
