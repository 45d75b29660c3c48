//! Variant 2. A log of the last ten minutes: every request that passed, by its time, in a sorted set.
//!
//! No fixed window, so no boundary. But counting and adding are two commands, and other requests count in between; in one
//! script it would be right. It also stores every request, which is a lot for a limit of ten thousand.

use anyhow::Result;
use link::Link;

use super::{LIMIT, Limiter, PERIOD_MS};
use crate::caller_barrier::CallerBarrier;

const KEY: &str = "limit:code:13800000000";

pub(super) struct SlidingLog {
    link: Link,
}

impl Limiter for SlidingLog {
    async fn start(link: Link) -> Result<Self> {
        Ok(Self { link })
    }

    async fn take(&self, now_ms: u64, barrier: &CallerBarrier) -> Result<bool> {
        let mut look = redis::pipe();
        look.cmd("ZREMRANGEBYSCORE").arg(KEY);
        look.arg("-inf").arg(now_ms - PERIOD_MS).ignore();
        look.cmd("ZCARD").arg(KEY);
        let (passed,): (u32,) = self.link.pipe(&look).await?;
        if passed >= LIMIT {
            return Ok(false);
        }
        barrier.wait_for_all().await;

        let id = format!("{:032x}", rand::random::<u128>());
        let mut add = redis::pipe();
        add.cmd("ZADD").arg(KEY).arg(now_ms).arg(id).ignore();
        add.cmd("PEXPIRE").arg(KEY).arg(PERIOD_MS).ignore();
        let () = self.link.pipe(&add).await?;
        Ok(true)
    }
}
