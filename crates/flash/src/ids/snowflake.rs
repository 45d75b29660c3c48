//! Snowflakes: a leased worker number, and time that is covered ahead.
//!
//! See `ids.rs` for why they are distinct.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lock::{Guard, Locks};

use super::high_water::{Cover, HighWater};
use super::layout::{Millisecond, WORKERS};
use super::{Clock, IdError, LoweredAfter, WHAT};
use crate::{Ledger, OrderId};

mod worker;

use worker::{Post, Take};

/// How far ahead time is covered: a write to the ledger per so long, and how long a worker number rests at most after its
/// holder let go of it.
const AHEAD_MS: i64 = 10_000;

/// How long to wait before looking again whether the clock has moved on.
const CLOCK_POLL: Duration = Duration::from_millis(1);

/// How many posts may be lost in a row while asking for ids, before the caller is told.
const ATTEMPTS: u32 = 8;

#[derive(Debug)]
pub(super) struct Snowflakes<L> {
    clock: Clock,
    locks: Locks,
    high_water: HighWater<L>,
    post: Mutex<Option<Held>>,
    /// One task at a time deals with the ledger and the locks; whoever waits finds the outcome in the post.
    office: tokio::sync::Mutex<()>,
    is_covering_ahead: AtomicBool,
}

/// A post and the lease it depends on.
#[derive(Debug)]
struct Held {
    post: Post,
    lease: Guard,
}

impl<L: Ledger> Snowflakes<L> {
    pub(super) fn new(locks: Locks, ledger: Arc<L>, clock: Clock) -> Arc<Self> {
        Arc::new(Self {
            clock,
            locks,
            high_water: HighWater::new(ledger),
            post: Mutex::new(None),
            office: tokio::sync::Mutex::new(()),
            is_covering_ahead: AtomicBool::new(false),
        })
    }

    /// Appends ids until there are `len`.
    pub(super) async fn fill(
        self: &Arc<Self>,
        len: usize,
        ids: &mut Vec<OrderId>,
    ) -> Result<(), IdError> {
        let mut posts_left = ATTEMPTS;
        loop {
            match self.take_from_post(len, ids)? {
                Take::Done => return Ok(()),
                Take::Wait => tokio::time::sleep(CLOCK_POLL).await,
                Take::Cover(to) => self.cover(to).await?,
                Take::NoPost if posts_left == 0 => return Err(IdError::Unsettled),
                Take::NoPost => {
                    posts_left -= 1;
                    self.sit_down().await?;
                }
            }
        }
    }

    fn take_from_post(
        self: &Arc<Self>,
        len: usize,
        ids: &mut Vec<OrderId>,
    ) -> Result<Take, IdError> {
        let now = Millisecond::at(self.clock.now_ms())?;
        let mut held = self.held();
        let Some(Held { post, lease }) = held.as_mut() else {
            return Ok(Take::NoPost);
        };
        if lease.lost().is_cancelled() {
            *held = None;
            return Ok(Take::NoPost);
        }
        let take = post.take(now, len, ids)?;
        if take == Take::Done && post.covered_ms() - now.get() < AHEAD_MS / 2 {
            self.cover_ahead(post.covered_ms() + 1);
        }
        Ok(take)
    }

    /// Has the ledger cover this millisecond, or gives up the post that another has begun to hold.
    async fn cover(&self, to_ms: i64) -> Result<(), IdError> {
        let _turn = self.office.lock().await;
        let asked = self.held().as_ref().and_then(|held| {
            let is_due = held.post.covered_ms() < to_ms;
            is_due.then(|| (held.post.worker(), held.lease.fence().as_i64()))
        });
        let Some((worker, generation)) = asked else {
            return Ok(());
        };
        let name = name_of(worker);
        let cover = self
            .high_water
            .cover(&name, generation, to_ms, AHEAD_MS)
            .await?;
        let mut held = self.held();
        match (cover, held.as_mut()) {
            (Cover::UpTo(ms), Some(held)) => held.post.cover(ms),
            (Cover::Superseded, _) => *held = None,
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
            let _flag = LoweredAfter(&snowflakes.is_covering_ahead);
            if let Err(error) = snowflakes.cover(to_ms).await {
                tracing::debug!(?error, "time could not be covered ahead");
            }
        });
    }

    /// Leases a worker number whose time this clock has passed.
    async fn sit_down(&self) -> Result<(), IdError> {
        let _turn = self.office.lock().await;
        if self.held().is_some() {
            return Ok(());
        }
        let first = rand::random_range(0..WORKERS);
        for worker in (first..WORKERS).chain(0..first) {
            if let Some(held) = self.try_seat(worker).await? {
                tracing::info!(worker, "order ids are given out under a worker number");
                *self.held() = Some(held);
                return Ok(());
            }
        }
        Err(IdError::NoWorkerFree)
    }

    async fn try_seat(&self, worker: u16) -> Result<Option<Held>, IdError> {
        let name = name_of(worker);
        let lease = self.locks.mutex(&name).try_lock().await;
        let Some(lease) = lease.map_err(IdError::Lock)? else {
            return Ok(None);
        };
        let floor_ms = self.high_water.begin(&name, lease.fence().as_i64()).await?;
        let now = Millisecond::at(self.clock.now_ms())?;
        Ok((floor_ms < now.get()).then(|| Held {
            post: Post::new(worker, floor_ms),
            lease,
        }))
    }

    fn held(&self) -> MutexGuard<'_, Option<Held>> {
        // Sequences are taken before ids are written, so whoever panicked cost some, and repeated none.
        self.post.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a worker number's lock, and of its mark in the ledger.
fn name_of(worker: u16) -> String {
    format!("{WHAT}:worker:{worker}")
}
