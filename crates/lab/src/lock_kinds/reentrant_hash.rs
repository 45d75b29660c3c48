//! Variant 2. A hash with the owner and how often it has entered, changed by scripts: what Redisson stores.
//!
//! The owner enters again, and the last of its releases deletes the lock. (Redisson also renews the lease and waits by
//! subscription; here the lease is long, and waiting is polling.) It is one Redis: if that loses its data, the lock is gone,
//! and the holder does not notice.

use std::time::Duration;

use anyhow::Result;
use link::{Link, Script};
use tokio::time::Instant;

use super::{LEASE, SaleLock, pause_before_retry};
use crate::version;

const KEY: &str = "lock:sale";

static ENTER: Script = Script::new(
    "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
         redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
         redis.call('PEXPIRE', KEYS[1], ARGV[2])
         return 1
     end
     return 0",
);

static LEAVE: Script = Script::new(
    "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
     if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) == 0 then
         redis.call('DEL', KEYS[1])
     end
     return 1",
);

pub(super) struct ReentrantHash {
    link: Link,
    /// Owners of two processes may have the same name.
    process: u64,
}

impl SaleLock for ReentrantHash {
    /// The field of the hash.
    type Held = String;

    async fn start(masters: &[String]) -> Result<Self> {
        Ok(Self {
            link: version::connect(&masters[0]).await?,
            process: rand::random(),
        })
    }

    async fn acquire(&self, owner: &str, patience: Duration) -> Result<Option<String>> {
        let me = format!("{:016x}:{owner}", self.process);
        let lease_ms = u64::try_from(LEASE.as_millis())?;
        let until = Instant::now() + patience;
        loop {
            let entered: i64 = self.link.eval(&ENTER, &[KEY], (&me, lease_ms)).await?;
            if entered == 1 {
                return Ok(Some(me));
            }
            if !pause_before_retry(until).await {
                return Ok(None);
            }
        }
    }

    async fn release(&self, me: String) -> Result<()> {
        let _left: i64 = self.link.eval(&LEAVE, &[KEY], &me).await?;
        Ok(())
    }
}
