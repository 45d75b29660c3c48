//! The outbox relay: applies the side effects of commits.
//!
//! A transaction writes a row for each side effect; the relay reads the rows, applies the effects and deletes the
//! rows. One process of the site relays at a time, under a lease. Rows of one key are relayed in order, because the
//! next one is not read before the last is completed; different keys run concurrently. Units returned to one sale are
//! applied together ([`Task`]).
//!
//! Rows wait in queues by their dependency ([`Lane`]) and by whether they were deferred ([`RetryState`]). Each queue
//! has its own loop, so a hanging provider or a failing Redis shard delays only what depends on it.
//!
//! | what happens | what becomes of the effect |
//! |---|---|
//! | the process dies after the commit | another process takes the lease within five seconds |
//! | a commit of another process is not signalled | the row is found within a second |
//! | the process dies after the effect | it is applied again, which changes nothing |
//! | the lease is lost in the middle of a batch | the batch is dropped; the next holder starts over |
//! | SQL is unavailable | the queues pause; no row is changed |
//! | Redis, or one shard of it, is unavailable | its rows are deferred without counting an attempt |
//! | a provider does not answer | as above, with longer delays |
//! | one effect fails for another reason | it is retried with growing delays and blocks only its own key |
//! | a provider refuses repeatedly | dead-lettered: an operator redrives it ([`retry_policy`]) |
//! | the row is of a newer version | retried, then dead-lettered; the next relay retries it |
//!
//! A new kind of effect is one more arm of [`Effect::parse`] and of [`Effect::apply`], and a lane in `storage`.

mod effect;
mod relay_metrics;
mod retry_policy;
mod task;
mod wakeup;

use std::convert::Infallible;
use std::time::Duration;

use futures_util::future::{FutureExt as _, join_all};
use futures_util::stream::{self, StreamExt as _};
use jiff::Timestamp;
use storage::outbox::{self, Lane, OutboxId, OutboxRow, RetryState};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

pub use wakeup::{OutboxWakeup, run_signals};

use crate::lease::WorkLease;
use crate::{App, Error, fail_point};
use effect::EffectError;
use relay_metrics::RelayMetrics;
use retry_policy::{FailureAction, classify_failure};
use task::Task;

/// The lock of the relaying process.
pub const LEASE_NAME: &str = "outbox";

const LEASE: WorkLease = WorkLease::named(LEASE_NAME);

/// The pause between two looks at the outbox while rows are due, or while signals of other processes may be missing.
const POLL: Duration = Duration::from_millis(200);

/// The pause between two looks at rest, when every commit wakes the relay ([`OutboxWakeup`]): for rows of a command, which
/// signals nothing, or of a process that was killed before it did.
const REST: Duration = Duration::from_secs(1);

/// The pause of a queue while SQL is unavailable.
const OUTAGE_PAUSE: Duration = Duration::from_millis(500);

/// Rows per query, each of another key: as many as one expiry transaction writes.
const BATCH: u64 = 500;

/// Concurrent effects per queue; each is a few round trips, and some read from SQL, whose connections are for
/// requests first.
const CONCURRENT_EFFECTS: usize = 16;

/// Relays until shutdown while this process holds the lease.
pub async fn run(app: App, stop: CancellationToken) {
    LEASE.run(&app, &stop, || Box::pin(relay(&app))).await;
}

/// The rows of one lane and retry state, and the wakeup of its loop.
#[derive(Debug)]
struct LaneQueue {
    lane: Lane,
    retry_state: RetryState,
    due: Notify,
}

/// All queues are loops of one task: losing the lease drops them together.
async fn relay(app: &App) -> Infallible {
    requeue_unreadable(app).await;
    let queues: Vec<LaneQueue> = Lane::ALL
        .into_iter()
        .flat_map(|lane| RetryState::ALL.map(|retry_state| (lane, retry_state)))
        .map(|(lane, retry_state)| LaneQueue {
            lane,
            retry_state,
            due: Notify::new(),
        })
        .collect();
    let run_queue = join_all(queues.iter().map(|queue| Box::pin(run_queue(app, queue))));
    tokio::select! {
        never = poll_forever(app, &queues) => never,
        _ = run_queue => unreachable!("every queue is worked on for ever"),
    }
}

