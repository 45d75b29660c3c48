//! The background workers of a process.
//!
//! A worker handles its own errors and runs until its token fires. `supervise` restarts one that panics, logs it and counts
//! it. A worker that returns before its token fires ends the process, which names it: a site that has silently stopped
//! doing something is worse than one that restarts.
//!
//! Workers stop after the last request was answered, so that they still do what requests queued for them.

use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

use app::visits::{self, VisitIntake};
use app::{
    App, disk, flash_sales, orders, outbox, payments, pictures, retention, search, site_signals,
};
use supervise::Supervisor;
use thiserror::Error;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::startup::ProcessRole;

/// How long workers may take to finish what is in flight. What they leave undone is done after the next start.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct Workers {
    tasks: JoinSet<()>,
    names: HashMap<Id, &'static str>,
    stop: CancellationToken,
}

/// A worker returned although its token had not fired.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the worker `{name}` died: see the log above")]
pub struct WorkerDied {
    name: &'static str,
}

impl Workers {
    /// Starts the workers of this role.
    pub(crate) fn start(app: &App, role: &ProcessRole, intake: VisitIntake) -> Self {
        app.shops().begin_serving();
        let mut workers = Self::new();
        workers.add("disk watch", on(app, disk::run_monitor));
        workers.add("site signals", on(app, site_signals::run_subscriber));
        workers.add("outbox signals", on(app, outbox::run_signals));
        match role {
            ProcessRole::All(_) => {
                workers.add_request_workers(app, intake);
                workers.add_site_workers(app);
            }
            ProcessRole::Web(_) => workers.add_request_workers(app, intake),
            ProcessRole::Worker => workers.add_site_workers(app),
        }
        workers
    }

    /// For every process that serves requests.
    fn add_request_workers(&mut self, app: &App, intake: VisitIntake) {
        self.add_visit_counting(app.clone(), intake);
        self.add(
            "sale restock listener",
            on(app, flash_sales::run_restock_listener),
        );
    }

    /// For one process of the site at a time: each worker takes a lease of its own, and the others stand by.
    fn add_site_workers(&mut self, app: &App) {
        self.add("outbox relay", on(app, outbox::run));
        self.add("visit folding", on(app, visits::run_folding));
        self.add("order drain", on(app, flash_sales::run_drain));
        self.add("order expiry", on(app, orders::run_expiry));
        self.add("order reminders", on(app, orders::run_reminders));
        self.add("payment polling", on(app, payments::run_polling));
        self.add("stock rebalancing", on(app, flash_sales::run_rebalance));
        self.add("picture cleaning", on(app, pictures::run_cleaning));
        self.add("search index", on(app, search::run_backfill));
        self.add("retention", on(app, retention::run_retention));
        self.add("sale reconciliation", on(app, flash_sales::run_reconcile));
    }

    fn new() -> Self {
        Self {
            tasks: JoinSet::new(),
            names: HashMap::new(),
            stop: CancellationToken::new(),
        }
    }

    /// Runs `work` until it ends, again after each panic; it should end soon after its token fires.
    fn add<F>(&mut self, name: &'static str, work: impl Fn(CancellationToken) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let stop = self.stop.clone();
        let supervisor = Supervisor::until(name, stop.clone());
        self.spawn(
            name,
            supervise::restart(supervisor, move || work(stop.clone())),
        );
    }

    /// Keeps its queue across restarts.
    fn add_visit_counting(&mut self, app: App, mut intake: VisitIntake) {
        let (name, stop) = ("visit counting", self.stop.clone());
        let mut supervisor = Supervisor::until(name, stop.clone());
        self.spawn(name, async move {
            while supervisor.run(intake.run(&app, &stop)).await.is_none()
                && !supervisor.is_stopped()
            {}
        });
    }

    fn spawn(&mut self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        let task = self.tasks.spawn(task);
        self.names.insert(task.id(), name);
    }

    /// Resolves when a worker has died; never, if none does.
    pub(crate) async fn died(&mut self) -> WorkerDied {
        match self.tasks.join_next_with_id().await {
            Some(ended) => self.name_of(ended),
            None => std::future::pending().await,
        }
    }

    /// Stops all workers and waits for them, at most for [`GRACE`].
    pub(crate) async fn stop(mut self) {
        self.stop.cancel();
        let all_ended = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(GRACE, all_ended).await.is_err() {
            tracing::warn!(
                left = self.tasks.len(),
                "workers aborted: they did not stop in time"
            );
        }
    }

    fn name_of(&self, ended: Result<(Id, ()), JoinError>) -> WorkerDied {
        let id = match ended {
            Ok((id, ())) => id,
            Err(error) => error.id(),
        };
        let name = self.names.get(&id).copied();
        WorkerDied {
            name: name.expect("every task was given a name"),
        }
    }
}

/// `work` on `app`, startable more than once.
fn on<F, W>(app: &App, work: W) -> impl Fn(CancellationToken) -> F + use<F, W>
where
    W: Fn(App, CancellationToken) -> F,
{
    let app = app.clone();
    move |stop| work(app.clone(), stop)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_worker_that_ends_by_itself_is_named() {
        let mut workers = Workers::new();
        workers.add("steady", |stop| async move { stop.cancelled().await });
        workers.add("hasty", |_| async {});
        assert_eq!(workers.died().await, WorkerDied { name: "hasty" });
    }

    #[tokio::test]
    async fn a_worker_that_panics_is_restarted() {
        let starts = Arc::new(AtomicU32::new(0));
        let mut workers = Workers::new();
        let counted = starts.clone();
        workers.add("clumsy", move |_| {
            let start = counted.fetch_add(1, Ordering::SeqCst);
            async move { assert!(start >= 2, "on purpose") }
        });
        assert_eq!(workers.died().await, WorkerDied { name: "clumsy" });
        assert_eq!(starts.load(Ordering::SeqCst), 3, "it ended by itself then");
    }

    #[tokio::test]
    async fn workers_finish_what_is_in_flight_before_they_end() {
        let is_done = Arc::new(AtomicU32::new(0));
        let mut workers = Workers::new();
        let done = is_done.clone();
        workers.add("careful", move |stop| {
            let done = done.clone();
            async move {
                stop.cancelled().await;
                tokio::task::yield_now().await;
                done.fetch_add(1, Ordering::SeqCst);
            }
        });
        workers.stop().await;
        assert_eq!(is_done.load(Ordering::SeqCst), 1, "it came to its end");
    }
}
