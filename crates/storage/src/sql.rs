//! Helpers for hand-written statements in the connection's dialect, and for ending a transaction.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, SqlErr, Statement, Value};

use crate::db::DatabaseTransaction;

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

/// Whether a statement violated a unique key.
pub(crate) fn is_unique_violation(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

/// `?, ?, ?` for `count` values.
pub(crate) fn placeholders(count: usize) -> String {
    vec!["?"; count].join(", ")
}

/// The head of an insert that skips rows with existing keys and counts the others.
pub(crate) fn insert_ignore(connection: &impl ConnectionTrait) -> &'static str {
    match connection.get_database_backend() {
        DbBackend::MySql => "INSERT IGNORE INTO",
        _ => "INSERT OR IGNORE INTO",
    }
}

/// For statements that lock rows by id and also filter on an indexed column: through that index the lock order would
/// differ from everyone else's and deadlock.
pub(crate) fn force_primary_key(connection: &impl ConnectionTrait) -> &'static str {
    match connection.get_database_backend() {
        DbBackend::MySql => "FORCE INDEX (PRIMARY)",
        _ => "",
    }
}

/// For statements that must use one index whatever the statistics say.
pub(crate) fn force_index(connection: &impl ConnectionTrait, name: &str) -> String {
    match connection.get_database_backend() {
        DbBackend::MySql => format!("FORCE INDEX ({name})"),
        _ => format!("INDEXED BY {name}"),
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
