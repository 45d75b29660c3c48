//! Runs work on one process of the site at a time: the holder of the lease works, the others stand by.
//!
//! The lease expires seconds after its holder was killed. Two holders may overlap for a moment, so the work must
//! tolerate concurrent execution; SQL decides.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use lock::{Guard, Term};
use tokio_util::sync::CancellationToken;

use crate::App;

/// How long the other processes wait after the holder was killed.
const TERM: Duration = Duration::from_secs(5);

/// The pause after a failed attempt.
const OUTAGE_PAUSE: Duration = Duration::from_millis(500);

/// How long releasing the lease may delay shutdown; it expires by itself soon after.
const RELEASE_WAIT: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    name: &'static str,
}

impl Lease {
    pub(crate) const fn named(name: &'static str) -> Self {
        Self { name }
    }

    /// Runs the work while the lease is held, until shutdown. Work that loses its lease is dropped and restarted when
    /// the lease is acquired again.
    pub(crate) async fn run<F>(&self, app: &App, stop: &CancellationToken, work: impl Fn() -> F)
    where
        F: Future<Output = Infallible>,
    {
        while !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => {}
                held = self.hold(app) => self.work(held, stop, work()).await,
            }
        }
    }

    async fn hold(&self, app: &App) -> Guard {
        let lease = app.locks().mutex(self.name).term(Term::Renewed(TERM));
        loop {
            match lease.lock().await {
                Ok(guard) => return guard,
                Err(error) => {
                    tracing::debug!(lease = self.name, %error, "lease unavailable, retrying");
                    tokio::time::sleep(OUTAGE_PAUSE).await;
                }
            }
        }
    }

    async fn work(
        &self,
        held: Guard,
        stop: &CancellationToken,
        work: impl Future<Output = Infallible>,
    ) {
        tokio::select! {
            () = stop.cancelled() => {}
            Err(error) = held.protect(work) => {
                tracing::info!(lease = self.name, %error, "worker lost its lease");
            }
        }
        // Released at once, so that the next process need not wait for its expiry.
        let _ = tokio::time::timeout(RELEASE_WAIT, held.release()).await;
    }
}
