//! Likes of notes: `tb_blog_like`, counted on the note in the same transaction.
//!
//! Every toggle locks the note's row first, so toggles of one note serialise and the counter always equals the number
//! of rows.

use domain::{NoteId, UserId};
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::db::DatabaseTransaction;
use crate::entity::blog;
use crate::entity::blog_like::{ActiveModel, Column, Entity, Model};
use crate::notes::is_shown;
use crate::{Db, Error, outbox, time};

/// Outbox payload of a changed like. The effect reads the present state and the count from the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LikeChanged {
    pub note: NoteId,
    pub user: UserId,
}

impl LikeChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "like_changed";
}

/// A user who likes a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Liker {
    pub user: UserId,
    pub liked_at: Timestamp,
}

/// The note's likes after a toggle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toggled {
    /// Since when the user likes it; `None` if the like was removed.
    pub liked_at: Option<Timestamp>,
    pub likes: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no such note")]
pub struct NoSuchNote;

/// Toggles the user's like.
pub async fn toggle(
    db: &Db,
    note: NoteId,
    user: UserId,
) -> Result<Result<Toggled, NoSuchNote>, Error> {
    let toggle = async {
        let transaction = db.begin().await?;
        let find = blog::Entity::find_by_id(note.get()).filter(is_shown());
        let Some(row) = find.lock_exclusive().one(&transaction).await? else {
            return Ok(Err(NoSuchNote));
        };
        let liked_at = flip(&transaction, note, user).await?;
        let likes = std::cmp::max(0, row.liked + if liked_at.is_some() { 1 } else { -1 });
        let count = blog::Entity::update_many()
            .col_expr(blog::Column::Liked, Expr::value(likes))
            .filter(blog::Column::Id.eq(note.get()));
        count.exec(&transaction).await?;
        let key = format!("like:{note}:{user}");
        outbox::append(
            &transaction,
            LikeChanged::KIND,
            &key,
            &LikeChanged { note, user },
        )
        .await?;
        transaction.commit().await?;
        let likes = u32::try_from(likes).unwrap_or(0);
        Ok(Ok(Toggled { liked_at, likes }))
    };
    db.run("toggle like", toggle).await
}

/// When the user liked the note. Reads the primary.
pub async fn get(db: &Db, note: NoteId, user: UserId) -> Result<Option<Timestamp>, Error> {
    let find = Entity::find_by_id((note.get(), user.get())).one(db.reader());
    let row = db.run("get like", find).await?;
    Ok(row.map(|row| time::from_sql(row.create_time)))
}

/// Which of these notes the person likes. One query.
pub async fn liked_among(db: &Db, user: UserId, notes: &[NoteId]) -> Result<Vec<NoteId>, Error> {
    if notes.is_empty() {
        return Ok(Vec::new());
    }
    let find = Entity::find()
        .select_only()
        .column(Column::BlogId)
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::BlogId.is_in(notes.iter().map(|note| note.get())))
        .into_tuple::<i64>()
        .all(db.reader());
    let ids = db.run("list liked notes", find).await?;
    Ok(ids.into_iter().map(NoteId::new).collect())
}

/// The first `limit` likers, earliest first.
pub async fn list_first(db: &Db, note: NoteId, limit: u64) -> Result<Vec<Liker>, Error> {
    let find = Entity::find()
        .filter(Column::BlogId.eq(note.get()))
        .order_by_asc(Column::CreateTime)
        .order_by_asc(Column::UserId)
        .limit(limit)
        .all(db.reader());
    let rows = db.run("list likers", find).await?;
    Ok(rows.into_iter().map(Liker::from_row).collect())
}

/// The next `limit` likers with ids above `after`, for a full scan. Reads the primary.
pub async fn list_after(
    db: &Db,
    note: NoteId,
    after: UserId,
    limit: u64,
) -> Result<Vec<Liker>, Error> {
    let find = Entity::find()
        .filter(Column::BlogId.eq(note.get()))
        .filter(Column::UserId.gt(after.get()))
        .order_by_asc(Column::UserId)
        .limit(limit)
        .all(db.reader());
    let rows = db.run("list likers", find).await?;
    Ok(rows.into_iter().map(Liker::from_row).collect())
}

/// Deletes the like if it exists, inserts it otherwise.
async fn flip(
    transaction: &DatabaseTransaction,
    note: NoteId,
    user: UserId,
) -> Result<Option<Timestamp>, DbErr> {
    let taken = Entity::delete_by_id((note.get(), user.get()))
        .exec(transaction)
        .await?;
    if taken.rows_affected > 0 {
        return Ok(None);
    }
    let now = time::now();
    let row = ActiveModel {
        blog_id: Set(note.get()),
        user_id: Set(user.get()),
        create_time: Set(now),
    };
    row.insert(transaction).await?;
    Ok(Some(time::from_sql(now)))
}

impl Liker {
    fn from_row(row: Model) -> Self {
        Self {
            user: UserId::new(row.user_id),
            liked_at: time::from_sql(row.create_time),
        }
    }
}
