//! The relay: what a commit must bring about outside of SQL happens, sooner or later.
//!
//! A transaction writes a row for each effect it has on Redis; the relay reads the rows, makes the effects happen and
//! deletes the rows. One process of the site relays at a time, by a lease: whoever has it works, the others stand by.
//! Rows of one key come in order, because the next one is not handed out before the last is done; different keys
//! are worked on side by side. Pieces that come back to one sale go there together ([`Task`]).
//!
//! | what happens | what becomes of the effect |
//! |---|---|
//! | the process dies after the commit | another takes the lease when it ends, five seconds at the most |
//! | the process dies after the effect | it happens again, which changes nothing |
//! | the lease is lost in the middle of a batch | the batch is dropped where it stands; the next holder begins again |
//! | Redis or SQL is away | the relay pauses; no row counts as failed for it |
//! | one effect fails for a reason of its own | it comes again with growing pauses and holds back its key alone |
//! | the row is of a newer version | as above, until that version runs |
//!
//! A new kind of effect is one more arm of [`Effect::parse`] and of [`Effect::happen`].

mod effect;
mod figures;
mod task;

use std::convert::Infallible;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use jiff::Timestamp;
use lock::{Guard, Term};
use storage::outbox::{self, OutboxId, OutboxRow};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{App, Error, fail_point};
use effect::EffectError;
use figures::Figures;
use task::Task;

/// The lock that the relaying process holds.
pub const LEASE_NAME: &str = "outbox";

/// How long the others wait when the relaying process was killed.
const LEASE: Duration = Duration::from_secs(5);

/// How long a row of another process waits to be seen; those of this one are told of.
const POLL: Duration = Duration::from_millis(200);

/// How long the relay rests when SQL or Redis is away.
const OUTAGE_PAUSE: Duration = Duration::from_millis(500);

/// Rows per query, each of another key: as many orders as run out of time in one transaction.
const BATCH: u64 = 500;

/// Effects that happen side by side; each is a few round trips.
const SIDE_BY_SIDE: usize = 8;

/// Pause after the first failure of a row; it doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// So that a repaired cause is noticed within a minute.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How long the release of the lease may keep a process from stopping; it ends by itself soon after.
const RELEASE_WAIT: Duration = Duration::from_secs(1);

/// Lets those who commit tell the relay of the same process.
#[derive(Debug, Default)]
pub struct Outbox {
    written: Notify,
}

impl Outbox {
    /// Says that a row was committed, so that nobody waits for the next look.
    pub fn wake(&self) {
        self.written.notify_one();
    }
}

/// Relays until it is told to stop, or stands by while another process does.
pub async fn run(app: App, stop: CancellationToken) {
    while !stop.is_cancelled() {
        tokio::select! {
            () = stop.cancelled() => {}
            held = hold_lease(&app) => Box::pin(relay_until_lost(&app, held, &stop)).await,
        }
    }
}

/// The lease, however long it takes.
async fn hold_lease(app: &App) -> Guard {
    let lease = app.locks().mutex(LEASE_NAME).term(Term::Renewed(LEASE));
    loop {
        match lease.lock().await {
            Ok(guard) => return guard,
            Err(error) => {
                tracing::debug!(%error, "the outbox waits for its lease");
                tokio::time::sleep(OUTAGE_PAUSE).await;
            }
        }
    }
}

async fn relay_until_lost(app: &App, lease: Guard, stop: &CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        Err(error) = lease.protect(relay(app)) => {
            tracing::info!(%error, "the outbox is left to another process");
        }
    }
    // Given back at once, so that the next process need not wait for its end.
    let _ = tokio::time::timeout(RELEASE_WAIT, lease.release()).await;
}

async fn relay(app: &App) -> Infallible {
    let mut figures = Figures::default();
    loop {
        figures.refresh(app).await;
        match relay_batch(app).await {
            Ok(0) => {
                // Whether something was written or not: the next look will tell.
                let _ = tokio::time::timeout(POLL, app.outbox().written.notified()).await;
            }
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(error = %causes(&error), "the outbox pauses");
                tokio::time::sleep(OUTAGE_PAUSE).await;
            }
        }
    }
}

/// Works on the rows that are due and says how many there were. An outage of what they need is an error of the batch.
async fn relay_batch(app: &App) -> Result<usize, Error> {
    let rows = outbox::claim_batch(app.db(), BATCH, Timestamp::now()).await?;
    let count = rows.len();
    let tasks = stream::iter(task::of(rows));
    let attempts = tasks.map(|task| attempt(app, task));
    let attempts: Vec<Attempt> = attempts.buffer_unordered(SIDE_BY_SIDE).collect().await;
    settle(app, attempts).await?;
    Ok(count)
}

/// Rows and what came of them.
struct Attempt {
    rows: Vec<OutboxRow>,
    outcome: Result<(), EffectError>,
}

async fn attempt(app: &App, task: Task) -> Attempt {
    let Task { rows, effect } = task;
    let outcome = match effect {
        Ok(effect) => effect.happen(app).await.map_err(EffectError::Failed),
        Err(error) => Err(error),
    };
    for row in &rows {
        figures::count(&row.kind, outcome.is_ok());
    }
    Attempt { rows, outcome }
}

/// Clears away what is done and puts off what failed.
async fn settle(app: &App, attempts: Vec<Attempt>) -> Result<(), Error> {
    let is_done = |attempt: &&Attempt| attempt.outcome.is_ok();
    let done: Vec<OutboxId> = attempts
        .iter()
        .filter(is_done)
        .flat_map(|it| &it.rows)
        .map(|row| row.id)
        .collect();
    if !done.is_empty() {
        fail_point::pass("between_effect_and_its_end");
    }
    outbox::done(app.db(), &done).await?;
    let mut outage = None;
    for Attempt { rows, outcome } in attempts {
        match outcome {
            Ok(()) => {}
            Err(EffectError::Failed(error)) if error.is_outage() => outage = Some(error),
            Err(error) => put_off(app, &rows, &error).await?,
        }
    }
    outage.map_or(Ok(()), Err)
}

async fn put_off(app: &App, rows: &[OutboxRow], error: &EffectError) -> Result<(), Error> {
    let error = causes(error);
    for row in rows {
        let (id, kind, attempts) = (row.id, &row.kind, row.attempts + 1);
        tracing::warn!(%id, kind, attempts, error, "an effect of a commit did not happen yet");
        let not_before = Timestamp::now() + pause_after(row.attempts);
        outbox::failed(app.db(), id, not_before, &error).await?;
    }
    Ok(())
}

/// The pause after a failure, by the number of failures before it.
fn pause_after(failures: u32) -> Duration {
    let doubled = 2_u32.checked_pow(failures);
    let pause = doubled.and_then(|times| FIRST_PAUSE.checked_mul(times));
    pause.map_or(LONGEST_PAUSE, |pause| pause.min(LONGEST_PAUSE))
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
    fn pauses_grow_and_end_at_a_minute() {
        assert_eq!(pause_after(0), FIRST_PAUSE);
        assert_eq!(pause_after(1), FIRST_PAUSE * 2);
        for failures in [9, 31, 32, u32::MAX] {
            assert_eq!(pause_after(failures), LONGEST_PAUSE);
        }
    }
}
