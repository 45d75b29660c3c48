//! The common part of fair mutexes, read-write locks and semaphores: every acquisition has its own entry in a queue in
//! Redis, which is served strictly in order of arrival by the server's clock.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use crate::{
    Error, Guard, Term,
    acquisition::{AcquireOptions, Acquisition},
    core::Core,
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
        let term = core.options.term();
        Self {
            remote: Arc::new(RemoteLock::new(core, kind, name)),
            term,
        }
    }

    pub(crate) fn term(self, term: Term) -> Self {
        Self { term, ..self }
    }

    pub(crate) fn name(&self) -> &str {
        self.remote.name()
    }

    pub(crate) async fn try_acquire(&self, mode: LockMode) -> Result<Option<Guard>, Error> {
        let started = Instant::now();
        let acquisition = Acquisition::new(self.remote.clone(), mode);
        let lease = acquisition.try_once(self.options(None)).await?;
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
