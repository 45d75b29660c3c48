//! One writing connection, acquired for one statement or one transaction.
//!
//! The invariant: a connection returns to its pool only if the reply to its last statement proves that it is outside
//! a transaction. A connection on which anything failed, or on which a statement was cancelled (a timeout drops the
//! future), is closed, and the database rolls back. A healthy transaction that is dropped is rolled back first.
//!
//! Anything less loses data. SQLite ends a transaction by itself when the disk is full, and MySQL on a deadlock:
//! later statements on the same connection would commit one by one, or never. A driver that counts transactions
//! itself, as `sqlx` does, is wrong from then on and turns every later transaction into a savepoint of one that never
//! ends. An unread reply would be taken for the reply to the next statement.
//!
//! A rejected row (a duplicate key) does not taint the connection: both databases undo that statement alone.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::mysql::MySqlPool;
use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::sqlite::{SqliteArguments, SqlitePool};
use sea_orm::sqlx::{self, AssertSqlSafe, Executor, MySql, Sqlite};
use sea_orm::{ConnAcquireErr, DbErr, ExecResult, QueryResult, RuntimeErr, Statement};
use sea_query_sqlx::SqlxValues;
use tokio::runtime::Handle;

use super::faults::{Fault, Faults};
use super::write_health::WriteHealth;
use crate::error::{Class, class_of};

/// A server that takes longer to roll back is treated as unreachable.
const ROLLBACK_LIMIT: Duration = Duration::from_secs(2);

/// Connections that may write.
#[derive(Clone)]
pub(super) enum WritePool {
    Sqlite(SqlitePool),
    MySql(MySqlPool),
}

/// Health reporting and fault injection for the connections of a pool.
#[derive(Default)]
pub(super) struct WriteMonitor {
    pub(super) faults: Faults,
    pub(super) health: WriteHealth,
}

pub(super) struct WriteConnection {
    /// Taken when this is dropped.
    connection: Option<PooledConnection>,
    state: ConnectionState,
    monitor: Arc<WriteMonitor>,
}

enum PooledConnection {
    Sqlite(PoolConnection<Sqlite>),
    MySql(PoolConnection<MySql>),
}

/// The transaction state, as far as the replies prove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionState {
    /// Outside a transaction: may return to the pool.
    Clean,
    InTransaction,
    /// A statement failed or was cancelled.
    Unknown,
}

impl WritePool {
    async fn acquire(&self) -> Result<PooledConnection, DbErr> {
        let acquired = match self {
            Self::Sqlite(pool) => pool.acquire().await.map(PooledConnection::Sqlite),
            Self::MySql(pool) => pool.acquire().await.map(PooledConnection::MySql),
        };
        acquired.map_err(acquire_failed)
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::MySql(pool) => pool.close().await,
        }
    }
}

impl WriteConnection {
    pub(super) async fn acquire(
        pool: &WritePool,
        monitor: &Arc<WriteMonitor>,
    ) -> Result<Self, DbErr> {
        let acquired = pool.acquire().await;
        Ok(Self {
            connection: Some(acquired.inspect_err(|error| monitor.health.failed(error))?),
            state: ConnectionState::Clean,
            monitor: Arc::clone(monitor),
        })
    }

    pub(super) async fn begin(&mut self) -> Result<(), DbErr> {
        if self.state != ConnectionState::Clean {
            return Err(broken());
        }
        let begin = async |connection: &mut PooledConnection| {
            let sql = connection.begin_sql();
            connection.execute_text(sql).await
        };
        self.attempt(begin).await?;
        self.state = ConnectionState::InTransaction;
        Ok(())
    }

    /// Begins and runs a query, in one round trip.
    pub(super) async fn begin_with(&mut self, sql: &str) -> Result<Vec<QueryResult>, DbErr> {
        if self.state != ConnectionState::Clean {
            return Err(broken());
        }
        let begin = async |connection: &mut PooledConnection| {
            let sql = format!("{}; {sql}", connection.begin_sql());
            connection.query_text(sql).await
        };
        let rows = self.attempt(begin).await;
        // A query that was rejected leaves the transaction open; closing the connection ends it.
        self.state = match rows {
            Ok(_) => ConnectionState::InTransaction,
            Err(_) => ConnectionState::Unknown,
        };
        rows
    }

    /// Success means that the transaction is durable.
    pub(super) async fn commit(&mut self) -> Result<(), DbErr> {
        self.end("COMMIT").await
    }

