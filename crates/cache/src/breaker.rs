//! A circuit breaker that keeps reads away from a Redis that does not reply.
//!
//! A stalled server costs every read its full timeout; after a few consecutive failures the breaker opens and reads go to
//! the loader at once. An open breaker admits single probes, and the first one that succeeds closes it.

use std::{
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// Consecutive failures that open the breaker; a single failure may be chance.
const FAILURES_TO_OPEN: u32 = 3;

/// How often an open breaker admits a probe. The connection layer reconnects about as fast.
const PROBE_EVERY: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(crate) struct Breaker {
    origin: Instant,
    failures: AtomicU32,
    /// When the next probe may go, in milliseconds since `origin`.
    next_probe_ms: AtomicU64,
}

impl Breaker {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            origin: now,
            failures: AtomicU32::new(0),
            next_probe_ms: AtomicU64::new(0),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.failures.load(Ordering::Relaxed) >= FAILURES_TO_OPEN
    }

    /// Whether to call Redis now. An open breaker admits one of many concurrent callers.
    pub(crate) fn admits(&self, now: Instant) -> bool {
        if !self.is_open() {
            return true;
        }
        let now_ms = self.millis(now);
        let due_ms = self.next_probe_ms.load(Ordering::Relaxed);
        now_ms >= due_ms && self.postpone_probe(due_ms, now_ms)
    }

    pub(crate) fn succeeded(&self) {
        // A load before the store keeps the cache line shared between cores while nothing fails.
        if self.failures.load(Ordering::Relaxed) != 0 {
            self.failures.store(0, Ordering::Relaxed);
        }
    }

    pub(crate) fn failed(&self, now: Instant) {
        let earlier = self.failures.fetch_add(1, Ordering::Relaxed);
        if earlier + 1 == FAILURES_TO_OPEN {
            let now_ms = self.millis(now);
            self.next_probe_ms
                .store(now_ms + probe_every_ms(), Ordering::Relaxed);
        }
    }

    fn postpone_probe(&self, due_ms: u64, now_ms: u64) -> bool {
        let next = now_ms + probe_every_ms();
        let exchanged =
            self.next_probe_ms
                .compare_exchange(due_ms, next, Ordering::Relaxed, Ordering::Relaxed);
        exchanged.is_ok()
    }

    fn millis(&self, now: Instant) -> u64 {
        let since = now.saturating_duration_since(self.origin);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

fn probe_every_ms() -> u64 {
    PROBE_EVERY.as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_failures_in_a_row_open_it_and_one_success_closes_it() {
        let now = Instant::now();
        let breaker = Breaker::new(now);
        breaker.failed(now);
        breaker.failed(now);
        breaker.succeeded();
        breaker.failed(now);
        breaker.failed(now);
        assert!(breaker.admits(now));
        breaker.failed(now);
        assert!(!breaker.admits(now));
        breaker.succeeded();
        assert!(breaker.admits(now));
    }

    #[test]
    fn an_open_breaker_lets_one_through_now_and_then() {
        let now = Instant::now();
        let breaker = Breaker::new(now);
        (0..3).for_each(|_| breaker.failed(now));
        assert!(!breaker.admits(now));
        let later = now + PROBE_EVERY;
        assert!(breaker.admits(later));
        assert!(!breaker.admits(later));
        breaker.failed(later);
        assert!(breaker.admits(later + PROBE_EVERY));
    }
}
