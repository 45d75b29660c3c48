//! The lists that people name.

use std::collections::HashMap;

use domain::UserId;
use domain::favourite::{FavouriteListId, LISTS_MAX, ListName, WANT_TO_TRY};
use domain::harmless::shown_name;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Value,
};
use thiserror::Error;

use super::has_list;
use crate::db::DatabaseTransaction;
use crate::entity::favourite;
use crate::entity::favourite_list::{ActiveModel, Column, Entity};
use crate::users::lock_user;
use crate::{Db, Error, sql, time};

/// A list and how many shops are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FavouriteList {
    pub id: FavouriteListId,
    /// Absent for the list that everybody has.
    pub name: Option<String>,
    pub shops: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ListRefusal {
    #[error("the user has no such list")]
    NoSuchList,
    #[error("another list of the user has this name")]
    NameTaken,
    #[error("nobody has more than {LISTS_MAX} lists")]
    TooMany,
}

/// The user's lists: the one that everybody has, then the named ones in the order in which they were made. Never lags.
pub async fn list_lists(db: &Db, user: UserId) -> Result<Vec<FavouriteList>, Error> {
    let counts = favourite::Entity::find()
        .select_only()
        .column(favourite::Column::ListId)
        .column_as(favourite::Column::Id.count(), "shops")
        .filter(favourite::Column::UserId.eq(user.get()))
        .group_by(favourite::Column::ListId)
        .into_tuple::<(i64, i64)>()
        .all(db.reader());
    let counts: HashMap<i64, i64> = db
        .run("count favourites", counts)
        .await?
        .into_iter()
        .collect();
    let find = Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .order_by_asc(Column::Id)
        .all(db.reader());
    let named = db.run("list lists of favourites", find).await?;
    let shops = |id: i64| counts.get(&id).map_or(0, |count| count.unsigned_abs());
    let first = FavouriteList {
        id: WANT_TO_TRY,
        name: None,
        shops: shops(WANT_TO_TRY.get()),
    };
    let named = named.into_iter().map(|row| FavouriteList {
        id: FavouriteListId::new(row.id),
        shops: shops(row.id),
        name: Some(shown_name(row.name)),
    });
    Ok([first].into_iter().chain(named).collect())
}

/// A list of this name: a new one, or the one that the user has, so that a repeated request makes no second.
pub async fn create_list(
    db: &Db,
    user: UserId,
    name: &ListName,
) -> Result<Result<FavouriteListId, ListRefusal>, Error> {
    let create = async {
        let transaction = db.begin().await?;
        lock_user(&transaction, user).await?;
        if let Some(id) = id_of(&transaction, user, name).await? {
            return Ok(Ok(id));
        }
        let mine = Entity::find().filter(Column::UserId.eq(user.get()));
        if mine.count(&transaction).await? >= u64::from(LISTS_MAX) {
            return Ok(Err(ListRefusal::TooMany));
        }
        let row = ActiveModel {
            user_id: Set(user.get()),
            name: Set(name.as_str().to_owned()),
            create_time: Set(time::now()),
            ..Default::default()
        };
        let row = row.insert(&transaction).await?;
        transaction.commit().await?;
        Ok(Ok(FavouriteListId::new(row.id)))
    };
    db.run("create list of favourites", create).await
}

pub async fn rename_list(
    db: &Db,
    user: UserId,
    id: FavouriteListId,
    name: &ListName,
) -> Result<Result<(), ListRefusal>, Error> {
    let rename = async {
        let transaction = db.begin().await?;
        lock_user(&transaction, user).await?;
        if id == WANT_TO_TRY || !has_list(&transaction, user, id).await? {
            return Ok(Err(ListRefusal::NoSuchList));
        }
        match id_of(&transaction, user, name).await? {
            Some(same) if same == id => return Ok(Ok(())),
            Some(_) => return Ok(Err(ListRefusal::NameTaken)),
            None => {}
        }
        let update = "UPDATE tb_favourite_list SET name = ? WHERE id = ?";
        let values: [Value; 2] = [name.as_str().into(), id.get().into()];
        sql::execute(&transaction, update, values).await?;
        transaction.commit().await?;
        Ok(Ok(()))
    };
    db.run("rename list of favourites", rename).await
}

/// Deletes a list; its shops move to the list that everybody has.
pub async fn delete_list(
    db: &Db,
    user: UserId,
    id: FavouriteListId,
) -> Result<Result<(), ListRefusal>, Error> {
    let delete = async {
        let transaction = db.begin().await?;
        lock_user(&transaction, user).await?;
        if id == WANT_TO_TRY || !has_list(&transaction, user, id).await? {
            return Ok(Err(ListRefusal::NoSuchList));
        }
        let kept = "UPDATE tb_favourite SET list_id = ? WHERE user_id = ? AND list_id = ?";
        let values = [WANT_TO_TRY.get(), user.get(), id.get()].map(Value::from);
        sql::execute(&transaction, kept, values).await?;
        Entity::delete_by_id(id.get()).exec(&transaction).await?;
        transaction.commit().await?;
        Ok(Ok(()))
    };
    db.run("delete list of favourites", delete).await
}

async fn id_of(
    transaction: &DatabaseTransaction,
    user: UserId,
    name: &ListName,
) -> Result<Option<FavouriteListId>, DbErr> {
    let find = Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::Name.eq(name.as_str()))
        .one(transaction);
    Ok(find.await?.map(|row| FavouriteListId::new(row.id)))
}
