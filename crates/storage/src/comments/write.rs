//! Adding comments and deleting them.

use domain::{CommentId, Mention, NoteId, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, Value,
};
use thiserror::Error;

use super::changed::enqueue_change;
use super::{HIDDEN, SHOWN, recount};
use crate::db::DatabaseTransaction;
use crate::entity::blog;
use crate::entity::blog_comment::{ActiveModel, Column, Entity, Model};
use crate::mentions::{self, MentionedIn};
use crate::notes::is_shown;
use crate::shops::Principal;
use crate::write_keys::{self, WriteKey, Written};
use crate::{Db, Error, sql, time};

/// A new comment, already validated and sanitised by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewComment {
    pub author: UserId,
    pub note: NoteId,
    /// The thread it belongs to; a new one if absent, or that of what it answers.
    pub parent: Option<CommentId>,
    /// The comment it answers, of the same thread.
    pub answers: Option<CommentId>,
    pub content: String,
    /// Who is named in it; whoever does not exist is left out by the caller.
    pub mentions: Vec<Mention>,
    /// What the author called the request, if anything.
    pub key: Option<WriteKey>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CommentRefusal {
    #[error("there is no such note")]
    NoSuchNote,
    /// On another note, in another thread, or hidden.
    #[error("there is no such comment to answer")]
    NoSuchComment,
    /// By the author of the note, of the comment, or of its thread.
    #[error("the author is blocked by somebody whom it answers")]
    Blocked,
    /// The key has made something before: [`write_keys::find`] says what.
    #[error("the key was used before")]
    KeyUsed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CommentDeleteRefusal {
    #[error("there is no such comment")]
    NoSuchComment,
    #[error("the comment is someone else's")]
    NotAuthor,
}

/// Comments per statement while a deleted note is purged: a few milliseconds.
const PURGE_BATCH: u64 = 1_000;

pub async fn create(db: &Db, new: &NewComment) -> Result<Result<CommentId, CommentRefusal>, Error> {
    let create = async {
        let transaction = db.begin().await?;
        let find = blog::Entity::find_by_id(new.note.get()).filter(is_shown());
        let Some(note) = find.lock_exclusive().one(&transaction).await? else {
            return Ok(Err(CommentRefusal::NoSuchNote));
        };
        let Some(parent_id) = find_thread(&transaction, new).await? else {
            return Ok(Err(CommentRefusal::NoSuchComment));
        };
        if is_blocked(&transaction, new, note.user_id, parent_id).await? {
            return Ok(Err(CommentRefusal::Blocked));
        }
        let row = new_row(new, parent_id).insert(&transaction).await?;
        if let Some(key) = &new.key {
            let what = Written::Comment;
            if !write_keys::insert(&transaction, new.author, key, what, row.id).await? {
                return Ok(Err(CommentRefusal::KeyUsed));
            }
        }
        let text = MentionedIn::Comment {
            comment: row.id,
            note: row.blog_id,
        };
        mentions::write(&transaction, text, &new.mentions).await?;
        let count = blog::Entity::update_many()
            .col_expr(
                blog::Column::Comments,
                Expr::col(blog::Column::Comments).add(1),
            )
            .filter(blog::Column::Id.eq(new.note.get()));
        count.exec(&transaction).await?;
        enqueue_change(&transaction, &row).await?;
        transaction.commit().await?;
        Ok(Ok(CommentId::new(row.id)))
    };
    db.run("create comment", create).await
}

/// Deletes a comment for its author or an admin. Deleting the first comment of a thread deletes its replies.
pub async fn delete(
    db: &Db,
    principal: Principal,
    id: CommentId,
) -> Result<Result<(), CommentDeleteRefusal>, Error> {
    let delete = async {
        let transaction = db.begin().await?;
        let Some(row) = lock_with_note(&transaction, id).await? else {
            return Ok(Err(CommentDeleteRefusal::NoSuchComment));
        };
        let may_delete = match principal {
            Principal::Admin => true,
            Principal::Owner(user) => row.user_id == user.get(),
        };
        if !may_delete {
            return Ok(Err(CommentDeleteRefusal::NotAuthor));
        }
        let of_thread = Condition::any()
            .add(Column::Id.eq(row.id))
            .add(Column::ParentId.eq(row.id));
        let thread = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::BlogId.eq(row.blog_id))
            .filter(of_thread)
            .into_tuple::<i64>()
            .all(&transaction)
            .await?;
        enqueue_change(&transaction, &row).await?;
        erase(&transaction, &thread).await?;
        recount(&transaction, row.blog_id).await?;
        transaction.commit().await?;
        Ok(Ok(()))
    };
    db.run("delete comment", delete).await
}

