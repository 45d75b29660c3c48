//! Variant 2. Delayed double delete: delete the entry, write SQL, pause, delete the entry again.
//!
//! The second delete removes what readers of the old row have stored until then. How long is long enough? A reader that
//! takes longer than the pause stores the old row after the second delete, and readers get old values during the pause.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use link::Link;
use tokio::time::sleep;

use super::cache_aside::CacheAside;
use super::shop_row::ShopRow;
use super::{CachedRow, RowRead};
use crate::step_control::StepControl;

/// Half a second in most tutorials. Short here: the schedule decides what happens during the pause, not its length.
const PAUSE: Duration = Duration::from_millis(5);

pub(super) struct DelayedDoubleDelete(CacheAside);

impl CachedRow for DelayedDoubleDelete {
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
        steps.step("row is changed").await;
        sleep(PAUSE).await;
        self.0.delete().await?;
        Ok("entry is deleted again")
    }
}
