//! Shops as people meet them: found nearby or by name, read, opened and changed.
//!
//! Rows come through a cache (memory, Redis, SQL), places through the geo index of their type. SQL is the truth behind
//! both. A change is one transaction with an outbox row in it. When it has committed, this process drops the row from
//! the caches and moves the shop in the index at once, as far as Redis answers; the outbox does the same once more,
//! however long that takes ([`crate::outbox`]). Both read the row anew instead of carrying it, so they may come late,
//! twice or in any order.

mod change;
mod edit;
mod geo;
mod loaders;
mod nearby;
mod read;

use std::sync::Arc;

use cache::{BloomGuard, Cache, Stats};
use domain::{ShopId, ShopTypeId};
use link::Link;
use moka::future::Cache as Memory;
use storage::Db;
use tokio::sync::SetOnce;

pub(crate) use change::{apply_change, invalidate};
pub use change::{rebuild_id_filter, refresh_all};
pub use edit::{create, update};
pub use geo::is_loaded;
pub use nearby::{
    Around, Listed, MAX_RADIUS_METRES, MAX_SHOPS_PER_PAGE, SHOPS_PER_PAGE, SortBy, TypeQuery,
    list_around, list_of_type,
};
pub(crate) use read::get_many;
pub use read::{get, list_types, search};

use loaders::{ShopLoader, ShopTypesLoader};

/// What the shops of a process keep in memory and in Redis.
#[derive(Debug)]
pub struct Shops {
    rows: Cache<ShopLoader>,
    /// The ids that exist, so that made-up ones cost no query.
    known: BloomGuard<ShopId>,
    is_serving: Arc<SetOnce<()>>,
    types: Cache<ShopTypesLoader>,
    loads: geo::Loads,
    /// Where the shops of a type are by SQL, for moments without Redis.
    places: Memory<ShopTypeId, geo::Places>,
}

impl Shops {
    /// Must be called within a tokio runtime. `prefix` goes before every key in Redis.
    pub fn new(link: &Link, prefix: &str, db: &Db) -> Self {
        let is_serving = Arc::new(SetOnce::new());
        let known = loaders::known_ids(link, prefix, db, is_serving.clone());
        Self {
            rows: loaders::cache_of_rows(link, prefix, db, known.clone()),
            known,
            is_serving,
            types: loaders::cache_of_types(link, prefix, db),
            loads: geo::Loads::default(),
            places: geo::places_in_memory(),
        }
    }

    /// Gets ready for many who ask: learns which ids exist. Tables must be there by now.
    pub fn begin_serving(&self) {
        // Told before or not, it is so from here on.
        let _ = self.is_serving.set(());
    }

    /// What the cache of rows did so far, and how it is.
    pub fn stats(&self) -> Stats {
        self.rows.stats()
    }
}
