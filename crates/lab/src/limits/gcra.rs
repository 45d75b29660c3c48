//! Variant 3. The generic cell rate algorithm: a token bucket in one number, read and written by one script.
//!
//! The number is the time at which the allowance will be full again. Every request that passes moves it on by a tenth of
//! the period, and none may move it further than one period ahead: ten at once, then one a minute. Over a whole period
//! that follows a full burst, ten more pass one by one: the rate is what is kept.
//! (`crates/kv/src/limits.rs` is this by the clock of Redis; processes may disagree about the time.)

use anyhow::Result;
use link::{Link, Script};

use super::{LIMIT, Limiter, PERIOD_MS};
use crate::caller_barrier::CallerBarrier;

static TAKE: Script = Script::new(
    "local now, interval, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
     local full_at = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + interval
     if full_at - now > interval * limit then return 0 end
     redis.call('SET', KEYS[1], full_at, 'PX', full_at - now)
     return 1",
);

const KEY: &str = "limit:code:13800000000";

pub(super) struct Gcra {
    link: Link,
}

impl Limiter for Gcra {
    async fn start(link: Link) -> Result<Self> {
        Ok(Self { link })
    }

    async fn take(&self, now_ms: u64, _meeting: &CallerBarrier) -> Result<bool> {
        let interval_ms = PERIOD_MS / u64::from(LIMIT);
        let arguments = (now_ms, interval_ms, LIMIT);
        let passed: i64 = self.link.eval(&TAKE, &[KEY], arguments).await?;
        Ok(passed == 1)
    }
}
