//! Shops: `tb_shop`.
//!
//! Two kinds of reads. [`get_for_fill`], [`get_many_for_fill`], [`list_ids`] and [`list_positions`] read the primary
//! and see every acknowledged commit, so their results may fill a cache or an index. [`get`], [`get_many`],
//! [`list_of_type`] and [`search_by_name`] may be answered by a lagging replica and must not fill anything that
//! outlives the request.
//!
//! A change is one transaction: the row, its `version` and the outbox row for caches and indexes.

mod active;
mod edit;
mod grams;
mod owner;
mod search;

use domain::harmless::shown_name;
use domain::note::STARS_MAX;
use domain::{Aspects, RatingSum, ShopId, ShopTypeId, UserId};
use jiff::Timestamp;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};
use serde::{Deserialize, Serialize};

pub use active::list_active;
pub(crate) use edit::enqueue_change;
pub use edit::{NewShop, Principal, ShopChange, ShopChanged, UpdateRefusal, create, update};
pub use grams::index_names;
pub(crate) use grams::{add_grams, add_grams_above};
pub use owner::{OwnedShop, OwnerRefusal, count_without_owner, list_without_owner, set_owner};
pub use search::search_by_name;

use crate::entity::shop::{Column, Entity, Model};
use crate::sql::IDS_PER_QUERY;
use crate::{Db, Error, sql, time};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shop {
    pub id: ShopId,
    pub name: String,
    pub type_id: ShopTypeId,
    /// Addresses of pictures, separated by commas.
    pub images: String,
    pub area: Option<String>,
    pub address: String,
    /// Longitude.
    pub x: f64,
    /// Latitude.
    pub y: f64,
    pub avg_price_yuan: Option<i64>,
    pub sold: u32,
    pub comments: u32,
    /// Ten times the stars.
    pub score: u32,
    /// How many of its notes gave one star, two and so on.
    #[serde(default)]
    pub stars: StarCounts,
    #[serde(default)]
    pub ratings: Aspects<RatingSum>,
    pub open_hours: Option<String>,
    #[serde(default)]
    pub phone: Option<String>,
    pub owner_id: Option<UserId>,
    /// Rises with every change by its owner or an admin.
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Notes by the stars that they gave, from one to five.
pub type StarCounts = [u32; STARS_MAX as usize];

/// Where a shop stands, for the geo index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShopPosition {
    pub id: ShopId,
    pub type_id: ShopTypeId,
    /// Longitude.
    pub x: f64,
    /// Latitude.
    pub y: f64,
}

/// May lag.
pub async fn get(db: &Db, id: ShopId) -> Result<Option<Shop>, Error> {
    let mut shops = list_from_replica(db, "get shop", Entity::find_by_id(id.get())).await?;
    Ok(shops.pop())
}

/// Never lags.
pub async fn get_for_fill(db: &Db, id: ShopId) -> Result<Option<Shop>, Error> {
    let find = Entity::find_by_id(id.get()).one(db.reader());
    Ok(db.run("get shop", find).await?.map(Shop::from_row))
}

/// In no particular order; ids without a row are left out. May lag.
pub async fn get_many(db: &Db, ids: &[ShopId]) -> Result<Vec<Shop>, Error> {
    let mut shops = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(IDS_PER_QUERY) {
        shops.extend(list_from_replica(db, "get shops", with_ids(chunk)).await?);
    }
    Ok(shops)
}

/// As [`get_many`], and never lags.
pub async fn get_many_for_fill(db: &Db, ids: &[ShopId]) -> Result<Vec<Shop>, Error> {
    let mut shops = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(IDS_PER_QUERY) {
        let find = with_ids(chunk).all(db.reader());
        let rows = db.run("get shops", find).await?;
        shops.extend(rows.into_iter().map(Shop::from_row));
    }
    Ok(shops)
}

