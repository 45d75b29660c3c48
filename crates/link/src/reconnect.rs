//! The back-off between connection attempts.
//!
//! Delays start short, so that a restarted server is found within moments, and end at half a second, so that a server that
//! has returned is used within about a second; jitter keeps many processes from reconnecting in step.

use std::time::Duration;

use supervise::Backoff;

const FIRST_DELAY: Duration = Duration::from_millis(20);
const LONGEST_DELAY: Duration = Duration::from_millis(500);

/// A connection that lived at least this long was healthy. A server that accepts connections only to close them gets
/// growing delays, like one that refuses them.
const HEALTHY_LIFETIME: Duration = Duration::from_secs(1);

pub(crate) fn backoff() -> Backoff {
    Backoff::new(FIRST_DELAY, LONGEST_DELAY).jittered()
}

/// Resets the back-off if the connection that just ended was healthy, and returns whether it was.
pub(crate) fn reset_after(backoff: &mut Backoff, lifetime: Duration) -> bool {
    let is_healthy = lifetime >= HEALTHY_LIFETIME;
    if is_healthy {
        backoff.reset();
    }
    is_healthy
}
