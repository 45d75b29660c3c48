//! Variant 3. The session in Redis, and a copy in the memory of each process for a minute.
//!
//! An active user costs one query a minute. For that minute a process still serves a user who signed out at another one,
//! or whose account was blocked: its copy is stale.

use std::time::Duration;

use anyhow::Result;
use link::Link;
use moka::sync::Cache;

use super::Sessions;
use super::redis_session::RedisSession;

const COPIES: u64 = 10_000;
const COPY_LIFETIME: Duration = Duration::from_secs(60);

pub(super) struct RedisAndMemory {
    shared: RedisSession,
    copies: Cache<String, i64>,
}

impl Sessions for RedisAndMemory {
    async fn start(link: Link) -> Result<Self> {
        let copies = Cache::builder().max_capacity(COPIES);
        Ok(Self {
            shared: RedisSession::start(link).await?,
            copies: copies.time_to_live(COPY_LIFETIME).build(),
        })
    }

    async fn sign_in(&self, user: i64) -> Result<String> {
        self.shared.sign_in(user).await
    }

    async fn who(&self, token: &str) -> Result<Option<i64>> {
        if let Some(user) = self.copies.get(token) {
            return Ok(Some(user));
        }
        let found = self.shared.who(token).await?;
        if let Some(user) = found {
            self.copies.insert(token.to_owned(), user);
        }
        Ok(found)
    }

    async fn sign_out(&self, token: &str) -> Result<()> {
        self.copies.invalidate(token);
        self.shared.sign_out(token).await
    }
}
