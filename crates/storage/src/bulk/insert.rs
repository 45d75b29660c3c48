//! `INSERT` of many rows that passes over those whose key is taken.
//!
//! MySQL's `IGNORE` counts rightly but would also cut a text that is too long; SQLite's `ON CONFLICT DO NOTHING` passes
//! over taken keys alone. The usual upsert of MySQL is no choice: it reports rows that were there as inserted.

use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use crate::shops::add_grams;
use crate::{Backend, Db, Error};

/// Per statement: SQLite allows 32,766 parameters, MySQL 65,535; a statement of this size is also quick to parse.
const VALUES_PER_STATEMENT: usize = 8_000;

/// A row as the table wants it.
pub(super) trait Row {
    /// For errors.
    const OPERATION: &'static str;
    const TABLE: &'static str;
    const COLUMNS: &'static [&'static str];
    /// One flush to the disk for many rows, yet the write lock is free again in a fraction of a second.
    const ROWS_PER_TRANSACTION: usize = 10_000;

    /// One value per column, in the same order.
    fn values(&self) -> Vec<Value>;

    /// The shop's id and name, if it is a shop: people must find it.
    fn shop_name(&self) -> Option<(i64, &str)> {
        None
    }
}

pub(super) async fn insert<R: Row>(db: &Db, rows: &[R]) -> Result<u64, Error> {
    let mut inserted = 0;
    for batch in rows.chunks(R::ROWS_PER_TRANSACTION) {
        inserted += db.run(R::OPERATION, insert_batch(db, batch)).await?;
    }
    Ok(inserted)
}

async fn insert_batch<R: Row>(db: &Db, rows: &[R]) -> Result<u64, DbErr> {
    let transaction = db.begin().await?;
    let mut inserted = 0;
    for chunk in rows.chunks(VALUES_PER_STATEMENT / R::COLUMNS.len()) {
        let sql = insert_sql::<R>(db.backend(), chunk.len());
        let values = chunk.iter().flat_map(Row::values);
        let backend = transaction.get_database_backend();
        let statement = Statement::from_sql_and_values(backend, sql, values);
        inserted += transaction.execute_raw(statement).await?.rows_affected();
    }
    let names: Vec<_> = rows.iter().filter_map(Row::shop_name).collect();
    add_grams(&transaction, &names).await?;
    transaction.commit().await?;
    Ok(inserted)
}

fn insert_sql<R: Row>(backend: Backend, rows: usize) -> String {
    let (verb, tail) = match backend {
        Backend::MySql => ("INSERT IGNORE INTO", ""),
        Backend::Sqlite => ("INSERT INTO", " ON CONFLICT DO NOTHING"),
    };
    let columns = R::COLUMNS.join(", ");
    let row = format!("({})", vec!["?"; R::COLUMNS.len()].join(", "));
    let values = vec![row.as_str(); rows].join(", ");
    format!("{verb} {} ({columns}) VALUES {values}{tail}", R::TABLE)
}
