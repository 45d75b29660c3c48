//! The geo index of each shop type: searched, loaded from SQL when it is missing, kept in step with changes.
//!
//! Whoever writes to an index holds the lock of its type and reads SQL while holding it. So what is written is never
//! older than what was written before, whoever wrote it: a load sees every change that was placed before it, and a
//! change waits for a load and then reads the row anew. A holder that lost its lock without noticing is stopped by its
//! fence (see `kv/src/geo.rs`).
//!
//! | what happens | what the asker sees |
//! |---|---|
//! | the index is not loaded (new site, flushed Redis) | a short wait for the one process that loads it |
//! | loading takes longer than people wait | an answer from SQL; loading goes on |
//! | Redis is away | an answer from SQL, by positions kept in memory for a moment |

mod fallback;
mod load;

use domain::{Position, ShopId, ShopTypeId};
use kv::{Near, Place, Placed};
use lock::{Guard, LostReason, Mutex};
use storage::shops::{self, Shop, ShopPosition};

pub(super) use fallback::{Places, places_in_memory};
pub use load::is_loaded;
pub(super) use load::{Loads, load_all};

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

/// Lets the index of the type show the shop where its row says, if it belongs there at all.
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
    // Released in the background: nobody needs to wait for that.
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

/// Rows of an adopted database may have positions that no map knows: such shops are nowhere near anybody.
fn position_of(shop: &Shop) -> Option<Position> {
    Position::new(shop.x, shop.y).ok()
}

fn place_of(row: ShopPosition) -> Option<Place> {
    let position = Position::new(row.x, row.y).ok()?;
    Some(Place {
        id: row.id,
        position,
    })
}
