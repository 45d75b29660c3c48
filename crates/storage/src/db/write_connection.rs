//! One connection that writes, taken from its pool for one statement or one transaction.
//!
//! The invariant: a connection goes back to its pool only if it was proven to be outside of a transaction, by the reply to
//! its last statement. One on which anything failed, or on which a statement was given up half-way (a time limit drops the
//! future), is closed instead, and the database undoes what it left. A transaction that is dropped while all is well is
//! rolled back first.
//!
//! Nothing less will do. SQLite ends a transaction by itself when the disk is full, and MySQL does on a deadlock: what
//! follows on the same connection would commit statement by statement, or never. A driver that counts transactions on its
//! own, as `sqlx` does, is wrong from then on and turns every later transaction into a savepoint of one that never ends.
//! And a reply that nobody read is taken for the reply to the next statement.
//!
//! A row that the database rejects (a key that is taken) is no failure of the connection: both databases undo that
//! statement alone.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::mysql::MySqlPool;
use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::sqlite::SqlitePool;
use sea_orm::sqlx::{self, AssertSqlSafe, Executor, MySql, Sqlite};
use sea_orm::{ConnAcquireErr, DbErr, ExecResult, QueryResult, RuntimeErr, Statement};
use sea_query_sqlx::SqlxValues;
use tokio::runtime::Handle;

use super::faults::{Fault, Faults};
use super::write_health::WriteHealth;
use crate::error::{Class, class_of};

/// A server that takes longer to end a transaction is not there.
const ROLLBACK_LIMIT: Duration = Duration::from_secs(2);

/// Connections that may write.
#[derive(Clone)]
pub(super) enum WritePool {
    Sqlite(SqlitePool),
    MySql(MySqlPool),
}

/// What the connections of a pool report to, and what makes them fail in tests.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) faults: Faults,
    pub(super) health: WriteHealth,
}

pub(super) struct WriteConnection {
    /// Taken when this is dropped.
    connection: Option<Connection>,
    standing: Standing,
    watch: Arc<Watch>,
}

enum Connection {
    Sqlite(PoolConnection<Sqlite>),
    MySql(PoolConnection<MySql>),
}

/// What is known of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Outside of a transaction: it may go back to the pool.
    Clean,
    InTransaction,
    /// A statement failed, or its reply was not waited for.
    Unknown,
}

impl WritePool {
    async fn acquire(&self) -> Result<Connection, DbErr> {
        let acquired = match self {
            Self::Sqlite(pool) => pool.acquire().await.map(Connection::Sqlite),
            Self::MySql(pool) => pool.acquire().await.map(Connection::MySql),
        };
        acquired.map_err(|error| match error {
            sqlx::Error::PoolTimedOut => DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
            sqlx::Error::PoolClosed => DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed),
            error => DbErr::Conn(RuntimeErr::SqlxError(error.into())),
        })
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::MySql(pool) => pool.close().await,
        }
    }
}

impl WriteConnection {
    pub(super) async fn acquire(pool: &WritePool, watch: &Arc<Watch>) -> Result<Self, DbErr> {
        let acquired = pool.acquire().await;
        Ok(Self {
            connection: Some(acquired.inspect_err(|error| watch.health.failed(error))?),
            standing: Standing::Clean,
            watch: Arc::clone(watch),
        })
    }

    pub(super) async fn begin(&mut self) -> Result<(), DbErr> {
        // SQLite takes the write lock at once: a transaction that began by reading could not get it later if another
        // process wrote in between.
        let begin = async |connection: &mut Connection| {
            let sql = match connection {
                Connection::Sqlite(_) => "BEGIN IMMEDIATE",
                Connection::MySql(_) => "BEGIN",
            };
            connection.execute_text(sql).await
        };
        if self.standing != Standing::Clean {
            return Err(broken());
        }
        self.attempt(begin).await?;
        self.standing = Standing::InTransaction;
        Ok(())
    }

    /// What was done is kept once this returned well.
    pub(super) async fn commit(&mut self) -> Result<(), DbErr> {
        self.end("COMMIT").await
    }

    pub(super) async fn rollback(&mut self) -> Result<(), DbErr> {
        self.end("ROLLBACK").await
    }

    async fn end(&mut self, sql: &'static str) -> Result<(), DbErr> {
        if self.standing != Standing::InTransaction {
            return Err(broken());
        }
        let ended = self
            .attempt(async |connection| connection.execute_text(sql).await)
            .await;
        // A commit that was rejected leaves the transaction open; closing the connection ends it.
        self.standing = match ended {
            Ok(_) => Standing::Clean,
            Err(_) => Standing::Unknown,
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

    /// Runs one statement. Its standing is unknown until the reply is here, also if nobody waits for that.
    async fn attempt<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, DbErr>,
    ) -> Result<T, DbErr> {
        let before = std::mem::replace(&mut self.standing, Standing::Unknown);
        if before == Standing::Unknown {
            return Err(broken());
        }
        let connection = self.connection.as_mut().ok_or_else(broken)?;
        let attempted = match self.watch.faults.next() {
            None => work(connection).await,
            Some(fault) => connection.suffer(fault, work).await,
        };
        let is_known = attempted
            .as_ref()
            .map_or_else(|error| class_of(error) == Class::Rejected, |_reply| true);
        if is_known {
            self.standing = before;
        }
        attempted.inspect_err(|error| self.watch.health.failed(error))
    }
}

impl Drop for WriteConnection {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        match (self.standing, Handle::try_current()) {
            (Standing::Clean, _) => {}
            (Standing::InTransaction, Ok(runtime)) => {
                runtime.spawn(connection.roll_back());
            }
            (Standing::InTransaction | Standing::Unknown, _) => connection.close(),
        }
    }
}

impl Connection {
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

    /// Ends a transaction that was dropped, and with it the use of this connection.
    async fn roll_back(mut self) {
        let rollback = self.execute_text("ROLLBACK");
        match tokio::time::timeout(ROLLBACK_LIMIT, rollback).await {
            Ok(Ok(_)) => {}
            Ok(Err(_)) | Err(_) => self.close(),
        }
    }

    /// Its pool opens another when it needs one.
    fn close(mut self) {
        match &mut self {
            Self::Sqlite(connection) => connection.close_on_drop(),
            Self::MySql(connection) => connection.close_on_drop(),
        }
    }

    /// Does to this connection what the fault does, with the database's own means where it has them.
    async fn suffer<T>(
        &mut self,
        fault: Fault,
        work: impl AsyncFnOnce(&mut Connection) -> Result<T, DbErr>,
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

fn query_failed(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}

/// Somebody went on after an error that had ended the transaction. It is an outage to them: nothing of it is kept.
fn broken() -> DbErr {
    let reason = "the transaction failed before and is not continued";
    DbErr::Conn(RuntimeErr::Internal(reason.to_owned()))
}
