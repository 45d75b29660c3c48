//! Rebuilds derived data: counters from the rows they count, Redis from SQL.
//!
//! Not needed in normal operation: a flushed Redis fills itself on demand. It is for operators who changed rows by
//! hand, restored a backup or replaced Redis and want no first visitor to wait. Idempotent, and safe beside a serving
//! site.

use domain::ShopId;
use storage::bulk::{CountedTable, CounterDifference, Surplus};
use storage::search::SearchKind;
use storage::{bulk, shops};

use crate::{
    App, Error, OnProgress, Progress, check_ins, feed, flash_sales, follows, notes, search,
};

/// What can be rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RebuildTarget {
    Shops,
    FlashSales,
    Notes,
    Follows,
    Feeds,
    CheckIns,
    Search,
    All,
}

impl RebuildTarget {
    fn counted(self) -> &'static [CountedTable] {
        match self {
            Self::Shops => &[CountedTable::Shops],
            Self::Notes => &[CountedTable::Notes, CountedTable::Comments],
            Self::Follows => &[CountedTable::People],
            Self::FlashSales | Self::Feeds | Self::CheckIns | Self::Search => &[],
            Self::All => &CountedTable::ALL,
        }
    }
}

/// Shops whose cached rows are dropped by one batch.
const BATCH: u64 = 1_000;

/// Which counters a rebuild sets that differ from their rows. Changes nothing.
pub async fn compare_counters(
    app: &App,
    part: RebuildTarget,
) -> Result<Vec<CounterDifference>, Error> {
    Ok(bulk::compare_counters(app.db(), part.counted()).await?)
}

pub async fn rebuild(
    app: &App,
    part: RebuildTarget,
    surplus: Surplus,
    progress: OnProgress<'_>,
) -> Result<(), Error> {
    match part {
        RebuildTarget::Shops => rebuild_shops(app, surplus, progress).await,
        RebuildTarget::FlashSales => flash_sales::rebuild(app, progress).await,
        RebuildTarget::Notes => notes::rebuild(app, surplus, progress).await,
        RebuildTarget::Follows => follows::rebuild(app, progress).await,
        RebuildTarget::Feeds => feed::rebuild(app, progress).await,
        RebuildTarget::CheckIns => check_ins::rebuild(app, progress).await,
        RebuildTarget::Search => rebuild_search(app, &SearchKind::ALL, progress).await,
        RebuildTarget::All => {
            rebuild_shops(app, surplus, progress).await?;
            flash_sales::rebuild(app, progress).await?;
            notes::rebuild(app, surplus, progress).await?;
            follows::rebuild(app, progress).await?;
            feed::rebuild(app, progress).await?;
            check_ins::rebuild(app, progress).await?;
            let rest = [SearchKind::Notes, SearchKind::People];
            rebuild_search(app, &rest, progress).await
        }
    }
}

/// Counters first, because what is cached holds them.
async fn rebuild_shops(app: &App, surplus: Surplus, progress: OnProgress<'_>) -> Result<(), Error> {
    bulk::recount(app.db(), &[CountedTable::Shops], surplus).await?;
    shops::index_names(app.db()).await?;
    rebuild_search(app, &[SearchKind::Shops], progress).await?;
    forget_rows(app, progress).await?;
    crate::shops::refresh_all(app, progress).await
}

async fn rebuild_search(
    app: &App,
    kinds: &[SearchKind],
    progress: OnProgress<'_>,
) -> Result<(), Error> {
    for kind in kinds {
        search::index_all(app, *kind, progress).await?;
    }
    Ok(())
}

/// Invalidates every cached shop on all nodes; they load again on demand.
async fn forget_rows(app: &App, progress: OnProgress<'_>) -> Result<(), Error> {
    let (mut after, mut done) = (ShopId::new(0), 0);
    loop {
        let ids = shops::list_ids(app.db(), after, BATCH).await?;
        let Some(last) = ids.last() else {
            return Ok(());
        };
        after = *last;
        crate::shops::invalidate(app, &ids).await?;
        done += ids.len() as u64;
        progress(Progress {
            what: "cached shops",
            done,
            total: done,
        });
    }
}
