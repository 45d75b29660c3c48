//! The reader that the first three variants share: read the cache; on a miss read SQL and store what was found.

use std::sync::Arc;

use anyhow::Result;
use link::Link;

use super::shop_row::{ID, ShopRow};
use super::{RowRead, TTL_SECS};
use crate::step_control::StepControl;

pub(super) struct CacheAside {
    link: Link,
    pub(super) row: Arc<ShopRow>,
}

impl CacheAside {
    pub(super) fn new(link: Link, row: Arc<ShopRow>) -> Self {
        Self { link, row }
    }

    pub(super) async fn read(&self, steps: &StepControl) -> Result<RowRead> {
        let cached: Option<String> = self.link.run(redis::cmd("GET").arg(key())).await?;
        if let Some(name) = cached {
            let last = "entry is found";
            return Ok(RowRead { name, last });
        }
        steps.step("entry is missed").await;
        let name = self.row.name().await?;
        steps.step("row is read").await;
        let mut set = redis::cmd("SET");
        set.arg(key()).arg(&name).arg("EX").arg(TTL_SECS);
        let () = self.link.run(&set).await?;
        let last = "entry is stored";
        Ok(RowRead { name, last })
    }

    pub(super) async fn delete(&self) -> Result<()> {
        Ok(self.link.run(redis::cmd("DEL").arg(key())).await?)
    }
}

fn key() -> String {
    format!("cache:shop:{ID}")
}
