//! Every bound of the crate, in one place, each with its reason.

use std::time::Duration;

/// Default lease of a renewed lock: how long others wait after the holder crashed.
pub(crate) const LEASE: Duration = Duration::from_secs(30);

/// A shorter lease would end before a busy machine can renew it, so it is raised to this.
pub(crate) const MIN_LEASE: Duration = Duration::from_millis(50);

/// A lease is renewed after a third, so that two attempts may fail before it ends.
pub(crate) const RENEWALS_PER_LEASE: u32 = 3;

/// The holder's deadline is this fraction of the lease earlier than the server's. It covers clocks that run at different
/// rates, and leaves the holder time to stop.
pub(crate) const MARGIN_PER_LEASE: u32 = 20;

/// First delay before a failed request is retried; it doubles up to [`MAX_PAUSE`].
pub(crate) const MIN_PAUSE: Duration = Duration::from_millis(10);
pub(crate) const MAX_PAUSE: Duration = Duration::from_millis(500);

/// How long an acquisition is retried during an outage, unless the options say otherwise. Longer than a failover.
pub(crate) const OUTAGE_LIMIT: Duration = Duration::from_secs(10);

/// How long a release is retried during an outage. After that the lease expires.
pub(crate) const RELEASE_LIMIT: Duration = Duration::from_secs(10);

/// How long the server remembers that a token has ended: longer than a release is retried.
pub(crate) const DONE_TTL: Duration = Duration::from_secs(15);

/// A mark that a token has ended takes over the rest of the lease if that lies between [`DONE_TTL`] and this: longer ones
/// would only fill the memory.
pub(crate) const MAX_DONE_TTL: Duration = Duration::from_secs(60);

/// How long the server remembers the last fence of a lock. Fences outlive it by following the clock; it matters only
/// while a clock that was set back has not caught up.
pub(crate) const FENCE_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// How often a waiter polls, because wake-ups may be lost.
pub(crate) const POLL: Duration = Duration::from_millis(700);

/// How long a grant to a waiter lasts until the waiter confirms it. Longer than [`POLL`], or a lost wake-up would lose the
/// grant too.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// A waiter without a request for this long counts as dead and is skipped. Several polls, so that one delay does not cost
/// its position.
pub(crate) const ALIVE: Duration = Duration::from_secs(5);

/// How long a waiter waits for the subscription before its second request; then it polls.
pub(crate) const SUBSCRIBE_LIMIT: Duration = Duration::from_secs(1);

/// Delay before a job asks for its lock again after an outage that outlasted [`OUTAGE_LIMIT`].
pub(crate) const JOB_RETRY_DELAY: Duration = Duration::from_millis(500);

/// How long the release of a job's lock may delay the shutdown of its process. A lock that is not released by then ends
/// with its term.
pub(crate) const JOB_RELEASE_LIMIT: Duration = Duration::from_secs(1);

/// In a Cluster each contended lock has a channel. It is kept this long for the next waiter.
pub(crate) const CHANNEL_IDLE: Duration = Duration::from_secs(10);

/// In a Cluster a guard that is watched for a loss needs the channel of its lock. It is subscribed to after this time: most
/// guards are released sooner.
pub(crate) const WATCH_DELAY: Duration = Duration::from_millis(100);

/// Fences per grant of a mutex: how often a lease passes between tasks of a process before Redis serves other processes.
pub(crate) const COHORT_GRANTS: u64 = 64;

/// How long a lease passes between tasks of a process before Redis serves other processes.
pub(crate) const COHORT_TIME: Duration = Duration::from_millis(50);

/// Cancelled local waiters that may stay in the queue.
pub(crate) const STALE_WAITERS: usize = 64;

/// A majority waits for each node at most this fraction of the lease, so that a dead node does not use up the lease.
pub(crate) const NODE_WAIT_PER_LEASE: u32 = 10;

/// How long a caller that holds a lock on one server waits for it on the next one. Longer than a holder takes to release it
/// on all, short because two callers that know the servers in another order wait for each other.
pub(crate) const NODE_PATIENCE: Duration = Duration::from_millis(50);

/// Longest random delay before several nodes are tried again, so that competing callers do not collide again.
pub(crate) const ROUND_PAUSE: Duration = Duration::from_millis(100);

/// How often a majority that is held tries to re-lock a lost node.
pub(crate) const RELOCK_PAUSE: Duration = Duration::from_millis(500);
