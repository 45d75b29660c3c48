//! Variant 0. Delete the cache entry, then write SQL.
//!
//! A reader that comes between the two misses, reads the old row and stores it. Nothing deletes it any more: the old value
//! stays until it expires.

use std::sync::Arc;

use anyhow::Result;
use link::Link;

use super::cache_aside::CacheAside;
use super::shop_row::ShopRow;
use super::{CachedRow, RowRead};
use crate::step_control::StepControl;

pub(super) struct DeleteThenWrite(CacheAside);

impl CachedRow for DeleteThenWrite {
    async fn start(link: Link, row: Arc<ShopRow>) -> Result<Self> {
        Ok(Self(CacheAside::new(link, row)))
    }

    async fn read(&self, steps: &StepControl) -> Result<RowRead> {
        self.0.read(steps).await
    }

    async fn write(&self, name: &str, steps: &StepControl) -> Result<&'static str> {
        self.0.delete().await?;
        steps.step("entry is deleted").await;
        self.0.row.rename(name).await?;
        Ok("row is changed")
    }
}
