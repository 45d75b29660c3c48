//! Reading comments: a page of threads is two queries, however many replies there are.

use std::collections::HashMap;

use domain::{CommentId, NoteId, UserId};
use sea_orm::{FromQueryResult, Value};

use super::{COLUMNS, Comment, CommentWithAuthor, HIDDEN, TABLES};
use crate::notes::HIDDEN as HIDDEN_NOTE;
use crate::{Db, Error, blocks, mentions, sql};

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

/// One page, newest first; `page` counts from 1. Each thread comes with at most `replies_each` of its replies. What people
/// wrote whom the reader blocks is left out.
pub async fn list_threads(
    db: &Db,
    reader: Option<UserId>,
    note: NoteId,
    page: u32,
    size: u32,
    replies_each: u32,
) -> Result<Vec<Thread>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {TABLES} WHERE c.blog_id = ? AND c.parent_id = 0 AND c.status <> {HIDDEN} \
         {} ORDER BY c.id DESC LIMIT ? OFFSET ?",
        and_not_blocked(reader)
    );
    let values = [Value::from(note.get())].into_iter().chain(of(reader));
    let values = values.chain([size.into(), sql::offset(page, size).into()]);
    let firsts = read(db, "list comments", sql, values).await?;
    let ids: Vec<i64> = firsts.iter().map(|it| it.id.get()).collect();
    let mut replies = first_replies(db, reader, note, &ids, replies_each).await?;
    let thread = |first: Comment| {
        let (replies, reply_count) = replies.remove(&first.id).unwrap_or_default();
        Thread {
            first,
            replies,
            reply_count,
        }
    };
    let mut threads: Vec<Thread> = firsts.into_iter().map(thread).collect();
    let all = threads.iter_mut().flat_map(|thread| {
        let first = std::iter::once(&mut thread.first);
        first.chain(&mut thread.replies)
    });
    add_mentions(db, all.collect()).await?;
    Ok(threads)
}

/// One page of a thread's replies, oldest first; `page` counts from 1. None of a thread that is hidden, or on a note that
/// is not shown, or by people whom the reader blocks.
pub async fn list_replies(
    db: &Db,
    reader: Option<UserId>,
    thread: CommentId,
    page: u32,
    size: u32,
) -> Result<Vec<Comment>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {TABLES} \
         JOIN tb_blog_comments f ON f.id = c.parent_id AND f.status <> {HIDDEN} \
         JOIN tb_blog b ON b.id = f.blog_id AND b.status <> {HIDDEN_NOTE} \
         WHERE c.blog_id = f.blog_id AND c.parent_id = ? AND f.id = ? AND c.status <> {HIDDEN} \
         {} ORDER BY c.id LIMIT ? OFFSET ?",
        and_not_blocked(reader)
    );
    let id: Value = thread.get().into();
    let values = [id.clone(), id].into_iter().chain(of(reader));
    let values = values.chain([size.into(), sql::offset(page, size).into()]);
    let mut replies = read(db, "list replies", sql, values).await?;
    add_mentions(db, replies.iter_mut().collect()).await?;
    Ok(replies)
}

/// Who is named in the comments of a page: one query.
async fn add_mentions(db: &Db, mut comments: Vec<&mut Comment>) -> Result<(), Error> {
    let ids: Vec<i64> = comments.iter().map(|it| it.id.get()).collect();
    let found = mentions::of_comments(db.reader(), &ids);
    let mut found = db.run("list mentions of comments", found).await?;
    for comment in &mut comments {
        comment.mentions = found.remove(&comment.id.get()).unwrap_or_default();
    }
    Ok(())
}

/// The first replies of each thread and the number of all, in one query.
async fn first_replies(
    db: &Db,
    reader: Option<UserId>,
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
            FROM {TABLES} WHERE c.blog_id = ? AND c.parent_id IN ({placeholders}) AND c.status <> {HIDDEN} {}) AS r \
         WHERE place <= ? ORDER BY id",
        and_not_blocked(reader)
    );
    let threads = threads.iter().map(|id| Value::from(*id));
    let values = [Value::from(note.get())].into_iter().chain(threads);
    let values = values.chain(of(reader)).chain([Value::from(each)]);
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

/// A further condition on the author, with the value of [`of`]; nothing for a guest, who blocks nobody.
fn and_not_blocked(reader: Option<UserId>) -> String {
    let condition = reader.map(|_| format!("AND {}", blocks::not_blocked("c.user_id")));
    condition.unwrap_or_default()
}

fn of(reader: Option<UserId>) -> Option<Value> {
    reader.map(|reader| reader.get().into())
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