/// One page by id; `page` counts from 1. May lag.
pub async fn list_of_type(
    db: &Db,
    type_id: ShopTypeId,
    page: u32,
    size: u32,
) -> Result<Vec<Shop>, Error> {
    let select = Entity::find()
        .filter(Column::TypeId.eq(type_id.get()))
        .order_by_asc(Column::Id)
        .offset(sql::offset(page, size))
        .limit(u64::from(size));
    list_from_replica(db, "list shops of type", select).await
}

/// The next `limit` ids above `after`; begin with 0. Never lags.
pub async fn list_ids(db: &Db, after: ShopId, limit: u64) -> Result<Vec<ShopId>, Error> {
    let select = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::Id.gt(after.get()))
        .order_by_asc(Column::Id)
        .limit(limit)
        .into_tuple::<i64>();
    let ids = db.run("list shop ids", select.all(db.reader())).await?;
    Ok(ids.into_iter().map(ShopId::new).collect())
}

/// The positions of the next `limit` shops above `after`, of one type or of all; begin with 0. Never lags.
pub async fn list_positions(
    db: &Db,
    type_id: Option<ShopTypeId>,
    after: ShopId,
    limit: u64,
) -> Result<Vec<ShopPosition>, Error> {
    let mut select = Entity::find()
        .select_only()
        .columns([Column::Id, Column::TypeId, Column::X, Column::Y])
        .filter(Column::Id.gt(after.get()))
        .order_by_asc(Column::Id)
        .limit(limit);
    if let Some(type_id) = type_id {
        select = select.filter(Column::TypeId.eq(type_id.get()));
    }
    let find = select.into_tuple::<(i64, i64, f64, f64)>().all(db.reader());
    let rows = db.run("list shop positions", find).await?;
    let position = |(id, type_id, x, y)| ShopPosition {
        id: ShopId::new(id),
        type_id: ShopTypeId::new(type_id),
        x,
        y,
    };
    Ok(rows.into_iter().map(position).collect())
}

fn with_ids(ids: &[ShopId]) -> Select<Entity> {
    Entity::find().filter(Column::Id.is_in(ids.iter().map(|id| id.get())))
}

async fn list_from_replica(
    db: &Db,
    operation: &'static str,
    select: Select<Entity>,
) -> Result<Vec<Shop>, Error> {
    let statement = select.build(db.dialect());
    let rows: Vec<Model> = db.read_from_replica(operation, statement).await?;
    Ok(rows.into_iter().map(Shop::from_row).collect())
}

impl Shop {
    fn from_row(row: Model) -> Self {
        // A negative counter of an adopted database counts as zero.
        let count = |counter: i32| u32::try_from(counter).unwrap_or(0);
        let ratings = |sum, number| RatingSum {
            sum: count(sum),
            count: count(number),
        };
        Self {
            id: ShopId::new(row.id),
            name: shown_name(row.name),
            type_id: ShopTypeId::new(row.type_id),
            images: shown_name(row.images),
            area: row.area.map(shown_name),
            address: shown_name(row.address),
            x: row.x,
            y: row.y,
            avg_price_yuan: row.avg_price,
            sold: count(row.sold),
            comments: count(row.comments),
            score: count(row.score),
            stars: [
                row.stars_1,
                row.stars_2,
                row.stars_3,
                row.stars_4,
                row.stars_5,
            ]
            .map(count),
            ratings: Aspects {
                main: ratings(row.rating_main_sum, row.rating_main_count),
                surroundings: ratings(row.rating_surroundings_sum, row.rating_surroundings_count),
                service: ratings(row.rating_service_sum, row.rating_service_count),
            },
            open_hours: row.open_hours.map(shown_name),
            phone: row.phone.map(shown_name),
            owner_id: row.owner_id.map(UserId::new),
            version: row.version,
            created_at: time::from_sql(row.create_time),
            updated_at: time::from_sql(row.update_time),
        }
    }
}
