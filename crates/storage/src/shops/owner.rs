//! Who owns a shop. Adopted shops have no owner, and nobody but an admin can change them until they get one.

use domain::{ShopId, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use thiserror::Error;

use super::edit::enqueue_change;
use super::{Column, Entity, Shop};
use crate::{Db, Error, audit, time};

/// What happens to a shop that has another owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnedShop {
    Refuse,
    Replace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OwnerRefusal {
    #[error("there is no such shop")]
    NoSuchShop,
    #[error("the shop belongs to user {0}")]
    Owned(UserId),
}

/// Gives the shop to `owner` and records who did. A shop that is theirs already stays as it is.
pub async fn set_owner(
    db: &Db,
    id: ShopId,
    owner: UserId,
    owned: OwnedShop,
    actor: Option<UserId>,
) -> Result<Result<Shop, OwnerRefusal>, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(id.get()).lock_exclusive();
        let Some(before) = find.one(&transaction).await? else {
            return Ok(Err(OwnerRefusal::NoSuchShop));
        };
        let previous = before.owner_id.map(UserId::new);
        match previous {
            Some(previous) if previous == owner => return Ok(Ok(Shop::from_row(before))),
            Some(previous) if owned == OwnedShop::Refuse => {
                return Ok(Err(OwnerRefusal::Owned(previous)));
            }
            _ => {}
        }
        let (type_id, version) = (before.type_id, before.version + 1);
        let mut changed = before.into_active_model();
        changed.owner_id = Set(Some(owner.get()));
        changed.version = Set(version);
        changed.update_time = Set(time::now());
        let row = changed.update(&transaction).await?;
        let previous = previous.map_or_else(|| "nobody".to_owned(), |user| user.to_string());
        let detail = format!("{previous} -> {owner}");
        let subject = format!("shop:{id}");
        audit::insert(&transaction, actor, "set_shop_owner", &subject, &detail).await?;
        enqueue_change(&transaction, Some(type_id), &row).await?;
        transaction.commit().await?;
        Ok(Ok(Shop::from_row(row)))
    };
    db.run("set shop owner", set).await
}

/// The next `limit` shops without an owner above `after`; begin with 0.
pub async fn list_without_owner(db: &Db, after: ShopId, limit: u64) -> Result<Vec<Shop>, Error> {
    let find = Entity::find()
        .filter(Column::OwnerId.is_null())
        .filter(Column::Id.gt(after.get()))
        .order_by_asc(Column::Id)
        .limit(limit)
        .all(db.reader());
    let rows = db.run("list shops without owner", find).await?;
    Ok(rows.into_iter().map(Shop::from_row).collect())
}

pub async fn count_without_owner(db: &Db) -> Result<u64, Error> {
    let count = Entity::find()
        .filter(Column::OwnerId.is_null())
        .count(db.reader());
    db.run("count shops without owner", count).await
}
