//! Pictures that people uploaded: `tb_upload`. A name is what the upload answered, such as `/blogs/3/9/<uuid>.webp`.
//!
//! A picture is free, or used by exactly one thing: whoever publishes claims it in the transaction that names it, so it
//! cannot be deleted at the same moment.

use domain::UserId;
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use thiserror::Error;

use crate::entity::upload::{ActiveModel, Column, Entity};
use crate::{Db, Error, time};

/// This picture is not the person's, not there, or in use already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotFree(pub(crate) String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RemoveRefusal {
    #[error("there is no such picture of this person")]
    NoSuchPicture,
    #[error("the picture is in use")]
    InUse,
}

/// Where pages find pictures, before their name.
const FOLDER: &str = "/imgs";

/// The address of a picture as pages name it.
pub fn address(name: &str) -> String {
    format!("{FOLDER}{name}")
}

/// Notes whose picture this is, before the picture itself is kept: a file without a row is nobody's.
pub async fn record(db: &Db, user: UserId, name: &str) -> Result<(), Error> {
    let row = ActiveModel {
        name: Set(name.to_owned()),
        user_id: Set(user.get()),
        used_by: Set(None),
        create_time: Set(time::now()),
    };
    db.run("record upload", row.insert(db.writer())).await?;
    Ok(())
}

/// Forgets a picture that its uploader no longer wants.
pub async fn remove(db: &Db, user: UserId, name: &str) -> Result<Result<(), RemoveRefusal>, Error> {
    let remove = async {
        let mine = Entity::find_by_id(name).filter(Column::UserId.eq(user.get()));
        let deleted = Entity::delete_many()
            .filter(Column::Name.eq(name))
            .filter(Column::UserId.eq(user.get()))
            .filter(Column::UsedBy.is_null())
            .exec(db.writer())
            .await?;
        if deleted.rows_affected == 1 {
            return Ok(Ok(()));
        }
        let is_there = mine.one(db.writer()).await?.is_some();
        Ok(Err(match is_there {
            true => RemoveRefusal::InUse,
            false => RemoveRefusal::NoSuchPicture,
        }))
    };
    db.run("remove upload", remove).await
}

/// How many pictures this person keeps.
pub async fn count_of(db: &Db, user: UserId) -> Result<u64, Error> {
    use sea_orm::PaginatorTrait as _;
    let count = Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .count(db.reader());
    db.run("count uploads", count).await
}

/// At most `limit` pictures that nothing has used since before `older_than`.
pub async fn list_orphans(
    db: &Db,
    older_than: Timestamp,
    limit: u64,
) -> Result<Vec<String>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::Name)
        .filter(Column::UsedBy.is_null())
        .filter(Column::CreateTime.lt(time::to_sql(older_than)))
        .order_by_asc(Column::Name)
        .limit(limit)
        .into_tuple()
        .all(db.reader());
    db.run("list orphaned uploads", find).await
}

/// Forgets a picture that nothing uses; says whether it did.
pub async fn forget_orphan(db: &Db, name: &str) -> Result<bool, Error> {
    let delete = Entity::delete_many()
        .filter(Column::Name.eq(name))
        .filter(Column::UsedBy.is_null())
        .exec(db.writer());
    Ok(db.run("forget upload", delete).await?.rows_affected == 1)
}

/// Takes free pictures of this person for `used_by`, in the transaction that names them.
pub(crate) async fn claim(
    transaction: &impl ConnectionTrait,
    user: UserId,
    names: &[String],
    used_by: &str,
) -> Result<Result<(), NotFree>, DbErr> {
    for name in names {
        let claimed = Entity::update_many()
            .col_expr(Column::UsedBy, Expr::value(used_by))
            .filter(Column::Name.eq(name))
            .filter(Column::UserId.eq(user.get()))
            .filter(Column::UsedBy.is_null())
            .exec(transaction)
            .await?;
        if claimed.rows_affected != 1 {
            return Ok(Err(NotFree(name.clone())));
        }
    }
    Ok(Ok(()))
}

/// Frees what `used_by` used.
pub(crate) async fn release(
    transaction: &impl ConnectionTrait,
    used_by: &str,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::UsedBy, Expr::value(Option::<String>::None))
        .filter(Column::UsedBy.eq(used_by))
        .exec(transaction)
        .await?;
    Ok(())
}
