//! Statements written by hand, in the dialect of the connection that they are for, and the end of a transaction.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, SqlErr, Statement, Value};

use crate::db::DatabaseTransaction;

pub(crate) fn statement(
    connection: &impl ConnectionTrait,
    sql: impl Into<String>,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    Statement::from_sql_and_values(connection.get_database_backend(), sql, values)
}

/// Runs a statement that changes something and tells how many rows its condition matched, changed or not: both drivers
/// count alike.
pub(crate) async fn execute(
    connection: &impl ConnectionTrait,
    sql: impl Into<String>,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64, DbErr> {
    let statement = statement(connection, sql, values);
    Ok(connection.execute_raw(statement).await?.rows_affected())
}

/// Whether a statement failed because its key belongs to another row.
pub(crate) fn is_taken(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

/// `?, ?, ?` for so many values.
pub(crate) fn marks(count: usize) -> String {
    vec!["?"; count].join(", ")
}

/// The head of an insert that passes over rows whose key is taken, and counts the others.
pub(crate) fn insert_ignore(connection: &impl ConnectionTrait) -> &'static str {
    match connection.get_database_backend() {
        DbBackend::MySql => "INSERT IGNORE INTO",
        _ => "INSERT OR IGNORE INTO",
    }
}

/// For statements that lock rows by id and also name an indexed column: found through that index, the same rows would
/// be locked in another order than by everybody else, and end in a deadlock.
pub(crate) fn by_primary_key(connection: &impl ConnectionTrait) -> &'static str {
    match connection.get_database_backend() {
        DbBackend::MySql => "FORCE INDEX (PRIMARY)",
        _ => "",
    }
}

/// For statements whose index must not be chosen by what the statistics say at the moment.
pub(crate) fn by_index(connection: &impl ConnectionTrait, name: &str) -> String {
    match connection.get_database_backend() {
        DbBackend::MySql => format!("FORCE INDEX ({name})"),
        _ => format!("INDEXED BY {name}"),
    }
}

/// Commits what was done, or undoes it all if it was refused.
pub(crate) async fn settle<T, R>(
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
