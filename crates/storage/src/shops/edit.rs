//! Creates and updates shops: one transaction each, with the outbox row for caches and indexes in it.
//!
//! An update locks the row before reading it, so updates of one shop serialise: none is lost, each has its own
//! `version`, and outbox ids follow commit order. Counters (`sold`, `comments`, `score`, the stars) cannot be set here.

use domain::{ShopId, ShopTypeId, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, DbErr, EntityTrait, IntoActiveModel, QuerySelect};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Shop;
use super::grams::{add_grams, remove_grams};
use crate::db::DatabaseTransaction;
use crate::entity::shop::{ActiveModel, Entity, Model};
use crate::entity::shop_type;
use crate::search::{self, IndexedText};
use crate::{Db, Error, outbox, time, uploads};

/// The fields of a new shop.
#[derive(Clone, Debug, PartialEq)]
pub struct NewShop {
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
    pub open_hours: Option<String>,
    pub phone: Option<String>,
}

/// Absent fields stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShopChange {
    pub name: Option<String>,
    pub type_id: Option<ShopTypeId>,
    /// Addresses of pictures, separated by commas.
    pub images: Option<String>,
    pub area: Option<String>,
    pub address: Option<String>,
    /// Longitude.
    pub x: Option<f64>,
    /// Latitude.
    pub y: Option<f64>,
    pub avg_price_yuan: Option<i64>,
    pub open_hours: Option<String>,
    pub phone: Option<String>,
}

/// On whose behalf something of a shop is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principal {
    /// Must own the shop.
    Owner(UserId),
    Admin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UpdateRefusal {
    #[error("there is no such shop")]
    NoSuchShop,
    #[error("the shop belongs to someone else")]
    NotOwner,
}

/// Outbox payload of a new or changed shop: invalidate its cached row and update the geo indexes.
///
/// It names the types only so that the shop can be removed from the old type's index. The effect reads everything
/// else from the row: a late repetition must not restore an older state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShopChanged {
    pub id: ShopId,
    /// Absent for a new shop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_id_before: Option<ShopTypeId>,
    pub type_id: ShopTypeId,
    pub version: i64,
}

impl ShopChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "shop_changed";

    /// The key of its outbox rows: changes of one shop are relayed in order.
    pub fn key(&self) -> String {
        format!("shop:{}", self.id)
    }
}

/// Creates a shop owned by `owner`.
pub async fn create(db: &Db, owner: UserId, new: &NewShop) -> Result<Shop, Error> {
    let create = async {
        let transaction = db.begin().await?;
        let row = new_row(owner, new).insert(&transaction).await?;
        add_grams(&transaction, &[(row.id, &row.name)]).await?;
        let found_by = indexed(&transaction, &row).await?;
        search::write(&transaction, &[found_by]).await?;
        assign_pictures(&transaction, Some(owner), &row).await?;
        enqueue_change(&transaction, None, &row).await?;
        transaction.commit().await?;
        Ok(Shop::from_row(row))
    };
    db.run("create shop", create).await
}

/// Updates a shop and returns the new row. An empty change writes nothing and keeps the version.
pub async fn update(
    db: &Db,
    principal: Principal,
    id: ShopId,
    change: &ShopChange,
) -> Result<Result<Shop, UpdateRefusal>, Error> {
    let update = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(id.get()).lock_exclusive();
        let Some(before) = find.one(&transaction).await? else {
            return Ok(Err(UpdateRefusal::NoSuchShop));
        };
        if !principal.may_change(&before) {
            return Ok(Err(UpdateRefusal::NotOwner));
        }
        if *change == ShopChange::default() {
            return Ok(Ok(Shop::from_row(before)));
        }
        let row = write(&transaction, principal, before, change).await?;
        transaction.commit().await?;
        Ok(Ok(Shop::from_row(row)))
    };
    db.run("update shop", update).await
}

impl Principal {
    pub(crate) fn may_change(self, shop: &Model) -> bool {
        match self {
            Self::Admin => true,
            Self::Owner(user) => shop.owner_id == Some(user.get()),
        }
    }
}

