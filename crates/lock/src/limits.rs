//! Every bound of the crate, in one place, each with its reason.

use std::time::Duration;

/// Lease of a lock that the watchdog renews, unless the options say otherwise: how long others wait after a crash.
pub(crate) const LEASE: Duration = Duration::from_secs(30);

/// Shorter leases end before a busy machine can renew them; shorter wishes count as this.
pub(crate) const MIN_LEASE: Duration = Duration::from_millis(50);

/// A lease is renewed after a third, so that two attempts may fail before it ends.
pub(crate) const RENEWALS_PER_LEASE: u32 = 3;

/// The holder gives up a lease this part of it before the server does. It pays for clocks that run at different
/// speeds, and leaves the holder time to stop.
pub(crate) const MARGIN_PER_LEASE: u32 = 20;

/// Pause before a failed request is repeated; it doubles each time, up to [`MAX_PAUSE`].
pub(crate) const MIN_PAUSE: Duration = Duration::from_millis(10);
pub(crate) const MAX_PAUSE: Duration = Duration::from_millis(500);

/// How long an acquisition goes on through an outage, unless the options say otherwise. Longer than a failover.
pub(crate) const OUTAGE_LIMIT: Duration = Duration::from_secs(10);

/// How long a release is repeated through an outage. Beyond it the lease has to end by itself.
pub(crate) const RELEASE_LIMIT: Duration = Duration::from_secs(10);

/// How long the server remembers that a token has ended: longer than anybody repeats its release.
pub(crate) const DONE_TTL: Duration = Duration::from_secs(15);

/// How long the server remembers the last fence of a lock. Fences outlive it by following the clock; it matters only
/// while a clock that was set back has not caught up.
pub(crate) const FENCE_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// A waiter asks this often even if no message comes, because messages may be lost.
pub(crate) const POLL: Duration = Duration::from_millis(700);

/// How long a lock that was passed on waits for its new holder to say so. Longer than [`POLL`], or a lost message
/// would lose the grant as well.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// A waiter that has not asked for so long is dead, and is skipped. Several polls, or one hiccup would cost its place.
pub(crate) const ALIVE: Duration = Duration::from_secs(5);

/// How long a waiter holds back its second request until the subscription stands; then it polls.
pub(crate) const SUBSCRIBE_LIMIT: Duration = Duration::from_secs(1);

/// In a Cluster each contended lock has a channel. It is kept this long for the next waiter.
pub(crate) const CHANNEL_IDLE: Duration = Duration::from_secs(10);

/// Fences that come with one grant of a mutex, and thereby how often it may change hands inside a process before
/// other processes are asked whether they want it.
pub(crate) const COHORT_GRANTS: u64 = 64;

/// How long a mutex may change hands inside a process before others are asked.
pub(crate) const COHORT_TIME: Duration = Duration::from_millis(50);

/// Waiters inside a process that may have left without being cleared away.
pub(crate) const STALE_WAITERS: usize = 64;

/// A majority waits for a node at most this part of the lease: one dead node must not eat up the time of the others.
pub(crate) const NODE_WAIT_PER_LEASE: u32 = 10;

/// Pause before a majority is tried again, at random up to this, so that rivals do not meet again and again.
pub(crate) const ROUND_PAUSE: Duration = Duration::from_millis(100);

/// How often a node that was lost is tried again on behalf of a majority that still stands.
pub(crate) const RELOCK_PAUSE: Duration = Duration::from_millis(500);
