//! Writes orders to the ledger under a drain lease, and isolates the ones that it does not record.
//!
//! A transaction that *fails* is halved until the failing order is alone. One without an answer is repeated with growing
//! pauses and half as many orders each time: it may have been too large, and while the ledger is unavailable smaller
//! transactions cost nothing. An order that gets no answer even alone is postponed, so that it does not hold up the
//! others. [`parked`](super::parked) decides whether an order itself is at fault.

use std::fmt;
use std::time::{Duration, Instant};

use lock::Guard;
use tokio_util::sync::CancellationToken;

use super::batch_size::BatchSize;
use super::health::LedgerHealth;
use super::throttle::Throttle;
use crate::{DrainLease, Ledger, LedgerError, Order, Refused, StockUnit, WriteOutcome, meter};

/// Backoff after the first failed attempt; it doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// So that a recovered ledger is used soon.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Attempts with one order alone, without an answer, before the next order is tried.
const TRIES_ALONE: u32 = 8;

/// Consecutive failures of single orders. A ledger that fails so many is broken: the rest of the batch is postponed
/// without an attempt, and from then on one order at a time is tried.
const FAILURES_IN_A_ROW: u32 = 8;

/// Why a drain loop stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopReason {
    Shutdown,
    LeaseLost,
    /// Another worker registered a higher fencing token in the ledger.
    Fenced,
}

/// The lock behind a drain lease, and the token that stops the worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActiveLease<'a> {
    pub(super) stop: &'a CancellationToken,
    pub(super) lock: &'a Guard,
}

/// The outcome of recording one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RecordOutcome {
    Recorded,
    Refused(Refused),
    /// The ledger has no unit left for it.
    OutOfStock,
    /// It failed alone.
    Failed {
        reason: String,
        at: Instant,
    },
    /// The ledger gave no answer for it, or was not asked because it fails every order.
    Unavailable,
}

/// The result of one transaction.
enum WriteAttempt {
    /// One outcome per order.
    Answered(Vec<RecordOutcome>),
    /// Nothing was recorded; the outcome is that of all orders.
    Failed(RecordOutcome),
    /// Nothing is known to be recorded.
    Unanswered,
}

/// How often orders without an answer are retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryPolicy {
    /// New orders: until the outage is over.
    UntilAnswered,
    /// Parked orders: one attempt each, because other orders wait.
    Once,
}

/// What the drain loops of a process share.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrainContext<'a> {
    pub(super) health: &'a LedgerHealth,
    pub(super) throttle: &'a Throttle,
}

#[derive(Debug)]
pub(super) struct Recorder<'a, L> {
    ledger: &'a L,
    lease: DrainLease,
    pub(super) active: ActiveLease<'a>,
    context: DrainContext<'a>,
    batch_size: BatchSize,
    /// Since the last answer of the ledger.
    backoff: DrainBackoff,
    /// Orders that failed since one was recorded.
    failures: u32,
}

impl ActiveLease<'_> {
    pub(super) fn check(&self) -> Result<(), StopReason> {
        match () {
            () if self.lock.lost_reason().is_some() => Err(StopReason::LeaseLost),
            () if self.stop.is_cancelled() => Err(StopReason::Shutdown),
            () => Ok(()),
        }
    }

    /// Awaits a future, until the lease is lost or the worker is stopped.
    pub(super) async fn wait<T>(&self, future: impl Future<Output = T>) -> Result<T, StopReason> {
        tokio::select! {
            biased;
            () = self.lock.lost().cancelled() => Err(StopReason::LeaseLost),
            () = self.stop.cancelled() => Err(StopReason::Shutdown),
            output = future => Ok(output),
        }
    }
}

impl<'a, L: Ledger> Recorder<'a, L> {
    pub(super) fn new(
        ledger: &'a L,
        lease: DrainLease,
        active: ActiveLease<'a>,
        context: DrainContext<'a>,
    ) -> Self {
        Self {
            ledger,
            lease,
            active,
            context,
            batch_size: BatchSize::new(context.throttle.batch_limit()),
            backoff: DrainBackoff::default(),
            failures: 0,
        }
    }

    pub(super) fn lease(&self) -> DrainLease {
        self.lease
    }

