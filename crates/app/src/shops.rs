//! Shops: found nearby or by name, read, created and changed.
//!
//! Rows come through a cache (memory, Redis, SQL), positions through the geo index of their type. SQL is the source
//! of truth. A change is one transaction with an outbox row. After the commit this process invalidates the cached row
//! and updates the index at once, if Redis answers; the outbox does it again ([`crate::outbox`]). Both read the row
//! instead of carrying it, so they may run late, twice or in any order.

mod change;
mod edit;
mod geo;
mod loaders;
mod nearby;
mod owner;
mod read;

use std::sync::Arc;

use cache::{BloomGuard, Cache, CacheHub, Stats};
use domain::{ShopId, ShopTypeId};
use moka::future::Cache as Memory;
use storage::Db;
use tokio::sync::SetOnce;

pub(crate) use change::{apply_change, invalidate};
pub use change::{rebuild_id_filter, refresh_all};
pub use edit::{create, update};
pub use geo::is_loaded;
pub use nearby::{
    Around, ListedShop, MAX_RADIUS_METRES, MAX_SHOPS_PER_PAGE, SHOPS_PER_PAGE, SortBy, TypeQuery,
    list_around, list_of_type,
};
pub(crate) use nearby::{list_nearest, metres_within_reach};
pub use owner::{AssignRefusal, assign_owner, count_without_owner, list_without_owner};
pub(crate) use read::get_many;
pub use read::{get, list_types, search};

use crate::Error;
use loaders::{ShopLoader, ShopTypesLoader};

/// Caches and indexes of shops.
#[derive(Debug)]
pub struct Shops {
    rows: Cache<ShopLoader>,
    /// A filter of existing ids, so that made-up ones cost no query.
    known: BloomGuard<ShopId>,
    is_serving: Arc<SetOnce<()>>,
    types: Cache<ShopTypesLoader>,
    loads: geo::GeoIndexLoads,
    /// Positions by type from SQL, for Redis outages.
    places: Memory<ShopTypeId, geo::Places>,
}

impl Shops {
    /// Must be called within a tokio runtime.
    pub fn new(caches: &CacheHub, db: &Db) -> Self {
        let is_serving = Arc::new(SetOnce::new());
        let known = loaders::known_ids(caches, db, is_serving.clone());
        Self {
            rows: loaders::cache_of_rows(caches, db, known.clone()),
            known,
            is_serving,
            types: loaders::cache_of_types(caches, db),
            loads: geo::GeoIndexLoads::default(),
            places: geo::places_in_memory(),
        }
    }

    /// Starts loading the filter of existing ids. The tables must exist by now.
    pub fn begin_serving(&self) {
        // Setting it twice is fine.
        let _ = self.is_serving.set(());
    }

    /// Reads the shop types and these shops into memory, and returns how many of the shops exist.
    pub(crate) async fn warm_up(&self, shops: Vec<ShopId>) -> Result<usize, Error> {
        if shops.is_empty() {
            // A new site: its types are about to be written, and would not be seen for a while.
            return Ok(0);
        }
        self.types.warm_up([loaders::AllTypes]).await?;
        Ok(self.rows.warm_up(shops).await?)
    }

    /// Statistics of the row cache.
    pub fn stats(&self) -> Stats {
        self.rows.stats()
    }
}
