//! The metrics: counters and one histogram, labelled by the kind of lock and never by its name, of which there may be
//! any number.

use std::time::Duration;

use crate::{LostReason, site::Kind};

/// How a grant came about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Via {
    /// Redis granted it.
    Remote,
    /// Another task of this process handed it over.
    Local,
    /// Its owner holds it already.
    Reentry,
}

pub(crate) fn granted(kind: Kind, via: Via, waited: Duration) {
    let via = match via {
        Via::Remote => "remote",
        Via::Local => "local",
        Via::Reentry => "reentry",
    };
    metrics::counter!("redis_locks_granted_total", "kind" => kind.label(), "via" => via)
        .increment(1);
    metrics::histogram!("redis_locks_wait_seconds", "kind" => kind.label()).record(waited);
}

pub(crate) fn lost(kind: Kind, reason: LostReason) {
    metrics::counter!("redis_locks_lost_total", "kind" => kind.label(), "reason" => reason.label())
        .increment(1);
}

pub(crate) fn renewal(outcome: &'static str) {
    metrics::counter!("redis_locks_renewals_total", "outcome" => outcome).increment(1);
}
