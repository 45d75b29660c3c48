//! Variant 2. A mutex per key: a reader that misses tries to take the lock; one loads, the others read again.
//!
//! One load for any number of readers. The reader that gets the lock reads once more before it loads: another one may have
//! filled the entry and released the lock meanwhile.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use link::Link;

use super::CachedReader;
use crate::caller_barrier::CallerBarrier;
use crate::shop_table::ShopTable;

const TTL_SECS: u64 = 1_800;
const NULL_TTL_SECS: u64 = 120;
const LOCK_TTL_SECS: u64 = 10;
const RETRY: Duration = Duration::from_millis(5);

pub(super) struct Mutex {
    link: Link,
    prefix: String,
    rows: Arc<ShopTable>,
}

impl CachedReader for Mutex {
    async fn open(link: Link, prefix: String, rows: Arc<ShopTable>) -> Result<Self> {
        Ok(Self { link, prefix, rows })
    }

    async fn get(&self, id: i64, barrier: &CallerBarrier) -> Result<Option<String>> {
        if let Some(cached) = self.look(id).await? {
            return Ok(cached);
        }
        barrier.wait_for_all().await;
        let lock = format!("{}lock:shop:{id}", self.prefix);
        let mut set_nx = redis::cmd("SET");
        set_nx
            .arg(&lock)
            .arg(1)
            .arg("NX")
            .arg("EX")
            .arg(LOCK_TTL_SECS);
        while self.link.run::<Option<String>>(&set_nx).await?.is_none() {
            tokio::time::sleep(RETRY).await;
            if let Some(cached) = self.look(id).await? {
                return Ok(cached);
            }
        }
        let name = match self.look(id).await? {
            Some(cached) => Ok(cached),
            None => self.load(id).await,
        };
        let () = self.link.run(redis::cmd("DEL").arg(&lock)).await?;
        name
    }

    async fn warm(&self, id: i64) -> Result<()> {
        self.load(id).await?;
        Ok(())
    }

    async fn expire(&self, id: i64) -> Result<()> {
        Ok(self.link.run(redis::cmd("DEL").arg(self.key(id))).await?)
    }

    async fn added(&self, id: i64) -> Result<()> {
        // The cache may have the absence of the row.
        self.expire(id).await
    }
}

impl Mutex {
    /// The cached value: none, "no such row", or a name.
    async fn look(&self, id: i64) -> Result<Option<Option<String>>> {
        let cached: Option<String> = self.link.run(redis::cmd("GET").arg(self.key(id))).await?;
        Ok(cached.map(|name| (!name.is_empty()).then_some(name)))
    }

    async fn load(&self, id: i64) -> Result<Option<String>> {
        let name = self.rows.load(id).await?;
        let ttl_secs = if name.is_some() {
            TTL_SECS
        } else {
            NULL_TTL_SECS
        };
        let mut set = redis::cmd("SET");
        set.arg(self.key(id))
            .arg(name.as_deref().unwrap_or_default());
        let () = self.link.run(set.arg("EX").arg(ttl_secs)).await?;
        Ok(name)
    }

    fn key(&self, id: i64) -> String {
        format!("{}shop:{id}", self.prefix)
    }
}
