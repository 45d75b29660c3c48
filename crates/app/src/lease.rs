//! Work that one process of the site does at a time: whoever has the lease works, the others stand by.
//!
//! The lease ends seconds after its holder was killed. Should two overlap for a moment, both may do the same work: what
//! is done here must bear that, and SQL decides.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use lock::{Guard, Term};
use tokio_util::sync::CancellationToken;

use crate::App;

/// How long the others wait when the working process was killed.
const TERM: Duration = Duration::from_secs(5);

/// How long is rested when the lease cannot be asked for.
const OUTAGE_PAUSE: Duration = Duration::from_millis(500);

/// How long the release of the lease may keep a process from stopping; it ends by itself soon after.
const RELEASE_WAIT: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    name: &'static str,
}

impl Lease {
    pub(crate) const fn named(name: &'static str) -> Self {
        Self { name }
    }

    /// Does the work whenever the lease is held, until it is told to stop. Work that loses its lease is dropped where it
    /// stands and begun anew when the lease is back.
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
        // Given back at once, so that the next process need not wait for its end.
        let _ = tokio::time::timeout(RELEASE_WAIT, held.release()).await;
    }
}
