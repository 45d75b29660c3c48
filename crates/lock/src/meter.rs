//! Metrics: counters and one histogram, labelled by the kind of lock and never by its name, whose number is unbounded.

use std::time::Duration;

use crate::{LostReason, remote_lock::LockKind, wake_subscriber::WaitEnd};

/// The source of a grant.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Via {
    /// Redis granted it.
    Remote,
    /// Another task of this process passed it on.
    Local,
    /// The owner re-entered.
    Reentry,
}

pub(crate) fn granted(kind: LockKind, via: Via, waited: Duration) {
    let via = match via {
        Via::Remote => "remote",
        Via::Local => "local",
        Via::Reentry => "reentry",
    };
    metrics::counter!("redis_locks_granted_total", "kind" => kind.label(), "via" => via)
        .increment(1);
    metrics::histogram!("redis_locks_wait_seconds", "kind" => kind.label()).record(waited);
}

/// A waiter repeats its request. Most waits should end by a wake-up: one that timed out found the lock late, or still held.
pub(crate) fn waited(kind: LockKind, end: WaitEnd) {
    let end = match end {
        WaitEnd::WokenUp => "woken_up",
        WaitEnd::TimedOut => "timed_out",
    };
    metrics::counter!("redis_locks_waits_total", "kind" => kind.label(), "end" => end).increment(1);
}

pub(crate) fn lost(kind: LockKind, reason: LostReason) {
    metrics::counter!("redis_locks_lost_total", "kind" => kind.label(), "reason" => reason.label())
        .increment(1);
}

pub(crate) fn renewal(outcome: &'static str) {
    metrics::counter!("redis_locks_renewals_total", "outcome" => outcome).increment(1);
}
