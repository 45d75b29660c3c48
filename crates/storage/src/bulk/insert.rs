//! `INSERT` of many rows that skips those whose key exists.
//!
//! MySQL's `IGNORE` reports the right count but also truncates a text that is too long; SQLite's `ON CONFLICT DO
//! NOTHING` skips existing keys only. MySQL's upsert is not an option: it counts existing rows as inserted.

use sea_orm::{DbErr, Value};

use crate::shops::add_grams;
use crate::sql::{execute, insert_missing, placeholders};
use crate::{Backend, Db, Error};

/// Per statement: SQLite allows 32,766 parameters, MySQL 65,535; a statement of this size is also quick to parse.
const VALUES_PER_STATEMENT: usize = 8_000;

/// A row as the table wants it.
pub(super) trait BulkRow {
    /// For errors.
    const OPERATION: &'static str;
    const TABLE: &'static str;
    const COLUMNS: &'static [&'static str];
    /// One flush to the disk for many rows, yet the write lock is free again in a fraction of a second.
    const ROWS_PER_TRANSACTION: usize = 10_000;

    /// One value per column, in the same order.
    fn values(&self) -> Vec<Value>;

    /// The shop's id and name if the row is a shop, for the search index.
    fn shop_name(&self) -> Option<(i64, &str)> {
        None
    }
}

pub(super) async fn insert<R: BulkRow>(db: &Db, rows: &[R]) -> Result<u64, Error> {
    let mut inserted = 0;
    for batch in rows.chunks(R::ROWS_PER_TRANSACTION) {
        inserted += db.run(R::OPERATION, insert_batch(db, batch)).await?;
    }
    Ok(inserted)
}

async fn insert_batch<R: BulkRow>(db: &Db, rows: &[R]) -> Result<u64, DbErr> {
    let transaction = db.begin().await?;
    let mut inserted = 0;
    for chunk in rows.chunks(VALUES_PER_STATEMENT / R::COLUMNS.len()) {
        let sql = insert_sql::<R>(db.backend(), chunk.len());
        let values = chunk.iter().flat_map(BulkRow::values);
        inserted += execute(&transaction, sql, values).await?;
    }
    let names: Vec<_> = rows.iter().filter_map(BulkRow::shop_name).collect();
    add_grams(&transaction, &names).await?;
    transaction.commit().await?;
    Ok(inserted)
}

fn insert_sql<R: BulkRow>(backend: Backend, rows: usize) -> String {
    let (verb, tail) = insert_missing(backend);
    let columns = R::COLUMNS.join(", ");
    let row = format!("({})", placeholders(R::COLUMNS.len()));
    let values = vec![row.as_str(); rows].join(", ");
    format!("{verb} {} ({columns}) VALUES {values}{tail}", R::TABLE)
}
