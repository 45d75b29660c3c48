//! Retries of a request whose reply was lost.
//!
//! Every request of this crate is idempotent, so an unknown outcome is never guessed: the request is retried with back-off
//! until the server replies or the time limit has passed.

use link::LinkError;
use supervise::Backoff;
use tokio::time::{Instant, sleep};

use crate::limits::{MAX_PAUSE, MIN_PAUSE};

#[derive(Debug)]
pub(crate) struct Retry {
    until: Instant,
    backoff: Backoff,
}

impl Retry {
    pub(crate) fn until(until: Instant) -> Self {
        Self {
            until,
            backoff: Backoff::new(MIN_PAUSE, MAX_PAUSE).jittered(),
        }
    }

    /// Waits for the next attempt, or returns the error if a retry cannot help or the limit would pass.
    pub(crate) async fn after(&mut self, error: LinkError) -> Result<(), LinkError> {
        let delay = self.backoff.next_delay();
        if !error.is_outage() || Instant::now() + delay >= self.until {
            return Err(error);
        }
        sleep(delay).await;
        Ok(())
    }
}
