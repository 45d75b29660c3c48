//! Likes of notes: `tb_blog_like`, counted on the note in the same transaction.
//!
//! Every toggle locks the note's row first, so toggles of one note serialise and the counter always equals the number
//! of rows.

use domain::{NoteId, UserId};
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QueryResult,
    QuerySelect, Value,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::entity::blog_like::{Column, Entity, Model};
use crate::notes::HIDDEN;
use crate::{Backend, Db, Error, outbox, sql, time};

/// Outbox payload of a changed like. The effect reads the present state and the count from the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LikeChanged {
    pub note: NoteId,
    pub user: UserId,
    /// What the like was marked with in Redis while it changed; absent if it was not, or by an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<u64>,
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
    /// Of the note, after the toggle.
    pub revision: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no such note")]
pub struct NoSuchNote;

/// Toggles the user's like. `mark` goes into the outbox row.
///
/// Two round trips: the first locks the note and reads the like, the second writes and commits. The row of a note that many
/// like at once is locked for no longer than that.
pub async fn toggle(
    db: &Db,
    note: NoteId,
    user: UserId,
    mark: Option<u64>,
) -> Result<Result<Toggled, NoSuchNote>, Error> {
    let toggle = async {
        let lock = lock_sql(db.backend(), note, user);
        let (transaction, rows) = db.begin_with(&lock).await?;
        let Some(row) = rows.first() else {
            transaction.rollback().await?;
            return Ok(Err(NoSuchNote));
        };
        let before = LockedNote::from_row(row)?;
        let now = time::now();
        let likes = std::cmp::max(0, before.liked + if before.is_liked { -1 } else { 1 });
        let revision = before.revision + 1;
        let statements = [
            format!(
                "UPDATE tb_blog SET liked = {likes}, revision = {revision}, \
                 update_time = update_time WHERE id = {note}"
            ),
            flip_sql(db.backend(), note, user, (!before.is_liked).then_some(now)),
            outbox::append_sql(
                db.backend(),
                LikeChanged::KIND,
                &format!("like:{note}:{user}"),
                &LikeChanged { note, user, mark },
            )?,
        ];
        transaction.commit_with(&statements.join("; ")).await?;
        Ok(Ok(Toggled {
            liked_at: (!before.is_liked).then(|| time::from_sql(now)),
            likes: u32::try_from(likes).unwrap_or(0),
            revision: revision.unsigned_abs(),
        }))
    };
    db.run("toggle like", toggle).await
}

/// Removes the user's like, of a hidden note too. Without a like nothing changes.
pub async fn remove(db: &Db, note: NoteId, user: UserId) -> Result<(), Error> {
    let remove = async {
        let transaction = db.begin().await?;
        let lock = sql::for_update(db.backend());
        let lock = format!("SELECT id FROM tb_blog WHERE id = ? {lock}");
        transaction
            .query_one_raw(sql::statement(&transaction, lock, [note.get().into()]))
            .await?;
        let delete = "DELETE FROM tb_blog_like WHERE blog_id = ? AND user_id = ?";
        let pair: [Value; 2] = [note.get().into(), user.get().into()];
        if sql::execute(&transaction, delete, pair).await? == 0 {
            return Ok(());
        }
        let count = "UPDATE tb_blog SET liked = CASE WHEN liked > 0 THEN liked - 1 ELSE 0 END, \
            revision = revision + 1, update_time = update_time WHERE id = ?";
        sql::execute(&transaction, count, [note.get().into()]).await?;
        let (key, mark) = (format!("like:{note}:{user}"), None);
        let changed = LikeChanged { note, user, mark };
        outbox::append(&transaction, LikeChanged::KIND, &key, &changed).await?;
        transaction.commit().await
    };
    db.run("remove like", remove).await
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

/// The next `limit` people above `after` who like anything. Reads the primary.
pub async fn list_people(db: &Db, after: UserId, limit: u64) -> Result<Vec<UserId>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::UserId)
        .distinct()
        .filter(Column::UserId.gt(after.get()))
        .order_by_asc(Column::UserId)
        .limit(limit)
        .into_tuple::<i64>()
        .all(db.reader());
    let ids = db.run("list people with likes", find).await?;
    Ok(ids.into_iter().map(UserId::new).collect())
}

/// A note and the user's like of it, both locked.
struct LockedNote {
    liked: i32,
    revision: i64,
    is_liked: bool,
}

impl LockedNote {
    fn from_row(row: &QueryResult) -> Result<Self, DbErr> {
        let liker: Option<i64> = row.try_get("", "liker")?;
        Ok(Self {
            liked: row.try_get("", "liked")?,
            revision: row.try_get("", "revision")?,
            is_liked: liker.is_some(),
        })
    }
}

/// Locks the note's row, then that of the like if there is one. A subquery for the like would read a snapshot instead.
fn lock_sql(backend: Backend, note: NoteId, user: UserId) -> String {
    let lock = sql::for_update(backend);
    format!(
        "SELECT b.liked AS liked, b.revision AS revision, l.user_id AS liker FROM tb_blog b \
         LEFT JOIN tb_blog_like l ON l.blog_id = b.id AND l.user_id = {user} \
         WHERE b.id = {note} AND b.status <> {HIDDEN} {lock}"
    )
}

/// Adds the like at this moment, or deletes it.
fn flip_sql(
    backend: Backend,
    note: NoteId,
    user: UserId,
    at: Option<chrono::NaiveDateTime>,
) -> String {
    match at {
        Some(at) => format!(
            "INSERT INTO tb_blog_like (blog_id, user_id, create_time) VALUES ({note}, {user}, {})",
            sql::quoted(backend, &time::to_text(at))
        ),
        None => format!("DELETE FROM tb_blog_like WHERE blog_id = {note} AND user_id = {user}"),
    }
}

impl Liker {
    fn from_row(row: Model) -> Self {
        Self {
            user: UserId::new(row.user_id),
            liked_at: time::from_sql(row.create_time),
        }
    }
}
