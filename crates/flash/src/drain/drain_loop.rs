//! The drain loop: reads, records and acknowledges entries of one partition for as long as the lease holds.

mod gathering;
mod outcomes;

use std::mem;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::idle_watch::WatchedLoop;
use super::in_flight::{Accepted, InFlight};
use super::parked::{ParkedOrders, PendingOrder};
use super::recorder::{DrainBackoff, Recorder, RetryPolicy, StopReason};
use super::replica_check::{ReplicaCheck, TooFewReplicas};
use crate::stream::entry::Undecodable;
use crate::stream::{Acknowledgement, UnknownVersions};
use crate::transport::source::{DeadLetterOutcome, Delivery, OrderSource, SourceError};
use crate::{Ledger, Order, meter};
use gathering::gather_for;

/// Orders that one read should return: they make one transaction. Twice as many in one transaction cost a database a
/// third less work, because they share index pages; many more would hold up its other users.
const ORDERS_PER_READ: usize = 3_000;
/// Entries per read: at least so many, because fewer cost the same; at most so many, because the reply is held in memory.
const MIN_ENTRIES: usize = 16;
const MAX_ENTRIES: usize = 1_024;

/// Entries in flight beyond which the loop reads no more: so many fail that reading on would only fill the memory.
const MAX_IN_FLIGHT: usize = 8_192;

/// How long a read waits for new entries, if nothing else is due.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// How long a read waits if nothing is in flight: its end only shows that the connection works. What does not reach the
/// read is noticed by [`idle_watch`](super::idle_watch) within the same time as by a busy loop.
const IDLE_WAIT: Duration = Duration::from_secs(60);

/// How long a read waits while a barrier waits for entries that are pending for other consumers.
const BARRIER_WAIT: Duration = Duration::from_millis(20);

/// How often the loop looks for stranded entries, such as a barrier that a replaced worker had in flight. The load of a sale
/// waits for such a barrier, and claims wait for the load: this is much shorter than their deadline.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// How long the last acknowledgement may delay a shutdown: without it entries are redelivered, which is harmless.
const SHUTDOWN_ACK_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct DrainLoop<'a, L> {
    recorder: Recorder<'a, L>,
    source: OrderSource,
    in_flight: InFlight,
    parked: ParkedOrders,
    /// Orders that were read ahead and not tried yet.
    read_ahead: Vec<PendingOrder>,
    /// Entries whose orders are all recorded or dead-lettered.
    to_acknowledge: Vec<Acknowledgement>,
    /// How many entries the next read asks for.
    read_count: usize,
    /// Whether the last read returned as many entries as it asked for, so that more of them wait.
    has_backlog: bool,
    /// Whether entries may have arrived during a transaction since the last read.
    is_read_due: bool,
    /// How long they gather before they are read.
    gather_for: Duration,
    checked_at: Instant,
    replica_check: ReplicaCheck,
    /// Whether enough replicas have the entries that were read ahead.
    replicas_confirmed: bool,
    unknown_versions: UnknownVersions,
    /// Whether the last read returned nothing, and nothing is in flight.
    is_idle: bool,
    signals: DrainSignals<'a>,
}

/// What the loop tells others, and others it.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrainSignals<'a> {
    /// Notified when orders may be lost, which a reconciliation finds.
    pub(super) reconcile_now: &'a Notify,
    pub(super) watched: &'a WatchedLoop,
}

impl<'a, L: Ledger> DrainLoop<'a, L> {
    pub(super) fn new(
        recorder: Recorder<'a, L>,
        source: OrderSource,
        replica_check: ReplicaCheck,
        signals: DrainSignals<'a>,
    ) -> Self {
        Self {
            recorder,
            source,
            in_flight: InFlight::default(),
            parked: ParkedOrders::default(),
            read_ahead: Vec::new(),
            to_acknowledge: Vec::new(),
            read_count: MIN_ENTRIES,
            has_backlog: false,
            is_read_due: false,
            gather_for: Duration::ZERO,
            checked_at: Instant::now(),
            replica_check,
            replicas_confirmed: false,
            unknown_versions: UnknownVersions::default(),
            is_idle: false,
            signals,
        }
    }

