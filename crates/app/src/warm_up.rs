//! Fills what a process reads most before it says that it is ready: shop types, the shops in use, running sales.
//!
//! A process that has just started, or whose Redis was flushed, answers its first readers from SQL, one load each. Here the
//! loads are batches, and their number is bounded whatever the size of the site. A warm-up that fails or takes too long
//! changes nothing but the speed of the first reads, so it is logged and never keeps a process from serving.

use std::time::Duration;

use flash::{LoadError, SaleId};
use futures_util::stream::{self, StreamExt as _};
use jiff::Timestamp;
use storage::{flash_sales, shops};
use tokio::time::Instant;

use crate::{App, Error};

/// Sales whose gates are loaded; a site has some hundred at a time. The first claim loads the gate of any other.
const MAX_SALES: usize = 200;

/// Gates that are loaded at once: as many as the engine loads at once by itself.
const CONCURRENT_LOADS: usize = 4;

/// How much is warmed up, and how long that may take.
#[derive(Clone, Copy, Debug)]
pub struct WarmUpLimits {
    /// Shops; none if zero, and then nothing else either.
    pub shops: u32,
    pub time: Duration,
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Warmed {
    shops: usize,
    sales: usize,
}

/// Returns when everything is warm, or with the time limit.
pub async fn run(app: &App, limits: WarmUpLimits) {
    if limits.shops == 0 {
        return;
    }
    let since = Instant::now();
    match tokio::time::timeout(limits.time, warm_up(app, limits.shops)).await {
        Ok(Ok(Warmed { shops, sales })) => {
            let took_ms = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
            tracing::info!(shops, sales, took_ms, "caches warmed up");
        }
        Ok(Err(error)) => tracing::warn!(
            error = &error as &dyn std::error::Error,
            "caches not warmed up, first reads are slower"
        ),
        Err(_) => tracing::warn!(
            limit = ?limits.time,
            "caches not warmed up in time, first reads are slower"
        ),
    }
}

async fn warm_up(app: &App, shops: u32) -> Result<Warmed, Error> {
    let (shops, sales) = tokio::join!(warm_up_shops(app, shops), warm_up_sales(app));
    Ok(Warmed {
        shops: shops?,
        sales: sales?,
    })
}

async fn warm_up_shops(app: &App, limit: u32) -> Result<usize, Error> {
    let active = shops::list_active(app.db(), Timestamp::now(), limit.into()).await?;
    app.shops().warm_up(active).await
}

async fn warm_up_sales(app: &App) -> Result<usize, Error> {
    let engine = app.flash_sales().engine();
    let current = flash_sales::current_sales(app.db(), Timestamp::now()).await?;
    let current = current.into_iter().take(MAX_SALES);
    let sales: Vec<SaleId> = current.map(|id| SaleId(id.get())).collect();
    let stocks = engine.stocks(&sales).await.map_err(LoadError::from)?;
    let missing = sales
        .iter()
        .zip(stocks)
        .filter(|(_, stock)| stock.is_none());
    let missing: Vec<SaleId> = missing.map(|(sale, _)| *sale).collect();
    let loads = stream::iter(missing).map(|sale| engine.ensure_loaded(sale));
    let mut loads = loads.buffer_unordered(CONCURRENT_LOADS);
    while let Some(loaded) = loads.next().await {
        loaded?;
    }
    Ok(sales.len())
}