/// Deletes a batch of comments of a deleted note; returns whether there may be more.
pub(crate) async fn purge(db: &Db, note: NoteId) -> Result<bool, Error> {
    let purge = async {
        let transaction = db.begin().await?;
        let batch = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::BlogId.eq(note.get()))
            .order_by_asc(Column::Id)
            .limit(PURGE_BATCH)
            .into_tuple::<i64>()
            .all(&transaction)
            .await?;
        erase(&transaction, &batch).await?;
        transaction.commit().await?;
        Ok(!batch.is_empty())
    };
    db.run("purge comments", purge).await
}

/// Reads the comment after locking its note: every writer of the note's counter locks in this order.
pub(super) async fn lock_with_note(
    transaction: &DatabaseTransaction,
    id: CommentId,
) -> Result<Option<Model>, DbErr> {
    let find = || Entity::find_by_id(id.get());
    let Some(found) = find().one(transaction).await? else {
        return Ok(None);
    };
    let note = blog::Entity::find_by_id(found.blog_id).lock_exclusive();
    note.one(transaction).await?;
    find().lock_exclusive().one(transaction).await
}

/// The thread of a new comment: 0 for a new thread, `None` if the comment it refers to does not exist.
async fn find_thread(
    transaction: &DatabaseTransaction,
    new: &NewComment,
) -> Result<Option<i64>, DbErr> {
    let Some(target) = new.answers.or(new.parent) else {
        return Ok(Some(0));
    };
    let find_shown = async |id: i64| {
        let find = Entity::find_by_id(id)
            .filter(Column::BlogId.eq(new.note.get()))
            .filter(Column::Status.ne(HIDDEN));
        find.one(transaction).await
    };
    let Some(row) = find_shown(target.get()).await? else {
        return Ok(None);
    };
    let thread = match row.parent_id {
        0 => row.id,
        first if find_shown(first).await?.is_some() => first,
        _ => return Ok(None),
    };
    let is_meant = new.parent.is_none_or(|parent| parent.get() == thread);
    Ok(is_meant.then_some(thread))
}

/// Whether the author of the note, of the thread or of the comment that is answered blocks the author of the new one.
async fn is_blocked(
    transaction: &DatabaseTransaction,
    new: &NewComment,
    note_author: i64,
    thread: i64,
) -> Result<bool, DbErr> {
    let select = "SELECT 1 AS found FROM tb_block k WHERE k.blocked_user_id = ? AND (k.user_id = ? \
        OR k.user_id IN (SELECT c.user_id FROM tb_blog_comments c WHERE c.id IN (?, ?))) LIMIT 1";
    let answered = new.answers.map_or(0, CommentId::get);
    let values = [new.author.get(), note_author, thread, answered].map(Value::from);
    let statement = sql::statement(transaction, select, values);
    Ok(transaction.query_one_raw(statement).await?.is_some())
}

fn new_row(new: &NewComment, parent_id: i64) -> ActiveModel {
    let now = time::now();
    ActiveModel {
        user_id: Set(new.author.get()),
        blog_id: Set(new.note.get()),
        parent_id: Set(parent_id),
        answer_id: Set(new.answers.map_or(0, CommentId::get)),
        content: Set(new.content.clone()),
        liked: Set(0),
        status: Set(SHOWN),
        create_time: Set(now),
        update_time: Set(now),
        ..Default::default()
    }
}

/// The comments with their likes, reports and keys.
async fn erase(transaction: &impl ConnectionTrait, ids: &[i64]) -> Result<(), DbErr> {
    for chunk in ids.chunks(PURGE_BATCH as usize) {
        let tables = [
            ("tb_blog_comment_like", "comment_id"),
            ("tb_blog_comment_report", "comment_id"),
            ("tb_blog_comment_mention", "comment_id"),
            ("tb_blog_comments", "id"),
        ];
        for (table, column) in tables {
            let placeholders = sql::placeholders(chunk.len());
            let delete = format!("DELETE FROM {table} WHERE {column} IN ({placeholders})");
            let values = chunk.iter().map(|id| (*id).into());
            sql::execute(transaction, delete, values).await?;
        }
        write_keys::forget(transaction, Written::Comment, chunk).await?;
    }
    Ok(())
}
