//! Variant 2. The session in Redis, under a random token: every process reads the same key.
//!
//! What one process writes all others see. Each request costs one query, and without Redis nobody is signed in.

use anyhow::Result;
use link::Link;

use super::Sessions;

const LIFETIME_SECS: u64 = 1_800;

/// The prefix of the keys of all sessions.
pub(super) const PREFIX: &str = "session:";

pub(super) struct RedisSession {
    link: Link,
}

impl Sessions for RedisSession {
    async fn start(link: Link) -> Result<Self> {
        Ok(Self { link })
    }

    async fn sign_in(&self, user: i64) -> Result<String> {
        let token = format!("{:032x}", rand::random::<u128>());
        let mut set = redis::cmd("SET");
        set.arg(key(&token)).arg(user).arg("EX").arg(LIFETIME_SECS);
        let () = self.link.run(&set).await?;
        Ok(token)
    }

    async fn who(&self, token: &str) -> Result<Option<i64>> {
        Ok(self.link.run(redis::cmd("GET").arg(key(token))).await?)
    }

    async fn sign_out(&self, token: &str) -> Result<()> {
        Ok(self.link.run(redis::cmd("DEL").arg(key(token))).await?)
    }
}

fn key(token: &str) -> String {
    format!("{PREFIX}{token}")
}
