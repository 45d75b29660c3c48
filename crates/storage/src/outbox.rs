//! Effects of commits that are still to happen: `tb_outbox`.
//!
//! A row is written in the transaction that causes it, so it exists if and only if that transaction committed. A relay
//! reads the rows, makes the effects happen, and deletes them; a crash anywhere in between only delays the effect.
//!
//! **Order.** Rows of one key are handed out one at a time, the oldest first, and a row that failed holds back the
//! younger ones of its key, never those of other keys. Ids of one key follow the order of the commits, because whoever
//! appends holds the lock on the row that the key names.
//!
//! **At least once.** Reading a batch marks nothing: a relay that died leaves nothing to wait for. One relay works at a
//! time, by a lease outside; should two overlap, both may make an effect happen, even an older one after a younger.
//! Effects must bear that: they read the present state instead of carrying one.
//!
//! A batch is found by walking the rows from the oldest: 3 ms for a hundred out of a backlog of 100,000, and a quarter of
//! a second in the worst case, where all of them have one key.

use std::time::Duration;

use domain::Id;
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult,
    QueryFilter, Statement, Value,
};
use serde::Serialize;

use crate::entity::outbox::{ActiveModel, Column, Entity, Model};
use crate::{Db, Error, time};

pub type OutboxId = Id<OutboxRow>;

/// One effect that is still to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    pub id: OutboxId,
    /// What is to happen.
    pub kind: String,
    /// To what: rows of one key are relayed in order.
    pub key: String,
    /// JSON, as the kind says.
    pub payload: String,
    /// How often it has failed.
    pub attempts: u32,
    pub created_at: Timestamp,
}

/// What is waiting, for metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    pub count: u64,
    /// How many of them have failed at least once.
    pub failing: u64,
    pub oldest_age: Duration,
}

/// Rows per statement: below SQLite's 32,766 and MySQL's 65,535 parameters with room to spare.
const ROWS_PER_STATEMENT: usize = 1_000;

/// The width of the column.
const LAST_ERROR_MAX_CHARS: usize = 255;

/// At most `limit` rows that may be relayed `now`, by id, at most one of each key.
pub async fn claim_batch(db: &Db, limit: u64, now: Timestamp) -> Result<Vec<OutboxRow>, Error> {
    let sql = "SELECT * FROM tb_outbox o WHERE o.not_before <= ? AND NOT EXISTS \
            (SELECT 1 FROM tb_outbox older WHERE older.`key` = o.`key` AND older.id < o.id) \
        ORDER BY o.id LIMIT ?";
    let values: [Value; 2] = [time::to_sql(now).into(), limit.into()];
    let statement = Statement::from_sql_and_values(db.dialect(), sql, values);
    let find = Model::find_by_statement(statement).all(db.reader());
    let rows = db.run("read outbox", find).await?;
    Ok(rows.into_iter().map(OutboxRow::from_row).collect())
}

/// The effects have happened. Ids that are gone already are passed over.
pub async fn done(db: &Db, ids: &[OutboxId]) -> Result<(), Error> {
    for chunk in ids.chunks(ROWS_PER_STATEMENT) {
        let delete = Entity::delete_many()
            .filter(Column::Id.is_in(chunk.iter().map(|id| id.get())))
            .exec(db.writer());
        db.run("clear outbox", delete).await?;
    }
    Ok(())
}

/// The effect did not happen: the row stays, and comes again at `not_before`.
pub async fn failed(
    db: &Db,
    id: OutboxId,
    not_before: Timestamp,
    error: &str,
) -> Result<(), Error> {
    let error: String = error.chars().take(LAST_ERROR_MAX_CHARS).collect();
    let update = Entity::update_many()
        .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1))
        .col_expr(Column::NotBefore, Expr::value(time::to_sql(not_before)))
        .col_expr(Column::LastError, Expr::value(error))
        .filter(Column::Id.eq(id.get()))
        .exec(db.writer());
    db.run("put off outbox row", update).await?;
    Ok(())
}

pub async fn backlog(db: &Db, now: Timestamp) -> Result<Backlog, Error> {
    let sql = "SELECT COUNT(*) AS waiting, COUNT(CASE WHEN attempts > 0 THEN 1 END) AS failing, \
        MIN(create_time) AS oldest FROM tb_outbox";
    let count = Counted::find_by_statement(db.statement(sql)).one(db.reader());
    let counted = db.run("count outbox", count).await?;
    Ok(counted.map_or_else(Backlog::default, |counted| counted.at(now)))
}

/// For functions that append in the transaction of the change itself, while they hold the lock on the row that `key`
/// names: only then do the ids of one key follow the order of the commits.
pub(crate) async fn append(
    transaction: &impl ConnectionTrait,
    kind: &str,
    key: &str,
    payload: &impl Serialize,
) -> Result<(), DbErr> {
    let row = new_row(kind, key, payload)?;
    row.insert(transaction).await?;
    Ok(())
}

/// As [`append`], for many effects of one kind, each with its key.
pub(crate) async fn append_all<P: Serialize>(
    transaction: &impl ConnectionTrait,
    kind: &str,
    effects: &[(String, P)],
) -> Result<(), DbErr> {
    let row = |(key, payload): &(String, P)| new_row(kind, key, payload);
    for chunk in effects.chunks(ROWS_PER_STATEMENT) {
        let rows = chunk.iter().map(row).collect::<Result<Vec<_>, DbErr>>()?;
        Entity::insert_many(rows)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

fn new_row(kind: &str, key: &str, payload: &impl Serialize) -> Result<ActiveModel, DbErr> {
    let payload = serde_json::to_string(payload).map_err(|error| DbErr::Json(error.to_string()))?;
    let now = time::now();
    Ok(ActiveModel {
        kind: Set(kind.to_owned()),
        key: Set(key.to_owned()),
        payload: Set(payload),
        attempts: Set(0),
        not_before: Set(now),
        create_time: Set(now),
        ..Default::default()
    })
}

#[derive(FromQueryResult)]
struct Counted {
    waiting: i64,
    failing: i64,
    oldest: Option<chrono::NaiveDateTime>,
}

impl Counted {
    fn at(&self, now: Timestamp) -> Backlog {
        let count = |counted: i64| u64::try_from(counted).unwrap_or(0);
        // A row of another machine's clock may seem to come from the future: it has no age yet.
        let age = |oldest| Duration::try_from(now.duration_since(time::from_sql(oldest))).ok();
        Backlog {
            count: count(self.waiting),
            failing: count(self.failing),
            oldest_age: self.oldest.and_then(age).unwrap_or_default(),
        }
    }
}

impl OutboxRow {
    fn from_row(row: Model) -> Self {
        Self {
            id: OutboxId::new(row.id),
            kind: row.kind,
            key: row.key,
            payload: row.payload,
            attempts: u32::try_from(row.attempts).unwrap_or(0),
            created_at: time::from_sql(row.create_time),
        }
    }
}
