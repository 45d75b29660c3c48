//! Variant 4. The `cache` crate: memory, then Redis, then one load for the whole site; stale values meanwhile.
//!
//! A Bloom filter of all ids rejects absent ones before any query. Lifetimes have jitter (turned off here, for the worst
//! case), and only so many loads run at a time, so an avalanche reaches the database as a queue.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use cache::{BloomGuard, BloomOptions, Cache, CacheMode, IdSource, Loader};
use link::Link;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::{CachedReader, ENTRIES};
use crate::caller_barrier::CallerBarrier;
use crate::shop_table::ShopTable;

/// Longer than a burst of readers takes, short enough to wait for its end.
const SOFT_TTL: Duration = Duration::from_secs(1);
const LIMIT: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(5);

pub(super) struct TwoLevels {
    cache: Cache<FromRows>,
    bloom: BloomGuard<i64>,
    opened: Instant,
}

struct FromRows(Arc<ShopTable>);

/// All ids there are.
struct AllIds;

impl Loader for FromRows {
    type Key = i64;
    type Value = String;
    type Error = sqlx::Error;

    async fn load(&self, id: &i64) -> Result<Option<String>, sqlx::Error> {
        self.0.load(*id).await
    }
}

impl IdSource for AllIds {
    type Id = i64;
    type Error = std::convert::Infallible;

    async fn ids_after(&self, last: Option<&i64>, limit: usize) -> Result<Vec<i64>, Self::Error> {
        let first = last.map_or(1, |last| last + 1);
        Ok((first..=ENTRIES).take(limit).collect())
    }
}

impl CachedReader for TwoLevels {
    async fn open(link: Link, prefix: String, rows: Arc<ShopTable>) -> Result<Self> {
        let options = BloomOptions {
            prefix: prefix.clone(),
            ..BloomOptions::default()
        };
        let bloom = BloomGuard::start("shop", link.clone(), options, AllIds);
        let built = async {
            while !bloom.is_ready() {
                sleep(POLL).await;
            }
        };
        timeout(LIMIT, built).await?;
        let cache = Cache::builder("shop", link, FromRows(rows))
            .prefix(prefix)
            .mode(CacheMode::LogicalExpiry)
            .soft_ttl(SOFT_TTL)
            .jitter(0.0)
            .early_refresh(0.0)
            .bloom(bloom.clone())
            .build()?;
        Ok(Self {
            cache,
            bloom,
            opened: Instant::now(),
        })
    }

    async fn get(&self, id: i64, _meeting: &CallerBarrier) -> Result<Option<String>> {
        let found = self.cache.get(&id).await?;
        Ok(found.map(|name| String::clone(&name)))
    }

    async fn warm(&self, id: i64) -> Result<()> {
        self.cache.get(&id).await?;
        Ok(())
    }

    async fn expire(&self, _id: i64) -> Result<()> {
        // Entries that were warmed up first are stale by then.
        sleep_until(self.opened + SOFT_TTL * 2).await;
        Ok(())
    }

    async fn added(&self, id: i64) -> Result<()> {
        self.bloom.insert(&id).await?;
        Ok(self.cache.invalidate(&id).await?)
    }

    async fn rest(&self) {
        while self.cache.stats().in_flight_loads > 0 {
            sleep(POLL).await;
        }
    }
}
