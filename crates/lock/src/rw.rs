//! Many readers or one writer: [`RwLock`].

use std::time::Duration;

use crate::{
    Error, Guard, Holder, Term, acquisition::Acquisition, queued_lock::QueuedLock, token::LockMode,
};

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

    /// Waits for the lock for reading, or fails with [`Error::WaitLimit`] after `limit`. A limit of
    /// zero is one attempt that never queues.
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

    /// Waits for the lock for writing, or fails with [`Error::WaitLimit`] after `limit`. A limit of
    /// zero is one attempt that never queues.
    pub async fn write_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.inner.acquire_within(LockMode::Exclusive, limit).await
    }

    /// Makes a reader of the writer, without a moment at which another writer can get the lock. Readers that wait at the head
    /// of the queue are admitted with it. The fence stays.
    ///
    /// Fails with [`Error::NotDowngradable`] for a guard that is not a write guard of this lock, or of which clones exist, which
    /// would go on as writers. Then, and after any other error, the guard is dropped. There is no upgrade: two
    /// readers that want to write would wait for each other.
    pub async fn downgrade(&self, writer: Guard) -> Result<Guard, Error> {
        let is_writer = writer.is_of(self.inner.remote()) && writer.mode() == LockMode::Exclusive;
        match writer.into_lease() {
            Some(lease) if is_writer => Ok(Guard::of_lease(Acquisition::downgrade(lease).await?)),
            _ => Err(Error::NotDowngradable),
        }
    }

    /// Whether anybody holds the lock. The answer may be outdated when it arrives: to enter, try the lock.
    pub async fn is_locked(&self) -> Result<bool, Error> {
        Ok(!self.inner.holders().await?.is_empty())
    }

    /// Who holds the lock, and for how long.
    pub async fn holders(&self) -> Result<Vec<Holder>, Error> {
        self.inner.holders().await
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
