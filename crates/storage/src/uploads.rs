//! Uploaded pictures: `tb_upload`. The name is the path that the upload returned, such as `/blogs/3/9/<uuid>.webp`.
//!
//! A picture is free, used by exactly one owner, or gone. Publishing claims it in the same transaction, so it cannot
//! be deleted concurrently. Deletion marks the row gone first, irrevocably; then the files are deleted, then the row.
//! A process that dies in between leaves a row that says what is still to delete.

use domain::UserId;
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, UpdateMany,
};
use thiserror::Error;

use crate::entity::upload::{ActiveModel, Column, Entity};
use crate::{Db, Error, notes, time};

/// The picture is another user's, missing, or in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PictureNotFree(pub(crate) String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RemoveRefusal {
    #[error("there is no such picture")]
    NoSuchPicture,
    #[error("another person uploaded the picture")]
    OfAnother,
    #[error("the picture is in use")]
    InUse,
}

/// `used_by` of a picture whose files are to be deleted.
const GONE: &str = "gone";

/// `user_id` of a picture whose uploader's account was erased. No user has it.
const NOBODY: i64 = 0;

/// The prefix of `used_by` for notes.
const NOTE: &str = "note:";

/// The URL prefix of pictures.
const FOLDER: &str = "/imgs";

/// The address of a picture as pages name it.
pub fn address(name: &str) -> String {
    format!("{FOLDER}{name}")
}

/// Records a picture's uploader before the files are stored: a file without a row belongs to nobody.
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

/// Marks a picture gone for its uploader. Its files may be deleted from then on.
pub async fn remove(db: &Db, user: UserId, name: &str) -> Result<Result<(), RemoveRefusal>, Error> {
    let remove = async {
        let is_theirs = Column::UserId.eq(user.get());
        let removed = mark_gone(name).filter(is_theirs).exec(db.writer()).await?;
        if removed.rows_affected == 1 {
            return Ok(Ok(()));
        }
        let found = Entity::find_by_id(name).one(db.writer()).await?;
        let found = found.filter(|row| row.used_by.as_deref() != Some(GONE));
        Ok(Err(match found {
            Some(row) if row.user_id == user.get() => RemoveRefusal::InUse,
            Some(_) => RemoveRefusal::OfAnother,
            None => RemoveRefusal::NoSuchPicture,
        }))
    };
    db.run("remove upload", remove).await
}

/// The user's number of pictures.
pub async fn count_of(db: &Db, user: UserId) -> Result<u64, Error> {
    use sea_orm::PaginatorTrait as _;
    let is_kept = Condition::any()
        .add(Column::UsedBy.is_null())
        .add(Column::UsedBy.ne(GONE));
    let count = Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .filter(is_kept)
        .count(db.reader());
    db.run("count uploads", count).await
}

/// At most `limit` pictures that are gone, or unused and older than `older_than`.
pub async fn list_orphans(
    db: &Db,
    older_than: Timestamp,
    limit: u64,
) -> Result<Vec<String>, Error> {
    let is_forgotten = Condition::all()
        .add(Column::UsedBy.is_null())
        .add(Column::CreateTime.lt(time::to_sql(older_than)));
    let is_orphan = Condition::any()
        .add(Column::UsedBy.eq(GONE))
        .add(is_forgotten);
    let find = Entity::find()
        .select_only()
        .column(Column::Name)
        .filter(is_orphan)
        .order_by_asc(Column::Name)
        .limit(limit)
        .into_tuple()
        .all(db.reader());
    db.run("list orphaned uploads", find).await
}

/// Marks an unused picture gone; returns whether its files may be deleted.
pub async fn remove_orphan(db: &Db, name: &str) -> Result<bool, Error> {
    let remove = async {
        let removed = mark_gone(name).exec(db.writer()).await?;
        if removed.rows_affected == 1 {
            return Ok(true);
        }
        let found = Entity::find_by_id(name).one(db.writer()).await?;
        Ok(found.is_some_and(|row| row.used_by.as_deref() == Some(GONE)))
    };
    db.run("remove orphaned upload", remove).await
}

/// Deletes the row of a picture whose files are deleted.
pub async fn delete_row(db: &Db, name: &str) -> Result<(), Error> {
    let delete = Entity::delete_many()
        .filter(Column::Name.eq(name))
        .filter(Column::UsedBy.eq(GONE))
        .exec(db.writer());
    db.run("delete upload", delete).await?;
    Ok(())
}

/// Marks all unused pictures of a user gone, for the cleaning to delete with their files, and takes the user's name off
/// those that something else uses, such as a shop. Returns how many there were.
pub(crate) async fn abandon(db: &Db, user: UserId) -> Result<u64, Error> {
    let abandon = async {
        let of_user = Column::UserId.eq(user.get());
        let unused = Entity::update_many()
            .col_expr(Column::UsedBy, Expr::value(GONE))
            .filter(of_user.clone())
            .filter(Column::UsedBy.is_null());
        unused.exec(db.writer()).await?;
        let unnamed = Entity::update_many()
            .col_expr(Column::UserId, Expr::value(NOBODY))
            .filter(of_user);
        Ok(unnamed.exec(db.writer()).await?.rows_affected)
    };
    db.run("abandon uploads", abandon).await
}

