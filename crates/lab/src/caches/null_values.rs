//! Variant 1. Cache-aside, and "there is no such row" is cached too, as an empty text.
//!
//! Absent ids cost one query each (and one entry each: an attacker with enough of them fills Redis). When a hot key
//! expires, all readers that miss load it.

use std::sync::Arc;

use anyhow::Result;
use link::Link;

use super::CachedReader;
use crate::caller_barrier::CallerBarrier;
use crate::shop_table::ShopTable;

const TTL_SECS: u64 = 1_800;
const NULL_TTL_SECS: u64 = 120;

pub(super) struct NullValues {
    link: Link,
    prefix: String,
    rows: Arc<ShopTable>,
}

impl CachedReader for NullValues {
    async fn open(link: Link, prefix: String, rows: Arc<ShopTable>) -> Result<Self> {
        Ok(Self { link, prefix, rows })
    }

    async fn get(&self, id: i64, barrier: &CallerBarrier) -> Result<Option<String>> {
        let cached: Option<String> = self.link.run(redis::cmd("GET").arg(self.key(id))).await?;
        if let Some(name) = cached {
            return Ok((!name.is_empty()).then_some(name));
        }
        barrier.wait_for_all().await;
        self.load(id).await
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

impl NullValues {
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
