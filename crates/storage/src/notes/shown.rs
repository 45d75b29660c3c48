//! Which of some notes are shown, and their counters: several callers' questions in one query.
//!
//! A question is a list of ids, and for a feed the reader who has to follow their authors. Each question gets the notes of
//! its own ids; what one caller asks for never shows in the answer to another.
//!
//! On SQLite a query is one statement with a row of arguments for each id, compiled once per connection and size, and its
//! result is one text: handing each row to the caller's thread would cost more than finding it. On MySQL it is one text
//! with a `SELECT` for each question.

use std::collections::HashMap;
use std::sync::OnceLock;

use domain::{NoteId, UserId};
use sea_orm::sqlx::Arguments as _;
use sea_orm::sqlx::error::BoxDynError;
use sea_orm::sqlx::sqlite::SqliteArguments;
use sea_orm::{DbErr, QueryResult};

use super::{HIDDEN, ListedNote};
use crate::{Backend, Db, Error};

/// The notes that one caller asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesAsked {
    pub ids: Vec<NoteId>,
    /// Only those whose author this user follows now.
    pub followed_by: Option<UserId>,
}

/// Rows of arguments by which the sizes of SQLite's statements differ: a feed asks for twelve notes at first.
const STEP: usize = 12;
/// Sizes of SQLite's statements: as many are compiled on a connection, which keeps 100.
const SIZES: usize = 42;
/// Ids of one query.
const IDS: usize = STEP * SIZES;

/// No user and no note has it.
const NOBODY: i64 = 0;

/// For each question the notes that are shown, in the order of its ids. Reads the primary.
pub async fn get_shown(db: &Db, asked: &[NotesAsked]) -> Result<Vec<Vec<ListedNote>>, Error> {
    let mut found = vec![Vec::new(); asked.len()];
    let wanted: Vec<WantedNote> = wanted_notes(asked).collect();
    for chunk in wanted.chunks(IDS) {
        let read = async {
            match db.backend() {
                Backend::Sqlite => read_sqlite(db, chunk).await,
                Backend::MySql => read_mysql(db, chunk).await,
            }
        };
        let notes = db.run("get shown notes", read).await?;
        for (wanted, note) in chunk.iter().zip(notes) {
            found[wanted.question].extend(note);
        }
    }
    Ok(found)
}

/// One id of one question.
#[derive(Clone, Copy)]
struct WantedNote {
    question: usize,
    followed_by: Option<UserId>,
    id: NoteId,
}

fn wanted_notes(asked: &[NotesAsked]) -> impl Iterator<Item = WantedNote> {
    asked.iter().enumerate().flat_map(|(question, asked)| {
        asked.ids.iter().map(move |id| WantedNote {
            question,
            followed_by: asked.followed_by,
            id: *id,
        })
    })
}

/// The notes by their place in the list.
async fn read_sqlite(db: &Db, wanted: &[WantedNote]) -> Result<Vec<Option<ListedNote>>, DbErr> {
    let rows = wanted.len().next_multiple_of(STEP);
    let arguments = arguments(wanted, rows).map_err(|error| DbErr::Custom(error.to_string()))?;
    let text = db.read_sqlite_text(sqlite_query(rows), arguments).await?;
    let mut notes = vec![None; wanted.len()];
    for row in text.iter().flat_map(|text| text.split(',')) {
        let (place, likes, comments) = parse_row(row).ok_or_else(|| unreadable(row))?;
        let wanted = wanted.get(place).ok_or_else(|| unreadable(row))?;
        notes[place] = Some(listed(wanted.id, likes, comments));
    }
    Ok(notes)
}

/// A reader and a note for each row; the rows that are left over ask for nothing.
fn arguments(wanted: &[WantedNote], rows: usize) -> Result<SqliteArguments, BoxDynError> {
    let mut arguments = SqliteArguments::default();
    arguments.reserve(rows * 2, 0);
    for row in 0..rows {
        let wanted = wanted.get(row);
        let reader = wanted.and_then(|wanted| wanted.followed_by);
        arguments.add(reader.map_or(NOBODY, UserId::get))?;
        arguments.add(wanted.map_or(NOBODY, |wanted| wanted.id.get()))?;
    }
    Ok(arguments)
}

