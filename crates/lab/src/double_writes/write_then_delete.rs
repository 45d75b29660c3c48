//! Variant 1. Write SQL, then delete the cache entry: the usual advice.
//!
//! It goes wrong only if the cache was empty, and a reader that has read the old row stores it after the delete. That takes
//! a reader that is slower than a whole write: rare, and not impossible. A writer that dies before the delete, or cannot
//! reach Redis, leaves the old entry as well.

use std::sync::Arc;

use anyhow::Result;
use link::Link;

use super::cache_aside::CacheAside;
use super::shop_row::ShopRow;
use super::{CachedRow, RowRead};
use crate::step_control::StepControl;

pub(super) struct WriteThenDelete(CacheAside);

impl CachedRow for WriteThenDelete {
    async fn start(link: Link, row: Arc<ShopRow>) -> Result<Self> {
        Ok(Self(CacheAside::new(link, row)))
    }

    async fn read(&self, steps: &StepControl) -> Result<RowRead> {
        self.0.read(steps).await
    }

    async fn write(&self, name: &str, steps: &StepControl) -> Result<&'static str> {
        self.0.row.rename(name).await?;
        steps.step("row is changed").await;
        self.0.delete().await?;
        Ok("entry is deleted")
    }
}
