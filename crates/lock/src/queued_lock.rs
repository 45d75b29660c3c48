//! The common part of fair mutexes, read-write locks and semaphores: every acquisition has its own entry in a queue in
//! Redis, which is served strictly in order of arrival by the server's clock.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use crate::{
    Error, Guard, Holder, Term,
    acquisition::{AcquireOptions, Acquisition},
    core::Core,
    holder::{force_unlock, holders},
    meter::{self, Via},
    mutex::within,
    remote_lock::{LockKind, RemoteLock},
    token::LockMode,
};

/// A lock whose waiters queue in Redis.
#[derive(Clone, Debug)]
pub(crate) struct QueuedLock {
    remote: Arc<RemoteLock>,
    term: Term,
}

impl QueuedLock {
    pub(crate) fn new(core: Arc<Core>, kind: LockKind, name: &str) -> Self {
        Self::of(RemoteLock::new(core, kind, name))
    }

    pub(crate) fn of(remote: RemoteLock) -> Self {
        Self {
            term: remote.core.options.term(),
            remote: Arc::new(remote),
        }
    }

    pub(crate) fn term(self, term: Term) -> Self {
        Self { term, ..self }
    }

    pub(crate) fn name(&self) -> &str {
        self.remote.name()
    }

    pub(crate) fn remote(&self) -> &RemoteLock {
        &self.remote
    }

    pub(crate) fn own_term(&self) -> Term {
        self.term
    }

    pub(crate) async fn holders(&self) -> Result<Vec<Holder>, Error> {
        holders(&self.remote).await
    }

    pub(crate) async fn force_unlock(&self) -> Result<bool, Error> {
        Ok(!force_unlock(&self.remote).await?.is_empty())
    }

    pub(crate) async fn try_acquire(&self, mode: LockMode) -> Result<Option<Guard>, Error> {
        self.try_until(mode, None).await
    }

    pub(crate) async fn try_until(
        &self,
        mode: LockMode,
        until: Option<Instant>,
    ) -> Result<Option<Guard>, Error> {
        let started = Instant::now();
        let acquisition = Acquisition::new(self.remote.clone(), mode);
        let lease = acquisition.try_once(self.options(until)).await?;
        Ok(lease.map(|lease| {
            meter::granted(self.remote.kind, Via::Remote, started.elapsed());
            Guard::of_lease(lease)
        }))
    }

    pub(crate) async fn acquire(&self, mode: LockMode) -> Result<Guard, Error> {
        self.wait(mode, None).await
    }

    pub(crate) async fn acquire_within(
        &self,
        mode: LockMode,
        limit: Duration,
    ) -> Result<Guard, Error> {
        let until = Instant::now() + limit;
        if limit.is_zero() {
            let guard = self.try_until(mode, Some(until)).await?;
            return guard.ok_or(Error::WaitLimit);
        }
        within(until, self.wait(mode, Some(until))).await
    }

    async fn wait(&self, mode: LockMode, until: Option<Instant>) -> Result<Guard, Error> {
        let started = Instant::now();
        let mut acquisition = Acquisition::new(self.remote.clone(), mode);
        let lease = acquisition.wait(self.options(until), &mut None).await?;
        meter::granted(self.remote.kind, Via::Remote, started.elapsed());
        Ok(Guard::of_lease(lease))
    }

    fn options(&self, until: Option<Instant>) -> AcquireOptions {
        AcquireOptions {
            term: self.term,
            until,
        }
    }
}