    pub(super) fn health(&self) -> &'a LedgerHealth {
        self.context.health
    }

    /// Registers the drain lease in the ledger, or confirms that no other worker has replaced it.
    pub(super) async fn take_lease(&self) -> Result<(), StopReason> {
        let mut backoff = DrainBackoff::default();
        loop {
            match self.ledger.take_drain_lease(self.lease).await {
                Ok(()) => return Ok(()),
                Err(LedgerError::Fenced) => return Err(StopReason::Fenced),
                Err(error) => backoff.wait(&error, &self.active).await?,
            }
        }
    }

    /// Records orders, in order. Returns the outcome of each.
    pub(super) async fn record(
        &mut self,
        orders: &[Order],
        policy: RetryPolicy,
    ) -> Result<Vec<RecordOutcome>, StopReason> {
        let mut outcomes = Vec::with_capacity(orders.len());
        let mut tries_alone = 0;
        // The next one last.
        let mut slices = vec![orders];
        while let Some(slice) = slices.pop() {
            let (slice, rest) = slice.split_at(self.batch_size.share_of(slice.len()));
            slices.extend([rest].into_iter().filter(|rest| !rest.is_empty()));
            let is_alone = slice.len() == 1;
            match self.write(slice).await? {
                WriteAttempt::Answered(answered) => {
                    tries_alone = 0;
                    outcomes.extend(answered);
                }
                WriteAttempt::Failed(outcome) if is_alone => {
                    outcomes.push(outcome);
                    if self.failures >= FAILURES_IN_A_ROW {
                        break;
                    }
                }
                WriteAttempt::Failed(_) => {
                    let (left, right) = slice.split_at(slice.len() / 2);
                    slices.extend([right, left]);
                }
                WriteAttempt::Unanswered => {
                    tries_alone += u32::from(is_alone);
                    if is_alone && (policy == RetryPolicy::Once || tries_alone >= TRIES_ALONE) {
                        tries_alone = 0;
                        outcomes.push(RecordOutcome::Unavailable);
                    } else {
                        slices.push(slice);
                    }
                }
            }
        }
        outcomes.resize(orders.len(), RecordOutcome::Unavailable);
        Ok(outcomes)
    }

    /// Dead-letters an order; `false` if the ledger cannot do that at present.
    pub(super) async fn dead_letter(
        &mut self,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<bool, StopReason> {
        match self
            .ledger
            .dead_letter(self.lease, order, reason, unit)
            .await
        {
            Ok(()) => Ok(true),
            Err(LedgerError::Fenced) => Err(StopReason::Fenced),
            Err(error @ LedgerError::Unavailable(_)) => {
                self.backoff.wait(&error, &self.active).await?;
                Ok(false)
            }
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::error!(order = %order.id, error, "order not dead-lettered, retrying");
                Ok(false)
            }
        }
    }

    /// One transaction. After no answer, or after too many failures, it waits before it returns.
    async fn write(&mut self, orders: &[Order]) -> Result<WriteAttempt, StopReason> {
        if orders.is_empty() {
            return Ok(WriteAttempt::Answered(Vec::new()));
        }
        let admitted = self.context.throttle.admit(orders.len());
        let permit = self.active.wait(admitted).await?;
        let begun = Instant::now();
        let outcome = self.ledger.write_orders(self.lease, orders).await;
        drop(permit);
        match outcome {
            Ok(written) if written.len() == orders.len() => {
                self.note_answer(&written, begun);
                let outcomes = written.into_iter().map(RecordOutcome::of);
                Ok(WriteAttempt::Answered(outcomes.collect()))
            }
            Ok(_) => {
                self.failed("the ledger gave no outcome for it".into(), orders)
                    .await
            }
            Err(LedgerError::Fenced) => Err(StopReason::Fenced),
            Err(LedgerError::OutOfStock(_)) => Ok(WriteAttempt::Failed(RecordOutcome::OutOfStock)),
            Err(LedgerError::Failed(cause)) => self.failed(cause, orders).await,
            Err(error @ LedgerError::Unavailable(_)) => {
                self.batch_size.unanswered(orders.len());
                self.context.health.note_unavailable(Instant::now());
                self.backoff.wait(&error, &self.active).await?;
                Ok(WriteAttempt::Unanswered)
            }
        }
    }

    fn note_answer(&mut self, written: &[WriteOutcome], begun: Instant) {
        let (new, took) = (count_new(written), begun.elapsed());
        meter::drained(new, took);
        self.batch_size.answered(written.len(), took);
        self.backoff = DrainBackoff::default();
        if new > 0 {
            self.failures = 0;
            self.context.health.note_recorded(begun);
        }
    }

    async fn failed(
        &mut self,
        cause: Box<dyn std::error::Error + Send + Sync>,
        orders: &[Order],
    ) -> Result<WriteAttempt, StopReason> {
        let at = Instant::now();
        self.failures += u32::from(orders.len() == 1);
        if self.failures >= FAILURES_IN_A_ROW {
            self.backoff.wait(&*cause, &self.active).await?;
        }
        let reason = cause.to_string();
        Ok(WriteAttempt::Failed(RecordOutcome::Failed { reason, at }))
    }
}

impl RecordOutcome {
    fn of(written: WriteOutcome) -> Self {
        match written {
            WriteOutcome::New | WriteOutcome::AlreadyRecorded => Self::Recorded,
            WriteOutcome::Refused(why) => Self::Refused(why),
        }
    }
}

fn count_new(written: &[WriteOutcome]) -> usize {
    let is_new = |outcome: &&WriteOutcome| **outcome == WriteOutcome::New;
    written.iter().filter(is_new).count()
}

/// The back-off of the drain loop, which ends with the lease.
#[derive(Debug)]
pub(super) struct DrainBackoff {
    inner: supervise::Backoff,
}

impl Default for DrainBackoff {
    fn default() -> Self {
        Self {
            inner: supervise::Backoff::new(FIRST_PAUSE, LONGEST_PAUSE),
        }
    }
}

impl DrainBackoff {
    /// Waits, and logs the error before the first wait.
    pub(super) async fn wait(
        &mut self,
        error: &(dyn std::error::Error + Sync + 'static),
        active: &ActiveLease<'_>,
    ) -> Result<(), StopReason> {
        if self.inner.is_first() {
            let error: &dyn std::error::Error = error;
            tracing::warn!(error, "drain paused, retrying");
        }
        active.wait(self.inner.sleep()).await
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shutdown => "shutdown",
            Self::LeaseLost => "lease lost",
            Self::Fenced => "another worker took the lease",
        })
    }
}
