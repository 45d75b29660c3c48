//! Writes orders to the ledger from a seat, and finds the ones it cannot take.
//!
//! A transaction that the ledger *fails* is halved until the order it fails on is alone. One that the ledger does not
//! answer is repeated with growing pauses and half as many orders each time: it may have been too large, and if the
//! ledger is away nothing is lost by asking for less. An order that is not answered for even alone is put off, so that it
//! does not hold up the others. Which order is to blame is not decided here.

use std::fmt;
use std::time::{Duration, Instant};

use lock::Guard;
use tokio_util::sync::CancellationToken;

use super::batch_size::BatchSize;
use super::health::LedgerHealth;
use super::throttle::Throttle;
use crate::{Ledger, LedgerError, Order, Piece, Refused, Seat, Written, meter};

/// Pause after the ledger was found away; it doubles with each time.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// So that a ledger that came back is noticed soon.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// How often an order is tried alone before the next one is, if the ledger does not answer.
const TRIES_ALONE: u32 = 8;

/// Orders that may fail one after the other. A ledger that fails so many is out of order: the rest of the batch is put
/// off untried, and from then on one order at a time is.
const FAILURES_IN_A_ROW: u32 = 8;

/// Why a shift is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Stopped,
    LeaseLost,
    /// Somebody else took the seat in the ledger.
    Fenced,
}

/// For how long a seat may be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tenure<'a> {
    pub(super) stop: &'a CancellationToken,
    pub(super) lease: &'a Guard,
}

/// What the ledger says to one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Recorded,
    Refused(Refused),
    /// There is no piece for it.
    Short,
    /// It failed alone.
    Failed {
        reason: String,
        at: Instant,
    },
    /// The ledger did not answer for it, or was not asked because it fails everything.
    Unavailable,
}

/// What became of one transaction.
enum Attempt {
    /// One verdict per order.
    Answered(Vec<Verdict>),
    /// Nothing was recorded; this is what the ledger says to all of the orders.
    Failed(Verdict),
    /// Nothing is known to be recorded.
    Unanswered,
}

/// How patiently orders are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// Nothing speaks against them: an outage is waited for.
    New,
    /// Each gets one attempt: others wait.
    Retried,
}

/// What drain loops share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared<'a> {
    pub(super) health: &'a LedgerHealth,
    pub(super) throttle: &'a Throttle,
}

#[derive(Debug)]
pub(super) struct Recorder<'a, L> {
    ledger: &'a L,
    seat: Seat,
    pub(super) tenure: Tenure<'a>,
    shared: Shared<'a>,
    batch_size: BatchSize,
    /// Since the ledger last answered.
    pause: Pause,
    /// Orders that failed since one was recorded.
    failures: u32,
}

impl Tenure<'_> {
    pub(super) fn check(&self) -> Result<(), End> {
        match () {
            () if self.lease.lost_reason().is_some() => Err(End::LeaseLost),
            () if self.stop.is_cancelled() => Err(End::Stopped),
            () => Ok(()),
        }
    }

    /// Waits for something, but not beyond the tenure.
    pub(super) async fn wait<T>(&self, for_what: impl Future<Output = T>) -> Result<T, End> {
        tokio::select! {
            biased;
            () = self.lease.lost().cancelled() => Err(End::LeaseLost),
            () = self.stop.cancelled() => Err(End::Stopped),
            output = for_what => Ok(output),
        }
    }
}

impl<'a, L: Ledger> Recorder<'a, L> {
    pub(super) fn new(ledger: &'a L, seat: Seat, tenure: Tenure<'a>, shared: Shared<'a>) -> Self {
        Self {
            ledger,
            seat,
            tenure,
            shared,
            batch_size: BatchSize::new(shared.throttle.batch_limit()),
            pause: Pause::default(),
            failures: 0,
        }
    }

    pub(super) fn seat(&self) -> Seat {
        self.seat
    }

