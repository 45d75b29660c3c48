//! Writing: single statements and transactions.
//!
//! Both implement `ConnectionTrait`, so ORM functions accept them. The ORM's own pool and transaction serve reads and
//! migrations only: they return a connection to the pool without knowing its state.

use std::sync::Arc;

use sea_orm::entity::prelude::async_trait;
use sea_orm::sqlx::sqlite::SqliteArguments;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use tokio::sync::Mutex;

use super::faults::Faults;
use super::write_connection::{WriteConnection, WriteMonitor, WritePool};
use super::write_health::WriteHealth;

/// Runs each statement as its own transaction; [`DatabaseTransaction`] groups several.
#[derive(Clone)]
pub(crate) struct Writer {
    pool: WritePool,
    monitor: Arc<WriteMonitor>,
}

/// A writing transaction. Dropping it before [`DatabaseTransaction::commit`] succeeds rolls it back. After an error
/// other than a rejected row it accepts no statement and no commit: the database may have ended it already, and the
/// next statement would commit alone.
pub(crate) struct DatabaseTransaction {
    /// Serialises the statements of the transaction.
    connection: Mutex<WriteConnection>,
    backend: DbBackend,
}

impl Writer {
    pub(super) fn new(pool: WritePool) -> Self {
        Self {
            pool,
            monitor: Arc::default(),
        }
    }

    pub(super) fn faults(&self) -> &Faults {
        &self.monitor.faults
    }

    pub(super) fn health(&self) -> &WriteHealth {
        &self.monitor.health
    }

    pub(super) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let mut connection = self.acquire().await?;
        connection.begin().await?;
        Ok(DatabaseTransaction {
            connection: Mutex::new(connection),
            backend: self.get_database_backend(),
        })
    }

    /// As [`Writer::begin`], with a first query in the same round trip. `sql` holds its values as literals.
    pub(super) async fn begin_with(
        &self,
        sql: &str,
    ) -> Result<(DatabaseTransaction, Vec<QueryResult>), DbErr> {
        let mut connection = self.acquire().await?;
        let rows = connection.begin_with(sql).await?;
        let transaction = DatabaseTransaction {
            connection: Mutex::new(connection),
            backend: self.get_database_backend(),
        };
        Ok((transaction, rows))
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }

    async fn acquire(&self) -> Result<WriteConnection, DbErr> {
        WriteConnection::acquire(&self.pool, &self.monitor).await
    }
}

impl DatabaseTransaction {
    pub(crate) async fn commit(self) -> Result<(), DbErr> {
        self.connection.into_inner().commit().await
    }

    /// As [`DatabaseTransaction::commit`], with the last statements in the same round trip. They are separated by semicolons
    /// and hold their values as literals.
    pub(crate) async fn commit_with(self, sql: &str) -> Result<(), DbErr> {
        self.connection.into_inner().commit_with(sql).await
    }

    pub(crate) async fn rollback(self) -> Result<(), DbErr> {
        self.connection.into_inner().rollback().await
    }

    /// Executes a statement that SQLite compiles once per connection; an error on MySQL. The arguments are the driver's
    /// own: thousands of values of the ORM would be copied twice.
    pub(crate) async fn execute_sqlite(
        &self,
        sql: &str,
        arguments: SqliteArguments,
    ) -> Result<ExecResult, DbErr> {
        let mut connection = self.connection.lock().await;
        connection.execute_sqlite(sql, arguments).await
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for Writer {
    fn get_database_backend(&self) -> DbBackend {
        match self.pool {
            WritePool::Sqlite(_) => DbBackend::Sqlite,
            WritePool::MySql(_) => DbBackend::MySql,
        }
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.acquire().await?.execute(&statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.acquire().await?.execute_text(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.acquire().await?.query_one(&statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.acquire().await?.query_all(&statement).await
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for DatabaseTransaction {
    fn get_database_backend(&self) -> DbBackend {
        self.backend
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.connection.lock().await.execute(&statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.connection.lock().await.execute_text(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.connection.lock().await.query_one(&statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.connection.lock().await.query_all(&statement).await
    }
}
