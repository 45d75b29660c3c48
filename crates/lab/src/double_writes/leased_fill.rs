//! Variant 3. The `cache` crate: write SQL and an outbox record in one transaction, then invalidate.
//!
//! A reader may store what it loaded only with the lease of the key, and invalidating deletes the lease: a value that was read
//! before the change is refused after it, however slow its reader is. The outbox record is deleted when Redis has confirmed;
//! a process that starts repeats what is left.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use cache::{Cache, Loader};
use link::Link;

use super::shop_row::{ID, ShopRow};
use super::{CachedRow, RowRead};
use crate::step_control::StepControl;

pub(super) struct LeasedFill {
    cache: Cache<FromRow>,
    row: Arc<ShopRow>,
    steps: LoadSteps,
}

/// The steps of the reader whose load is under way, if one is.
type LoadSteps = Arc<Mutex<Option<StepControl>>>;

struct FromRow {
    row: Arc<ShopRow>,
    steps: LoadSteps,
}

impl Loader for FromRow {
    type Key = i64;
    type Value = String;
    type Error = sqlx::Error;

    async fn load(&self, _id: &i64) -> Result<Option<String>, sqlx::Error> {
        let steps = take(&self.steps).unwrap_or_else(StepControl::free);
        steps.step("entry is missed").await;
        let name = self.row.name().await?;
        steps.step("row is read").await;
        Ok(Some(name))
    }
}

impl CachedRow for LeasedFill {
    async fn start(link: Link, row: Arc<ShopRow>) -> Result<Self> {
        let steps = LoadSteps::default();
        let loader = FromRow {
            row: row.clone(),
            steps: steps.clone(),
        };
        let cache = Cache::builder("shop", link, loader).build()?;
        Ok(Self { cache, row, steps })
    }

    async fn read(&self, steps: &StepControl) -> Result<RowRead> {
        *lock(&self.steps) = Some(steps.clone());
        let name = self.cache.get(&ID).await?.context("there is the row")?;
        // The load has taken the steps, if there was one.
        let is_hit = take(&self.steps).is_some();
        let name = String::clone(&name);
        let last = if is_hit {
            "entry is found"
        } else {
            "fill is offered"
        };
        Ok(RowRead { name, last })
    }

    async fn write(&self, name: &str, steps: &StepControl) -> Result<&'static str> {
        self.row.rename_with_outbox(name).await?;
        steps.step("row is changed").await;
        self.recover().await?;
        Ok("entry is invalidated")
    }

    async fn recover(&self) -> Result<()> {
        for (record, shop) in self.row.outbox().await? {
            self.cache.invalidate(&shop).await?;
            self.row.confirm(record).await?;
        }
        Ok(())
    }
}

fn take(steps: &LoadSteps) -> Option<StepControl> {
    lock(steps).take()
}

fn lock(steps: &LoadSteps) -> std::sync::MutexGuard<'_, Option<StepControl>> {
    steps.lock().unwrap_or_else(PoisonError::into_inner)
}
