//! Exponential back-off: [`Backoff`].

use std::time::Duration;

/// Delays that double from a first to a longest one, with jitter if wanted.
///
/// ```
/// # use std::time::Duration;
/// use supervise::Backoff;
///
/// let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_millis(300));
/// let delays: Vec<_> = (0..4).map(|_| backoff.next_delay().as_millis()).collect();
/// assert_eq!(delays, [100, 200, 300, 300]);
/// backoff.reset();
/// assert_eq!(backoff.next_delay().as_millis(), 100);
/// ```
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
    is_first: bool,
    is_jittered: bool,
}

impl Backoff {
    /// Starts with `first` and doubles up to `longest`.
    pub const fn new(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            longest,
            next: first,
            is_first: true,
            is_jittered: false,
        }
    }

    /// Draws each delay between one half and all of its nominal length, so that many processes do not retry in step.
    #[must_use]
    pub const fn jittered(self) -> Self {
        Self {
            is_jittered: true,
            ..self
        }
    }

    /// The nominal delay before the next attempt, without taking it.
    pub fn peek_delay(&self) -> Duration {
        self.next
    }

    /// The delay before the next attempt; the one after that is twice as long.
    pub fn next_delay(&mut self) -> Duration {
        let delay = self.next;
        self.next = delay.saturating_mul(2).min(self.longest);
        self.is_first = false;
        match self.is_jittered {
            true => delay.mul_f64(rand::random_range(0.5..=1.0)),
            false => delay,
        }
    }

    /// The nominal delay after this many consecutive failures, for a caller that keeps the count elsewhere.
    pub fn delay_after(&self, failures: u32) -> Duration {
        let factor = 2_u32.saturating_pow(failures.saturating_sub(1));
        self.first.saturating_mul(factor).min(self.longest)
    }

    /// Sleeps for the next delay.
    pub async fn sleep(&mut self) {
        tokio::time::sleep(self.next_delay()).await;
    }

    /// Starts over with the first delay, after a success.
    pub fn reset(&mut self) {
        self.next = self.first;
        self.is_first = true;
    }

    /// Whether no attempt has failed since the start or the last reset; for a log line per outage instead of one per
    /// attempt.
    pub fn is_first(&self) -> bool {
        self.is_first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_millis(20);
    const LONGEST: Duration = Duration::from_millis(500);

    #[test]
    fn delays_double_up_to_the_longest_and_start_over_after_a_reset() {
        let mut backoff = Backoff::new(FIRST, LONGEST);
        assert!(backoff.is_first());
        let delays: Vec<u128> = (0..8).map(|_| backoff.next_delay().as_millis()).collect();
        assert_eq!(delays, [20, 40, 80, 160, 320, 500, 500, 500]);
        assert!(!backoff.is_first());
        backoff.reset();
        assert!(backoff.is_first());
        assert_eq!(backoff.next_delay(), FIRST);
    }

    #[test]
    fn a_delay_that_does_not_grow_is_first_once() {
        let mut backoff = Backoff::new(FIRST, FIRST);
        assert!(backoff.is_first());
        assert_eq!(backoff.next_delay(), FIRST);
        assert!(!backoff.is_first());
    }

    #[test]
    fn jitter_shortens_a_delay_by_half_at_most() {
        for _ in 0..200 {
            let mut backoff = Backoff::new(FIRST, LONGEST).jittered();
            for nominal in [20, 40, 80] {
                let nominal = Duration::from_millis(nominal);
                let delay = backoff.next_delay();
                assert!(delay >= nominal / 2 && delay <= nominal, "{delay:?}");
            }
        }
    }

    #[test]
    fn the_delay_after_a_number_of_failures_is_that_of_counting() {
        let backoff = Backoff::new(FIRST, LONGEST);
        let mut counted = backoff.clone();
        for failures in 1..=40 {
            assert_eq!(backoff.delay_after(failures), counted.next_delay());
        }
        assert_eq!(backoff.delay_after(0), FIRST);
        assert_eq!(backoff.delay_after(u32::MAX), LONGEST);
    }
}
