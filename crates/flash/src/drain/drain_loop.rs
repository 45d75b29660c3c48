//! One stay in the seat of a partition.

mod outcomes;

use std::mem;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::in_flight::{Hand, Taken};
use super::parked::{Job, Parked};
use super::recorder::{End, Patience, Pause, Recorder};
use super::replica_check::{Safety, TooFewReplicas};
use crate::stream::entry::Undecodable;
use crate::stream::{Settled, UnknownVersions};
use crate::transport::source::{Delivery, Discarded, Inlet, InletError};
use crate::{Ledger, Order, fail_point, meter};

/// Orders that a reading should bring, which make one transaction. Twice as many in one cost a database a third less
/// work, because they share what they change of its indexes; many more would hold it up for everybody else.
const ORDERS_PER_READ: usize = 3_000;
/// Entries that a reading brings at least, because it costs the same, and at most, because its answer is held in memory.
const MIN_ENTRIES: usize = 16;
const MAX_ENTRIES: usize = 1_024;

/// Entries in hand beyond which no more are read: so many fail that reading on would only fill the memory.
const MAX_IN_HAND: usize = 8_192;

/// How long a reading waits for something new, if nothing else is due.
const IDLE_WAIT: Duration = Duration::from_secs(1);

/// How long a barrier waits for what others have in hand.
const BARRIER_WAIT: Duration = Duration::from_millis(20);

/// How often one looks for what was overlooked. Whoever loads a sale waits for a barrier that a drainer took with it which
/// was replaced, and claimants wait for them: this is much shorter than their patience.
const LOOK_AROUND: Duration = Duration::from_secs(1);

/// How long the last settling may keep a process from stopping: what is not settled comes again, which is harmless.
const FAREWELL: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Shift<'a, L> {
    recorder: Recorder<'a, L>,
    inlet: Inlet,
    hand: Hand,
    parked: Parked,
    /// Orders that were read and not tried yet.
    ahead: Vec<Job>,
    /// Entries whose orders are all in the ledger, to be settled.
    done: Vec<Settled>,
    /// How many entries the next reading asks for.
    read_count: usize,
    looked_around: Instant,
    safety: Safety,
    /// Whether a failover could not make the gate forget what was read ahead.
    is_safe: bool,
    unknown_versions: UnknownVersions,
    /// Rung when something was lost that a reconciliation may find.
    doubt: &'a Notify,
}

impl<'a, L: Ledger> Shift<'a, L> {
    pub(super) fn new(
        recorder: Recorder<'a, L>,
        inlet: Inlet,
        safety: Safety,
        doubt: &'a Notify,
    ) -> Self {
        Self {
            recorder,
            inlet,
            hand: Hand::default(),
            parked: Parked::default(),
            ahead: Vec::new(),
            done: Vec::new(),
            read_count: MIN_ENTRIES,
            looked_around: Instant::now(),
            safety,
            is_safe: false,
            unknown_versions: UnknownVersions::default(),
            doubt,
        }
    }

