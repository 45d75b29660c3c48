//! Variant 0. No cache: every read is a database query.

use std::sync::Arc;

use anyhow::Result;
use link::Link;

use super::CachedReader;
use crate::caller_barrier::CallerBarrier;
use crate::shop_table::ShopTable;

pub(super) struct NoCache {
    rows: Arc<ShopTable>,
}

impl CachedReader for NoCache {
    async fn open(_link: Link, _prefix: String, rows: Arc<ShopTable>) -> Result<Self> {
        Ok(Self { rows })
    }

    async fn get(&self, id: i64, barrier: &CallerBarrier) -> Result<Option<String>> {
        barrier.wait_for_all().await;
        Ok(self.rows.load(id).await?)
    }

    async fn warm(&self, _id: i64) -> Result<()> {
        Ok(())
    }

    async fn expire(&self, _id: i64) -> Result<()> {
        Ok(())
    }
}
