//! A bounded number of holders: [`Semaphore`].

use std::time::Duration;

use crate::{Error, Guard, Holder, Term, queued_lock::QueuedLock, token::LockMode};

/// A lock with a bounded number of holders.
///
/// A permit is a [`Guard`]: it has a fence and a lease of its own, so the permits of a process that died are free after
/// their lease. Permits are granted in order of arrival.
///
/// The server keeps the number of permits while one is held, and a caller that names another number gets
/// [`Error::OtherPermits`]. While none is held, the next caller decides: so a new number takes effect once the old permits
/// are released, or under a new name at once.
#[derive(Clone, Debug)]
pub struct Semaphore {
    inner: QueuedLock,
}

impl Semaphore {
    pub(crate) fn new(inner: QueuedLock) -> Self {
        Self { inner }
    }

    /// The same semaphore with another term of its permits.
    #[must_use]
    pub fn term(self, term: Term) -> Self {
        Self::new(self.inner.term(term))
    }

    /// The name it was created with.
    pub fn name(&self) -> &str {
        self.inner.name()
    }

    /// Acquires a permit, if one is free and no caller waits for it.
    pub async fn try_acquire(&self) -> Result<Option<Guard>, Error> {
        self.inner.try_acquire(LockMode::Shared).await
    }

    /// Waits for a permit without a limit.
    pub async fn acquire(&self) -> Result<Guard, Error> {
        self.inner.acquire(LockMode::Shared).await
    }

    /// Waits for a permit, or fails with [`Error::WaitLimit`] after `limit`. A limit of zero is one
    /// attempt that never queues.
    pub async fn acquire_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.inner.acquire_within(LockMode::Shared, limit).await
    }

    /// Who holds a permit, and for how long.
    pub async fn holders(&self) -> Result<Vec<Holder>, Error> {
        self.inner.holders().await
    }
}
