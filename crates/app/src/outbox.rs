//! The relay: what a commit must bring about outside of SQL happens, sooner or later.
//!
//! A transaction writes a row for each effect it has on Redis; the relay reads the rows, makes the effects happen and
//! deletes the rows. One process of the site relays at a time, by a lease: whoever has it works, the others stand by.
//! Rows of one key come in order, because the next one is not handed out before the last is done; different keys
//! are worked on side by side. Pieces that come back to one sale go there together ([`Task`]).
//!
//! Rows wait in queues by what their effects depend on ([`Lane`]) and by whether they were put off ([`Turn`]). Each queue
//! is worked on by a loop of its own, so a provider that hangs, or a shard of Redis that is sick, delays what needs it
//! and nothing else.
//!
//! | what happens | what becomes of the effect |
//! |---|---|
//! | the process dies after the commit | another takes the lease when it ends, five seconds at the most |
//! | the process dies after the effect | it happens again, which changes nothing |
//! | the lease is lost in the middle of a batch | the batch is dropped where it stands; the next holder begins again |
//! | SQL is away | the queues pause; nothing is written about any row |
//! | Redis, or one shard of it, is away | its rows are put off, and no attempt is counted against them |
//! | a provider does not answer | as above, with longer pauses |
//! | one effect fails for a reason of its own | it comes again with growing pauses and holds back its key alone |
//! | a provider refuses again and again | dead-lettered: an operator sees it and redrives it ([`judge`](judge::judge)) |
//! | the row is of a newer version | put off, then dead-lettered; the next relay that begins tries it again |
//!
//! A new kind of effect is one more arm of [`Effect::parse`] and of [`Effect::happen`], and a lane in `storage`.

mod effect;
mod figures;
mod judge;
mod task;

use std::convert::Infallible;
use std::time::Duration;

use futures_util::future::{FutureExt as _, join_all};
use futures_util::stream::{self, StreamExt as _};
use jiff::Timestamp;
use lock::{Guard, Term};
use storage::outbox::{self, Lane, OutboxId, OutboxRow, Turn};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

use crate::{App, Error, fail_point};
use effect::EffectError;
use figures::Figures;
use judge::{Sentence, judge};
use task::Task;

/// The lock that the relaying process holds.
pub const LEASE_NAME: &str = "outbox";

/// How long the others wait when the relaying process was killed.
const LEASE: Duration = Duration::from_secs(5);

/// How long a row of another process waits to be seen; those of this one are told of.
const POLL: Duration = Duration::from_millis(200);

/// How long a queue rests when SQL is away.
const OUTAGE_PAUSE: Duration = Duration::from_millis(500);

/// Rows per query, each of another key: as many orders as run out of time in one transaction.
const BATCH: u64 = 500;

/// Effects of a queue that happen side by side; each is a few round trips, and some read from SQL, whose connections are
/// for requests first. A provider is asked no faster than it likes.
const SIDE_BY_SIDE: usize = 16;

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

/// Rows that wait for the same thing, and the bell that says that some are due.
#[derive(Debug)]
struct Queue {
    lane: Lane,
    turn: Turn,
    due: Notify,
}

/// All queues are loops of one task: losing the lease drops them together.
async fn relay(app: &App) -> Infallible {
    revive(app).await;
    let queues: Vec<Queue> = Lane::ALL
        .into_iter()
        .flat_map(|lane| Turn::ALL.map(|turn| (lane, turn)))
        .map(|(lane, turn)| Queue {
            lane,
            turn,
            due: Notify::new(),
        })
        .collect();
    let work = join_all(queues.iter().map(|queue| Box::pin(work(app, queue))));
    tokio::select! {
        never = look_for_ever(app, &queues) => never,
        _ = work => unreachable!("every queue is worked on for ever"),
    }
}

/// What an earlier relay could not read, this one may: it may be of another version.
async fn revive(app: &App) {
    match outbox::revive_unreadable(app.db()).await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "unreadable outbox rows are tried again"),
        Err(error) => tracing::warn!(error = %causes(&error), "outbox rows could not be revived"),
    }
}

/// Rings the bells of the queues that have something to do.
async fn look_for_ever(app: &App, queues: &[Queue]) -> Infallible {
    let mut figures = Figures::default();
    loop {
        figures.refresh(app).await;
        match outbox::look(app.db(), Timestamp::now()).await {
            Ok(due) => {
                let is_due = |queue: &&Queue| due.contains(&(queue.lane, queue.turn));
                queues
                    .iter()
                    .filter(is_due)
                    .for_each(|queue| queue.due.notify_one());
            }
            Err(error) => {
                tracing::warn!(error = %causes(&error), "outbox paused");
                tokio::time::sleep(OUTAGE_PAUSE).await;
            }
        }
        // Whether something was written or not: the next look will tell.
        let _ = tokio::time::timeout(POLL, app.outbox().written.notified()).await;
    }
}

