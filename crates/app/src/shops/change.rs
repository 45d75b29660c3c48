//! What follows from a change of a shop: the caches forget it, and the indexes show it where it is.

use domain::{ShopId, ShopTypeId};
use storage::shops::ShopChanged;

use super::geo;
use crate::{App, Error};

/// Makes the effects of a change happen; repeating it changes nothing.
pub(crate) async fn follow_change(app: &App, change: &ShopChanged) -> Result<(), Error> {
    let types = [Some(change.type_id), change.type_id_before];
    show(app, change.id, change.version, types).await
}

/// `types` are those whose index may show the shop, or should.
pub(super) async fn show(
    app: &App,
    id: ShopId,
    version: i64,
    types: [Option<ShopTypeId>; 2],
) -> Result<(), Error> {
    let version = u64::try_from(version).unwrap_or(0);
    let dropped = app.shops().rows.invalidate_older(&id, version).await;
    dropped.map_err(Error::Invalidation)?;
    let [now, before] = types;
    for type_id in now.into_iter().chain(before.filter(|_| before != now)) {
        geo::place(app, type_id, id).await?;
    }
    Ok(())
}

/// Has the rows read from SQL again, whatever their version.
pub(crate) async fn forget(app: &App, ids: &[ShopId]) -> Result<(), Error> {
    let dropped = app.shops().rows.invalidate_many(ids).await;
    dropped.map_err(Error::Invalidation)
}
