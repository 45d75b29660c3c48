//! Refuses claims while too many orders are on their way to the ledger.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use link::Link;
use tokio::time::Instant;

/// How often a partition that is over its limit is looked at again.
const LOOK_EVERY: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct Admission {
    link: Link,
    backlog_key: String,
    limit: u64,
    /// Orders on their way, as the gate last said.
    backlog: AtomicU64,
    /// When the next look is due, in milliseconds since `began`.
    look_at_ms: AtomicU64,
    began: Instant,
}

impl Admission {
    pub(super) fn new(link: Link, backlog_key: String, limit: u64) -> Self {
        Self {
            link,
            backlog_key,
            limit,
            backlog: AtomicU64::new(0),
            look_at_ms: AtomicU64::new(0),
            began: Instant::now(),
        }
    }

    pub(super) fn note(&self, backlog: u64) {
        self.backlog.store(backlog, Ordering::Relaxed);
    }

    /// Whether there is room. Over the limit one claimant in a while looks, and the others are refused meanwhile.
    pub(super) async fn admits(&self, now: Instant) -> bool {
        self.has_room() || (self.is_mine_to_look(now) && self.look().await)
    }

    fn has_room(&self) -> bool {
        self.backlog.load(Ordering::Relaxed) < self.limit
    }

    fn is_mine_to_look(&self, now: Instant) -> bool {
        let now_ms = millis(now.saturating_duration_since(self.began));
        let due = self.look_at_ms.load(Ordering::Relaxed);
        let next = now_ms + millis(LOOK_EVERY);
        let order = Ordering::Relaxed;
        now_ms >= due && (self.look_at_ms.compare_exchange(due, next, order, order)).is_ok()
    }

    async fn look(&self) -> bool {
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
