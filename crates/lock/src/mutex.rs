//! The general-purpose lock: [`Mutex`].

use std::{future::Future, sync::Arc, time::Duration};

use tokio::time::{Instant, timeout_at};

use crate::{
    Error, Guard, Holder, Term,
    acquisition::AcquireOptions,
    holder,
    local_queue::{LocalQueue, QueueTurn},
    meter::{self, Via},
    remote_lock::{LockKind, RemoteLock},
};

/// A lock with one holder at a time.
///
/// Tasks of one process get the lock in order of arrival, mostly without a round trip. Processes get it in order of
/// arrival, except that a process may pass it between its tasks for a short time, and that a new caller may be faster than
/// a waiter if the holder died. If strict order matters more than speed, use a [`FairMutex`](crate::FairMutex).
#[derive(Clone, Debug)]
pub struct Mutex {
    queue: Arc<LocalQueue>,
    term: Term,
}

impl Mutex {
    pub(crate) fn new(queue: Arc<LocalQueue>, term: Term) -> Self {
        Self { queue, term }
    }

    /// The same lock with another term.
    #[must_use]
    pub fn term(self, term: Term) -> Self {
        Self { term, ..self }
    }

    /// The name it was created with.
    pub fn name(&self) -> &str {
        self.queue.remote.name()
    }

    /// Acquires the lock, if it is free. One attempt: it never queues. While Redis is unavailable, the request is retried for
    /// the outage limit; [`lock_within`](Self::lock_within) with zero does not retry either.
    pub async fn try_lock(&self) -> Result<Option<Guard>, Error> {
        self.try_until(None).await
    }

    pub(crate) async fn try_until(&self, until: Option<Instant>) -> Result<Option<Guard>, Error> {
        let started = Instant::now();
        let Some(mut turn) = self.queue.try_take_turn() else {
            return Ok(None);
        };
        let fence = turn.try_once(self.options(until)).await?;
        Ok(fence.map(|fence| {
            meter::granted(LockKind::Mutex, Via::Remote, started.elapsed());
            Guard::of_turn(turn, fence)
        }))
    }

    /// Waits for the lock without a limit.
    pub async fn lock(&self) -> Result<Guard, Error> {
        self.acquire(None).await
    }

    /// Waits for the lock, or fails with [`Error::WaitLimit`] after `limit`. A limit of zero is one attempt that never queues.
    pub async fn lock_within(&self, limit: Duration) -> Result<Guard, Error> {
        let until = Instant::now() + limit;
        if limit.is_zero() {
            return self.try_until(Some(until)).await?.ok_or(Error::WaitLimit);
        }
        within(until, self.acquire(Some(until))).await
    }

    /// Waits for the lock in the name of an owner. An owner that holds the lock re-enters: the guard is another clone. An
    /// owner whose guard is lost waits like any other and gets a grant of its own. Owner names are local to one
    /// [`Locks`](crate::Locks); a [`ReentrantMutex`](crate::ReentrantMutex) knows its owner in every process.
    pub async fn lock_as(&self, owner: &str) -> Result<Guard, Error> {
        let started = Instant::now();
        let turn = self.queue.wait_for_turn();
        tokio::pin!(turn);
        let turn = loop {
            let taken = self.queue.taken.notified();
            if let Some(inner) = self.queue.held_by(owner) {
                meter::granted(LockKind::Mutex, Via::Reentry, started.elapsed());
                return Ok(Guard { inner });
            }
            tokio::select! {
                turn = &mut turn => break turn,
                () = taken => {}
            }
        };
        let guard = self.take(turn, None, started).await?;
        self.queue.set_owner(owner, &guard.inner);
        Ok(guard)
    }

    /// Whether anybody holds the lock. The answer may be outdated when it arrives: to enter, try the lock.
    pub async fn is_locked(&self) -> Result<bool, Error> {
        Ok(self.holder().await?.is_some())
    }

    /// Who holds the lock, and for how long.
    pub async fn holder(&self) -> Result<Option<Holder>, Error> {
        let holders = holder::holders(&self.queue.remote).await?;
        Ok(holders.into_iter().next())
    }

    /// Takes the lock from whoever holds it and gives it to the next waiter. Returns whether anybody held it.
    ///
    /// **Dangerous**: the former holder and the next one overlap for a moment. One in this process gets
    /// [`LostReason::Gone`](crate::LostReason::Gone) at once. One in another process that watches its guard ([`Guard::lost`],
    /// [`Guard::protect`]) gets it by a message, within milliseconds; one that does not, or that misses the message, goes on until
    /// its next renewal, a third of its lease at most. Only a resource that checks fences is safe from it. Use it for a holder
    /// that hangs. After an error it is unknown whether the lock was taken.
    pub async fn force_unlock(&self) -> Result<bool, Error> {
        let ended = holder::force_unlock(&self.queue.remote).await?;
        self.queue.lose_held(&ended);
        Ok(!ended.is_empty())
    }

    async fn acquire(&self, until: Option<Instant>) -> Result<Guard, Error> {
        let started = Instant::now();
        let turn = self.queue.wait_for_turn().await;
        self.take(turn, until, started).await
    }

    async fn take(
        &self,
        mut turn: QueueTurn,
        until: Option<Instant>,
        started: Instant,
    ) -> Result<Guard, Error> {
        let (fence, via) = match turn.reuse_lease(self.term) {
            Some(fence) => (fence, Via::Local),
            None => (turn.wait(self.options(until)).await?, Via::Remote),
        };
        meter::granted(LockKind::Mutex, via, started.elapsed());
        Ok(Guard::of_turn(turn, fence))
    }

    pub(crate) fn remote(&self) -> &RemoteLock {
        &self.queue.remote
    }

    pub(crate) fn own_term(&self) -> Term {
        self.term
    }

    fn options(&self, until: Option<Instant>) -> AcquireOptions {
        AcquireOptions {
            term: self.term,
            until,
        }
    }
}

/// Fails with [`Error::WaitLimit`] at `until`. The cancelled acquisition is released in the background.
pub(crate) async fn within<T>(
    until: Instant,
    acquisition: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let outcome = timeout_at(until, acquisition).await;
    outcome.unwrap_or(Err(Error::WaitLimit))
}
