//! Limits the load that the drain loops of a process put on the ledger together: concurrent transactions, and orders per
//! second for a database that other applications share.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// How granted orders are written to the ledger.
#[derive(Clone, Copy, Debug)]
pub struct DrainOptions {
    /// Orders per transaction at most; fewer where the ledger is slow.
    pub batch_limit: NonZeroUsize,
    /// Concurrent transactions of this process, over all partitions.
    pub parallel: NonZeroUsize,
    /// Orders per second that this process writes at most; `None` sets no limit.
    pub orders_per_sec: Option<NonZeroU32>,
}

/// More than one read usually returns, so that it becomes one transaction, and few enough that other transactions need
/// not wait long.
const BATCH_LIMIT: NonZeroUsize = NonZeroUsize::new(4_000).expect("not zero");

/// As many as a deployment has partitions by default.
const PARALLEL: NonZeroUsize = NonZeroUsize::new(4).expect("not zero");

impl Default for DrainOptions {
    fn default() -> Self {
        Self {
            batch_limit: BATCH_LIMIT,
            parallel: PARALLEL,
            orders_per_sec: None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Throttle {
    options: DrainOptions,
    transactions: Semaphore,
    /// Until when the admitted orders use up the rate.
    busy_until: Mutex<Option<Instant>>,
}

impl Throttle {
    pub(crate) fn new(options: DrainOptions) -> Self {
        let parallel = options.parallel.get().min(Semaphore::MAX_PERMITS);
        Self {
            options,
            transactions: Semaphore::new(parallel),
            busy_until: Mutex::new(None),
        }
    }

    /// Orders per transaction: no more than a second's worth, so that a rate limit makes an even flow.
    pub(super) fn batch_limit(&self) -> usize {
        let limit = self.options.batch_limit.get();
        let a_second = self.options.orders_per_sec.map(NonZeroU32::get);
        a_second.map_or(limit, |orders| limit.min(orders as usize))
    }

    /// Waits until a transaction of this many orders may begin; it counts until the permit is dropped.
    pub(super) async fn admit(&self, orders: usize) -> SemaphorePermit<'_> {
        if let Some(begin) = self.reserve(orders, Instant::now()) {
            tokio::time::sleep_until(begin).await;
        }
        let permit = self.transactions.acquire().await;
        permit.expect("the semaphore is never closed")
    }

    /// When these orders may be written, if not at once.
    fn reserve(&self, orders: usize, now: Instant) -> Option<Instant> {
        let per_sec = self.options.orders_per_sec?.get();
        let orders = u32::try_from(orders).unwrap_or(u32::MAX);
        let share = Duration::from_secs(1) * orders / per_sec;
        let busy_until = self.busy_until.lock();
        let mut busy_until = busy_until.unwrap_or_else(PoisonError::into_inner);
        let begin = busy_until.map_or(now, |until| until.max(now));
        *busy_until = Some(begin + share);
        (begin > now).then_some(begin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_beyond_the_rate_limit_wait() {
        let throttle = Throttle::new(DrainOptions {
            orders_per_sec: NonZeroU32::new(100),
            ..DrainOptions::default()
        });
        assert_eq!(throttle.batch_limit(), 100);
        let now = Instant::now();
        let mut begins = (0..4).map(|_| throttle.reserve(50, now));
        assert_eq!(begins.next(), Some(None), "the first begin at once");
        for halves in 1..4 {
            let begin = now + Duration::from_millis(500) * halves;
            assert_eq!(begins.next(), Some(Some(begin)));
        }
        let later = now + Duration::from_secs(60);
        assert_eq!(
            throttle.reserve(50, later),
            None,
            "idle time is not saved up"
        );
    }

    #[tokio::test]
    async fn no_more_transactions_run_at_once_than_the_setting_allows() {
        let throttle = Throttle::new(DrainOptions {
            parallel: NonZeroUsize::new(2).unwrap(),
            ..DrainOptions::default()
        });
        let first = throttle.admit(1).await;
        let _second = throttle.admit(1).await;
        assert_eq!(throttle.transactions.available_permits(), 0);
        drop(first);
        assert_eq!(throttle.transactions.available_permits(), 1);
    }
}