async fn write(
    transaction: &DatabaseTransaction,
    principal: Principal,
    before: Model,
    change: &ShopChange,
) -> Result<Model, DbErr> {
    let row = changed_row(before.clone(), change)
        .update(transaction)
        .await?;
    if row.name != before.name {
        remove_grams(transaction, before.id, &before.name).await?;
        add_grams(transaction, &[(row.id, &row.name)]).await?;
    }
    let texts = |row: &Model| (row.name.clone(), row.area.clone(), row.address.clone());
    if texts(&row) != texts(&before) || row.type_id != before.type_id {
        let found_by = indexed(transaction, &row).await?;
        let found_before = indexed(transaction, &before).await?;
        search::replace(transaction, Some(&found_before), Some(&found_by)).await?;
    }
    if row.images != before.images {
        let owner = match principal {
            Principal::Owner(user) => Some(user),
            // An admin may use pictures that others uploaded.
            Principal::Admin => None,
        };
        assign_pictures(transaction, owner, &row).await?;
    }
    enqueue_change(transaction, Some(before.type_id), &row).await?;
    Ok(row)
}

/// What the search finds the shop by.
async fn indexed(transaction: &DatabaseTransaction, row: &Model) -> Result<IndexedText, DbErr> {
    let kind = shop_type::Entity::find_by_id(row.type_id)
        .one(transaction)
        .await?;
    let kind_name = kind.map(|kind| kind.name).unwrap_or_default();
    let area = row.area.as_deref();
    Ok(IndexedText::of_shop(
        row.id,
        &row.name,
        area,
        &row.address,
        &kind_name,
    ))
}

async fn assign_pictures(
    transaction: &DatabaseTransaction,
    owner: Option<UserId>,
    row: &Model,
) -> Result<(), DbErr> {
    let used_by = format!("shop:{}", row.id);
    uploads::assign(transaction, owner, &row.images, &used_by).await
}

pub(crate) async fn enqueue_change(
    transaction: &DatabaseTransaction,
    type_id_before: Option<i64>,
    row: &Model,
) -> Result<(), DbErr> {
    let changed = ShopChanged {
        id: ShopId::new(row.id),
        type_id_before: type_id_before.map(ShopTypeId::new),
        type_id: ShopTypeId::new(row.type_id),
        version: row.version,
    };
    outbox::append(transaction, ShopChanged::KIND, &changed.key(), &changed).await
}

fn new_row(owner: UserId, new: &NewShop) -> ActiveModel {
    let now = time::now();
    ActiveModel {
        name: Set(new.name.clone()),
        type_id: Set(new.type_id.get()),
        images: Set(new.images.clone()),
        area: Set(new.area.clone()),
        address: Set(new.address.clone()),
        x: Set(new.x),
        y: Set(new.y),
        avg_price: Set(new.avg_price_yuan),
        sold: Set(0),
        comments: Set(0),
        score: Set(0),
        open_hours: Set(new.open_hours.clone()),
        phone: Set(new.phone.clone()),
        owner_id: Set(Some(owner.get())),
        version: Set(1),
        create_time: Set(now),
        update_time: Set(now),
        stars_1: Set(0),
        stars_2: Set(0),
        stars_3: Set(0),
        stars_4: Set(0),
        stars_5: Set(0),
        rating_main_sum: Set(0),
        rating_main_count: Set(0),
        rating_surroundings_sum: Set(0),
        rating_surroundings_count: Set(0),
        rating_service_sum: Set(0),
        rating_service_count: Set(0),
        ..Default::default()
    }
}

fn changed_row(before: Model, change: &ShopChange) -> ActiveModel {
    let version = before.version + 1;
    let mut row = before.into_active_model();
    let texts = [
        (&mut row.name, &change.name),
        (&mut row.images, &change.images),
        (&mut row.address, &change.address),
    ];
    for (field, new) in texts {
        if let Some(new) = new {
            *field = Set(new.clone());
        }
    }
    let optional_texts = [
        (&mut row.area, &change.area),
        (&mut row.open_hours, &change.open_hours),
        (&mut row.phone, &change.phone),
    ];
    for (field, new) in optional_texts {
        if new.is_some() {
            *field = Set(new.clone());
        }
    }
    for (field, new) in [(&mut row.x, change.x), (&mut row.y, change.y)] {
        if let Some(new) = new {
            *field = Set(new);
        }
    }
    if let Some(type_id) = change.type_id {
        row.type_id = Set(type_id.get());
    }
    if change.avg_price_yuan.is_some() {
        row.avg_price = Set(change.avg_price_yuan);
    }
    row.version = Set(version);
    row.update_time = Set(time::now());
    row
}
