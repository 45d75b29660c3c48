//! Helpers for hand-written statements in the connection's dialect, and for ending a transaction.

use sea_orm::{ConnectionTrait, DbErr, SqlErr, Statement, Value};

use crate::Backend;
use crate::db::DatabaseTransaction;

/// Ids per query: below SQLite's 32,766 and MySQL's 65,535 parameters with room to spare.
pub(crate) const IDS_PER_QUERY: usize = 1_000;

/// How an upsert merges the new value of a column into an existing row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Merge {
    Add,
    /// The larger of the two.
    Max,
    Replace,
    /// The old value stays. MySQL still locks the row.
    Keep,
}

pub(crate) fn statement(
    connection: &impl ConnectionTrait,
    sql: impl Into<String>,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    Statement::from_sql_and_values(connection.get_database_backend(), sql, values)
}

/// Runs a writing statement and returns how many rows its condition matched, changed or not: both drivers count
/// alike.
pub(crate) async fn execute(
    connection: &impl ConnectionTrait,
    sql: impl Into<String>,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64, DbErr> {
    let statement = statement(connection, sql, values);
    Ok(connection.execute_raw(statement).await?.rows_affected())
}

/// The number that a statement without parameters selects in its first column.
pub(crate) async fn count(connection: &impl ConnectionTrait, sql: &str) -> Result<u64, DbErr> {
    let row = connection
        .query_one_raw(statement(connection, sql, []))
        .await?;
    let number: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
    Ok(u64::try_from(number).unwrap_or(0))
}

/// Whether a statement violated a unique key.
pub(crate) fn is_unique_violation(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

/// `?, ?, ?` for `count` values.
pub(crate) fn placeholders(count: usize) -> String {
    vec!["?"; count].join(", ")
}

/// A text as a literal. MySQL takes a backslash for an escape, SQLite for itself.
pub(crate) fn quoted(backend: Backend, text: &str) -> String {
    let doubled = text.replace('\'', "''");
    match backend {
        Backend::MySql => format!("'{}'", doubled.replace('\\', "\\\\")),
        Backend::Sqlite => format!("'{doubled}'"),
    }
}

/// `1, 2, 5`: state codes for an `IN (…)`, from the enums that define them.
pub(crate) fn codes(codes: impl IntoIterator<Item = i16>) -> String {
    let codes: Vec<String> = codes.into_iter().map(|code| code.to_string()).collect();
    codes.join(", ")
}

/// The tail of an insert that merges into the row that has the same `key`.
pub(crate) fn upsert(backend: Backend, key: &str, columns: &[(&str, Merge)]) -> String {
    let assign = |&(column, merge): &(&str, Merge)| {
        let new = match backend {
            Backend::Sqlite => format!("excluded.{column}"),
            Backend::MySql => format!("VALUES({column})"),
        };
        let merged = match (merge, backend) {
            (Merge::Add, _) => format!("{column} + {new}"),
            (Merge::Max, Backend::Sqlite) => format!("MAX({column}, {new})"),
            (Merge::Max, Backend::MySql) => format!("GREATEST({column}, {new})"),
            (Merge::Replace, _) => new,
            (Merge::Keep, _) => column.to_owned(),
        };
        format!("{column} = {merged}")
    };
    let is_written =
        |(_, merge): &&(&str, Merge)| backend == Backend::MySql || *merge != Merge::Keep;
    let assignments: Vec<String> = columns.iter().filter(is_written).map(assign).collect();
    let assignments = assignments.join(", ");
    match backend {
        Backend::MySql => format!("ON DUPLICATE KEY UPDATE {assignments}"),
        Backend::Sqlite if assignments.is_empty() => format!("ON CONFLICT ({key}) DO NOTHING"),
        Backend::Sqlite => format!("ON CONFLICT ({key}) DO UPDATE SET {assignments}"),
    }
}

/// Head and tail of an insert of many rows that skips existing keys. On SQLite it skips nothing else, as `OR IGNORE` would;
/// MySQL's `IGNORE` also shortens texts that are too long, so callers check lengths first.
pub(crate) fn insert_missing(backend: Backend) -> (&'static str, &'static str) {
    match backend {
        Backend::MySql => ("INSERT IGNORE INTO", ""),
        Backend::Sqlite => ("INSERT INTO", " ON CONFLICT DO NOTHING"),
    }
}

/// The head of an insert that skips rows with existing keys and counts the others.
pub(crate) fn insert_ignore(connection: &impl ConnectionTrait) -> &'static str {
    match Backend::of(connection) {
        Backend::MySql => "INSERT IGNORE INTO",
        Backend::Sqlite => "INSERT OR IGNORE INTO",
    }
}

/// For statements that lock rows by id and also filter on an indexed column: through that index the lock order would
/// differ from everyone else's and deadlock.
pub(crate) fn force_primary_key(connection: &impl ConnectionTrait) -> &'static str {
    match Backend::of(connection) {
        Backend::MySql => "FORCE INDEX (PRIMARY)",
        Backend::Sqlite => "",
    }
}

/// Locks the selected rows. SQLite has one writer and needs no row locks.
pub(crate) fn for_update(backend: Backend) -> &'static str {
    match backend {
        Backend::MySql => "FOR UPDATE",
        Backend::Sqlite => "",
    }
}

/// The rows before a numbered page; page 0 counts as page 1.
pub(crate) fn offset(page: u32, size: u32) -> u64 {
    u64::from(page.saturating_sub(1)) * u64::from(size)
}

/// Commits on `Ok`, rolls back on `Err`.
pub(crate) async fn commit_or_rollback<T, R>(
    transaction: DatabaseTransaction,
    outcome: Result<T, R>,
) -> Result<Result<T, R>, DbErr> {
    if outcome.is_ok() {
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upsert_merges_in_both_dialects() {
        let columns = [("a", Merge::Add), ("b", Merge::Max), ("c", Merge::Replace)];
        assert_eq!(
            upsert(Backend::Sqlite, "k", &columns),
            "ON CONFLICT (k) DO UPDATE SET a = a + excluded.a, b = MAX(b, excluded.b), \
             c = excluded.c"
        );
        assert_eq!(
            upsert(Backend::MySql, "k", &columns),
            "ON DUPLICATE KEY UPDATE a = a + VALUES(a), b = GREATEST(b, VALUES(b)), c = VALUES(c)"
        );
    }

    #[test]
    fn a_quoted_text_cannot_end_its_literal() {
        assert_eq!(quoted(Backend::Sqlite, r"a'\b"), r"'a''\b'");
        assert_eq!(quoted(Backend::MySql, r"a'\b"), r"'a''\\b'");
    }

    #[test]
    fn an_upsert_that_keeps_the_row_still_locks_it_on_mysql() {
        let columns = [("a", Merge::Keep)];
        let sqlite = upsert(Backend::Sqlite, "k", &columns);
        assert_eq!(sqlite, "ON CONFLICT (k) DO NOTHING");
        let mysql = upsert(Backend::MySql, "k", &columns);
        assert_eq!(mysql, "ON DUPLICATE KEY UPDATE a = a");
    }
}
