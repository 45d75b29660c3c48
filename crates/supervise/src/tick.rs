//! Timers that go off together: [`next_tick`].

use std::sync::LazyLock;
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// When this process began to tick.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Waits for the next multiple of `period` since the process began, so that tasks which look every second wake the process
/// once a second and not each at its own moment. The wait is never zero and at most the period.
///
/// ```
/// # async fn look() {}
/// # async fn example() {
/// use std::time::Duration;
///
/// loop {
///     look().await;
///     supervise::next_tick(Duration::from_secs(1)).await;
/// }
/// # }
/// ```
pub async fn next_tick(period: Duration) {
    sleep(until_tick(BEGAN.elapsed(), period)).await;
}

fn until_tick(elapsed: Duration, period: Duration) -> Duration {
    let past = elapsed.as_nanos() % period.as_nanos().max(1);
    // Less than the period, which is a duration.
    period.saturating_sub(Duration::from_nanos_u128(past))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_multiples_of_the_period() {
        let ms = Duration::from_millis;
        for (elapsed, period, wait) in [
            (0, 1000, 1000),
            (1, 1000, 999),
            (999, 1000, 1),
            (1000, 1000, 1000),
            (7300, 500, 200),
        ] {
            assert_eq!(until_tick(ms(elapsed), ms(period)), ms(wait), "{elapsed}");
        }
        assert_eq!(until_tick(ms(5), Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn tasks_that_began_at_different_times_wake_together() {
        let (second, ms) = (Duration::from_secs(1), Duration::from_millis);
        for began in [ms(1_000), ms(1_300), ms(1_999)] {
            assert_eq!(began + until_tick(began, second), ms(2_000));
        }
    }
}