    /// Runs until the lease is lost or the worker is stopped, then acknowledges what is committed.
    pub(super) async fn run(mut self) -> StopReason {
        let reason = match self.take_lease().await {
            Err(reason) => reason,
            Ok(()) => loop {
                if let Err(reason) = self.step().await {
                    break reason;
                }
            },
        };
        let shutdown = async {
            self.source.acknowledge(&self.to_acknowledge).await?;
            self.source.close().await
        };
        if let Ok(Err(error)) = tokio::time::timeout(SHUTDOWN_ACK_TIMEOUT, shutdown).await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(error, "entries not acknowledged, they will be redelivered");
        }
        reason
    }

    /// Registers the drain lease once replicas confirm the master that granted the lock, where some must. A master that
    /// was replaced and does not know it grants locks too, with a fencing token above all others: its worker would
    /// record orders that no other master has, behind a barrier of the new one.
    async fn take_lease(&mut self) -> Result<(), StopReason> {
        self.wait_for_replicas().await?;
        self.recorder.take_lease().await
    }

    async fn step(&mut self) -> Result<(), StopReason> {
        self.recorder.active.check()?;
        if self.checked_at.elapsed() >= self.check_every() {
            self.recover_stranded().await?;
        }
        if mem::take(&mut self.is_read_due) {
            self.gather().await?;
            self.read(Duration::ZERO).await?;
        }
        let batch = mem::take(&mut self.read_ahead);
        if !batch.is_empty() {
            self.wait_for_replicas().await?;
            self.record(batch).await?;
        }
        self.retry_parked().await?;
        let is_idle = self.read_ahead.is_empty() && !self.is_read_due;
        if is_idle || self.in_flight.first_barrier().is_some() {
            self.acknowledge().await?;
            self.pass_barriers().await?;
        }
        match is_idle {
            true => self.read(self.longest_wait()).await,
            false => Ok(()),
        }
    }

    /// Records a batch, and meanwhile acknowledges the one before it and, behind a backlog, reads the next. Once no backlog
    /// is left, another read follows: the next batch then holds whatever arrived during this transaction and gathered since,
    /// and all of it shares one flush to the disk.
    async fn record(&mut self, batch: Vec<PendingOrder>) -> Result<(), StopReason> {
        let orders: Vec<Order> = batch.iter().map(|pending| pending.order).collect();
        let (source, replica_check) = (&mut self.source, &self.replica_check);
        let to_acknowledge = &mut self.to_acknowledge;
        let room = MAX_IN_FLIGHT.saturating_sub(self.in_flight.len());
        let count = match self.has_backlog {
            true => self.read_count.min(room),
            false => 0,
        };
        let meanwhile = async {
            source.acknowledge(to_acknowledge).await?;
            to_acknowledge.clear();
            if count == 0 {
                return Ok((Vec::new(), false));
            }
            let read = source.next(count, Duration::ZERO).await?;
            let confirmed = !read.is_empty() && replica_check.confirm().await.unwrap_or(false);
            Ok::<_, SourceError>((read, confirmed))
        };
        let begun = Instant::now();
        let record = self.recorder.record(&orders, RetryPolicy::UntilAnswered);
        let (outcomes, read) = tokio::join!(record, meanwhile);
        let outcomes = outcomes?;
        self.gather_for = gather_for(orders.len(), begun.elapsed());
        supervise::fail_point::pass("after_commit_before_ack");
        for (pending, outcome) in batch.into_iter().zip(outcomes) {
            self.apply_outcome(pending, outcome).await?;
        }
        match read {
            Ok(_) if count == 0 => {}
            Ok((deliveries, confirmed)) => {
                self.accept(deliveries, count).await?;
                self.replicas_confirmed = confirmed;
            }
            // The next acknowledgement or read, which has nothing else to do, waits until Redis recovers.
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::debug!(error, "drain read ahead failed, retrying");
            }
        }
        self.is_read_due = !self.has_backlog;
        Ok(())
    }

    /// Lets entries gather after a transaction, unless somebody waits for a barrier.
    async fn gather(&self) -> Result<(), StopReason> {
        match self.in_flight.first_barrier() {
            Some(_) => Ok(()),
            None => {
                let gathered = tokio::time::sleep(self.gather_for);
                self.recorder.active.wait(gathered).await
            }
        }
    }

    /// Retries parked orders, apart from new ones, which their failures must not hold up. New orders come first: they
    /// show whether the ledger works.
    async fn retry_parked(&mut self) -> Result<(), StopReason> {
        let due = self.parked.take_due();
        if !due.is_empty() {
            let due = self.dead_letter_proven(due).await?;
            let orders: Vec<Order> = due.iter().map(|pending| pending.order).collect();
            let outcomes = self.recorder.record(&orders, RetryPolicy::Once).await?;
            for (pending, outcome) in due.into_iter().zip(outcomes) {
                self.apply_outcome(pending, outcome).await?;
            }
        }
        let partition = self.recorder.lease().partition;
        meter::parked(partition, self.parked.len());
        Ok(())
    }

    async fn acknowledge(&mut self) -> Result<(), StopReason> {
        let mut backoff = DrainBackoff::default();
        while !self.to_acknowledge.is_empty() {
            match self.source.acknowledge(&self.to_acknowledge).await {
                Ok(()) => self.to_acknowledge.clear(),
                Err(error) => backoff.wait(&error, &self.recorder.active).await?,
            }
        }
        Ok(())
    }

    /// Notifies the callers that wait for a barrier with nothing in flight before it. The lease is confirmed first: a
    /// replaced worker does not know which entries are in flight elsewhere.
    async fn pass_barriers(&mut self) -> Result<(), StopReason> {
        while let Some((barrier, nonce)) = self.in_flight.first_barrier() {
            self.recorder.take_lease().await?;
            match self.source.pass_barrier(barrier, nonce).await {
                Ok(true) => self.in_flight.remove_barrier(barrier),
                Ok(false) => break,
                Err(error) => {
                    let error: &dyn std::error::Error = &error;
                    tracing::debug!(error, "drain barrier not passed, retrying");
                    break;
                }
            }
        }
        Ok(())
    }

    async fn read(&mut self, wait: Duration) -> Result<(), StopReason> {
        let active = self.recorder.active;
        if self.in_flight.len() >= MAX_IN_FLIGHT {
            return active.wait(tokio::time::sleep(wait)).await;
        }
        if self.is_idle {
            return self.read_idle(wait).await;
        }
        let count = self.read_count;
        let read = active.wait(self.source.next(count, wait)).await?;
        self.accept_read(read, count).await
    }

    /// A long read, which ends early if the partition has something to do that does not reach it.
    async fn read_idle(&mut self, wait: Duration) -> Result<(), StopReason> {
        let active = self.recorder.active;
        let waiting = self.signals.watched.begin_wait();
        let count = self.read_count;
        let next = self.source.next(count, wait);
        let read = active.wait(async {
            tokio::select! {
                biased;
                read = next => Some(read),
                () = waiting.stranded() => None,
            }
        });
        let read = read.await?;
        drop(waiting);
        match read {
            Some(read) => self.accept_read(read, count).await,
            None => {
                self.is_idle = false;
                self.source.reclaim();
                self.recover_stranded().await
            }
        }
    }

    async fn accept_read(
        &mut self,
        read: Result<Vec<Delivery>, SourceError>,
        count: usize,
    ) -> Result<(), StopReason> {
        match read {
            Ok(deliveries) => {
                self.is_idle =
                    deliveries.is_empty() && self.in_flight.len() == 0 && self.source.is_stream();
                if !deliveries.is_empty() {
                    self.signals.watched.note_delivery();
                }
                self.accept(deliveries, count).await
            }
            Err(error) => {
                self.is_idle = false;
                let active = self.recorder.active;
                DrainBackoff::default().wait(&error, &active).await
            }
        }
    }

    /// Waits until enough replicas have the orders that are about to be recorded: a failover then keeps them.
    async fn wait_for_replicas(&mut self) -> Result<(), StopReason> {
        let mut backoff = DrainBackoff::default();
        while !self.replicas_confirmed {
            match self.replica_check.confirm().await {
                Ok(true) => self.replicas_confirmed = true,
                Ok(false) => backoff.wait(&TooFewReplicas, &self.recorder.active).await?,
                Err(error) => backoff.wait(&error, &self.recorder.active).await?,
            }
        }
        Ok(())
    }

    /// Takes the entries that a read of at most `count` returned.
    async fn accept(&mut self, deliveries: Vec<Delivery>, count: usize) -> Result<(), StopReason> {
        self.replicas_confirmed = false;
        self.has_backlog = deliveries.len() >= count;
        if self.source.take_suspected_loss() {
            self.signals.reconcile_now.notify_one();
        }
        let entries = deliveries.len();
        let before = self.read_ahead.len();
        for delivery in deliveries {
            match self.in_flight.accept(delivery) {
                Accepted::Orders(from, orders) => {
                    let pending = orders.into_iter().map(|it| PendingOrder::new(it, from));
                    self.read_ahead.extend(pending);
                }
                Accepted::Undecodable(entry, why) => self.dead_letter_entry(entry, why).await?,
                Accepted::Barrier | Accepted::AlreadyInFlight => {}
            }
        }
        self.adapt_read_count(entries, self.read_ahead.len() - before);
        Ok(())
    }

    /// If that fails the entry is redelivered later, and the others go on.
    async fn dead_letter_entry(
        &mut self,
        entry: Acknowledgement,
        why: Undecodable,
    ) -> Result<(), StopReason> {
        let partition = self.recorder.lease().partition;
        match self.source.dead_letter(entry, why).await {
            Ok(DeadLetterOutcome::LeftPending) => {
                self.unknown_versions.note(partition, entry.id);
                Ok(())
            }
            Ok(DeadLetterOutcome::DeadLettered) => {
                meter::dead_lettered("undecodable");
                tracing::error!(%partition, entry = %entry.id, %why, "stream entry dead-lettered");
                self.signals.reconcile_now.notify_one();
                Ok(())
            }
            Err(error) => self.log_retry(&error),
        }
    }

    /// The next read asks for as many entries as make up a transaction, by the size of the last ones.
    fn adapt_read_count(&mut self, entries: usize, orders: usize) {
        if let Some(per_entry) = orders.checked_div(entries) {
            let wanted = ORDERS_PER_READ / per_entry.max(1);
            self.read_count = wanted.clamp(MIN_ENTRIES, MAX_ENTRIES);
        }
    }

    async fn recover_stranded(&mut self) -> Result<(), StopReason> {
        self.checked_at = Instant::now();
        match self.source.recover_stranded().await {
            Ok(()) => Ok(()),
            Err(error) => self.log_retry(&error),
        }
    }

    fn log_retry(&self, error: &SourceError) -> Result<(), StopReason> {
        let error: &dyn std::error::Error = error;
        tracing::debug!(error, "drain step failed, retrying");
        self.recorder.active.check()
    }

    fn check_every(&self) -> Duration {
        if self.is_idle { IDLE_WAIT } else { CHECK_EVERY }
    }

    fn longest_wait(&self) -> Duration {
        let most = if self.is_idle { IDLE_WAIT } else { MAX_WAIT };
        let wait = self.parked.next_due().unwrap_or(most).min(most);
        match self.in_flight.first_barrier() {
            Some(_) => wait.min(BARRIER_WAIT),
            None => wait,
        }
    }
}
