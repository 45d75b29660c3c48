//! Runs work on one process of the site at a time: the holder of the lease works, the others stand by.
//!
//! The lease expires seconds after its holder was killed. Two holders may overlap for a moment, so the work must
//! tolerate concurrent execution; SQL decides.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use lock::Term;
use tokio_util::sync::CancellationToken;

use crate::App;

/// How long the other processes wait after the holder was killed.
const TERM: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkLease {
    name: &'static str,
}

impl WorkLease {
    pub(crate) const fn named(name: &'static str) -> Self {
        Self { name }
    }

    /// Runs the work while the lease is held, until shutdown. Work that loses its lease is dropped and restarted when
    /// the lease is acquired again.
    pub(crate) async fn run<F>(&self, app: &App, stop: &CancellationToken, work: impl Fn() -> F)
    where
        F: Future<Output = Infallible>,
    {
        let lease = app.locks().mutex(self.name).term(Term::Renewed(TERM));
        lease.run_while_held(stop, work).await;
    }
}
