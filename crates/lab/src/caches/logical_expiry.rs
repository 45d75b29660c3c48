//! Variant 3. Logical expiry: entries never expire in Redis, they store when they are stale.
//!
//! A reader returns a stale entry, and the reader that gets the lock has it rebuilt in the background. A row that was never
//! put into the cache does not exist for readers: absent ids cost nothing, and new rows stay invisible until they are
//! warmed up. The code that adds a row must do that.

use std::sync::Arc;

use anyhow::Result;
use link::Link;
use serde::{Deserialize, Serialize};
use tokio_util::task::TaskTracker;

use super::CachedReader;
use crate::caller_barrier::CallerBarrier;
use crate::shop_table::ShopTable;

const TTL_MS: i64 = 1_800_000;
const LOCK_TTL_SECS: u64 = 10;

#[derive(Clone)]
pub(super) struct LogicalExpiry {
    link: Link,
    prefix: String,
    rows: Arc<ShopTable>,
    rebuilds: TaskTracker,
}

#[derive(Serialize, Deserialize)]
struct StoredValue {
    name: String,
    old_after_ms: i64,
}

impl CachedReader for LogicalExpiry {
    async fn open(link: Link, prefix: String, rows: Arc<ShopTable>) -> Result<Self> {
        let rebuilds = TaskTracker::new();
        Ok(Self {
            link,
            prefix,
            rows,
            rebuilds,
        })
    }

    async fn get(&self, id: i64, barrier: &CallerBarrier) -> Result<Option<String>> {
        let Some(entry) = self.look(id).await? else {
            return Ok(None);
        };
        if entry.old_after_ms < now_ms() {
            barrier.wait_for_all().await;
            let mut set_nx = redis::cmd("SET");
            set_nx
                .arg(self.lock(id))
                .arg(1)
                .arg("NX")
                .arg("EX")
                .arg(LOCK_TTL_SECS);
            if self.link.run::<Option<String>>(&set_nx).await?.is_some() {
                let this = self.clone();
                self.rebuilds.spawn(async move { this.rebuild(id).await });
            }
        }
        Ok(Some(entry.name))
    }

    async fn warm(&self, id: i64) -> Result<()> {
        self.load(id, now_ms() + TTL_MS).await
    }

    async fn expire(&self, id: i64) -> Result<()> {
        self.load(id, now_ms() - 1).await
    }

    async fn rest(&self) {
        self.rebuilds.close();
        self.rebuilds.wait().await;
        self.rebuilds.reopen();
    }
}

impl LogicalExpiry {
    /// With the lock held. Another reader may have rebuilt it since the stale entry was read.
    async fn rebuild(&self, id: i64) -> Result<()> {
        let is_old = self
            .look(id)
            .await?
            .is_none_or(|entry| entry.old_after_ms < now_ms());
        if is_old {
            self.load(id, now_ms() + TTL_MS).await?;
        }
        Ok(self.link.run(redis::cmd("DEL").arg(self.lock(id))).await?)
    }

    async fn look(&self, id: i64) -> Result<Option<StoredValue>> {
        let cached: Option<String> = self.link.run(redis::cmd("GET").arg(self.key(id))).await?;
        Ok(cached.map(|text| serde_json::from_str(&text)).transpose()?)
    }

    async fn load(&self, id: i64, old_after_ms: i64) -> Result<()> {
        if let Some(name) = self.rows.load(id).await? {
            let entry = serde_json::to_string(&StoredValue { name, old_after_ms })?;
            let () = self
                .link
                .run(redis::cmd("SET").arg(self.key(id)).arg(entry))
                .await?;
        }
        Ok(())
    }

    fn key(&self, id: i64) -> String {
        format!("{}shop:{id}", self.prefix)
    }

    fn lock(&self, id: i64) -> String {
        format!("{}lock:shop:{id}", self.prefix)
    }
}

fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