/// Requeues rows that an earlier relay could not read: this version may know them.
async fn requeue_unreadable(app: &App) {
    match outbox::requeue_unreadable(app.db()).await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "unreadable outbox rows requeued"),
        Err(error) => {
            tracing::warn!(error = %causes(&error), "unreadable outbox rows not requeued");
        }
    }
}

/// Wakes the queues with due rows.
async fn poll_forever(app: &App, queues: &[LaneQueue]) -> Infallible {
    let _relaying = app.outbox().begin_relaying();
    let mut relay_metrics = RelayMetrics::default();
    loop {
        match outbox::list_next_due(app.db()).await {
            Ok(next) => {
                let now = Timestamp::now();
                for queue in queues {
                    let due_at = next.get(&(queue.lane, queue.retry_state));
                    if due_at.is_some_and(|due_at| *due_at <= now) {
                        queue.due.notify_one();
                    }
                }
                relay_metrics.refresh(app, !next.is_empty()).await;
                let pause =
                    pause_until(next.into_values().min(), now, app.outbox().is_subscribed());
                // Woken or not, the next look finds out.
                tokio::select! {
                    () = app.outbox().woken() => {}
                    () = wait(pause) => {}
                }
            }
            Err(error) => {
                tracing::warn!(error = %causes(&error), "outbox paused");
                tokio::time::sleep(OUTAGE_PAUSE).await;
            }
        }
    }
}

/// At rest the process wakes once for all that looks every second.
async fn wait(pause: Duration) {
    match pause == REST {
        true => supervise::next_tick(REST).await,
        false => tokio::time::sleep(pause).await,
    }
}

/// The pause before the next look, if the next row is due at `next`. A row that is due and still there waits for an older one of
/// its key, or is on its way.
fn pause_until(next: Option<Timestamp>, now: Timestamp, is_subscribed: bool) -> Duration {
    let longest = match is_subscribed {
        true => REST,
        false => POLL,
    };
    match next.map(|next| Duration::try_from(next.duration_since(now))) {
        None => longest,
        Some(Ok(ahead)) if !ahead.is_zero() => ahead.min(longest),
        Some(_) => POLL,
    }
}

async fn run_queue(app: &App, queue: &LaneQueue) -> Infallible {
    loop {
        queue.due.notified().await;
        loop {
            match relay_batch(app, queue).await {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    let lane = queue.lane.as_str();
                    tracing::warn!(lane, error = %causes(&error), "outbox lane paused");
                    tokio::time::sleep(OUTAGE_PAUSE).await;
                    break;
                }
            }
        }
    }
}

/// Relays the due rows of a queue and returns their number. Fails only on SQL errors.
async fn relay_batch(app: &App, queue: &LaneQueue) -> Result<usize, Error> {
    let (from, now) = ((queue.lane, queue.retry_state), Timestamp::now());
    let rows = outbox::list_due(app.db(), from, BATCH, now).await?;
    let count = rows.len();
    let (finished, mut settling) = mpsc::unbounded_channel();
    let tasks = stream::iter(task::of(rows));
    let effects = async move {
        let mut attempts = tasks
            .map(|task| attempt(app, task))
            .buffer_unordered(CONCURRENT_EFFECTS);
        while let Some(attempt) = attempts.next().await {
            // After an SQL error the receiver is gone: the row stays and is relayed again.
            let _ = finished.send(attempt);
        }
    };
    // Completed rows are deleted while the slowest of the batch still run. Both run concurrently: an effect that
    // holds the one writing connection of SQLite must make progress while a row waits for that connection.
    let settle_finished = async {
        let mut chunk = Vec::with_capacity(CONCURRENT_EFFECTS);
        while settling.recv_many(&mut chunk, CONCURRENT_EFFECTS).await > 0 {
            record_outcomes(app, std::mem::take(&mut chunk)).await?;
        }
        Ok::<_, Error>(())
    };
    // Boxed without their types: those are deeper than the compiler follows.
    let ((), settled) = tokio::join!(effects.boxed(), settle_finished.boxed());
    settled?;
    Ok(count)
}

/// Rows and the outcome of their effect.
struct EffectAttempt {
    rows: Vec<OutboxRow>,
    outcome: Result<(), EffectError>,
}

