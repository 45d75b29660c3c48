//! Many readers or one writer: [`RwLock`].

use std::time::Duration;

use crate::{Error, Guard, Term, queued_lock::QueuedLock, token::LockMode};

/// A lock with many readers or one writer at a time.
///
/// Requests are served in order: consecutive readers are granted together, and a reader that arrives after a waiting writer
/// queues behind it. So neither side starves. A task that holds it for reading must not acquire it for reading again (a
/// writer may wait in between, a deadlock): clone the guard instead.
#[derive(Clone, Debug)]
pub struct RwLock {
    inner: QueuedLock,
}

impl RwLock {
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

    /// Acquires the lock for reading, if no writer holds it and no caller waits for it.
    pub async fn try_read(&self) -> Result<Option<Guard>, Error> {
        self.inner.try_acquire(LockMode::Shared).await
    }

    /// Waits for the lock for reading without a limit.
    pub async fn read(&self) -> Result<Guard, Error> {
        self.inner.acquire(LockMode::Shared).await
    }

    /// Waits for the lock for reading, or fails with [`Error::WaitLimit`] after `limit`.
    pub async fn read_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.inner.acquire_within(LockMode::Shared, limit).await
    }

    /// Acquires the lock for writing, if no caller holds it or waits for it.
    pub async fn try_write(&self) -> Result<Option<Guard>, Error> {
        self.inner.try_acquire(LockMode::Exclusive).await
    }

    /// Waits for the lock for writing without a limit.
    pub async fn write(&self) -> Result<Guard, Error> {
        self.inner.acquire(LockMode::Exclusive).await
    }

    /// Waits for the lock for writing, or fails with [`Error::WaitLimit`] after `limit`.
    pub async fn write_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.inner.acquire_within(LockMode::Exclusive, limit).await
    }
}
