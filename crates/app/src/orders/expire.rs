//! Cancels expired unpaid orders and reminds owners of those about to expire: one process of the site at a time.
//!
//! Memory holds one batch: due orders are found in SQL by an index, however many there are. The poll interval uses a
//! monotonic clock, so a step of the wall clock only makes orders due earlier or later by as much.

use std::convert::Infallible;
use std::time::Duration;

use domain::UserId;
use jiff::Timestamp;
use storage::orders::{self, EndedOrder};
use tokio_util::sync::CancellationToken;

use crate::lease::WorkLease;
use crate::{App, Error, fail_point, notices};

const LEASE: WorkLease = WorkLease::named("orders:expire");

/// A unit is for sale again within a second of its order's deadline: the deadlines of this second are known from the last look,
/// and an order that reaches SQL after its deadline waits for the next one.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Orders whose deadlines are this close share a transaction.
const GATHER: Duration = Duration::from_millis(50);

/// Orders per transaction: a tenth of a second in which SQLite's one writer is busy.
const BATCH: u32 = 500;

/// Reminders may be this late.
const REMIND_EVERY: Duration = Duration::from_secs(5);

/// Cancels expired orders until shutdown while this process holds the lease.
pub async fn run_expiry(app: App, stop: CancellationToken) {
    LEASE
        .run(&app, &stop, || Box::pin(expire_forever(&app)))
        .await;
}

/// Sends reminders until shutdown. Concurrent processes do not remind twice: SQL keeps one notice per kind and order.
pub async fn run_reminders(app: App, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = remind(&app).await {
            report(&error, "reminders");
        }
        stop.run_until_cancelled(supervise::next_tick(REMIND_EVERY))
            .await;
    }
}

async fn expire_forever(app: &App) -> Infallible {
    loop {
        let pause = expire_and_look(app).await.unwrap_or_else(|error| {
            report(&error, "expiry");
            LOOK_EVERY
        });
        match pause == LOOK_EVERY {
            true => supervise::next_tick(LOOK_EVERY).await,
            false => tokio::time::sleep(pause).await,
        }
    }
}

/// Cancels what is due, and returns the pause until something else may be. With nothing due it is one query.
async fn expire_and_look(app: &App) -> Result<Duration, Error> {
    let next = orders::next_pay_deadline(app.db()).await?;
    let now = Timestamp::now();
    if next.is_none_or(|deadline| deadline > now) {
        return Ok(pause_until(next, now));
    }
    // Others became due meanwhile: after a sale deadlines are as dense as its claims were. What could not be cancelled must
    // not keep the task busy.
    Ok(match expire_due(app).await? {
        0 => LOOK_EVERY,
        _ => GATHER,
    })
}

/// The pause until the next deadline, or until the next look.
fn pause_until(deadline: Option<Timestamp>, now: Timestamp) -> Duration {
    let ahead = deadline.map(|deadline| Duration::try_from(deadline.duration_since(now)));
    match ahead {
        Some(Ok(ahead)) => ahead.clamp(GATHER, LOOK_EVERY),
        _ => LOOK_EVERY,
    }
}

/// Cancels all due orders in batches and returns their number.
pub async fn expire_due(app: &App) -> Result<u64, Error> {
    let mut cancelled = 0;
    loop {
        fail_point::pass("before_expiry");
        let ended = orders::expire_due(app.db(), Timestamp::now(), BATCH).await?;
        fail_point::pass("after_expiry");
        if ended.is_empty() {
            return Ok(cancelled);
        }
        cancelled += ended.len() as u64;
        metrics::counter!("tandian_orders_expired_total").increment(ended.len() as u64);
        app.outbox().wake();
        notices::notify(app, &people(&ended)).await;
    }
}

fn people(ended: &[EndedOrder]) -> Vec<UserId> {
    let mut people: Vec<UserId> = ended.iter().map(|order| order.user_id).collect();
    people.sort_unstable();
    people.dedup();
    people
}

async fn remind(app: &App) -> Result<(), Error> {
    let Some(before) = app.orders().remind_before() else {
        return Ok(());
    };
    let now = Timestamp::now();
    // An order with a shorter payment period is reminded of at once, which is harmless.
    orders::remind(app.db(), now..now + before, orders::EXPIRE_LIMIT).await?;
    Ok(())
}

fn report(error: &Error, what: &'static str) {
    let error: &dyn std::error::Error = error;
    tracing::warn!(error, what, "order maintenance failed, retrying");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expiry_looks_once_a_second_and_at_each_deadline_before_that() {
        let now = Timestamp::now();
        let at = |ms: i64| Some(now + jiff::SignedDuration::from_millis(ms));
        assert_eq!(pause_until(None, now), LOOK_EVERY);
        assert_eq!(pause_until(at(300), now), Duration::from_millis(300));
        assert_eq!(pause_until(at(3_000), now), LOOK_EVERY);
        // Dense deadlines share a transaction.
        assert_eq!(pause_until(at(1), now), GATHER);
    }
}