async fn attempt(app: &App, task: Task) -> EffectAttempt {
    let Task { rows, effect } = task;
    let outcome = match effect {
        Ok(effect) => effect.apply(app).await.map_err(EffectError::Failed),
        Err(error) => Err(error),
    };
    EffectAttempt { rows, outcome }
}

/// Deletes completed rows, and retries, defers or dead-letters failed ones.
async fn record_outcomes(app: &App, attempts: Vec<EffectAttempt>) -> Result<(), Error> {
    let mut done: Vec<OutboxId> = Vec::new();
    let mut failed: Vec<(OutboxRow, String, FailureAction)> = Vec::new();
    let (bound, now) = (app.rules().outbox_max_attempts, Timestamp::now());
    for EffectAttempt { rows, outcome } in attempts {
        match outcome {
            Ok(()) => {
                rows.iter()
                    .for_each(|row| relay_metrics::count(&row.kind, "done"));
                done.extend(rows.iter().map(|row| row.id));
            }
            Err(error) => failed.extend(rows.into_iter().map(|row| {
                let failure_action = classify_failure(&row, &error, bound, now);
                (row, causes(&error), failure_action)
            })),
        }
    }
    if !done.is_empty() {
        fail_point::pass("between_effect_and_its_end");
    }
    outbox::complete(app.db(), &done).await?;
    let mut deferred = DeferredRows::default();
    for (row, error, failure_action) in failed {
        match failure_action {
            FailureAction::Defer(pause) => deferred.add(&row, error, pause),
            FailureAction::Retry { pause, is_stuck } => {
                report(&row, &error, is_stuck);
                outbox::record_failure(app.db(), row.id, now + pause, &error).await?;
            }
            FailureAction::DeadLetter(why) => {
                outbox::dead_letter(app.db(), row.id, why, &error).await?;
                report_dead_letter(&row, &error);
            }
        }
    }
    deferred.defer(app).await
}

/// Rows deferred by an outage: one statement and one log line for all, because there may be many.
#[derive(Default)]
struct DeferredRows {
    ids: Vec<OutboxId>,
    pause: Duration,
    error: String,
}

impl DeferredRows {
    fn add(&mut self, row: &OutboxRow, error: String, pause: Duration) {
        relay_metrics::count(&row.kind, "put_off");
        self.ids.push(row.id);
        self.pause = self.pause.max(pause);
        self.error = error;
    }

    async fn defer(self, app: &App) -> Result<(), Error> {
        let Self { ids, pause, error } = self;
        if ids.is_empty() {
            return Ok(());
        }
        tracing::warn!(count = ids.len(), ?pause, error, "outbox effects deferred");
        let not_before = Timestamp::now() + pause;
        Ok(outbox::defer(app.db(), &ids, not_before, &error).await?)
    }
}

fn report_dead_letter(row: &OutboxRow, error: &str) {
    relay_metrics::count(&row.kind, "dead_lettered");
    let (id, kind, key) = (row.id, &row.kind, &row.key);
    tracing::error!(%id, kind, key, error, "outbox effect dead-lettered: see tandian outbox list");
}

fn report(row: &OutboxRow, error: &str, is_stuck: bool) {
    relay_metrics::count(&row.kind, "failed");
    let (id, kind, key, attempts) = (row.id, &row.kind, &row.key, row.attempts + 1);
    if is_stuck {
        tracing::error!(%id, kind, key, attempts, error, "outbox effect stuck, retried without limit");
    } else {
        tracing::warn!(%id, kind, attempts, error, "outbox effect retried");
    }
}

/// An error with all its causes in one line.
fn causes(error: &dyn std::error::Error) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    chain
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relay_at_rest_looks_once_a_second_and_never_later_than_the_next_row_is_due() {
        let now = Timestamp::now();
        let at = |ms: i64| Some(now + jiff::SignedDuration::from_millis(ms));
        assert_eq!(pause_until(None, now, true), REST);
        assert_eq!(
            pause_until(None, now, false),
            POLL,
            "signals may be missing"
        );
        assert_eq!(pause_until(at(30), now, true), Duration::from_millis(30));
        assert_eq!(pause_until(at(60_000), now, true), REST);
        assert_eq!(pause_until(at(60_000), now, false), POLL);
        for due in [0, -5_000] {
            assert_eq!(
                pause_until(at(due), now, true),
                POLL,
                "it waits for another"
            );
        }
    }
}