    pub(super) fn health(&self) -> &'a LedgerHealth {
        self.shared.health
    }

    /// Sits down, or makes sure that nobody else has since.
    pub(super) async fn take_seat(&self) -> Result<(), End> {
        let mut pause = Pause::default();
        loop {
            match self.ledger.take_seat(self.seat).await {
                Ok(()) => return Ok(()),
                Err(LedgerError::Fenced) => return Err(End::Fenced),
                Err(error) => pause.after(&error, &self.tenure).await?,
            }
        }
    }

    /// Records orders, in order, and says what became of each.
    pub(super) async fn record(
        &mut self,
        orders: &[Order],
        patience: Patience,
    ) -> Result<Vec<Verdict>, End> {
        let mut verdicts = Vec::with_capacity(orders.len());
        let mut tries_alone = 0;
        // The next one last.
        let mut slices = vec![orders];
        while let Some(slice) = slices.pop() {
            let (slice, rest) = slice.split_at(self.batch_size.share_of(slice.len()));
            slices.extend([rest].into_iter().filter(|rest| !rest.is_empty()));
            let is_alone = slice.len() == 1;
            match self.write(slice).await? {
                Attempt::Answered(answered) => {
                    tries_alone = 0;
                    verdicts.extend(answered);
                }
                Attempt::Failed(verdict) if is_alone => {
                    verdicts.push(verdict);
                    if self.failures >= FAILURES_IN_A_ROW {
                        break;
                    }
                }
                Attempt::Failed(_) => {
                    let (left, right) = slice.split_at(slice.len() / 2);
                    slices.extend([right, left]);
                }
                Attempt::Unanswered => {
                    tries_alone += u32::from(is_alone);
                    if is_alone && (patience == Patience::Retried || tries_alone >= TRIES_ALONE) {
                        tries_alone = 0;
                        verdicts.push(Verdict::Unavailable);
                    } else {
                        slices.push(slice);
                    }
                }
            }
        }
        verdicts.resize(orders.len(), Verdict::Unavailable);
        Ok(verdicts)
    }

    /// Dead-letters an order; `false` if the ledger does not even take that at present.
    pub(super) async fn bury(
        &mut self,
        order: &Order,
        reason: &str,
        piece: Piece,
    ) -> Result<bool, End> {
        match self.ledger.bury(self.seat, order, reason, piece).await {
            Ok(()) => Ok(true),
            Err(LedgerError::Fenced) => Err(End::Fenced),
            Err(error @ LedgerError::Away(_)) => {
                self.pause.after(&error, &self.tenure).await?;
                Ok(false)
            }
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::error!(order = %order.id, error, "order could not be dead-lettered");
                Ok(false)
            }
        }
    }

    /// One transaction. If the ledger does not answer, or goes on failing, the next attempt has to wait.
    async fn write(&mut self, orders: &[Order]) -> Result<Attempt, End> {
        if orders.is_empty() {
            return Ok(Attempt::Answered(Vec::new()));
        }
        let admitted = self.shared.throttle.admit(orders.len());
        let permit = self.tenure.wait(admitted).await?;
        let begun = Instant::now();
        let outcome = self.ledger.write_orders(self.seat, orders).await;
        drop(permit);
        match outcome {
            Ok(written) if written.len() == orders.len() => {
                self.note_answer(&written, begun);
                let verdicts = written.into_iter().map(Verdict::of);
                Ok(Attempt::Answered(verdicts.collect()))
            }
            Ok(_) => self.failed("it was not answered for".into(), orders).await,
            Err(LedgerError::Fenced) => Err(End::Fenced),
            Err(LedgerError::Short(_)) => Ok(Attempt::Failed(Verdict::Short)),
            Err(LedgerError::Failed(cause)) => self.failed(cause, orders).await,
            Err(error @ LedgerError::Away(_)) => {
                self.batch_size.unanswered(orders.len());
                self.shared.health.note_unavailable(Instant::now());
                self.pause.after(&error, &self.tenure).await?;
                Ok(Attempt::Unanswered)
            }
        }
    }

    fn note_answer(&mut self, written: &[Written], begun: Instant) {
        let (new, took) = (count_new(written), begun.elapsed());
        meter::drained(new, took);
        self.batch_size.answered(written.len(), took);
        self.pause = Pause::default();
        if new > 0 {
            self.failures = 0;
            self.shared.health.note_recorded(begun);
        }
    }

    async fn failed(
        &mut self,
        cause: Box<dyn std::error::Error + Send + Sync>,
        orders: &[Order],
    ) -> Result<Attempt, End> {
        let at = Instant::now();
        self.failures += u32::from(orders.len() == 1);
        if self.failures >= FAILURES_IN_A_ROW {
            self.pause.after(&*cause, &self.tenure).await?;
        }
        let reason = cause.to_string();
        Ok(Attempt::Failed(Verdict::Failed { reason, at }))
    }
}

impl Verdict {
    fn of(written: Written) -> Self {
        match written {
            Written::New | Written::AlreadyThere => Self::Recorded,
            Written::Refused(why) => Self::Refused(why),
        }
    }
}

fn count_new(written: &[Written]) -> usize {
    written.iter().filter(|fate| **fate == Written::New).count()
}

/// Growing pauses between attempts at something that is away.
#[derive(Debug)]
pub(super) struct Pause {
    next: Duration,
}

impl Default for Pause {
    fn default() -> Self {
        Self { next: FIRST_PAUSE }
    }
}

impl Pause {
    /// Says aloud what is the matter the first time, and waits.
    pub(super) async fn after(
        &mut self,
        error: &(dyn std::error::Error + Sync + 'static),
        tenure: &Tenure<'_>,
    ) -> Result<(), End> {
        if self.next == FIRST_PAUSE {
            let error: &dyn std::error::Error = error;
            tracing::warn!(error, "drain paused");
        }
        tenure.wait(tokio::time::sleep(self.next)).await?;
        self.next = LONGEST_PAUSE.min(self.next * 2);
        Ok(())
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stopped => "told to stop",
            Self::LeaseLost => "the lease was lost",
            Self::Fenced => "somebody else sits there",
        })
    }
}
