//! What a grouped notice says: who did it last, how many did, and about what. Read from the likes, comments, follows and
//! mentions themselves, so a notice about something that is gone or hidden, or by people whom its owner blocks, says nothing
//! and is left out.

use std::collections::HashMap;

use domain::harmless::shown_plain;
use domain::{CommentId, NoteId, UserId};
use sea_orm::{FromQueryResult, Value};

use super::{IN_NOTE, Notice, NoticeId, SocialKind};
use crate::blocks::does_not_block;
use crate::comments::HIDDEN as HIDDEN_COMMENT;
use crate::notes::HIDDEN as HIDDEN_NOTE;
use crate::{Db, Error, sql};

/// What a notice says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocialNotice {
    /// Who did it last.
    pub newest: UserId,
    /// How many did it, the newest included.
    pub people: u32,
    pub note: Option<NoteId>,
    /// Of the note.
    pub title: String,
    pub comment: Option<CommentId>,
    /// Of the newest comment.
    pub words: String,
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    note: Option<i64>,
    title: Option<String>,
    people: i64,
    newest: Option<i64>,
    /// Of the note; of nothing else.
    author: Option<i64>,
}

#[derive(FromQueryResult)]
struct CommentRow {
    id: i64,
    user_id: i64,
    content: String,
}

/// What each of the owner's notices says; those that say nothing are left out. At most two queries for each kind.
pub async fn describe_social(
    db: &Db,
    owner: UserId,
    notices: &[Notice],
) -> Result<HashMap<NoticeId, SocialNotice>, Error> {
    let mut described = HashMap::new();
    for kind in SocialKind::ALL {
        let of_kind = notices.iter().filter(|it| it.kind == kind.notice());
        let about: HashMap<i64, NoticeId> =
            of_kind.filter_map(|it| Some((it.about?, it.id))).collect();
        if about.is_empty() {
            continue;
        }
        let ids: Vec<i64> = about.keys().copied().collect();
        let rows = read(db, kind, owner, &ids).await?;
        for (id, says) in say(db, kind, rows).await? {
            if let Some(notice) = about.get(&id) {
                described.insert(*notice, says);
            }
        }
    }
    Ok(described)
}

async fn read(db: &Db, kind: SocialKind, owner: UserId, ids: &[i64]) -> Result<Vec<Row>, Error> {
    let values = ids.iter().map(|id| Value::from(*id));
    let values = values.chain([Value::from(owner.get())]);
    let placeholders = sql::placeholders(ids.len());
    let sql = query(kind, &placeholders, owner);
    let statement = sql::statement(db.reader(), sql, values);
    let find = Row::find_by_statement(statement).all(db.reader());
    db.run("describe notices", find).await
}

/// Rows with the id that the notices are about, by the ids and then the owner.
fn query(kind: SocialKind, ids: &str, owner: UserId) -> String {
    let comments = |owner: &str, condition: &str| {
        let wanted = does_not_block(owner, "c.user_id");
        let of = format!(
            "FROM tb_blog_comments c WHERE {condition} AND c.status <> {HIDDEN_COMMENT} AND {wanted}"
        );
        format!(
            "(SELECT COUNT(DISTINCT c.user_id) {of}) AS people, (SELECT MAX(c.id) {of}) AS newest"
        )
    };
    match kind {
        SocialKind::NoteLiked => {
            let of = format!(
                "FROM tb_blog_like l WHERE l.blog_id = b.id AND l.user_id <> b.user_id AND {}",
                does_not_block("b.user_id", "l.user_id")
            );
            format!(
                "SELECT b.id AS id, b.id AS note, b.title AS title, b.user_id AS author, (SELECT COUNT(*) {of}) AS people, \
                    (SELECT l.user_id {of} ORDER BY l.create_time DESC, l.user_id DESC LIMIT 1) AS newest \
                 FROM tb_blog b WHERE b.id IN ({ids}) AND b.user_id = ? AND b.status <> {HIDDEN_NOTE}"
            )
        }
        SocialKind::NoteCommented => format!(
            "SELECT b.id AS id, b.id AS note, b.title AS title, b.user_id AS author, {} \
             FROM tb_blog b WHERE b.id IN ({ids}) AND b.user_id = ? AND b.status <> {HIDDEN_NOTE}",
            comments("b.user_id", "c.blog_id = b.id AND c.user_id <> b.user_id")
        ),
        SocialKind::CommentAnswered => format!(
            "SELECT a.id AS id, b.id AS note, b.title AS title, b.user_id AS author, {} \
             FROM tb_blog_comments a JOIN tb_blog b ON b.id = a.blog_id AND b.status <> {HIDDEN_NOTE} \
             WHERE a.id IN ({ids}) AND a.user_id = ? AND a.status <> {HIDDEN_COMMENT}",
            comments(
                "a.user_id",
                // The thread: the index of a note's comments goes by it.
                "c.blog_id = a.blog_id AND c.parent_id = CASE a.parent_id WHEN 0 THEN a.id ELSE a.parent_id END \
                 AND c.user_id <> a.user_id \
                 AND (c.answer_id = a.id OR (c.parent_id = a.id AND c.answer_id = 0))"
            )
        ),
        SocialKind::Followed => format!(
            "SELECT u.id AS id, NULL AS note, NULL AS title, NULL AS author, \
                (SELECT COUNT(*) FROM tb_follow f WHERE f.follow_user_id = u.id) AS people, \
                (SELECT f.user_id FROM tb_follow f WHERE f.follow_user_id = u.id \
                    ORDER BY f.id DESC LIMIT 1) AS newest \
             FROM tb_user u WHERE u.id IN ({ids}) AND u.id = ?"
        ),
        SocialKind::Mentioned => query_mentions(ids, owner),
    }
}