fn mark_gone(name: &str) -> UpdateMany<Entity> {
    Entity::update_many()
        .col_expr(Column::UsedBy, Expr::value(GONE))
        .filter(Column::Name.eq(name))
        .filter(Column::UsedBy.is_null())
}

/// Claims free pictures of this user for `used_by`, in the transaction that references them.
pub(crate) async fn claim(
    transaction: &impl ConnectionTrait,
    user: UserId,
    names: &[String],
    used_by: &str,
) -> Result<Result<(), PictureNotFree>, DbErr> {
    for name in names {
        let claimed = Entity::update_many()
            .col_expr(Column::UsedBy, Expr::value(used_by))
            .filter(Column::Name.eq(name))
            .filter(Column::UserId.eq(user.get()))
            .filter(Column::UsedBy.is_null())
            .exec(transaction)
            .await?;
        if claimed.rows_affected != 1 {
            return Ok(Err(PictureNotFree(name.clone())));
        }
    }
    Ok(Ok(()))
}

/// Claims a free picture, whoever recorded it; returns whether it was free.
pub(crate) async fn claim_any(
    transaction: &impl ConnectionTrait,
    name: &str,
    used_by: &str,
) -> Result<bool, DbErr> {
    let claimed = Entity::update_many()
        .col_expr(Column::UsedBy, Expr::value(used_by))
        .filter(Column::Name.eq(name))
        .filter(Column::UsedBy.is_null())
        .exec(transaction)
        .await?;
    Ok(claimed.rows_affected == 1)
}

/// Frees the pictures of `used_by`.
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

/// Frees those of these pictures that `used_by` uses.
pub(crate) async fn release_some(
    transaction: &impl ConnectionTrait,
    addresses: &str,
    used_by: &str,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::UsedBy, Expr::value(Option::<String>::None))
        .filter(Column::Name.is_in(names_in(addresses)))
        .filter(Column::UsedBy.eq(used_by))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Sets the pictures of `used_by` to exactly these. Pictures that were never uploaded, such as demo data, need no
/// claim; a picture that something else uses keeps its owner, and so does another user's if `owner` is given.
pub(crate) async fn assign(
    transaction: &impl ConnectionTrait,
    owner: Option<UserId>,
    addresses: &str,
    used_by: &str,
) -> Result<(), DbErr> {
    let kept = Entity::find()
        .filter(Column::UsedBy.eq(used_by))
        .select_only()
        .column(Column::Name)
        .into_tuple::<String>()
        .all(transaction)
        .await?;
    release(transaction, used_by).await?;
    let mut is_theirs = Condition::any().add(Column::Name.is_in(kept));
    is_theirs = match owner {
        Some(owner) => is_theirs.add(Column::UserId.eq(owner.get())),
        None => is_theirs.add(Column::UserId.is_not_null()),
    };
    Entity::update_many()
        .col_expr(Column::UsedBy, Expr::value(used_by))
        .filter(Column::Name.is_in(names_in(addresses)))
        .filter(is_theirs)
        .filter(Column::UsedBy.is_null())
        .exec(transaction)
        .await?;
    Ok(())
}

/// Whether one of these pictures was uploaded by another user and is not used by `used_by` already. A picture's
/// uploader never changes, so this may be checked before the transaction.
pub async fn any_foreign(
    db: &Db,
    owner: UserId,
    addresses: &str,
    used_by: &str,
) -> Result<bool, Error> {
    let is_used_elsewhere = Condition::any()
        .add(Column::UsedBy.is_null())
        .add(Column::UsedBy.ne(used_by));
    let find = Entity::find()
        .filter(Column::Name.is_in(names_in(addresses)))
        .filter(Column::UserId.ne(owner.get()))
        .filter(is_used_elsewhere)
        .one(db.reader());
    Ok(db.run("find foreign uploads", find).await?.is_some())
}

fn names_in(addresses: &str) -> impl Iterator<Item = &str> {
    addresses.split(',').filter_map(name_of)
}

/// The name of an uploaded picture; `None` for the address of another host.
pub(crate) fn name_of(address: &str) -> Option<&str> {
    address.strip_prefix(FOLDER)
}

/// Who may view a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureAccess {
    Anybody,
    /// Used by a hidden note: its uploader and admins.
    Owner(UserId),
    Nobody,
}

/// Reads the primary. A picture that was never uploaded, such as demo data, is public.
pub async fn access(db: &Db, name: &str) -> Result<PictureAccess, Error> {
    let look = async {
        let Some(row) = Entity::find_by_id(name).one(db.reader()).await? else {
            return Ok(PictureAccess::Anybody);
        };
        let used_by = row.used_by.as_deref().unwrap_or_default();
        let note = used_by.strip_prefix(NOTE).and_then(|id| id.parse().ok());
        Ok(match note {
            Some(note) if notes::is_hidden(db.reader(), note).await? => {
                PictureAccess::Owner(UserId::new(row.user_id))
            }
            None if used_by == GONE => PictureAccess::Nobody,
            _ => PictureAccess::Anybody,
        })
    };
    db.run("look up upload", look).await
}
