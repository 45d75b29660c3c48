//! `INSERT` of many rows that skips those whose key exists.
//!
//! MySQL's `IGNORE` reports the right count but also truncates a text that is too long; SQLite's `ON CONFLICT DO
//! NOTHING` skips existing keys only. MySQL's upsert is not an option: it counts existing rows as inserted.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, DbErr, EntityTrait as _, Value};

use crate::db::DatabaseTransaction;
use crate::entity::shop_type;
use crate::search::{self, IndexedText};
use crate::shops::add_grams;
use crate::sql::{execute, insert_missing, placeholders};
use crate::{Backend, Db, Error, topics};

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

    /// Whether [`BulkRow::indexed`] needs the names of the kinds of shops.
    const IS_OF_A_KIND: bool = false;

    /// What the search finds the row by, if it does.
    fn indexed(&self, _kinds: &HashMap<i64, String>) -> Option<IndexedText> {
        None
    }

    /// The note's id and content if the row is a note, for its topics.
    fn content(&self) -> Option<(i64, &str)> {
        None
    }

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
    let inserted = insert_into(&transaction, rows).await?;
    let names: Vec<_> = rows.iter().filter_map(BulkRow::shop_name).collect();
    add_grams(&transaction, &names).await?;
    let kinds = match R::IS_OF_A_KIND {
        true => kind_names(&transaction).await?,
        false => HashMap::new(),
    };
    let indexed: Vec<IndexedText> = rows.iter().filter_map(|row| row.indexed(&kinds)).collect();
    search::write(&transaction, &indexed).await?;
    for (note, content) in rows.iter().filter_map(BulkRow::content) {
        topics::write_new(&transaction, note, content).await?;
    }
    transaction.commit().await?;
    Ok(inserted)
}

/// The rows alone, within a transaction of the caller's, and how many are new.
pub(super) async fn insert_into<R: BulkRow>(
    transaction: &DatabaseTransaction,
    rows: &[R],
) -> Result<u64, DbErr> {
    let mut inserted = 0;
    for chunk in rows.chunks(VALUES_PER_STATEMENT / R::COLUMNS.len()) {
        let sql = insert_sql::<R>(Backend::of(transaction), chunk.len());
        let values = chunk.iter().flat_map(BulkRow::values);
        inserted += execute(transaction, sql, values).await?;
    }
    Ok(inserted)
}

async fn kind_names(transaction: &impl ConnectionTrait) -> Result<HashMap<i64, String>, DbErr> {
    let kinds = shop_type::Entity::find().all(transaction).await?;
    Ok(kinds.into_iter().map(|kind| (kind.id, kind.name)).collect())
}

fn insert_sql<R: BulkRow>(backend: Backend, rows: usize) -> String {
    let (verb, tail) = insert_missing(backend);
    let columns = R::COLUMNS.join(", ");
    let row = format!("({})", placeholders(R::COLUMNS.len()));
    let values = vec![row.as_str(); rows].join(", ");
    format!("{verb} {} ({columns}) VALUES {values}{tail}", R::TABLE)
}
