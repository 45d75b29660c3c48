//! Refuses claims while too many granted orders wait for the ledger.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use link::Link;
use tokio::time::Instant;

/// How often the backlog of a partition over its limit is read again.
const POLL_EVERY: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct BacklogLimit {
    link: Link,
    backlog_key: String,
    limit: u64,
    /// The backlog in the last reply of the gate.
    backlog: AtomicU64,
    /// When the next read is due, in milliseconds since `started`.
    poll_at_ms: AtomicU64,
    started: Instant,
}

impl BacklogLimit {
    pub(super) fn new(link: Link, backlog_key: String, limit: u64) -> Self {
        Self {
            link,
            backlog_key,
            limit,
            backlog: AtomicU64::new(0),
            poll_at_ms: AtomicU64::new(0),
            started: Instant::now(),
        }
    }

    pub(super) fn note(&self, backlog: u64) {
        self.backlog.store(backlog, Ordering::Relaxed);
    }

    /// Whether the backlog is below its limit. Over the limit one claim at a time reads it again, and the others are
    /// refused meanwhile.
    pub(super) async fn admits(&self, now: Instant) -> bool {
        self.has_room() || (self.is_mine_to_poll(now) && self.poll().await)
    }

    fn has_room(&self) -> bool {
        self.backlog.load(Ordering::Relaxed) < self.limit
    }

    fn is_mine_to_poll(&self, now: Instant) -> bool {
        let now_ms = millis(now.saturating_duration_since(self.started));
        let due = self.poll_at_ms.load(Ordering::Relaxed);
        let next = now_ms + millis(POLL_EVERY);
        let order = Ordering::Relaxed;
        now_ms >= due && (self.poll_at_ms.compare_exchange(due, next, order, order)).is_ok()
    }

    async fn poll(&self) -> bool {
        let backlog = self
            .link
            .run(redis::cmd("GET").arg(&self.backlog_key))
            .await;
        if let Ok(backlog) = backlog {
            let backlog: Option<i64> = backlog;
            self.note(u64::try_from(backlog.unwrap_or(0)).unwrap_or(0));
        }
        self.has_room()
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
