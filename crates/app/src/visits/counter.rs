//! The queue between requests and Redis, and the task that flushes it.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use domain::{SessionToken, UserId};
use jiff::Timestamp;
use jiff::civil::Date;
use kv::SessionHash;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::page::VisitedPage;
use super::tally::{self, DayTally};
use super::visitor::Viewer;
use crate::{App, Error};

/// The queue's capacity: far more than a process serves between two flushes, and about 10 MB at most.
const QUEUE: usize = 32_768;
/// The time from the first view to its flush. The task sleeps in between, so that enqueuing wakes it once per flush.
const FLUSH_EVERY: Duration = Duration::from_millis(250);

/// One served page.
#[derive(Clone, Debug)]
pub struct PageView {
    pub page: VisitedPage,
    pub at: Timestamp,
    /// The request's token; resolved to a user later.
    pub token: Option<SessionToken>,
    pub address: IpAddr,
    pub user_agent: String,
}

/// The sending end of the queue. Cheap to clone.
#[derive(Clone, Debug)]
pub struct VisitCounter {
    queue: mpsc::Sender<PageView>,
}

/// The receiving end of the queue: [`VisitIntake::run`] flushes it.
#[derive(Debug)]
pub struct VisitIntake {
    queue: mpsc::Receiver<PageView>,
    /// Whether the last batch was lost: an outage is logged when it begins and when it ends.
    is_failing: bool,
}

pub fn counter() -> (VisitCounter, VisitIntake) {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let intake = VisitIntake {
        queue: receiver,
        is_failing: false,
    };
    (VisitCounter { queue: sender }, intake)
}

impl VisitCounter {
    /// Enqueues the view, or drops it when the queue is full. Never blocks.
    pub fn record(&self, view: PageView) {
        if self.queue.try_send(view).is_err() {
            lost("queue_full", 1);
        }
    }
}

impl PageView {
    pub(super) fn into_viewer(self) -> Viewer {
        Viewer {
            session: self.token.as_ref().map(SessionHash::of),
            address: self.address,
            user_agent: self.user_agent,
        }
    }
}

impl VisitIntake {
    /// Flushes until `stop` fires, and once more then.
    pub async fn run(&mut self, app: &App, stop: &CancellationToken) {
        let mut seen = Vec::new();
        loop {
            let received = stop.run_until_cancelled(self.receive(&mut seen)).await;
            // Those of the moment between the last view and the end of the wait.
            while let Ok(view) = self.queue.try_recv() {
                seen.push(view);
            }
            if !seen.is_empty() {
                let counted = count(app, seen.drain(..)).await;
                self.report(counted);
            }
            if received.is_none() {
                return;
            }
        }
    }

    /// Waits for a view, and then for others to share its flush. Nothing is lost if it is cancelled.
    async fn receive(&mut self, seen: &mut Vec<PageView>) {
        match self.queue.recv().await {
            Some(view) => seen.push(view),
            // Nobody can enqueue any more.
            None => std::future::pending().await,
        }
        tokio::time::sleep(FLUSH_EVERY).await;
    }

    fn report(&mut self, counted: Result<(), Error>) {
        match counted {
            Ok(()) if self.is_failing => tracing::info!("visit counting recovered"),
            Err(ref error) if !self.is_failing => {
                let error: &dyn std::error::Error = error;
                tracing::warn!(error, "visits not counted: Redis unavailable");
            }
            _ => {}
        }
        self.is_failing = counted.is_err();
    }
}

/// Adds page views to the figures of their days. Failures are not retried: they may have been counted.
pub async fn count(app: &App, page_views: impl IntoIterator<Item = PageView>) -> Result<(), Error> {
    let mut outcome = Ok(());
    for (day, tally) in tally::add_up(page_views, &app.rules().zone) {
        let views = tally.views();
        match count_day(app, day, tally).await {
            Ok(()) => metrics::counter!("tandian_visits_counted_total").increment(views),
            Err(error) => {
                lost("redis", views);
                outcome = Err(error);
            }
        }
    }
    outcome
}

/// Reads the salt for every batch, so that all processes use the same one after Redis was flushed.
async fn count_day(app: &App, day: Date, tally: DayTally) -> Result<(), Error> {
    let offered = format!("{:032x}", rand::random::<u128>());
    let salt = app.kv().visit_salt(day, &offered).await?;
    let users = find_users(app, &tally).await?;
    let batch = tally.into_batch(&salt, &users);
    Ok(app.kv().count_visits(day, &batch).await?)
}

async fn find_users(app: &App, tally: &DayTally) -> Result<HashMap<SessionHash, UserId>, Error> {
    let sessions: Vec<SessionHash> = tally.sessions().into_iter().cloned().collect();
    let users = app.kv().find_users(&sessions).await?;
    let known = sessions.into_iter().zip(users);
    Ok(known
        .filter_map(|(session, user)| Some((session, user?)))
        .collect())
}

fn lost(why: &'static str, views: u64) {
    metrics::counter!("tandian_visits_lost_total", "why" => why).increment(views);
}
