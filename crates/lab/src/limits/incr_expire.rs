//! Variant 1. A counter in Redis that expires: `INCR`, and `EXPIRE` by the first request.
//!
//! `INCR` returns a different number to each request, so no two get the same slot. The window is still fixed, and a
//! process that dies between the two commands leaves a counter without expiry.

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
