//! Applies a changed shop: invalidates caches and updates geo indexes.

use domain::{ShopId, ShopTypeId};
use storage::shops::ShopChanged;

use super::geo;
use super::loaders::AllTypes;
use crate::{App, Error, OnProgress};

/// Applies a change. Idempotent.
pub(crate) async fn apply_change(app: &App, change: &ShopChanged) -> Result<(), Error> {
    let types = [Some(change.type_id), change.type_id_before];
    apply(app, change.id, change.version, types).await
}

/// `types` are those whose index may hold the shop, or should.
pub(super) async fn apply(
    app: &App,
    id: ShopId,
    version: i64,
    types: [Option<ShopTypeId>; 2],
) -> Result<(), Error> {
    let shops = app.shops();
    // First, so that no reader of the index finds the id filtered out.
    let known = shops.known.insert(&id).await;
    // Even if that failed: this process drops the row whether Redis answers or not.
    let version = u64::try_from(version).unwrap_or(0);
    let dropped = shops.rows.invalidate_older(&id, version).await;
    known.and(dropped).map_err(Error::Announce)?;
    let [now, before] = types;
    for type_id in now.into_iter().chain(before.filter(|_| before != now)) {
        geo::update_index(app, type_id, id).await?;
    }
    Ok(())
}

/// Invalidates cached rows, whatever their version.
pub(crate) async fn invalidate(app: &App, ids: &[ShopId]) -> Result<(), Error> {
    let dropped = app.shops().rows.invalidate_many(ids).await;
    dropped.map_err(Error::Announce)
}

/// Makes all processes reload the id filter, after rows were written by other means.
pub async fn rebuild_id_filter(app: &App) -> Result<(), Error> {
    let rebuilt = app.shops().known.rebuild().await;
    rebuilt.map_err(Error::Announce)
}

/// Makes all processes find shops and types written by other means.
pub async fn refresh_all(app: &App, progress: OnProgress<'_>) -> Result<(), Error> {
    rebuild_id_filter(app).await?;
    let types = app.shops().types.invalidate(&AllTypes).await;
    types.map_err(Error::Announce)?;
    geo::load_all(app, progress).await
}
