//! Loads the index of a type from SQL, once in the cluster.

use std::time::Duration;

use domain::{ShopId, ShopTypeId};
use storage::{shop_types, shops};
use supervise::SingleFlight;

use super::{fence, geo_entry_of, lock_of};
use crate::{App, Error, OnProgress, Progress};

/// How long a caller waits for the index; tens of thousands of shops load in less.
const LOAD_WAIT: Duration = Duration::from_secs(1);

/// Positions per query.
const BATCH: u64 = 5_000;

/// Types whose index a process loads at once; a site has about ten. Beyond it SQL answers.
const MAX_LOADS: usize = 64;

/// The loads of this process: at most one per type, in tasks of their own, so that a caller who disconnects cancels
/// none.
#[derive(Debug)]
pub(in crate::shops) struct GeoIndexLoads(SingleFlight<ShopTypeId, ()>);

impl Default for GeoIndexLoads {
    fn default() -> Self {
        Self(SingleFlight::new("geo index load", MAX_LOADS))
    }
}

/// Waits for a load of the type with a timeout; starts one if none is in flight.
pub(super) async fn wait_for_load(app: &App, type_id: ShopTypeId) {
    let load = app.shops().loads.0.join(type_id, || {
        let app = app.clone();
        async move { load_and_log(&app, type_id).await }
    });
    // A timeout is no error: the caller checks the index itself.
    let _ = tokio::time::timeout(LOAD_WAIT, load).await;
}

async fn load_and_log(app: &App, type_id: ShopTypeId) {
    if let Err(error) = load_if_missing(app, type_id).await {
        tracing::warn!(%type_id, error = &error as &dyn std::error::Error, "geo index not loaded");
    }
}

async fn load_if_missing(app: &App, type_id: ShopTypeId) -> Result<(), Error> {
    let guard = lock_of(app, type_id).lock().await?;
    if !app.kv().is_geo_loaded(type_id).await? {
        guard.protect(load(app, type_id, fence(&guard))).await??;
    }
    Ok(())
}

/// Reloads the indexes of all types.
pub(in crate::shops) async fn load_all(app: &App, progress: OnProgress<'_>) -> Result<(), Error> {
    let types = shop_types::list(app.db()).await?;
    let total = types.len() as u64;
    for (done, shop_type) in (1..).zip(types.iter()) {
        let guard = lock_of(app, shop_type.id).lock().await?;
        guard
            .protect(load(app, shop_type.id, fence(&guard)))
            .await??;
        progress(Progress {
            what: "geo indexes",
            done,
            total,
        });
    }
    Ok(())
}

/// Whether the index of the type is loaded.
pub async fn is_loaded(app: &App, type_id: ShopTypeId) -> Result<bool, Error> {
    Ok(app.kv().is_geo_loaded(type_id).await?)
}

async fn load(app: &App, type_id: ShopTypeId, fence: u64) -> Result<(), Error> {
    let (mut after, mut count) = (ShopId::new(0), 0);
    loop {
        let rows = shops::list_positions(app.db(), Some(type_id), after, BATCH).await?;
        let Some(last) = rows.last() else { break };
        after = last.id;
        let places: Vec<_> = rows.into_iter().filter_map(geo_entry_of).collect();
        app.kv().stage_places(type_id, &places, fence).await?;
        count += places.len();
    }
    if app.kv().publish_places(type_id, count, fence).await? {
        tracing::debug!(%type_id, count, "geo index loaded");
        Ok(())
    } else {
        Err(lock::Error::Lost(lock::LostReason::Taken).into())
    }
}
