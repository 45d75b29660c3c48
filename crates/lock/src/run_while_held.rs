//! A background job that one process of a cluster runs at a time: [`Mutex::run_while_held`].

use std::convert::Infallible;
use std::future::Future;

use supervise::Backoff;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{
    Guard, Mutex,
    limits::{JOB_RELEASE_LIMIT, JOB_RETRY_DELAY},
};

impl Mutex {
    /// Runs `job` while this process holds the lock, until `stop` is cancelled; other processes wait for the lock.
    ///
    /// A job that loses the lock is dropped at its current await and started again when the lock is held again. At `stop`
    /// the job is dropped too, and the lock is released, so that the next process need not wait for the end of the lease.
    /// Two processes may overlap for a moment after a loss (see the [crate] page), so the job must tolerate that.
    pub async fn run_while_held<F>(&self, stop: &CancellationToken, job: impl Fn() -> F)
    where
        F: Future<Output = Infallible>,
    {
        while !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => {}
                guard = self.lock_with_retries() => self.run_job(guard, stop, job()).await,
            }
        }
    }

    async fn lock_with_retries(&self) -> Guard {
        let mut retries = Backoff::new(JOB_RETRY_DELAY, JOB_RETRY_DELAY);
        loop {
            match self.lock().await {
                Ok(guard) => return guard,
                Err(error) => {
                    if retries.is_first() {
                        tracing::warn!(
                            lock = self.name(),
                            error = &error as &dyn std::error::Error,
                            "job lock not acquired, retrying"
                        );
                    }
                    retries.sleep().await;
                }
            }
        }
    }

    async fn run_job(
        &self,
        guard: Guard,
        stop: &CancellationToken,
        job: impl Future<Output = Infallible>,
    ) {
        tokio::select! {
            () = stop.cancelled() => {}
            Err(error) = guard.protect(job) => tracing::info!(
                lock = self.name(),
                error = &error as &dyn std::error::Error,
                "job lost its lock; another process may run it"
            ),
        }
        // After the limit the release continues in the background.
        let _ = timeout(JOB_RELEASE_LIMIT, guard.release()).await;
    }
}
