//! Favourite notes: `tb_blog_favourite`. They are in no list.
//!
//! Saving locks the person's row in `tb_user`, so that the limit holds under concurrency. A note that is gone keeps its row
//! until its owner removes it: the page shows that it is gone.

use domain::favourite::FAVOURITE_NOTES_MAX;
use domain::{NoteId, UserId};
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};
use thiserror::Error;

use crate::db::DatabaseTransaction;
use crate::entity::blog;
use crate::entity::blog_favourite::{Column, Entity, Model};
use crate::notes::is_shown;
use crate::users::lock_user;
use crate::{Db, Error, MAX_PAGE_ROWS, sql, time};

/// A saved note; the next page starts after `cursor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FavouriteNote {
    /// The row's own id: what was saved later has a higher one.
    pub cursor: i64,
    pub note: NoteId,
    pub saved_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SaveNoteRefusal {
    #[error("there is no such note")]
    NoSuchNote,
    #[error("nobody keeps more than {FAVOURITE_NOTES_MAX} notes")]
    TooMany,
}

/// Saves the note. Repeating it changes nothing, also when the note is gone by then.
pub async fn save_note(
    db: &Db,
    user: UserId,
    note: NoteId,
) -> Result<Result<(), SaveNoteRefusal>, Error> {
    let save = async {
        let transaction = db.begin().await?;
        lock_user(&transaction, user).await?;
        let kept = of_pair(user, note).count(&transaction).await?;
        if kept > 0 {
            return Ok(Ok(()));
        }
        if let Err(refusal) = insert(&transaction, user, note).await? {
            return Ok(Err(refusal));
        }
        transaction.commit().await?;
        Ok(Ok(()))
    };
    db.run("save favourite note", save).await
}

/// Returns whether it was there.
pub async fn remove_note(db: &Db, user: UserId, note: NoteId) -> Result<bool, Error> {
    let delete = "DELETE FROM tb_blog_favourite WHERE user_id = ? AND blog_id = ?";
    let values = [user.get(), note.get()].map(Value::from);
    let removed = sql::execute(db.writer(), delete, values);
    Ok(db.run("remove favourite note", removed).await? > 0)
}

/// Never lags.
pub async fn is_note_saved(db: &Db, user: UserId, note: NoteId) -> Result<bool, Error> {
    let count = of_pair(user, note).count(db.reader());
    Ok(db.run("get favourite note", count).await? > 0)
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) before the cursor, what was saved last first.
pub async fn list_notes_page(
    db: &Db,
    user: UserId,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<FavouriteNote>, Error> {
    let find = Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::Id.lt(before.unwrap_or(i64::MAX)))
        .order_by_desc(Column::Id)
        .limit(u64::from(limit.min(MAX_PAGE_ROWS)))
        .all(db.reader());
    let rows = db.run("list favourite notes", find).await?;
    let favourite = |row: Model| FavouriteNote {
        cursor: row.id,
        note: NoteId::new(row.blog_id),
        saved_at: time::from_sql(row.create_time),
    };
    Ok(rows.into_iter().map(favourite).collect())
}

fn of_pair(user: UserId, note: NoteId) -> sea_orm::Select<Entity> {
    Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::BlogId.eq(note.get()))
}

/// The caller holds the user's lock, and has found no row of this note.
async fn insert(
    transaction: &DatabaseTransaction,
    user: UserId,
    note: NoteId,
) -> Result<Result<(), SaveNoteRefusal>, DbErr> {
    let shown = blog::Entity::find_by_id(note.get()).filter(is_shown());
    if shown.count(transaction).await? == 0 {
        return Ok(Err(SaveNoteRefusal::NoSuchNote));
    }
    let mine = Entity::find().filter(Column::UserId.eq(user.get()));
    if mine.count(transaction).await? >= u64::from(FAVOURITE_NOTES_MAX) {
        return Ok(Err(SaveNoteRefusal::TooMany));
    }
    let insert = "INSERT INTO tb_blog_favourite (user_id, blog_id, create_time) VALUES (?, ?, ?)";
    let ids = [user.get(), note.get()].map(Value::from);
    let values = ids.into_iter().chain([time::now().into()]);
    sql::execute(transaction, insert, values).await?;
    Ok(Ok(()))
}