async fn work(app: &App, queue: &Queue) -> Infallible {
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

/// Works on the rows of a queue that are due and says how many there were. Only SQL can fail it.
async fn relay_batch(app: &App, queue: &Queue) -> Result<usize, Error> {
    let (from, now) = ((queue.lane, queue.turn), Timestamp::now());
    let rows = outbox::claim(app.db(), from, BATCH, now).await?;
    let count = rows.len();
    let (finished, mut settling) = mpsc::unbounded_channel();
    let tasks = stream::iter(task::of(rows));
    let effects = async move {
        let mut attempts = tasks
            .map(|task| attempt(app, task))
            .buffer_unordered(SIDE_BY_SIDE);
        while let Some(attempt) = attempts.next().await {
            // The other side is gone after an error of SQL: the row stays, and comes again.
            let _ = finished.send(attempt);
        }
    };
    // What is done is cleared away while the slowest of the batch are still under way. Both go on at once: an effect that
    // holds the one writing connection of SQLite must not stand still while a row waits for that connection.
    let settle_finished = async {
        let mut chunk = Vec::with_capacity(SIDE_BY_SIDE);
        while settling.recv_many(&mut chunk, SIDE_BY_SIDE).await > 0 {
            settle(app, std::mem::take(&mut chunk)).await?;
        }
        Ok::<_, Error>(())
    };
    // Boxed without their types: those are deeper than the compiler follows.
    let ((), settled) = tokio::join!(effects.boxed(), settle_finished.boxed());
    settled?;
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
    Attempt { rows, outcome }
}

/// Clears away what is done, puts off what is not, and gives up what is hopeless.
async fn settle(app: &App, attempts: Vec<Attempt>) -> Result<(), Error> {
    let mut done: Vec<OutboxId> = Vec::new();
    let mut failed: Vec<(OutboxRow, String, Sentence)> = Vec::new();
    let (bound, now) = (app.rules().outbox_max_attempts, Timestamp::now());
    for Attempt { rows, outcome } in attempts {
        match outcome {
            Ok(()) => {
                rows.iter()
                    .for_each(|row| figures::count(&row.kind, "done"));
                done.extend(rows.iter().map(|row| row.id));
            }
            Err(error) => failed.extend(rows.into_iter().map(|row| {
                let sentence = judge(&row, &error, bound, now);
                (row, causes(&error), sentence)
            })),
        }
    }
    if !done.is_empty() {
        fail_point::pass("between_effect_and_its_end");
    }
    outbox::done(app.db(), &done).await?;
    let mut waiting = Waiting::default();
    for (row, error, sentence) in failed {
        match sentence {
            Sentence::Wait(pause) => waiting.add(&row, error, pause),
            Sentence::Retry { pause, is_stuck } => {
                report(&row, &error, is_stuck);
                outbox::failed(app.db(), row.id, now + pause, &error).await?;
            }
            Sentence::GiveUp(why) => {
                outbox::dead_letter(app.db(), row.id, why, &error).await?;
                report_dead(&row, &error);
            }
        }
    }
    waiting.put_off(app).await
}

/// Rows that wait for something that is away: one statement and one line for all of them, because there may be many.
#[derive(Default)]
struct Waiting {
    ids: Vec<OutboxId>,
    pause: Duration,
    error: String,
}

impl Waiting {
    fn add(&mut self, row: &OutboxRow, error: String, pause: Duration) {
        figures::count(&row.kind, "put_off");
        self.ids.push(row.id);
        self.pause = self.pause.max(pause);
        self.error = error;
    }

    async fn put_off(self, app: &App) -> Result<(), Error> {
        let Self { ids, pause, error } = self;
        if ids.is_empty() {
            return Ok(());
        }
        tracing::warn!(count = ids.len(), ?pause, error, "outbox effects put off");
        let not_before = Timestamp::now() + pause;
        Ok(outbox::put_off(app.db(), &ids, not_before, &error).await?)
    }
}

fn report_dead(row: &OutboxRow, error: &str) {
    figures::count(&row.kind, "dead_lettered");
    let (id, kind, key) = (row.id, &row.kind, &row.key);
    tracing::error!(%id, kind, key, error, "outbox effect dead-lettered: see `tandian outbox list`");
}

fn report(row: &OutboxRow, error: &str, is_stuck: bool) {
    figures::count(&row.kind, "failed");
    let (id, kind, key, attempts) = (row.id, &row.kind, &row.key, row.attempts + 1);
    if is_stuck {
        tracing::error!(%id, kind, key, attempts, error, "outbox effect is stuck and retried for ever");
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
