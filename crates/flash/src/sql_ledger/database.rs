//! What the ledger needs of a client library: transactions, and statements with values in them.

use std::error::Error;
use std::future::Future;

use crate::LedgerError;

/// What a client library says is wrong. Every such error is worth a retry.
pub type SqlError = Box<dyn Error + Send + Sync>;

/// A row of a result: all columns that the ledger reads are integers of 64 bits, or null.
pub type SqlRow = Vec<Option<i64>>;

/// A value in the place of `$1`, `$2`, … of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqlValue<'a> {
    /// An integer of 64 bits, or null.
    Number(Option<i64>),
    /// A text.
    Text(&'a str),
}

/// A database, usually a pool of connections.
pub trait SqlDatabase: Send + Sync + 'static {
    /// A transaction on a connection of its own; one that is dropped is rolled back.
    type Transaction: Send;

    /// Begins a transaction, which sees everything that was committed before each of its statements. `READ COMMITTED` is enough.
    fn begin(&self) -> impl Future<Output = Result<Self::Transaction, SqlError>> + Send;

    /// Runs a statement and returns its rows; none if it returns none.
    fn run(
        transaction: &mut Self::Transaction,
        sql: &'static str,
        values: &[SqlValue<'_>],
    ) -> impl Future<Output = Result<Vec<SqlRow>, SqlError>> + Send;

    /// Commits.
    fn commit(transaction: Self::Transaction) -> impl Future<Output = Result<(), SqlError>> + Send;
}

/// An open transaction of the ledger.
pub(super) struct Open<D: SqlDatabase>(D::Transaction);

impl<D: SqlDatabase> Open<D> {
    pub(super) async fn begin(database: &D) -> Result<Self, LedgerError> {
        let transaction = database.begin().await;
        transaction.map(Self).map_err(LedgerError::unavailable)
    }

    pub(super) async fn run(
        &mut self,
        sql: &'static str,
        values: &[SqlValue<'_>],
    ) -> Result<Vec<SqlRow>, LedgerError> {
        let rows = D::run(&mut self.0, sql, values).await;
        rows.map_err(LedgerError::unavailable)
    }

    pub(super) async fn commit(self) -> Result<(), LedgerError> {
        let committed = D::commit(self.0).await;
        committed.map_err(LedgerError::unavailable)
    }
}

pub(super) fn numbers<const N: usize>(values: [i64; N]) -> [SqlValue<'static>; N] {
    values.map(|value| SqlValue::Number(Some(value)))
}

pub(super) fn optional(row: &SqlRow, at: usize) -> Option<i64> {
    row.get(at).copied().flatten()
}

/// A number that the column cannot hold is a fault of the database, not of an order.
pub(super) fn number<T: TryFrom<i64>>(row: &SqlRow, at: usize) -> Result<T, LedgerError> {
    let value = optional(row, at);
    let number = value.and_then(|value| T::try_from(value).ok());
    number.ok_or_else(|| LedgerError::unavailable(format!("column {at} of a row is {value:?}")))
}
