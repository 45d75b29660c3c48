//! Snowflake ids: a leased worker number, and time that is covered ahead. `ids.rs` says why the ids are unique.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lock::{Guard, Locks};

use super::high_water::{Cover, HighWater};
use super::layout::{Millisecond, WORKERS};
use super::{ClearOnDrop, Clock, IdError, NAME};
use crate::{Ledger, OrderId};

mod worker;

use worker::{Take, WorkerIds};

/// How far ahead time is covered: a write to the ledger per so long, and how long a released worker number stays unused at
/// most.
const AHEAD_MS: i64 = 10_000;

/// How long to wait before looking again whether the clock has moved on.
const CLOCK_POLL: Duration = Duration::from_millis(1);

/// How many worker numbers may be lost in a row before the caller gets an error.
const ATTEMPTS: u32 = 8;

#[derive(Debug)]
pub(super) struct Snowflakes<L> {
    clock: Clock,
    locks: Locks,
    high_water: HighWater<L>,
    worker: Mutex<Option<LeasedWorker>>,
    /// One task at a time calls the ledger and the locks; the others then find its result.
    refill: tokio::sync::Mutex<()>,
    is_covering_ahead: AtomicBool,
}

/// A worker number in use, and its lease.
#[derive(Debug)]
struct LeasedWorker {
    ids: WorkerIds,
    lease: Guard,
}

impl<L: Ledger> Snowflakes<L> {
    pub(super) fn new(locks: Locks, ledger: Arc<L>, clock: Clock) -> Arc<Self> {
        Arc::new(Self {
            clock,
            locks,
            high_water: HighWater::new(ledger),
            worker: Mutex::new(None),
            refill: tokio::sync::Mutex::new(()),
            is_covering_ahead: AtomicBool::new(false),
        })
    }

    /// Appends ids until there are `len`.
    pub(super) async fn fill(
        self: &Arc<Self>,
        len: usize,
        ids: &mut Vec<OrderId>,
    ) -> Result<(), IdError> {
        let mut attempts_left = ATTEMPTS;
        loop {
            match self.take_from_worker(len, ids)? {
                Take::Done => return Ok(()),
                Take::Wait => tokio::time::sleep(CLOCK_POLL).await,
                Take::Cover(to) => self.cover(to).await?,
                Take::NoWorker if attempts_left == 0 => return Err(IdError::Unsettled),
                Take::NoWorker => {
                    attempts_left -= 1;
                    self.lease_worker().await?;
                }
            }
        }
    }

    fn take_from_worker(
        self: &Arc<Self>,
        len: usize,
        ids: &mut Vec<OrderId>,
    ) -> Result<Take, IdError> {
        let now = Millisecond::at(self.clock.now_ms())?;
        let mut worker = self.worker();
        let Some(LeasedWorker {
            ids: worker_ids,
            lease,
        }) = worker.as_mut()
        else {
            return Ok(Take::NoWorker);
        };
        if lease.lost().is_cancelled() {
            *worker = None;
            return Ok(Take::NoWorker);
        }
        let take = worker_ids.take(now, len, ids)?;
        if take == Take::Done && worker_ids.covered_ms() - now.get() < AHEAD_MS / 2 {
            self.cover_ahead(worker_ids.covered_ms() + 1);
        }
        Ok(take)
    }

    /// Covers this millisecond in the ledger, or gives up a worker number that another process has leased.
    async fn cover(&self, to_ms: i64) -> Result<(), IdError> {
        let _guard = self.refill.lock().await;
        let due = self.worker().as_ref().and_then(|leased| {
            let is_due = leased.ids.covered_ms() < to_ms;
            is_due.then(|| (leased.ids.worker(), leased.lease.fence().as_i64()))
        });
        let Some((number, generation)) = due else {
            return Ok(());
        };
        let name = name_of(number);
        let cover = self
            .high_water
            .cover(&name, generation, to_ms, AHEAD_MS)
            .await?;
        let mut worker = self.worker();
        match (cover, worker.as_mut()) {
            (Cover::UpTo(ms), Some(leased)) => leased.ids.cover(ms),
            (Cover::Superseded, _) => *worker = None,
            (_, None) => {}
        }
        Ok(())
    }

    fn cover_ahead(self: &Arc<Self>, to_ms: i64) {
        if self.is_covering_ahead.swap(true, Ordering::AcqRel) {
            return;
        }
        let snowflakes = self.clone();
        supervise::spawn_once("order ids ahead", async move {
            let _flag = ClearOnDrop(&snowflakes.is_covering_ahead);
            if let Err(error) = snowflakes.cover(to_ms).await {
                tracing::debug!(?error, "order ids not covered ahead, retrying");
            }
        });
    }

    /// Leases a worker number whose covered time is in the past.
    async fn lease_worker(&self) -> Result<(), IdError> {
        let _guard = self.refill.lock().await;
        if self.worker().is_some() {
            return Ok(());
        }
        let first = rand::random_range(0..WORKERS);
        for worker in (first..WORKERS).chain(0..first) {
            if let Some(leased) = self.try_lease(worker).await? {
                tracing::info!(worker, "worker number leased for order ids");
                *self.worker() = Some(leased);
                return Ok(());
            }
        }
        Err(IdError::NoWorkerFree)
    }

    async fn try_lease(&self, worker: u16) -> Result<Option<LeasedWorker>, IdError> {
        let name = name_of(worker);
        let lease = self.locks.mutex(&name).try_lock().await;
        let Some(lease) = lease.map_err(IdError::Lock)? else {
            return Ok(None);
        };
        let floor_ms = self.high_water.begin(&name, lease.fence().as_i64()).await?;
        let now = Millisecond::at(self.clock.now_ms())?;
        Ok((floor_ms < now.get()).then(|| LeasedWorker {
            ids: WorkerIds::new(worker, floor_ms),
            lease,
        }))
    }

    fn worker(&self) -> MutexGuard<'_, Option<LeasedWorker>> {
        // Sequences are taken before ids are written, so a panic loses some ids and repeats none.
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a worker number's lock, and of its high-water mark in the ledger.
fn name_of(worker: u16) -> String {
    format!("{NAME}:worker:{worker}")
}
