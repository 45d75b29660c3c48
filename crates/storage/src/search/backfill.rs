//! Indexes what was written before the index was, or past it: the newest rows first, a batch per transaction, beside the
//! serving site. A mark in `tb_site_mark` says how far it came, and moves in the transaction of its batch; so a restart
//! continues, and of two processes one waits for the other.
//!
//! Rows that are written meanwhile index themselves. A batch may index a text that was just replaced: its extra grams are
//! harmless.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use super::SearchKind;
use super::index::{IndexedText, NoteWords, write};
use crate::notes::HIDDEN;
use crate::sql::{Merge, execute, for_update, insert_ignore, statement, upsert};
use crate::{Backend, Db, Error};

/// The mark of a kind whose rows are all indexed.
const DONE: &str = "done";

/// What a call did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackfillStep {
    pub state: Backfill,
    /// Rows indexed by this call.
    pub rows: u64,
}

impl BackfillStep {
    const NOTHING_LEFT: Self = Self {
        state: Backfill::Done,
        rows: 0,
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backfill {
    Done,
    /// Rows below this id are left.
    Below(i64),
}

/// Indexes the next batch of rows.
pub async fn index_next(db: &Db, kind: SearchKind) -> Result<BackfillStep, Error> {
    db.run("index for search", index_batch(db, kind)).await
}

/// Lets the rows be indexed once more, from the newest on.
pub async fn restart(db: &Db, kind: SearchKind) -> Result<(), Error> {
    let set = set_mark(db.writer(), kind, Backfill::Below(i64::MAX));
    db.run("restart indexing for search", set).await
}

async fn index_batch(db: &Db, kind: SearchKind) -> Result<BackfillStep, DbErr> {
    match mark(db.reader(), kind, "").await? {
        // Asked once per start and kind when there is nothing to do: without a transaction.
        Some(Backfill::Done) => return Ok(BackfillStep::NOTHING_LEFT),
        Some(Backfill::Below(_)) => {}
        // A lock on a row that is not there would let two processes wait for each other.
        None => ensure_mark(db.writer(), kind).await?,
    }
    let transaction = db.begin().await?;
    let lock = for_update(db.backend());
    let before = match mark(&transaction, kind, lock).await? {
        Some(Backfill::Below(id)) => id,
        None => i64::MAX,
        // Another process came to the end while this one waited.
        Some(Backfill::Done) => return Ok(BackfillStep::NOTHING_LEFT),
    };
    let batch = kind.batch(&transaction, before).await?;
    let texts: Vec<IndexedText> = batch.iter().filter_map(|(_, text)| text.clone()).collect();
    write(&transaction, &texts).await?;
    let state = batch
        .last()
        .map_or(Backfill::Done, |(id, _)| Backfill::Below(*id));
    set_mark(&transaction, kind, state).await?;
    transaction.commit().await?;
    let rows = batch.len() as u64;
    Ok(BackfillStep { state, rows })
}

/// `None` before the first batch.
async fn mark(
    connection: &impl ConnectionTrait,
    kind: SearchKind,
    lock: &str,
) -> Result<Option<Backfill>, DbErr> {
    let sql = format!("SELECT value FROM tb_site_mark WHERE name = ? {lock}");
    let asked = statement(connection, sql, [kind.mark().into()]);
    let Some(row) = connection.query_one_raw(asked).await? else {
        return Ok(None);
    };
    let value: String = row.try_get("", "value")?;
    Ok(Some(match value.parse() {
        Ok(id) => Backfill::Below(id),
        Err(_) => Backfill::Done,
    }))
}

async fn ensure_mark(connection: &impl ConnectionTrait, kind: SearchKind) -> Result<(), DbErr> {
    let verb = insert_ignore(connection);
    let sql = format!("{verb} tb_site_mark (name, value) VALUES (?, ?)");
    let values: [Value; 2] = [kind.mark().into(), i64::MAX.to_string().into()];
    execute(connection, sql, values).await?;
    Ok(())
}

async fn set_mark(
    connection: &impl ConnectionTrait,
    kind: SearchKind,
    state: Backfill,
) -> Result<(), DbErr> {
    let value = match state {
        Backfill::Done => DONE.to_owned(),
        Backfill::Below(id) => id.to_string(),
    };
    let merge = upsert(
        Backend::of(connection),
        "name",
        &[("value", Merge::Replace)],
    );
    let sql = format!("INSERT INTO tb_site_mark (name, value) VALUES (?, ?) {merge}");
    let values: [Value; 2] = [kind.mark().into(), value.into()];
    execute(connection, sql, values).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct ShopTexts {
    id: i64,
    name: String,
    area: Option<String>,
    address: String,
    kind_name: Option<String>,
}

#[derive(FromQueryResult)]
struct NoteTexts {
    id: i64,
    title: String,
    content: String,
    status: i16,
}

#[derive(FromQueryResult)]
struct PersonTexts {
    id: i64,
    nick_name: String,
}

type Batch = Vec<(i64, Option<IndexedText>)>;

impl SearchKind {
    fn mark(self) -> String {
        format!("search:{}", self.name())
    }

    /// Some ten thousand rows of the index, in a fraction of a second.
    const fn rows_per_batch(self) -> u32 {
        match self {
            Self::Shops => 200,
            Self::Notes => 100,
            Self::People => 500,
        }
    }

    /// The next rows below an id, the newest first; without a text if nobody may find them.
    async fn batch(self, connection: &impl ConnectionTrait, before: i64) -> Result<Batch, DbErr> {
        let rest = format!("ORDER BY id DESC LIMIT {}", self.rows_per_batch());
        let batch = match self {
            Self::Shops => {
                let sql = format!(
                    "SELECT s.id, s.name, s.area, s.address, \
                     (SELECT t.name FROM tb_shop_type t WHERE t.id = s.type_id) AS kind_name \
                     FROM tb_shop s WHERE s.id < ? {rest}"
                );
                let rows: Vec<ShopTexts> = below(connection, sql, before).await?;
                rows.iter().map(ShopTexts::indexed).collect()
            }
            Self::Notes => {
                let sql =
                    format!("SELECT id, title, content, status FROM tb_blog WHERE id < ? {rest}");
                let rows: Vec<NoteTexts> = below(connection, sql, before).await?;
                rows.iter().map(NoteTexts::indexed).collect()
            }
            Self::People => {
                // An erasure that commits meanwhile would leave the name in the index.
                let lock = for_update(Backend::of(connection));
                let sql = format!("SELECT id, nick_name FROM tb_user WHERE id < ? {rest} {lock}");
                let rows: Vec<PersonTexts> = below(connection, sql, before).await?;
                rows.iter().map(PersonTexts::indexed).collect()
            }
        };
        Ok(batch)
    }
}

async fn below<R: FromQueryResult>(
    connection: &impl ConnectionTrait,
    sql: String,
    before: i64,
) -> Result<Vec<R>, DbErr> {
    let statement = statement(connection, sql, [before.into()]);
    R::find_by_statement(statement).all(connection).await
}

impl ShopTexts {
    fn indexed(&self) -> (i64, Option<IndexedText>) {
        let kind_name = self.kind_name.as_deref().unwrap_or_default();
        let area = self.area.as_deref();
        let text = IndexedText::of_shop(self.id, &self.name, area, &self.address, kind_name);
        (self.id, Some(text))
    }
}

impl NoteTexts {
    fn indexed(&self) -> (i64, Option<IndexedText>) {
        let words = NoteWords {
            title: &self.title,
            content: &self.content,
        };
        let is_shown = self.status != HIDDEN;
        (
            self.id,
            is_shown.then(|| IndexedText::of_note(self.id, words)),
        )
    }
}

impl PersonTexts {
    fn indexed(&self) -> (i64, Option<IndexedText>) {
        let text = IndexedText::of_person(self.id, &self.nick_name);
        (self.id, Some(text))
    }
}
