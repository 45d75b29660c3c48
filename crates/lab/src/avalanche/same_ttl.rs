//! Variant 0. Cache-aside with the same TTL for every entry; if Redis fails, readers query the database.
//!
//! Entries that were written together (a warm-up, the morning after a release) end together. And each reader decides for
//! itself: without Redis there is nothing that two readers of one row could share.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use link::Link;

use super::{ExpiringCache, TTL};
use crate::caller_barrier::CallerBarrier;
use crate::shop_table::ShopTable;

pub(super) struct SameTtl {
    link: Link,
    rows: Arc<ShopTable>,
}

impl ExpiringCache for SameTtl {
    async fn start(link: Link, rows: Arc<ShopTable>) -> Result<Self> {
        Ok(Self { link, rows })
    }

    async fn get(&self, id: i64, barrier: &CallerBarrier) -> Result<Option<String>> {
        self.get_for(id, TTL, barrier).await
    }
}

impl SameTtl {
    /// What is loaded lives for `ttl`.
    pub(super) async fn get_for(
        &self,
        id: i64,
        ttl: Duration,
        barrier: &CallerBarrier,
    ) -> Result<Option<String>> {
        let key = format!("cache:shop:{id}");
        // A cache that fails is as good as one that is empty.
        let cached: Result<Option<String>, _> = self.link.run(redis::cmd("GET").arg(&key)).await;
        if let Ok(Some(name)) = cached {
            return Ok(Some(name));
        }
        barrier.wait_for_all().await;
        let name = self.rows.load(id).await?;
        if let Some(name) = &name {
            let mut set = redis::cmd("SET");
            set.arg(&key).arg(name).arg("PX");
            set.arg(u64::try_from(ttl.as_millis())?);
            let _stored: Result<(), _> = self.link.run(&set).await;
        }
        Ok(name)
    }
}
