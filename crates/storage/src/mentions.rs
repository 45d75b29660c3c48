//! Who is mentioned in notes and comments: `tb_blog_mention`, `tb_blog_comment_mention`.
//!
//! The rows are written in the transaction of their text, and go with it. A row is a person and the name that the text has,
//! which stays when the person is renamed.

use std::collections::HashMap;

use domain::harmless::shown_name;
use domain::{Mention, UserId};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use crate::blocks::does_not_block;
use crate::db::DatabaseTransaction;
use crate::sql::{IDS_PER_QUERY, execute, placeholders, statement};
use crate::users::UserStatus;
use crate::{Db, Error};

/// The width of the column.
const NAME_MAX_CHARS: usize = 64;

#[derive(FromQueryResult)]
struct MentionRow {
    id: i64,
    user_id: i64,
    name: String,
}

#[derive(FromQueryResult)]
struct NamedRow {
    id: i64,
    nick_name: String,
}

/// Those of the people whom the author may mention, with their names of today, in the order given: whoever is blocked by the
/// site, wants the account deleted, or blocks the author is left out. Reads the primary.
pub async fn list_mentionable(
    db: &Db,
    author: UserId,
    ids: &[UserId],
) -> Result<Vec<Mention>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT u.id AS id, u.nick_name AS nick_name FROM tb_user u \
         WHERE u.id IN ({}) AND u.status = {} \
         AND NOT EXISTS (SELECT 1 FROM tb_account_deletion d WHERE d.user_id = u.id) AND {}",
        placeholders(ids.len()),
        UserStatus::Active.code(),
        does_not_block("u.id", "?"),
    );
    let values = ids.iter().chain([&author]);
    let values = values.map(|id| Value::from(id.get()));
    let find = NamedRow::find_by_statement(statement(db.reader(), sql, values)).all(db.reader());
    let rows = db.run("list mentionable people", find).await?;
    let mut named: HashMap<i64, String> = rows
        .into_iter()
        .map(|row| (row.id, shown_name(row.nick_name)))
        .filter(|(_, name)| name.chars().count() <= NAME_MAX_CHARS)
        .collect();
    let mention = |id: &UserId| {
        let name = named.remove(&id.get())?;
        Some(Mention { user: *id, name })
    };
    Ok(ids.iter().filter_map(mention).collect())
}

/// Writes those of a new comment or note.
pub(crate) async fn write(
    transaction: &DatabaseTransaction,
    text: MentionedIn,
    mentions: &[Mention],
) -> Result<(), DbErr> {
    if mentions.is_empty() {
        return Ok(());
    }
    let (table, columns, ids) = match text {
        MentionedIn::Note(note) => ("tb_blog_mention", "blog_id", vec![note]),
        MentionedIn::Comment { comment, note } => (
            "tb_blog_comment_mention",
            "comment_id, blog_id",
            vec![comment, note],
        ),
    };
    let row = format!("({})", placeholders(ids.len() + 3));
    let rows = vec![row; mentions.len()].join(", ");
    let sql = format!("INSERT INTO {table} ({columns}, user_id, name, place) VALUES {rows}");
    let values = (0_i16..).zip(mentions).flat_map(|(place, mention)| {
        let ids = ids.iter().map(|id| Value::from(*id));
        let own = [
            mention.user.get().into(),
            mention.name.as_str().into(),
            place.into(),
        ];
        ids.chain(own).collect::<Vec<Value>>()
    });
    execute(transaction, sql, values).await?;
    Ok(())
}

/// A text that is stored already.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MentionedIn {
    Note(i64),
    Comment { comment: i64, note: i64 },
}

/// Who is mentioned in a note as it is. The caller holds its lock, or does without.
pub(crate) async fn of_note(
    connection: &impl ConnectionTrait,
    note: i64,
) -> Result<Vec<Mention>, DbErr> {
    let mut found = of_notes(connection, &[note]).await?;
    Ok(found.remove(&note).unwrap_or_default())
}

pub(crate) async fn of_notes(
    connection: &impl ConnectionTrait,
    notes: &[i64],
) -> Result<HashMap<i64, Vec<Mention>>, DbErr> {
    read(connection, "tb_blog_mention", "blog_id", notes).await
}

pub(crate) async fn of_comments(
    connection: &impl ConnectionTrait,
    comments: &[i64],
) -> Result<HashMap<i64, Vec<Mention>>, DbErr> {
    let table = "tb_blog_comment_mention";
    read(connection, table, "comment_id", comments).await
}

pub(crate) async fn forget_note(transaction: &DatabaseTransaction, note: i64) -> Result<(), DbErr> {
    let delete = "DELETE FROM tb_blog_mention WHERE blog_id = ?";
    execute(transaction, delete, [note.into()]).await?;
    Ok(())
}

async fn read(
    connection: &impl ConnectionTrait,
    table: &str,
    column: &str,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<Mention>>, DbErr> {
    let mut found: HashMap<i64, Vec<Mention>> = HashMap::new();
    for chunk in ids.chunks(IDS_PER_QUERY) {
        let sql = format!(
            "SELECT {column} AS id, user_id, name FROM {table} \
             WHERE {column} IN ({}) ORDER BY {column}, place",
            placeholders(chunk.len())
        );
        let values = chunk.iter().map(|id| Value::from(*id));
        let rows = MentionRow::find_by_statement(statement(connection, sql, values))
            .all(connection)
            .await?;
        for row in rows {
            found.entry(row.id).or_default().push(Mention {
                user: UserId::new(row.user_id),
                name: shown_name(row.name),
            });
        }
    }
    Ok(found)
}