/// The statement for so many rows of arguments, a multiple of [`STEP`].
fn sqlite_query(rows: usize) -> &'static str {
    static QUERIES: [OnceLock<String>; SIZES] = [const { OnceLock::new() }; SIZES];
    QUERIES[rows / STEP - 1].get_or_init(|| {
        let values: Vec<String> = (0..rows).map(|place| format!("({place}, ?, ?)")).collect();
        // The cross join keeps the order: each row of arguments finds its note by the primary key.
        format!(
            "WITH asked (place, reader, note) AS (VALUES {}) \
             SELECT group_concat(a.place || ' ' || b.liked || ' ' || b.comments) \
             FROM asked a CROSS JOIN tb_blog b \
             WHERE b.id = a.note AND b.status <> {HIDDEN} AND (a.reader = {NOBODY} OR EXISTS \
                (SELECT 1 FROM tb_follow f WHERE f.user_id = a.reader AND f.follow_user_id = b.user_id))",
            values.join(", ")
        )
    })
}

fn parse_row(row: &str) -> Option<(usize, i32, i32)> {
    let mut numbers = row.split(' ');
    let place = numbers.next()?.parse().ok()?;
    let likes = numbers.next()?.parse().ok()?;
    let comments = numbers.next()?.parse().ok()?;
    Some((place, likes, comments))
}

fn unreadable(row: &str) -> DbErr {
    DbErr::Type(format!("not a row of a note: {row}"))
}

/// The notes by their place in the list.
async fn read_mysql(db: &Db, wanted: &[WantedNote]) -> Result<Vec<Option<ListedNote>>, DbErr> {
    let rows = db.read_mysql_rows(mysql_query(wanted)).await?;
    let rows = rows.iter().map(row_of_mysql);
    let found: HashMap<(usize, i64), ListedNote> = rows.collect::<Result<_, DbErr>>()?;
    let note = |wanted: &WantedNote| found.get(&(wanted.question, wanted.id.get())).copied();
    Ok(wanted.iter().map(note).collect())
}

/// The question and the note that a row belongs to.
fn row_of_mysql(row: &QueryResult) -> Result<((usize, i64), ListedNote), DbErr> {
    let question: i64 = row.try_get_by_index(0)?;
    let id: i64 = row.try_get_by_index(1)?;
    let question = usize::try_from(question).map_err(|error| DbErr::Type(error.to_string()))?;
    let (likes, comments) = (row.try_get_by_index(2)?, row.try_get_by_index(3)?);
    Ok(((question, id), listed(NoteId::new(id), likes, comments)))
}

/// A `SELECT` for each question. Its values are numbers of ours, so they are literals: nothing is prepared.
fn mysql_query(wanted: &[WantedNote]) -> String {
    let questions = wanted.chunk_by(|a, b| a.question == b.question);
    let selects: Vec<String> = questions.map(mysql_select).collect();
    selects.join(" UNION ALL ")
}

/// For ids of one question, of which there is one at least.
fn mysql_select(wanted: &[WantedNote]) -> String {
    let WantedNote {
        question,
        followed_by,
        ..
    } = wanted[0];
    let ids: Vec<String> = wanted.iter().map(|it| it.id.to_string()).collect();
    let followed = followed_by.map_or_else(String::new, |reader| {
        format!("AND user_id IN (SELECT follow_user_id FROM tb_follow WHERE user_id = {reader})")
    });
    format!(
        "SELECT CAST({question} AS SIGNED), id, liked, comments FROM tb_blog \
         WHERE id IN ({}) AND status <> {HIDDEN} {followed}",
        ids.join(", ")
    )
}

/// A negative counter of an adopted database counts as zero.
fn listed(id: NoteId, likes: i32, comments: i32) -> ListedNote {
    ListedNote {
        id,
        likes: u32::try_from(likes).unwrap_or(0),
        comments: u32::try_from(comments).unwrap_or(0),
    }
}
