//! Polls providers about unconfirmed payments: one process of the site at a time.
//!
//! A callback may be lost, and a process may die between a provider's reply and SQL. So every started payment is
//! polled until it is paid or closed: soon at first, then at growing intervals, which a restart resets without harm.
//! An unknown state is polled again.
//!
//! A payment is closed only some time after its order's deadline: a bank may be slow, and late money must still be
//! noticed.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use jiff::Timestamp;
use pay::{CloseOutcome, Provider, QueryOutcome};
use storage::orders;
use storage::payments::{self, Payment, PaymentId};
use supervise::Backoff;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::callback::confirm_payment;
use super::{deadline_of, outside_refunds, trade_no};
use crate::lease::WorkLease;
use crate::{App, Error};

/// The name that every release uses, so that two releases beside each other poll once.
const LEASE: WorkLease = WorkLease::named("payments:ask");

/// Open payments are read at most this often, when one of them is due.
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);

/// Open payments are read at least this often.
const LONGEST_LOOK_PAUSE: Duration = Duration::from_secs(5);

/// How far the clocks of two machines may differ.
const CLOCKS_DIFFER: Duration = Duration::from_secs(3600);

/// Payments read at a time.
const BATCH: u32 = 200;

/// Concurrent queries: providers limit their rate.
const SIDE_BY_SIDE: usize = 4;

/// The longest interval between two polls of one payment.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// How long after its order's deadline a payment stays open. Alipay closes its trades at the given time.
const CLOSE_GRACE: Duration = Duration::from_secs(5);

/// Polls until shutdown while this process holds the lease.
pub async fn run_polling(app: App, stop: CancellationToken) {
    LEASE.run(&app, &stop, || poll_forever(&app)).await;
}

async fn poll_forever(app: &App) -> std::convert::Infallible {
    let mut schedule = PollSchedule::default();
    loop {
        let next = poll_all(app, &mut schedule).await;
        let pause = next.unwrap_or_else(|error| {
            report(Err(error));
            SHORTEST_PAUSE
        });
        tokio::time::sleep(pause).await;
    }
}

/// When each payment is polled next.
#[derive(Debug, Default)]
struct PollSchedule {
    next: HashMap<PaymentId, (Instant, Backoff)>,
}

impl PollSchedule {
    /// How long until the payment is polled, if it may be polled for the first time in `first`.
    fn wait(&self, id: PaymentId, first: Duration, now: Instant) -> Duration {
        match self.next.get(&id) {
            Some((at, _)) => at.saturating_duration_since(now),
            None => first,
        }
    }

    fn postpone(&mut self, id: PaymentId, first: Duration, now: Instant) {
        let start = || (now, Backoff::new(first, LONGEST_PAUSE));
        let (at, backoff) = self.next.entry(id).or_insert_with(start);
        *at = now + backoff.next_delay();
    }

    /// Drops payments that are no longer open.
    fn retain_open(&mut self, open: &[PaymentId]) {
        self.next.retain(|id, _| open.binary_search(id).is_ok());
    }
}

/// Polls the payments that are due, and returns the pause until another is. A payment that is started meanwhile is not due before.
async fn poll_all(app: &App, schedule: &mut PollSchedule) -> Result<Duration, Error> {
    let ask_after = app.payments().rules.ask_after;
    let (mut last, mut open) = (PaymentId::new(0), Vec::new());
    let mut pause = ask_after.min(LONGEST_LOOK_PAUSE);
    loop {
        // Those of a clock that is ahead as well.
        let before = Timestamp::now() + CLOCKS_DIFFER;
        let batch = payments::list_unconfirmed(app.db(), before, last, BATCH).await?;
        let Some(newest) = batch.last() else { break };
        last = newest.id;
        open.extend(batch.iter().map(|payment| payment.id));
        let now = Instant::now();
        let mut due = Vec::new();
        for payment in batch {
            let wait = schedule.wait(payment.id, first_wait(&payment, ask_after), now);
            if wait.is_zero() {
                schedule.postpone(payment.id, ask_after, now);
                due.push(payment);
            } else {
                pause = pause.min(wait);
            }
        }
        let polled = stream::iter(due).map(|payment| poll(app, payment));
        let mut polled = polled.buffer_unordered(SIDE_BY_SIDE);
        while let Some(polled) = polled.next().await {
            report(polled);
        }
    }
    schedule.retain_open(&open);
    Ok(pause.max(SHORTEST_PAUSE))
}

