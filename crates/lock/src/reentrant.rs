//! The lock that an owner may enter again, from any task or process: [`ReentrantMutex`].

use std::time::Duration;

use crate::{
    Error, Guard, Holder, Owner, Term,
    queued_lock::QueuedLock,
    remote_lock::{LockKind, RemoteLock},
    token::LockMode,
};

/// A lock with one [`Owner`] at a time, who may enter any number of times, from any task of any process.
///
/// Each entry is a [`Guard`] with a lease of its own, and the lock is free when the last one has ended: an entry whose process
/// dies ends with its lease, and does not take the others along. Entries share the fence of the first one, so a resource accepts them
/// all, and refuses every earlier owner. An owner that holds the lock does not queue behind those who wait for it. Others
/// are served in order of arrival.
///
/// The owner is visible in Redis: `ZRANGE lock:{reentrant:NAME} 0 -1 WITHSCORES` lists one line for each entry, which ends
/// with its owner.
///
/// Inside one process a clone of a guard re-enters without a request, and [`Mutex::lock_as`](crate::Mutex::lock_as) by name.
#[derive(Clone, Debug)]
pub struct ReentrantMutex {
    inner: QueuedLock,
    owner: Owner,
}

impl ReentrantMutex {
    pub(crate) fn new(core: std::sync::Arc<crate::core::Core>, name: &str, owner: Owner) -> Self {
        let remote = RemoteLock::new(core, LockKind::Reentrant, name).of_owner(owner.clone());
        Self {
            inner: QueuedLock::of(remote),
            owner,
        }
    }

    /// The same lock with another term.
    #[must_use]
    pub fn term(self, term: Term) -> Self {
        Self {
            inner: self.inner.term(term),
            ..self
        }
    }

    /// The name it was created with.
    pub fn name(&self) -> &str {
        self.inner.name()
    }

    /// The owner it was created with.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// Enters the lock if its owner holds it, or if it is free and no caller waits for it. One attempt: it never queues.
    pub async fn try_lock(&self) -> Result<Option<Guard>, Error> {
        self.inner.try_acquire(LockMode::Exclusive).await
    }

    /// Enters the lock if its owner holds it, or waits for it without a limit.
    pub async fn lock(&self) -> Result<Guard, Error> {
        self.inner.acquire(LockMode::Exclusive).await
    }

    /// As [`lock`](Self::lock), or fails with [`Error::WaitLimit`] after `limit`. A limit of zero is one attempt that never
    /// queues.
    pub async fn lock_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.inner.acquire_within(LockMode::Exclusive, limit).await
    }

    /// Whether anybody holds the lock. The answer may be outdated when it arrives: to enter, try the lock.
    pub async fn is_locked(&self) -> Result<bool, Error> {
        Ok(!self.inner.holders().await?.is_empty())
    }

    /// Its entries, all of one owner; none if the lock is free.
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

    pub(crate) fn queued(&self) -> &QueuedLock {
        &self.inner
    }
}
