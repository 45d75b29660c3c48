//! What a database may do to the engine: be away, be slow, choke on an order, die around a commit.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use flash::{LedgerError, Order, OrderId};
use tokio::sync::watch;

/// Where a write stands still until it is let go, or its task is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    BeforeCommit,
    AfterCommit,
}

#[derive(Debug)]
pub(crate) struct Faults {
    away: AtomicBool,
    writes: AtomicU64,
    delay: Mutex<Duration>,
    poison: Mutex<HashSet<OrderId>>,
    answers_to_lose: AtomicU64,
    stop_at: watch::Sender<Option<Stop>>,
    /// How many writes have come to a stop so far.
    stopped: watch::Sender<u64>,
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            away: AtomicBool::default(),
            writes: AtomicU64::default(),
            delay: Mutex::default(),
            poison: Mutex::default(),
            answers_to_lose: AtomicU64::default(),
            stop_at: watch::Sender::new(None),
            stopped: watch::Sender::new(0),
        }
    }
}

impl Faults {
    /// Every function fails as if the database were down.
    pub(crate) fn go_away(&self) {
        self.away.store(true, Ordering::SeqCst);
    }

    pub(crate) fn come_back(&self) {
        self.away.store(false, Ordering::SeqCst);
    }

    /// Each write takes at least this long.
    pub(crate) fn be_slow(&self, delay: Duration) {
        *lock(&self.delay) = delay;
    }

    /// A transaction with this order in it fails.
    pub(crate) fn choke_on(&self, order: OrderId) {
        lock(&self.poison).insert(order);
    }

    /// No order makes a transaction fail any more.
    pub(crate) fn swallow_all(&self) {
        lock(&self.poison).clear();
    }

    /// The next write commits, and nobody hears of it.
    pub(crate) fn lose_an_answer(&self) {
        self.answers_to_lose.fetch_add(1, Ordering::SeqCst);
    }

    /// From now on writes stand still there.
    pub(crate) fn stop_at(&self, stop: Stop) {
        self.stop_at.send_replace(Some(stop));
    }

    /// Lets those who stand still go on, and everybody else pass.
    pub(crate) fn go_on(&self) {
        self.stop_at.send_replace(None);
    }

    /// Waits until this many writes have come to a stop since the beginning.
    pub(crate) async fn stopped(&self, count: u64) {
        let mut stopped = self.stopped.subscribe();
        let reached = stopped.wait_for(|so_far| *so_far >= count);
        let in_time = tokio::time::timeout(Duration::from_secs(30), reached);
        let reached = in_time.await.expect("a write comes along");
        reached.expect("the sender is ours");
    }

    pub(super) fn write_count(&self) -> u64 {
        self.writes.load(Ordering::SeqCst)
    }

    pub(super) fn answer(&self) -> Result<(), LedgerError> {
        match self.away.load(Ordering::SeqCst) {
            true => Err(LedgerError::Away("the database is down".into())),
            false => Ok(()),
        }
    }

    pub(super) async fn before_write(&self, orders: &[Order]) -> Result<(), LedgerError> {
        self.writes.fetch_add(1, Ordering::SeqCst);
        self.answer()?;
        let delay = *lock(&self.delay);
        tokio::time::sleep(delay).await;
        self.pass(Stop::BeforeCommit).await;
        self.answer()?;
        let poison = lock(&self.poison);
        match orders.iter().find(|order| poison.contains(&order.id)) {
            Some(order) => {
                let cause = io::Error::other(format!("choked on order {}", order.id));
                Err(LedgerError::Failed(Box::new(cause)))
            }
            None => Ok(()),
        }
    }

    pub(super) async fn after_write(&self) -> Result<(), LedgerError> {
        self.pass(Stop::AfterCommit).await;
        let left = &self.answers_to_lose;
        let lost = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
            left.checked_sub(1)
        });
        match lost {
            Ok(_) => Err(LedgerError::Away("the answer was lost".into())),
            Err(_) => Ok(()),
        }
    }

    async fn pass(&self, place: Stop) {
        let mut stop_at = self.stop_at.subscribe();
        if *stop_at.borrow() == Some(place) {
            self.stopped.send_modify(|so_far| *so_far += 1);
            let released = stop_at.wait_for(|stop| *stop != Some(place)).await;
            released.expect("the sender is ours");
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
