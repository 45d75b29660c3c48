//! Way 1. A counter in Redis that ends by itself: `INCR`, and `EXPIRE` by whoever counts first.
//!
//! `INCR` answers everybody with another number, so no two get the same place. The window is still fixed, and the two
//! commands are two: a process that dies in between leaves a counter without an end.

use anyhow::Result;
use link::Link;

use super::{LIMIT, Limiter, PERIOD_MS};
use crate::caller_barrier::CallerBarrier;

const KEY: &str = "limit:code:13800000000";

pub(super) struct IncrExpire {
    link: Link,
}

impl Limiter for IncrExpire {
    async fn start(link: Link) -> Result<Self> {
        Ok(Self { link })
    }

    async fn take(&self, _now_ms: u64, barrier: &CallerBarrier) -> Result<bool> {
        let count: u32 = self.link.run(redis::cmd("INCR").arg(KEY)).await?;
        if count == 1 {
            barrier.wait_for_all().await;
            let mut expire = redis::cmd("EXPIRE");
            let () = self.link.run(expire.arg(KEY).arg(PERIOD_MS / 1000)).await?;
        }
        Ok(count <= LIMIT)
    }
}
