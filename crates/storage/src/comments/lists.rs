//! Reading comments: a page of threads is two queries, however many replies there are.

use std::collections::HashMap;

use domain::{CommentId, NoteId};
use sea_orm::{FromQueryResult, Value};

use super::{COLUMNS, Comment, CommentWithAuthor, HIDDEN, TABLES};
use crate::notes::HIDDEN as HIDDEN_NOTE;
use crate::{Db, Error, sql};

/// A comment of the first level with the first of its replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    pub first: Comment,
    /// Oldest first.
    pub replies: Vec<Comment>,
    /// How many replies there are in all.
    pub reply_count: u32,
}

#[derive(FromQueryResult)]
struct ReplyWithAuthor {
    #[sea_orm(nested)]
    row: CommentWithAuthor,
    replies: i64,
}

/// One page, newest first; `page` counts from 1. Each thread comes with at most `replies_each` of its replies.
pub async fn list_threads(
    db: &Db,
    note: NoteId,
    page: u32,
    size: u32,
    replies_each: u32,
) -> Result<Vec<Thread>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {TABLES} WHERE c.blog_id = ? AND c.parent_id = 0 AND c.status <> {HIDDEN} \
         ORDER BY c.id DESC LIMIT ? OFFSET ?"
    );
    let values = [
        note.get().into(),
        size.into(),
        sql::offset(page, size).into(),
    ];
    let firsts = read(db, "list comments", sql, values).await?;
    let ids: Vec<i64> = firsts.iter().map(|it| it.id.get()).collect();
    let mut replies = first_replies(db, note, &ids, replies_each).await?;
    let thread = |first: Comment| {
        let (replies, reply_count) = replies.remove(&first.id).unwrap_or_default();
        Thread {
            first,
            replies,
            reply_count,
        }
    };
    Ok(firsts.into_iter().map(thread).collect())
}

/// One page of a thread's replies, oldest first; `page` counts from 1. None of a thread that is hidden, or on a note that
/// is not shown.
pub async fn list_replies(
    db: &Db,
    thread: CommentId,
    page: u32,
    size: u32,
) -> Result<Vec<Comment>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {TABLES} \
         JOIN tb_blog_comments f ON f.id = c.parent_id AND f.status <> {HIDDEN} \
         JOIN tb_blog b ON b.id = f.blog_id AND b.status <> {HIDDEN_NOTE} \
         WHERE c.blog_id = f.blog_id AND c.parent_id = ? AND f.id = ? AND c.status <> {HIDDEN} \
         ORDER BY c.id LIMIT ? OFFSET ?"
    );
    let id: Value = thread.get().into();
    let values = [id.clone(), id, size.into(), sql::offset(page, size).into()];
    read(db, "list replies", sql, values).await
}

/// The first replies of each thread and the number of all, in one query.
async fn first_replies(
    db: &Db,
    note: NoteId,
    threads: &[i64],
    each: u32,
) -> Result<HashMap<CommentId, (Vec<Comment>, u32)>, Error> {
    let mut found: HashMap<CommentId, (Vec<Comment>, u32)> = HashMap::new();
    if threads.is_empty() {
        return Ok(found);
    }
    let placeholders = sql::placeholders(threads.len());
    let sql = format!(
        "SELECT * FROM (SELECT {COLUMNS}, \
            ROW_NUMBER() OVER (PARTITION BY c.parent_id ORDER BY c.id) AS place, \
            COUNT(*) OVER (PARTITION BY c.parent_id) AS replies \
            FROM {TABLES} WHERE c.blog_id = ? AND c.parent_id IN ({placeholders}) AND c.status <> {HIDDEN}) AS r \
         WHERE place <= ? ORDER BY id"
    );
    let threads = threads.iter().map(|id| Value::from(*id));
    let values = [Value::from(note.get())].into_iter().chain(threads);
    let values = values.chain([Value::from(each)]);
    let statement = sql::statement(db.reader(), sql, values);
    let find = ReplyWithAuthor::find_by_statement(statement).all(db.reader());
    for reply in db.run("list first replies", find).await? {
        let count = u32::try_from(reply.replies).unwrap_or(u32::MAX);
        let thread = CommentId::new(reply.row.parent_id);
        let (replies, reply_count) = found.entry(thread).or_default();
        replies.push(reply.row.into());
        *reply_count = count;
    }
    Ok(found)
}

pub(super) async fn read(
    db: &Db,
    operation: &'static str,
    sql: String,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<Comment>, Error> {
    let statement = sql::statement(db.reader(), sql, values);
    let find = CommentWithAuthor::find_by_statement(statement).all(db.reader());
    let rows = db.run(operation, find).await?;
    Ok(rows.into_iter().map(Comment::from).collect())
}
