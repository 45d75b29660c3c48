//! Searches without Redis: the positions of a type from SQL, cached in memory for a moment.
//!
//! Every search scans every shop of the type, so one SQL read serves all searches of a moment. The number of
//! positions is bounded; of a type with more shops, those with the highest ids are not found during the outage.

use std::sync::Arc;
use std::time::Duration;

use cache::CacheError;
use domain::{ShopId, ShopTypeId};
use kv::{GeoIndexEntry, Near};
use moka::future::Cache;
use storage::shops;

use super::geo_entry_of;
use crate::shops::nearby::Around;
use crate::{App, Error};

/// Positions of one type, shared by concurrent searches.
pub(in crate::shops) type Places = Arc<Vec<GeoIndexEntry>>;

/// How old a result may be during the outage.
const KEPT: Duration = Duration::from_secs(2);

/// Types kept at once; a site has about ten.
const TYPES: u64 = 64;

/// Shops scanned per type: about five milliseconds and three megabytes.
const MAX_PLACES: usize = 100_000;

/// Positions per query.
const BATCH: u64 = 10_000;

pub(in crate::shops) fn places_in_memory() -> Cache<ShopTypeId, Places> {
    Cache::builder()
        .max_capacity(TYPES)
        .time_to_live(KEPT)
        .build()
}

pub(super) async fn search(
    app: &App,
    type_id: ShopTypeId,
    around: Around,
    count: usize,
) -> Result<Vec<Near>, Error> {
    let read = read_places(app, type_id);
    let places = app.shops().places.try_get_with(type_id, read).await;
    let places = places.map_err(CacheError::Loader)?;
    Ok(nearest(&places, around, count))
}

async fn read_places(app: &App, type_id: ShopTypeId) -> Result<Places, storage::Error> {
    let (mut places, mut after) = (Vec::new(), ShopId::new(0));
    while places.len() < MAX_PLACES {
        let rows = shops::list_positions(app.db(), Some(type_id), after, BATCH).await?;
        let Some(last) = rows.last() else { break };
        after = last.id;
        places.extend(rows.into_iter().filter_map(geo_entry_of));
    }
    Ok(Arc::new(places))
}

fn nearest(places: &[GeoIndexEntry], around: Around, count: usize) -> Vec<Near> {
    let near = places.iter().map(|place| Near {
        id: place.id,
        metres: rounded(around.position.metres_to(place.position)),
    });
    let radius_metres = f64::from(around.radius_metres);
    let mut near: Vec<Near> = near.filter(|near| near.metres <= radius_metres).collect();
    let nearer = |a: &Near, b: &Near| a.metres.total_cmp(&b.metres).then(a.id.cmp(&b.id));
    if count < near.len() {
        // Far cheaper than sorting all of them.
        near.select_nth_unstable_by(count, nearer);
        near.truncate(count);
    }
    near.sort_by(nearer);
    near
}

/// To a tenth of a millimetre, as Redis does.
fn rounded(metres: f64) -> f64 {
    (metres * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use domain::Position;

    use super::*;
    use crate::shops::SortBy;

    fn at(id: i64, x: f64) -> GeoIndexEntry {
        GeoIndexEntry {
            id: ShopId::new(id),
            position: Position::new(x, 30.0).unwrap(),
        }
    }

    #[test]
    fn the_nearest_within_the_radius_come_in_order_and_equals_by_id() {
        let around = Around {
            position: Position::new(120.0, 30.0).unwrap(),
            radius_metres: 5_000,
            sort_by: SortBy::Distance,
        };
        let places = [at(9, 120.01), at(3, 120.02), at(2, 120.01), at(1, 121.0)];
        let ids = |count| {
            let near = nearest(&places, around, count);
            near.iter().map(|near| near.id.get()).collect::<Vec<_>>()
        };
        assert_eq!(ids(10), [2, 9, 3]);
        assert_eq!(ids(2), [2, 9]);
    }
}
