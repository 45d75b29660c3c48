//! Repeating a request that got no answer.
//!
//! Every request of this crate may be repeated, so an unknown outcome is never guessed: the question is put again until
//! it is answered, with growing pauses, or until patience ends.

use std::time::Duration;

use link::LinkError;
use rand::RngExt;
use tokio::time::{Instant, sleep};

use crate::limits::{MAX_PAUSE, MIN_PAUSE};

#[derive(Debug)]
pub(crate) struct Retry {
    until: Instant,
    pause: Duration,
}

impl Retry {
    pub(crate) fn until(until: Instant) -> Self {
        Self {
            until,
            pause: MIN_PAUSE,
        }
    }

    /// Returns when it is time to ask again, or gives the error back if it makes no sense to.
    pub(crate) async fn after(&mut self, error: LinkError) -> Result<(), LinkError> {
        let pause = rand::rng().random_range(self.pause / 2..=self.pause);
        if !error.is_outage() || Instant::now() + pause >= self.until {
            return Err(error);
        }
        self.pause = (self.pause * 2).min(MAX_PAUSE);
        sleep(pause).await;
        Ok(())
    }
}
