//! What a database may do to the engine: be away, be slow, choke on an order, die around a commit.

use std::collections::{HashMap, HashSet};
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
    /// Writes that fail before the ledger recovers, whatever they hold.
    failing_writes: AtomicU64,
    panicking_writes: AtomicU64,
    /// Orders that a write may have before it runs into the time limit.
    too_many: AtomicU64,
    /// Orders that make a write end without an answer.
    silent: Mutex<HashSet<OrderId>>,
    /// Writes under way, and the most there ever were at once.
    under_way: AtomicU64,
    most_at_once: AtomicU64,
    /// How many orders each write had, and how often each order was tried alone.
    sizes: Mutex<Vec<usize>>,
    alone: Mutex<HashMap<OrderId, u32>>,
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
            failing_writes: AtomicU64::default(),
            panicking_writes: AtomicU64::default(),
            too_many: AtomicU64::new(u64::MAX),
            silent: Mutex::default(),
            under_way: AtomicU64::default(),
            most_at_once: AtomicU64::default(),
            sizes: Mutex::default(),
            alone: Mutex::default(),
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
        lock(&self.silent).clear();
    }

    /// A transaction with this order in it is never answered.
    pub(crate) fn never_answer(&self, order: OrderId) {
        lock(&self.silent).insert(order);
    }

    /// The most writes that were under way at once.
    pub(crate) fn most_at_once(&self) -> u64 {
        self.most_at_once.load(Ordering::SeqCst)
    }

    /// So many writes fail, whatever they hold; then the ledger works again.
    pub(crate) fn fail_writes(&self, writes: u64) {
        self.failing_writes.store(writes, Ordering::SeqCst);
    }

    /// So many writes panic.
    pub(crate) fn panic_writes(&self, writes: u64) {
        self.panicking_writes.store(writes, Ordering::SeqCst);
    }

    /// A transaction of more orders than this is given up by the database.
    pub(crate) fn time_out_beyond(&self, orders: u64) {
        self.too_many.store(orders, Ordering::SeqCst);
    }

    /// How often an order was tried alone.
    pub(crate) fn tried_alone(&self, order: OrderId) -> u32 {
        lock(&self.alone).get(&order).copied().unwrap_or_default()
    }

    /// How many orders each write had, in turn.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        lock(&self.sizes).clone()
    }

    /// The next write commits, and its reply is lost.
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
            true => Err(LedgerError::Unavailable("the database is down".into())),
            false => Ok(()),
        }
    }

    pub(super) async fn before_write(&self, orders: &[Order]) -> Result<(), LedgerError> {
        self.writes.fetch_add(1, Ordering::SeqCst);
        lock(&self.sizes).push(orders.len());
        if let [order] = orders {
            *lock(&self.alone).entry(order.id).or_default() += 1;
        }
        self.answer()?;
        if u64::try_from(orders.len()).unwrap_or(u64::MAX) > self.too_many.load(Ordering::SeqCst) {
            return Err(LedgerError::Unavailable("it took too long".into()));
        }
        let is_silent = |order: &Order| lock(&self.silent).contains(&order.id);
        if orders.iter().any(is_silent) {
            return Err(LedgerError::Unavailable("it took too long".into()));
        }
        let delay = *lock(&self.delay);
        let at_once = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(at_once, Ordering::SeqCst);
        tokio::time::sleep(delay).await;
        self.under_way.fetch_sub(1, Ordering::SeqCst);
        self.pass(Stop::BeforeCommit).await;
        self.answer()?;
        assert!(!count_down(&self.panicking_writes), "on purpose");
        if count_down(&self.failing_writes) {
            let cause = io::Error::other("there is no space left");
            return Err(LedgerError::Failed(Box::new(cause)));
        }
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
        match count_down(&self.answers_to_lose) {
            true => Err(LedgerError::Unavailable("the answer was lost".into())),
            false => Ok(()),
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

/// Whether there was one left to take.
fn count_down(left: &AtomicU64) -> bool {
    let order = Ordering::SeqCst;
    left.fetch_update(order, order, |left| left.checked_sub(1))
        .is_ok()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