    /// Works until the tenure ends; what is committed by then is settled.
    pub(super) async fn work(mut self) -> End {
        let end = match self.take_seat().await {
            Err(end) => end,
            Ok(()) => loop {
                if let Err(end) = self.step().await {
                    break end;
                }
            },
        };
        let farewell = async {
            self.inlet.settle(&self.done).await?;
            self.inlet.close().await
        };
        if let Ok(Err(error)) = tokio::time::timeout(FAREWELL, farewell).await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(error, "entries not acknowledged, they will be redelivered");
        }
        end
    }

    /// Takes the seat, when replicas confirm the master that gave the lease, where some must. A master that was replaced
    /// and does not know it gives leases too, with a fence above all others: its worker would record what no other
    /// master has, behind a barrier of the new one.
    async fn take_seat(&mut self) -> Result<(), End> {
        self.make_safe().await?;
        self.recorder.take_seat().await
    }

    async fn step(&mut self) -> Result<(), End> {
        self.recorder.tenure.check()?;
        if self.looked_around.elapsed() >= LOOK_AROUND {
            self.look_around().await?;
        }
        let batch = mem::take(&mut self.ahead);
        if !batch.is_empty() {
            self.make_safe().await?;
            self.record(batch).await?;
        }
        self.retry().await?;
        if self.ahead.is_empty() || self.hand.first_barrier().is_some() {
            self.settle().await?;
            self.pass_barriers().await?;
        }
        match self.ahead.is_empty() {
            true => self.read(self.longest_wait()).await,
            false => Ok(()),
        }
    }

    /// Records a batch, and meanwhile settles the one before it and reads the next.
    async fn record(&mut self, batch: Vec<Job>) -> Result<(), End> {
        let orders: Vec<Order> = batch.iter().map(|job| job.order).collect();
        let (inlet, done, safety) = (&mut self.inlet, &mut self.done, &self.safety);
        let count = self
            .read_count
            .min(MAX_IN_HAND.saturating_sub(self.hand.len()));
        let meanwhile = async {
            inlet.settle(done).await?;
            done.clear();
            if count == 0 {
                return Ok((Vec::new(), false));
            }
            let read = inlet.next(count, Duration::ZERO).await?;
            let is_safe = !read.is_empty() && safety.confirm().await.unwrap_or(false);
            Ok::<_, InletError>((read, is_safe))
        };
        let record = self.recorder.record(&orders, Patience::New);
        let (verdicts, read) = tokio::join!(record, meanwhile);
        let verdicts = verdicts?;
        fail_point::pass("after_commit_before_ack");
        for (job, verdict) in batch.into_iter().zip(verdicts) {
            self.judge(job, verdict).await?;
        }
        match read {
            Ok((deliveries, is_safe)) => {
                self.take(deliveries).await?;
                self.is_safe = is_safe;
                Ok(())
            }
            // The next settling or reading, which has nothing else to do, waits for Redis to come back.
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::debug!(error, "nothing was read ahead");
                Ok(())
            }
        }
    }

    /// Tries parked orders again, apart from new ones: what fails among them holds up nobody else. They come after the
    /// new ones, whose recording shows whether the ledger works.
    async fn retry(&mut self) -> Result<(), End> {
        let due = self.parked.take_due();
        if !due.is_empty() {
            let due = self.bury_proven(due).await?;
            let orders: Vec<Order> = due.iter().map(|job| job.order).collect();
            let verdicts = self.recorder.record(&orders, Patience::Retried).await?;
            for (job, verdict) in due.into_iter().zip(verdicts) {
                self.judge(job, verdict).await?;
            }
        }
        let partition = self.recorder.seat().partition;
        meter::parked(partition, self.parked.len());
        Ok(())
    }

    async fn settle(&mut self) -> Result<(), End> {
        let mut pause = Pause::default();
        while !self.done.is_empty() {
            match self.inlet.settle(&self.done).await {
                Ok(()) => self.done.clear(),
                Err(error) => pause.after(&error, &self.recorder.tenure).await?,
            }
        }
        Ok(())
    }

    /// Tells those who wait on barriers that nothing in hand stands before. The seat is confirmed first: one who was
    /// replaced does not know what others have in hand.
    async fn pass_barriers(&mut self) -> Result<(), End> {
        while let Some((settled, nonce)) = self.hand.first_barrier() {
            self.recorder.take_seat().await?;
            match self.inlet.pass_barrier(settled, nonce).await {
                Ok(true) => self.hand.drop_barrier(settled),
                Ok(false) => break,
                Err(error) => {
                    let error: &dyn std::error::Error = &error;
                    tracing::debug!(error, "a barrier waits");
                    break;
                }
            }
        }
        Ok(())
    }

    async fn read(&mut self, wait: Duration) -> Result<(), End> {
        if self.hand.len() >= MAX_IN_HAND {
            return self.recorder.tenure.wait(tokio::time::sleep(wait)).await;
        }
        let reading = self.inlet.next(self.read_count, wait);
        match self.recorder.tenure.wait(reading).await? {
            Ok(deliveries) => self.take(deliveries).await,
            Err(error) => Pause::default().after(&error, &self.recorder.tenure).await,
        }
    }

    /// Waits until a failover could not make the gate forget what is about to be recorded.
    async fn make_safe(&mut self) -> Result<(), End> {
        let mut pause = Pause::default();
        while !self.is_safe {
            match self.safety.confirm().await {
                Ok(true) => self.is_safe = true,
                Ok(false) => pause.after(&TooFewReplicas, &self.recorder.tenure).await?,
                Err(error) => pause.after(&error, &self.recorder.tenure).await?,
            }
        }
        Ok(())
    }

    async fn take(&mut self, deliveries: Vec<Delivery>) -> Result<(), End> {
        self.is_safe = false;
        if self.inlet.take_doubt() {
            self.doubt.notify_one();
        }
        let entries = deliveries.len();
        let before = self.ahead.len();
        for delivery in deliveries {
            match self.hand.take(delivery) {
                Taken::Orders(from, orders) => {
                    let jobs = orders.into_iter().map(|order| Job::new(order, from));
                    self.ahead.extend(jobs);
                }
                Taken::Unreadable(settled, why) => self.discard(settled, why).await?,
                Taken::Barrier | Taken::Again => {}
            }
        }
        self.adapt(entries, self.ahead.len() - before);
        Ok(())
    }

    /// An entry that cannot be put out of the way at present comes again later; the others go on.
    async fn discard(&mut self, settled: Settled, why: Undecodable) -> Result<(), End> {
        let partition = self.recorder.seat().partition;
        match self.inlet.discard(settled, why).await {
            Ok(Discarded::LeftPending) => {
                self.unknown_versions.note(partition, settled.id);
                Ok(())
            }
            Ok(Discarded::Dead) => {
                meter::dead("undecodable");
                tracing::error!(%partition, entry = %settled.id, %why, "an entry cannot be read");
                self.doubt.notify_one();
                Ok(())
            }
            Err(error) => self.note(&error),
        }
    }

    /// Asks for as many entries as make up a transaction, judging by the last ones.
    fn adapt(&mut self, entries: usize, orders: usize) {
        if let Some(per_entry) = orders.checked_div(entries) {
            let wanted = ORDERS_PER_READ / per_entry.max(1);
            self.read_count = wanted.clamp(MIN_ENTRIES, MAX_ENTRIES);
        }
    }

    async fn look_around(&mut self) -> Result<(), End> {
        self.looked_around = Instant::now();
        match self.inlet.look_around().await {
            Ok(()) => Ok(()),
            Err(error) => self.note(&error),
        }
    }

    fn note(&self, error: &InletError) -> Result<(), End> {
        let error: &dyn std::error::Error = error;
        tracing::debug!(error, "drain step failed, retrying");
        self.recorder.tenure.check()
    }

    fn longest_wait(&self) -> Duration {
        let wait = self.parked.next_due().unwrap_or(IDLE_WAIT).min(IDLE_WAIT);
        match self.hand.first_barrier() {
            Some(_) => wait.min(BARRIER_WAIT),
            None => wait,
        }
    }
}
