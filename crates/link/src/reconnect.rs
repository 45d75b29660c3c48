//! Pauses between attempts.
//!
//! They start short, so that a restarted server is found again within moments, and end at half a second, so that a
//! server that is back is used within about a second; jitter keeps many processes from knocking in step.

use std::time::Duration;

use rand::RngExt;

const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_millis(500);

/// A connection that lived at least this long was a good one. A server that takes connections only to drop them is
/// given growing pauses, like one that refuses them.
const GOOD_LIFE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Backoff {
    next: Duration,
}

impl Backoff {
    pub(crate) fn new() -> Self {
        Self { next: FIRST }
    }

    pub(crate) fn reset(&mut self) {
        self.next = FIRST;
    }

    /// Starts over if what just ended had lived well, and says whether it had.
    pub(crate) fn reset_after(&mut self, life: Duration) -> bool {
        let good = life >= GOOD_LIFE;
        if good {
            self.reset();
        }
        good
    }

    /// Waits between half of the current pause and all of it, and doubles the pause.
    pub(crate) async fn pause(&mut self) {
        let share = rand::rng().random_range(0.5..=1.0);
        tokio::time::sleep(self.next.mul_f64(share)).await;
        self.next = (self.next * 2).min(LONGEST);
    }
}