/// How long until a payment is old enough to be polled.
fn first_wait(payment: &Payment, ask_after: Duration) -> Duration {
    let age = Duration::try_from(Timestamp::now().duration_since(payment.created_at));
    ask_after.saturating_sub(age.unwrap_or_default())
}

/// One failing payment blocks no other.
fn report(polled: Result<(), Error>) {
    if let Err(error) = polled {
        let error: &dyn std::error::Error = &error;
        tracing::warn!(error, "payment poll failed, retrying");
    }
}

async fn poll(app: &App, payment: Payment) -> Result<(), Error> {
    let provider = match app.payments().provider_of(&payment) {
        Ok(provider) => provider,
        Err(error) => {
            tracing::warn!(payment = %payment.id, %error, "payment not polled: its provider is not configured");
            return Ok(());
        }
    };
    match provider.query(&trade_no(&payment)).await {
        QueryOutcome::Paid(paid) => {
            confirm_payment(app, payment.id, &paid.provider_ref, paid.amount_cents).await?;
        }
        QueryOutcome::Closed => {
            if deadline_phase(app, &payment).await? != DeadlinePhase::Grace {
                payments::close(app.db(), payment.id).await?;
            }
        }
        QueryOutcome::Refunded(paid) => {
            let (reference, cents) = (&paid.provider_ref, paid.amount_cents);
            outside_refunds::apply(app, &payment, reference, cents, cents).await?;
        }
        QueryOutcome::NotFound | QueryOutcome::Waiting => {
            close_if_ended(app, provider, &payment).await?;
        }
        QueryOutcome::Unknown(doubt) => {
            tracing::warn!(payment = %payment.id, %doubt, "payment state unknown, polling again");
        }
    }
    Ok(())
}

/// Closes a payment after its order's deadline, so that the buyer does not pay for an expired order.
async fn close_if_ended(app: &App, provider: &Provider, payment: &Payment) -> Result<(), Error> {
    if deadline_phase(app, payment).await? != DeadlinePhase::Past {
        return Ok(());
    }
    match provider.close(&trade_no(payment)).await {
        // Its link expired with the order, so the buyer cannot open it any more.
        CloseOutcome::Closed | CloseOutcome::NotFound => {
            payments::close(app.db(), payment.id).await?;
        }
        CloseOutcome::Refunded(paid) => {
            let (reference, cents) = (&paid.provider_ref, paid.amount_cents);
            outside_refunds::apply(app, payment, reference, cents, cents).await?;
        }
        CloseOutcome::Paid(paid) => {
            confirm_payment(app, payment.id, &paid.provider_ref, paid.amount_cents).await?;
        }
        CloseOutcome::Refused(refusal) => {
            tracing::warn!(payment = %payment.id, %refusal, "provider refused to close a payment");
        }
        CloseOutcome::Unknown(doubt) => {
            tracing::warn!(payment = %payment.id, %doubt, "payment close outcome unknown, retrying");
        }
    }
    Ok(())
}

/// The present time relative to the order's payment deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeadlinePhase {
    Ahead,
    /// Just past: money may still arrive, whatever the provider reports.
    Grace,
    Past,
}

async fn deadline_phase(app: &App, payment: &Payment) -> Result<DeadlinePhase, Error> {
    let Some(id) = payment.order else {
        return Ok(DeadlinePhase::Past);
    };
    let order = orders::get(app.db(), payment.user_id, id).await?;
    let now = Timestamp::now();
    Ok(match order.map(|order| deadline_of(&order, payment)) {
        Some(end) if now < end => DeadlinePhase::Ahead,
        Some(end) if now < end + CLOSE_GRACE => DeadlinePhase::Grace,
        _ => DeadlinePhase::Past,
    })
}
