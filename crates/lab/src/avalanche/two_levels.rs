//! Variant 2. The `cache` crate with its defaults: up to a tenth of every life is cut off at random, and at most 64 loads run at a
//! time.
//!
//! When an entry ends, one reader of the whole site loads it. When Redis is down, the readers of a row in a process share one
//! load, and memory keeps what it brought for a second.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use cache::{Cache, Loader};
use link::Link;

use super::{ExpiringCache, TTL};
use crate::caller_barrier::CallerBarrier;
use crate::shop_table::ShopTable;

/// Queries are counted, not seconds: on a busy machine no reader gives up, nor takes Redis for being down.
const BUSY_LIMIT: Duration = Duration::from_secs(20);

pub(super) struct TwoLevels {
    cache: Cache<FromRows>,
}

struct FromRows(Arc<ShopTable>);

impl Loader for FromRows {
    type Key = i64;
    type Value = String;
    type Error = sqlx::Error;

    async fn load(&self, id: &i64) -> Result<Option<String>, sqlx::Error> {
        self.0.load(*id).await
    }
}

impl ExpiringCache for TwoLevels {
    async fn start(link: Link, rows: Arc<ShopTable>) -> Result<Self> {
        let cache = Cache::builder("shop", link, FromRows(rows))
            .soft_ttl(TTL)
            .l2_timeout(BUSY_LIMIT)
            .loader_soft_timeout(BUSY_LIMIT)
            .hard_timeout(BUSY_LIMIT)
            .build()?;
        Ok(Self { cache })
    }

    async fn get(&self, id: i64, _barrier: &CallerBarrier) -> Result<Option<String>> {
        let found = self.cache.get(&id).await?;
        Ok(found.map(|name| String::clone(&name)))
    }
}