/// As [`query`]. The newest is a comment, or [`IN_NOTE`] if the note alone mentions the owner, whose id is a literal: the
/// query has it in several places.
fn query_mentions(ids: &str, owner: UserId) -> String {
    let in_note = format!(
        "FROM tb_blog_mention n \
         WHERE n.blog_id = b.id AND n.user_id = {owner} AND b.user_id <> {owner} AND {}",
        does_not_block("n.user_id", "b.user_id")
    );
    let in_comments = format!(
        "FROM tb_blog_comment_mention m \
         JOIN tb_blog_comments c ON c.id = m.comment_id \
         LEFT JOIN tb_blog_comments f ON f.id = c.parent_id \
         WHERE m.user_id = {owner} AND m.blog_id = b.id AND c.user_id <> {owner} \
         AND c.status <> {HIDDEN_COMMENT} AND (c.parent_id = 0 OR f.status <> {HIDDEN_COMMENT}) AND {}",
        does_not_block("m.user_id", "c.user_id")
    );
    format!(
        "SELECT b.id AS id, b.id AS note, b.title AS title, b.user_id AS author, \
            (SELECT COUNT(*) {in_note}) + (SELECT COUNT(DISTINCT c.user_id) {in_comments} \
                AND (c.user_id <> b.user_id OR NOT EXISTS (SELECT 1 {in_note}))) AS people, \
            COALESCE((SELECT MAX(c.id) {in_comments}), (SELECT {IN_NOTE} {in_note})) AS newest \
         FROM tb_blog b WHERE b.id IN ({ids}) AND b.status <> {HIDDEN_NOTE} AND ? = {owner}"
    )
}

async fn say(db: &Db, kind: SocialKind, rows: Vec<Row>) -> Result<Vec<(i64, SocialNotice)>, Error> {
    let newest: Vec<i64> = rows.iter().filter_map(|row| row.newest).collect();
    let comments = match kind {
        SocialKind::NoteCommented | SocialKind::CommentAnswered | SocialKind::Mentioned => {
            read_comments(db, &newest).await?
        }
        SocialKind::NoteLiked | SocialKind::Followed => HashMap::new(),
    };
    let say = |row: Row| {
        let newest = row.newest?;
        let comment = comments.get(&newest);
        let own = match kind {
            SocialKind::Mentioned => row.author?,
            _ => newest,
        };
        let says = SocialNotice {
            newest: UserId::new(comment.map_or(own, |it| it.user_id)),
            people: u32::try_from(row.people).unwrap_or(u32::MAX),
            note: row.note.map(NoteId::new),
            title: shown_plain(row.title.unwrap_or_default()),
            comment: comment.map(|it| CommentId::new(it.id)),
            words: comment.map_or_else(String::new, |it| shown_plain(it.content.clone())),
        };
        Some((row.id, says))
    };
    Ok(rows.into_iter().filter_map(say).collect())
}

async fn read_comments(db: &Db, ids: &[i64]) -> Result<HashMap<i64, CommentRow>, Error> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let placeholders = sql::placeholders(ids.len());
    let sql =
        format!("SELECT id, user_id, content FROM tb_blog_comments WHERE id IN ({placeholders})");
    let values = ids.iter().map(|id| Value::from(*id));
    let statement = sql::statement(db.reader(), sql, values);
    let find = CommentRow::find_by_statement(statement).all(db.reader());
    let rows = db.run("read newest comments", find).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
