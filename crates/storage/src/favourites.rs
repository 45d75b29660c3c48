//! Favourite shops: `tb_favourite`, and the lists that their owners name: `tb_favourite_list`. Favourite notes are in
//! [`notes`].
//!
//! A shop is in one list of a person. Every change locks the person's row in `tb_user`, so that the limits hold under
//! concurrency and a list is not deleted while a shop moves into it. A shop that is gone keeps its row until its owner
//! removes it: the page shows that it is gone.

mod lists;
mod notes;

use domain::favourite::{FAVOURITES_MAX, FavouriteListId, WANT_TO_TRY};
use domain::{ShopId, UserId};
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};
use thiserror::Error;

pub use lists::{FavouriteList, ListRefusal, create_list, delete_list, list_lists, rename_list};
pub use notes::{
    FavouriteNote, SaveNoteRefusal, is_note_saved, list_notes_page, remove_note, save_note,
};

use crate::db::DatabaseTransaction;
use crate::entity::favourite::{Column, Entity};
use crate::entity::{favourite_list, shop};
use crate::users::lock_user;
use crate::{Db, Error, MAX_PAGE_ROWS, sql, time};

/// A shop in a list; the next page starts after `cursor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Favourite {
    /// The row's own id: what was saved later has a higher one.
    pub cursor: i64,
    pub shop: ShopId,
    pub list: FavouriteListId,
    pub saved_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SaveRefusal {
    #[error("there is no such shop")]
    NoSuchShop,
    #[error("the user has no such list")]
    NoSuchList,
    #[error("nobody keeps more than {FAVOURITES_MAX} shops")]
    TooMany,
}

/// Saves the shop into the list, or moves it there. Repeating it changes nothing.
pub async fn save(
    db: &Db,
    user: UserId,
    shop: ShopId,
    list: FavouriteListId,
) -> Result<Result<(), SaveRefusal>, Error> {
    let save = async {
        let transaction = db.begin().await?;
        lock_user(&transaction, user).await?;
        if !has_list(&transaction, user, list).await? {
            return Ok(Err(SaveRefusal::NoSuchList));
        }
        let moved = "UPDATE tb_favourite SET list_id = ? WHERE user_id = ? AND shop_id = ?";
        let values = [list.get(), user.get(), shop.get()].map(Value::from);
        if sql::execute(&transaction, moved, values).await? == 0
            && let Err(refusal) = insert(&transaction, user, shop, list).await?
        {
            return Ok(Err(refusal));
        }
        transaction.commit().await?;
        Ok(Ok(()))
    };
    db.run("save favourite", save).await
}

/// Returns whether it was there.
pub async fn remove(db: &Db, user: UserId, shop: ShopId) -> Result<bool, Error> {
    let delete = "DELETE FROM tb_favourite WHERE user_id = ? AND shop_id = ?";
    let values = [user.get(), shop.get()].map(Value::from);
    let removed = sql::execute(db.writer(), delete, values);
    Ok(db.run("remove favourite", removed).await? > 0)
}

/// The list that the shop is in; `None` if the user does not keep it. Never lags.
pub async fn get_list_of(
    db: &Db,
    user: UserId,
    shop: ShopId,
) -> Result<Option<FavouriteListId>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::ListId)
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::ShopId.eq(shop.get()))
        .into_tuple::<i64>()
        .one(db.reader());
    let list = db.run("get favourite", find).await?;
    Ok(list.map(FavouriteListId::new))
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) of a list before the cursor, what was saved last first.
pub async fn list_page(
    db: &Db,
    user: UserId,
    list: FavouriteListId,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<Favourite>, Error> {
    let find = Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::ListId.eq(list.get()))
        .filter(Column::Id.lt(before.unwrap_or(i64::MAX)))
        .order_by_desc(Column::Id)
        .limit(u64::from(limit.min(MAX_PAGE_ROWS)))
        .all(db.reader());
    let rows = db.run("list favourites", find).await?;
    let favourite = |row: crate::entity::favourite::Model| Favourite {
        cursor: row.id,
        shop: ShopId::new(row.shop_id),
        list: FavouriteListId::new(row.list_id),
        saved_at: time::from_sql(row.create_time),
    };
    Ok(rows.into_iter().map(favourite).collect())
}

/// The caller holds the user's lock, and has found no row of this shop.
async fn insert(
    transaction: &DatabaseTransaction,
    user: UserId,
    shop: ShopId,
    list: FavouriteListId,
) -> Result<Result<(), SaveRefusal>, DbErr> {
    let of_shop = shop::Entity::find_by_id(shop.get()).count(transaction);
    if of_shop.await? == 0 {
        return Ok(Err(SaveRefusal::NoSuchShop));
    }
    let mine = Entity::find().filter(Column::UserId.eq(user.get()));
    if mine.count(transaction).await? >= u64::from(FAVOURITES_MAX) {
        return Ok(Err(SaveRefusal::TooMany));
    }
    let insert =
        "INSERT INTO tb_favourite (user_id, shop_id, list_id, create_time) VALUES (?, ?, ?, ?)";
    let ids = [user.get(), shop.get(), list.get()].map(Value::from);
    let values = ids.into_iter().chain([time::now().into()]);
    sql::execute(transaction, insert, values).await?;
    Ok(Ok(()))
}

async fn has_list(
    transaction: &DatabaseTransaction,
    user: UserId,
    list: FavouriteListId,
) -> Result<bool, DbErr> {
    if list == WANT_TO_TRY {
        return Ok(true);
    }
    let find = favourite_list::Entity::find_by_id(list.get())
        .filter(favourite_list::Column::UserId.eq(user.get()));
    Ok(find.one(transaction).await?.is_some())
}
