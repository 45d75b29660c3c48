//! Rate limit for log events that occur thousands of times: [`LogRateLimit`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Lets one event of a kind into the log per pause and counts the others.
#[derive(Debug)]
pub struct LogRateLimit {
    pause: Duration,
    last: Mutex<Option<Instant>>,
    held_back: AtomicU64,
}

impl LogRateLimit {
    /// At most one event per `pause`.
    pub const fn every(pause: Duration) -> Self {
        Self {
            pause,
            last: Mutex::new(None),
            held_back: AtomicU64::new(0),
        }
    }

    /// How many were held back since the last one that was logged, if this one is to be.
    pub fn pass(&self) -> Option<u64> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < self.pause) {
            self.held_back.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        *last = Some(Instant::now());
        Some(self.held_back.swap(0, Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_logged_and_the_next_tells_how_many_were_not() {
        let pace = LogRateLimit::every(Duration::from_secs(3600));
        assert_eq!(pace.pass(), Some(0));
        assert_eq!((pace.pass(), pace.pass()), (None, None));
        let pace = LogRateLimit::every(Duration::ZERO);
        assert_eq!((pace.pass(), pace.pass()), (Some(0), Some(0)));
    }
}
