//! The loaders and lifetimes of the shop caches.
//!
//! Both caches return the stale value while one process of the site loads the new one. Changes are invalidated
//! explicitly; the lifetimes are only a safety net.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use cache::{BloomGuard, BloomOptions, Cache, CacheHub, CacheMode, IdSource, LoadedRows, Loader};
use domain::ShopId;
use storage::shop_types::{self, ShopType};
use storage::shops::{self, Shop};
use storage::{Db, Error};
use tokio::sync::SetOnce;

/// Loads shops from the primary: a lagging replica would restore what was just invalidated.
#[derive(Clone, Debug)]
pub(super) struct ShopLoader {
    db: Db,
}

/// Loads the ids of all shops from the primary once the server serves: commands do not need them, and before that the
/// table may not exist.
#[derive(Debug)]
pub(super) struct ShopIds {
    db: Db,
    is_serving: Arc<SetOnce<()>>,
}

/// All shop types as one value.
#[derive(Clone, Debug)]
pub(super) struct ShopTypesLoader {
    db: Db,
}

/// The one key of the cache of shop types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AllTypes;

/// Shops kept in the memory of a process: about 10 MB when all of them are in use.
const SHOPS_IN_MEMORY: u64 = 20_000;
const SHOP_FRESH: Duration = Duration::from_secs(30 * 60);
/// How long a stale row may be served during an SQL outage.
const SHOP_USABLE: Duration = Duration::from_secs(24 * 60 * 60);

/// Types are changed by hand in SQL, without invalidation: this is how long that takes to show.
const TYPES_FRESH: Duration = Duration::from_secs(60);
const TYPES_USABLE: Duration = Duration::from_secs(24 * 60 * 60);

pub(super) fn known_ids(
    caches: &CacheHub,
    db: &Db,
    is_serving: Arc<SetOnce<()>>,
) -> BloomGuard<ShopId> {
    let options = BloomOptions {
        prefix: caches.prefix().to_owned(),
        ..BloomOptions::default()
    };
    let ids = ShopIds {
        db: db.clone(),
        is_serving,
    };
    BloomGuard::start("shop", caches.link().clone(), options, ids)
}

pub(super) fn cache_of_rows(
    caches: &CacheHub,
    db: &Db,
    known: BloomGuard<ShopId>,
) -> Cache<ShopLoader> {
    caches
        .builder("shop", ShopLoader { db: db.clone() })
        .mode(CacheMode::LogicalExpiry)
        .soft_ttl(SHOP_FRESH)
        .hard_ttl(SHOP_USABLE)
        .l1_capacity(SHOPS_IN_MEMORY)
        .bloom(known)
        .build()
        .expect("the constants above fit each other")
}

pub(super) fn cache_of_types(caches: &CacheHub, db: &Db) -> Cache<ShopTypesLoader> {
    caches
        .builder("shop_types", ShopTypesLoader { db: db.clone() })
        .mode(CacheMode::LogicalExpiry)
        .soft_ttl(TYPES_FRESH)
        .hard_ttl(TYPES_USABLE)
        .l1_capacity(1)
        .build()
        .expect("the constants above fit each other")
}

impl Loader for ShopLoader {
    type Key = ShopId;
    type Value = Shop;
    type Error = Error;

    async fn load(&self, id: &ShopId) -> Result<Option<Shop>, Error> {
        shops::get_for_fill(&self.db, *id).await
    }

    async fn load_many(&self, ids: &[ShopId]) -> Result<LoadedRows<Self>, Error> {
        let shops = shops::get_many_for_fill(&self.db, ids).await?;
        Ok(shops.into_iter().map(|shop| (shop.id, shop)).collect())
    }

    fn version(shop: &Shop) -> Option<u64> {
        u64::try_from(shop.version).ok()
    }
}

impl IdSource for ShopIds {
    type Id = ShopId;
    type Error = Error;

    async fn ids_after(&self, last: Option<&ShopId>, limit: usize) -> Result<Vec<ShopId>, Error> {
        let after = last.copied().unwrap_or(ShopId::new(0));
        if last.is_none() {
            self.is_serving.wait().await;
        }
        shops::list_ids(&self.db, after, limit as u64).await
    }
}

impl Loader for ShopTypesLoader {
    type Key = AllTypes;
    type Value = Vec<ShopType>;
    type Error = Error;

    async fn load(&self, _: &AllTypes) -> Result<Option<Vec<ShopType>>, Error> {
        shop_types::list(&self.db).await.map(Some)
    }
}

impl fmt::Display for AllTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("all")
    }
}

impl FromStr for AllTypes {
    type Err = Infallible;

    fn from_str(_: &str) -> Result<Self, Infallible> {
        Ok(Self)
    }
}
