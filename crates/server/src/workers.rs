//! Work beside the requests: what the site does by itself for as long as it serves.
//!
//! A worker handles its own errors and ends only when it is told to. One that ends before, or panics, is dead: whoever
//! runs the workers learns its name and ends the process, because a site that has silently stopped doing something is
//! worse than one that is started again.
//!
//! Workers are told to end after the last request was answered, so that what a request left to them is still done.

use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

use app::visits::{self, VisitIntake};
use app::{App, flash_sales, notices, orders, outbox, payments, pictures};
use thiserror::Error;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::startup::Duty;

/// How long workers may take to finish what is in hand. What they leave undone is done after the next start.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct Workers {
    tasks: JoinSet<()>,
    names: HashMap<Id, &'static str>,
    stop: CancellationToken,
}

/// A worker ended although nobody told it to.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the worker `{name}` died: see the log above")]
pub struct WorkerDied {
    name: &'static str,
}

impl Workers {
    /// Starts what this process does by itself.
    pub(crate) fn start(app: &App, duty: &Duty, intake: VisitIntake) -> Self {
        app.shops().begin_serving();
        let mut workers = Self::new();
        match duty {
            Duty::All(_) => {
                workers.help_to_answer(app, intake);
                workers.work_for_the_site(app);
            }
            Duty::Web(_) => workers.help_to_answer(app, intake),
            Duty::Worker => workers.work_for_the_site(app),
        }
        workers
    }

    /// What every process needs that answers requests.
    fn help_to_answer(&mut self, app: &App, intake: VisitIntake) {
        self.add("visit counting", |stop| intake.run(app.clone(), stop));
        self.add("news of sales", |stop| {
            flash_sales::run_listening(app.clone(), stop)
        });
        self.add("news of notices", |stop| {
            notices::run_listening(app.clone(), stop)
        });
    }

    /// What one process of the site must do; those who come second stand by, each for each piece of work.
    fn work_for_the_site(&mut self, app: &App) {
        self.add("outbox relay", |stop| outbox::run(app.clone(), stop));
        self.add("visit folding", |stop| {
            visits::run_folding(app.clone(), stop)
        });
        self.add("order drain", |stop| {
            flash_sales::run_drain(app.clone(), stop)
        });
        self.add("order expiry", |stop| orders::run_expiry(app.clone(), stop));
        self.add("order reminders", |stop| {
            orders::run_reminders(app.clone(), stop)
        });
        self.add("payment questions", |stop| {
            payments::run_asking(app.clone(), stop)
        });
        self.add("stock rebalancing", |stop| {
            flash_sales::run_rebalance(app.clone(), stop)
        });
        self.add("picture cleaning", |stop| {
            pictures::run_cleaning(app.clone(), stop)
        });
        self.add("sale reconciliation", |stop| {
            flash_sales::run_reconcile(app.clone(), stop)
        });
    }

    fn new() -> Self {
        Self {
            tasks: JoinSet::new(),
            names: HashMap::new(),
            stop: CancellationToken::new(),
        }
    }

    /// Runs `work` until it ends; it should do so soon after its token fires.
    fn add<F>(&mut self, name: &'static str, work: impl FnOnce(CancellationToken) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let task = self.tasks.spawn(work(self.stop.clone()));
        self.names.insert(task.id(), name);
    }

    /// Resolves when a worker has died; never, if none does.
    pub(crate) async fn died(&mut self) -> WorkerDied {
        match self.tasks.join_next_with_id().await {
            Some(ended) => self.name_of(ended),
            None => std::future::pending().await,
        }
    }

    /// Tells all workers to end and waits until they have, or until they had time enough.
    pub(crate) async fn stop(mut self) {
        self.stop.cancel();
        let all_ended = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(GRACE, all_ended).await.is_err() {
            tracing::warn!(left = self.tasks.len(), "workers did not end in time");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_worker_that_ends_by_itself_is_named() {
        let mut workers = Workers::new();
        workers.add("steady", |stop| async move { stop.cancelled().await });
        workers.add("hasty", |_| async {});
        assert_eq!(workers.died().await, WorkerDied { name: "hasty" });
    }

    #[tokio::test]
    async fn a_worker_that_panics_is_named() {
        let mut workers = Workers::new();
        workers.add("clumsy", |_| async { panic!("on purpose") });
        assert_eq!(workers.died().await, WorkerDied { name: "clumsy" });
    }

    #[tokio::test]
    async fn workers_finish_what_is_in_hand_before_they_end() {
        let (done, is_done) = tokio::sync::oneshot::channel();
        let mut workers = Workers::new();
        workers.add("careful", |stop| async move {
            stop.cancelled().await;
            tokio::task::yield_now().await;
            done.send(()).expect("somebody waits");
        });
        workers.stop().await;
        is_done.await.expect("the worker came to its end");
    }
}