    /// Runs statements and commits, in one round trip. The first that fails ends it: nothing is stored then.
    pub(super) async fn commit_with(&mut self, sql: &str) -> Result<(), DbErr> {
        self.end(&format!("{sql}; COMMIT")).await
    }

    pub(super) async fn rollback(&mut self) -> Result<(), DbErr> {
        self.end("ROLLBACK").await
    }

    async fn end(&mut self, sql: &str) -> Result<(), DbErr> {
        if self.state != ConnectionState::InTransaction {
            return Err(broken());
        }
        let ended = self
            .attempt(async |connection| connection.execute_text(sql).await)
            .await;
        // A commit that was rejected leaves the transaction open; closing the connection ends it.
        self.state = match ended {
            Ok(_) => ConnectionState::Clean,
            Err(_) => ConnectionState::Unknown,
        };
        ended.map(drop)
    }

    pub(super) async fn execute(&mut self, statement: &Statement) -> Result<ExecResult, DbErr> {
        self.attempt(async |connection| connection.execute(statement).await)
            .await
    }

    pub(super) async fn execute_text(&mut self, sql: &str) -> Result<ExecResult, DbErr> {
        self.attempt(async |connection| connection.execute_text(sql).await)
            .await
    }

    pub(super) async fn execute_sqlite(
        &mut self,
        sql: &str,
        arguments: SqliteArguments,
    ) -> Result<ExecResult, DbErr> {
        self.attempt(async |connection| connection.execute_sqlite(sql, arguments).await)
            .await
    }

    pub(super) async fn query_one(
        &mut self,
        statement: &Statement,
    ) -> Result<Option<QueryResult>, DbErr> {
        self.attempt(async |connection| connection.query_one(statement).await)
            .await
    }

    pub(super) async fn query_all(
        &mut self,
        statement: &Statement,
    ) -> Result<Vec<QueryResult>, DbErr> {
        self.attempt(async |connection| connection.query_all(statement).await)
            .await
    }

    /// Runs one statement. The state is `Unknown` until the reply arrives, so a cancelled call leaves it `Unknown`.
    async fn attempt<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut PooledConnection) -> Result<T, DbErr>,
    ) -> Result<T, DbErr> {
        let before = std::mem::replace(&mut self.state, ConnectionState::Unknown);
        if before == ConnectionState::Unknown {
            return Err(broken());
        }
        let connection = self.connection.as_mut().ok_or_else(broken)?;
        let attempted = match self.monitor.faults.next() {
            None => work(connection).await,
            Some(fault) => connection.inject(fault, work).await,
        };
        let is_known = attempted
            .as_ref()
            .map_or_else(|error| class_of(error) == Class::Rejected, |_reply| true);
        if is_known {
            self.state = before;
        }
        attempted.inspect_err(|error| self.monitor.health.failed(error))
    }
}

impl Drop for WriteConnection {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        match (self.state, Handle::try_current()) {
            (ConnectionState::Clean, _) => {}
            (ConnectionState::InTransaction, Ok(runtime)) => {
                runtime.spawn(connection.roll_back());
            }
            (ConnectionState::InTransaction | ConnectionState::Unknown, _) => connection.close(),
        }
    }
}

impl PooledConnection {
    async fn execute(&mut self, statement: &Statement) -> Result<ExecResult, DbErr> {
        let sql = AssertSqlSafe(statement.sql.as_str());
        let done = match self {
            Self::Sqlite(connection) => sqlx::query_with(sql, values(statement))
                .execute(&mut **connection)
                .await
                .map(ExecResult::from),
            Self::MySql(connection) => sqlx::query_with(sql, values(statement))
                .execute(&mut **connection)
                .await
                .map(ExecResult::from),
        };
        done.map_err(exec_failed)
    }

    async fn execute_text(&mut self, sql: &str) -> Result<ExecResult, DbErr> {
        let sql = AssertSqlSafe(sql.to_owned());
        let done = match self {
            Self::Sqlite(connection) => connection.execute(sql).await.map(ExecResult::from),
            Self::MySql(connection) => connection.execute(sql).await.map(ExecResult::from),
        };
        done.map_err(exec_failed)
    }

    async fn execute_sqlite(
        &mut self,
        sql: &str,
        arguments: SqliteArguments,
    ) -> Result<ExecResult, DbErr> {
        let Self::Sqlite(connection) = self else {
            return Err(DbErr::Custom("not a connection to SQLite".to_owned()));
        };
        let done = sqlx::query_with(AssertSqlSafe(sql), arguments)
            .execute(&mut **connection)
            .await;
        done.map(ExecResult::from).map_err(exec_failed)
    }

