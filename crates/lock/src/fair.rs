//! The lock that is granted strictly in order of arrival: [`FairMutex`].

use std::time::Duration;

use crate::{Error, Guard, Holder, Term, queued_lock::QueuedLock, token::LockMode};

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

    /// Acquires the lock, if it is free and no caller waits for it. One attempt: it never queues.
    pub async fn try_lock(&self) -> Result<Option<Guard>, Error> {
        self.inner.try_acquire(LockMode::Exclusive).await
    }

    /// Waits for the lock without a limit.
    pub async fn lock(&self) -> Result<Guard, Error> {
        self.inner.acquire(LockMode::Exclusive).await
    }

    /// Waits for the lock, or fails with [`Error::WaitLimit`] after `limit`. A limit of zero is one attempt
    /// that never queues.
    pub async fn lock_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.inner.acquire_within(LockMode::Exclusive, limit).await
    }

    /// Whether anybody holds the lock. The answer may be outdated when it arrives: to enter, try the lock.
    pub async fn is_locked(&self) -> Result<bool, Error> {
        Ok(!self.inner.holders().await?.is_empty())
    }

    /// Who holds the lock, and for how long.
    pub async fn holder(&self) -> Result<Option<Holder>, Error> {
        Ok(self.inner.holders().await?.into_iter().next())
    }

    /// Takes the lock from whoever holds it and gives it to the next waiter. Returns whether anybody held it.
    ///
    /// **Dangerous**: the former holder and the next one overlap for a moment. One that watches its guard
    /// ([`Guard::lost`], [`Guard::protect`]) gets [`LostReason::Gone`](crate::LostReason::Gone) by a message, within milliseconds; one
    /// that does not, or that misses the message, goes on until its next renewal, a third of its lease at most. Only a resource that
    /// checks fences is safe from it. Use it for a holder that hangs. After an error it is unknown whether the lock was taken.
    pub async fn force_unlock(&self) -> Result<bool, Error> {
        self.inner.force_unlock().await
    }
}
