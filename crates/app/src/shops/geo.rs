//! The geo index of each shop type: searched, loaded from SQL when it is missing, kept in step with changes.
//!
//! Every writer of an index holds the lock of its type and reads SQL while holding it. So a write is never older than
//! the one before: a load sees every change applied before it, and a change waits for a load and then reads the row
//! again. The fencing token stops a holder that lost its lock unnoticed (see `kv/src/geo.rs`).
//!
//! | what happens | what the caller gets |
//! |---|---|
//! | the index is not loaded (new site, flushed Redis) | a short wait for the one process that loads it |
//! | loading takes too long | a reply from SQL; loading continues |
//! | Redis is unavailable | a reply from SQL, from positions cached in memory for a moment |

mod fallback;
mod load;

use domain::{Position, ShopId, ShopTypeId};
use kv::{GeoIndexEntry, Near, Placed};
use lock::{Guard, LostReason, Mutex};
use storage::shops::{self, Shop, ShopPosition};

pub(super) use fallback::{Places, places_in_memory};
pub use load::is_loaded;
pub(super) use load::{GeoIndexLoads, load_all};

use super::nearby::Around;
use crate::{App, Error};

/// At most `count` shops of the type within the radius, nearest first.
pub(super) async fn search(
    app: &App,
    type_id: ShopTypeId,
    around: Around,
    count: usize,
) -> Result<Vec<Near>, Error> {
    match query_index(app, type_id, around, count).await {
        Ok(Some(near)) => return Ok(near),
        Ok(None) => {}
        Err(error) if error.is_outage() => {
            return fallback::search(app, type_id, around, count).await;
        }
        Err(error) => return Err(error.into()),
    }
    load::wait_for_load(app, type_id).await;
    match query_index(app, type_id, around, count).await {
        Ok(Some(near)) => Ok(near),
        Ok(None) | Err(_) => fallback::search(app, type_id, around, count).await,
    }
}

async fn query_index(
    app: &App,
    type_id: ShopTypeId,
    around: Around,
    count: usize,
) -> Result<Option<Vec<Near>>, kv::Error> {
    let Around {
        position,
        radius_metres,
        ..
    } = around;
    app.kv()
        .find_near(type_id, position, radius_metres, count)
        .await
}

/// Updates the shop in the type's index from its row, or removes it.
pub(super) async fn update_index(app: &App, type_id: ShopTypeId, id: ShopId) -> Result<(), Error> {
    app.shops().places.invalidate(&type_id).await;
    let guard = lock_of(app, type_id).lock().await?;
    let row = shops::get_for_fill(app.db(), id).await?;
    let position = row
        .filter(|shop| shop.type_id == type_id)
        .as_ref()
        .and_then(position_of);
    let placed = app
        .kv()
        .place_shop(type_id, id, position, fence(&guard))
        .await?;
    // Released in the background, without waiting.
    drop(guard);
    match placed {
        Placed::Done | Placed::NotLoaded => Ok(()),
        Placed::Outdated => Err(lock::Error::Lost(LostReason::Taken).into()),
    }
}

fn lock_of(app: &App, type_id: ShopTypeId) -> Mutex {
    app.locks().mutex(&format!("shop:geo:{type_id}"))
}

fn fence(guard: &Guard) -> u64 {
    guard.fence().get()
}

/// Rows of an adopted database may have invalid positions: such shops are not indexed.
fn position_of(shop: &Shop) -> Option<Position> {
    Position::new(shop.x, shop.y).ok()
}

fn geo_entry_of(row: ShopPosition) -> Option<GeoIndexEntry> {
    let position = Position::new(row.x, row.y).ok()?;
    Some(GeoIndexEntry {
        id: row.id,
        position,
    })
}