    /// SQLite takes the write lock immediately: a transaction that starts with a read cannot get it later if another
    /// process wrote in between.
    fn begin_sql(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "BEGIN IMMEDIATE",
            Self::MySql(_) => "BEGIN",
        }
    }

    /// The rows of all statements in the text.
    async fn query_text(&mut self, sql: String) -> Result<Vec<QueryResult>, DbErr> {
        let sql = AssertSqlSafe(sql);
        let found = match self {
            Self::Sqlite(connection) => (connection.fetch_all(sql).await)
                .map(|rows| rows.into_iter().map(QueryResult::from).collect()),
            Self::MySql(connection) => (connection.fetch_all(sql).await)
                .map(|rows| rows.into_iter().map(QueryResult::from).collect()),
        };
        found.map_err(query_failed)
    }

    async fn query_one(&mut self, statement: &Statement) -> Result<Option<QueryResult>, DbErr> {
        let sql = AssertSqlSafe(statement.sql.as_str());
        let found = match self {
            Self::Sqlite(connection) => sqlx::query_with(sql, values(statement))
                .fetch_optional(&mut **connection)
                .await
                .map(|row| row.map(QueryResult::from)),
            Self::MySql(connection) => sqlx::query_with(sql, values(statement))
                .fetch_optional(&mut **connection)
                .await
                .map(|row| row.map(QueryResult::from)),
        };
        found.map_err(query_failed)
    }

    async fn query_all(&mut self, statement: &Statement) -> Result<Vec<QueryResult>, DbErr> {
        let sql = AssertSqlSafe(statement.sql.as_str());
        let found = match self {
            Self::Sqlite(connection) => sqlx::query_with(sql, values(statement))
                .fetch_all(&mut **connection)
                .await
                .map(|rows| rows.into_iter().map(QueryResult::from).collect()),
            Self::MySql(connection) => sqlx::query_with(sql, values(statement))
                .fetch_all(&mut **connection)
                .await
                .map(|rows| rows.into_iter().map(QueryResult::from).collect()),
        };
        found.map_err(query_failed)
    }

    /// Rolls back a dropped transaction, then releases the connection.
    async fn roll_back(mut self) {
        let rollback = self.execute_text("ROLLBACK");
        match tokio::time::timeout(ROLLBACK_LIMIT, rollback).await {
            Ok(Ok(_)) => {}
            Ok(Err(_)) | Err(_) => self.close(),
        }
    }

    /// The pool opens a new connection on demand.
    fn close(mut self) {
        match &mut self {
            Self::Sqlite(connection) => connection.close_on_drop(),
            Self::MySql(connection) => connection.close_on_drop(),
        }
    }

    /// Applies the fault, with the database's own means where possible.
    async fn inject<T>(
        &mut self,
        fault: Fault,
        work: impl AsyncFnOnce(&mut PooledConnection) -> Result<T, DbErr>,
    ) -> Result<T, DbErr> {
        if fault == Fault::Hang {
            std::future::pending::<()>().await;
        }
        if fault == Fault::NoGrowth {
            self.execute_text("PRAGMA max_page_count = 1").await?;
            return work(self).await;
        }
        if fault == Fault::ReplyLost {
            drop(work(self).await);
        }
        if fault.ends_transaction() {
            // Outside of one there is nothing to end.
            drop(self.execute_text("ROLLBACK").await);
        }
        match self {
            Self::Sqlite(_) => Err(fault.of_sqlite()),
            Self::MySql(_) => match self.execute_text(fault.of_mysql()).await {
                Ok(_) => Err(DbErr::Custom(format!("{fault:?} did not happen"))),
                Err(error) => Err(error),
            },
        }
    }
}

fn values(statement: &Statement) -> SqlxValues {
    let none = || sea_orm::sea_query::Values(Vec::new());
    SqlxValues(statement.values.clone().unwrap_or_else(none))
}

fn exec_failed(error: sqlx::Error) -> DbErr {
    DbErr::Exec(RuntimeErr::SqlxError(error.into()))
}

pub(super) fn acquire_failed(error: sqlx::Error) -> DbErr {
    match error {
        sqlx::Error::PoolTimedOut => DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
        sqlx::Error::PoolClosed => DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed),
        error => DbErr::Conn(RuntimeErr::SqlxError(error.into())),
    }
}

pub(super) fn query_failed(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}

/// A caller continued after an error that ended the transaction. It is classified as an outage: nothing was stored.
fn broken() -> DbErr {
    let reason = "the transaction failed before and is not continued";
    DbErr::Conn(RuntimeErr::Internal(reason.to_owned()))
}
