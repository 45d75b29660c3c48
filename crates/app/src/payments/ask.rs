//! Asking about payments that nothing was heard of: by one process of the site at a time.
//!
//! A callback may be lost, and a process may die between a provider's word and SQL. So every payment that was begun is
//! asked about until it is paid or can never be: soon at first, then with growing pauses, which a restart forgets without
//! harm. What is unknown stays as it is and is asked about again.
//!
//! A payment is closed only when its order has been over for a while: a bank may be slow, and money that comes
//! late must still be seen coming.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use jiff::Timestamp;
use pay::{CloseOutcome, Provider, QueryOutcome};
use storage::orders;
use storage::payments::{self, Payment, PaymentId};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::hear::take_money;
use super::{outside, trade_no};
use crate::lease::Lease;
use crate::{App, Error};

const LEASE: Lease = Lease::named("payments:ask");

/// How often it is looked whether anything is to be asked.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Payments read at a time.
const BATCH: u32 = 200;

/// Questions that are open at a time: providers limit how fast they are asked.
const SIDE_BY_SIDE: usize = 4;

/// The longest pause between two questions about one payment.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// How long after the end of its order a payment is waited for. Alipay ends its trades at the time it was given.
const CLOSE_GRACE: Duration = Duration::from_secs(5);

/// Asks until it is told to stop, or stands by while another process does.
pub async fn run_asking(app: App, stop: CancellationToken) {
    LEASE.run(&app, &stop, || ask_for_ever(&app)).await;
}

async fn ask_for_ever(app: &App) -> std::convert::Infallible {
    let mut pauses = Pauses::default();
    loop {
        report(ask_all(app, &mut pauses).await);
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// When each payment is to be asked about next.
#[derive(Debug, Default)]
struct Pauses {
    next: HashMap<PaymentId, (Instant, Duration)>,
}

impl Pauses {
    fn is_due(&self, id: PaymentId, now: Instant) -> bool {
        self.next.get(&id).is_none_or(|(at, _)| *at <= now)
    }

    fn put_off(&mut self, id: PaymentId, first: Duration, now: Instant) {
        let before = self.next.get(&id).map(|(_, pause)| *pause);
        let pause = before.map_or(first, |pause| (pause * 2).min(LONGEST_PAUSE));
        self.next.insert(id, (now + pause, pause));
    }

    /// Forgets what was heard of since.
    fn keep(&mut self, open: &[PaymentId]) {
        self.next.retain(|id, _| open.binary_search(id).is_ok());
    }
}

async fn ask_all(app: &App, pauses: &mut Pauses) -> Result<(), Error> {
    let ask_after = app.payments().rules.ask_after;
    let before = Timestamp::now() - ask_after;
    let (mut last, mut open) = (PaymentId::new(0), Vec::new());
    loop {
        let batch = payments::list_unheard(app.db(), before, last, BATCH).await?;
        let Some(newest) = batch.last() else { break };
        last = newest.id;
        open.extend(batch.iter().map(|payment| payment.id));
        let now = Instant::now();
        let due: Vec<Payment> = batch
            .into_iter()
            .filter(|payment| pauses.is_due(payment.id, now))
            .collect();
        for payment in &due {
            pauses.put_off(payment.id, ask_after, now);
        }
        let asked = stream::iter(due).map(|payment| ask(app, payment));
        let mut asked = asked.buffer_unordered(SIDE_BY_SIDE);
        while let Some(asked) = asked.next().await {
            report(asked);
        }
    }
    pauses.keep(&open);
    Ok(())
}

/// One payment that cannot be dealt with holds up no other.
fn report(asked: Result<(), Error>) {
    if let Err(error) = asked {
        let error: &dyn std::error::Error = &error;
        tracing::warn!(error, "a payment could not be asked about: trying again");
    }
}

async fn ask(app: &App, payment: Payment) -> Result<(), Error> {
    let provider = match app.payments().provider_of(&payment) {
        Ok(provider) => provider,
        Err(error) => {
            tracing::warn!(payment = %payment.id, %error, "a payment cannot be asked about");
            return Ok(());
        }
    };
    match provider.query(&trade_no(&payment)).await {
        QueryOutcome::Paid(paid) => {
            take_money(app, payment.id, &paid.provider_ref, paid.amount_cents).await?;
        }
        QueryOutcome::Closed => {
            if end_of(app, &payment).await? != End::JustNow {
                payments::close(app.db(), payment.id).await?;
            }
        }
        QueryOutcome::Refunded(paid) => {
            let (reference, cents) = (&paid.provider_ref, paid.amount_cents);
            outside::follow(app, &payment, reference, cents, cents).await?;
        }
        QueryOutcome::NotFound | QueryOutcome::Waiting => give_up(app, provider, &payment).await?,
        QueryOutcome::Unknown(doubt) => {
            tracing::warn!(payment = %payment.id, %doubt, "what became of a payment is not known yet");
        }
    }
    Ok(())
}

/// Closes a payment whose order has ended, so that nobody pays for nothing.
async fn give_up(app: &App, provider: &Provider, payment: &Payment) -> Result<(), Error> {
    if end_of(app, payment).await? != End::Past {
        return Ok(());
    }
    match provider.close(&trade_no(payment)).await {
        // Its link has expired with the order, so nobody can open it any more.
        CloseOutcome::Closed | CloseOutcome::NotFound => {
            payments::close(app.db(), payment.id).await?;
        }
        CloseOutcome::Refunded(paid) => {
            let (reference, cents) = (&paid.provider_ref, paid.amount_cents);
            outside::follow(app, payment, reference, cents, cents).await?;
        }
        CloseOutcome::Paid(paid) => {
            take_money(app, payment.id, &paid.provider_ref, paid.amount_cents).await?;
        }
        CloseOutcome::Refused(refusal) => {
            tracing::warn!(payment = %payment.id, %refusal, "a payment is not closed");
        }
        CloseOutcome::Unknown(doubt) => {
            tracing::warn!(payment = %payment.id, %doubt, "whether a payment is closed is not known yet");
        }
    }
    Ok(())
}

/// Where the time of a payment's order has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Ahead,
    /// Whatever a provider says of it, money may still be on its way.
    JustNow,
    Past,
}

async fn end_of(app: &App, payment: &Payment) -> Result<End, Error> {
    let Some(id) = payment.order else {
        return Ok(End::Past);
    };
    let order = orders::get(app.db(), payment.user_id, id).await?;
    let now = Timestamp::now();
    Ok(match order.map(|order| order.pay_deadline) {
        Some(end) if now < end => End::Ahead,
        Some(end) if now < end + CLOSE_GRACE => End::JustNow,
        _ => End::Past,
    })
}
