//! Reads that go to the driver directly: on a hot path what the ORM adds to a statement costs as much as running it.

use sea_orm::sqlx::sqlite::SqliteArguments;
use sea_orm::sqlx::{self, AssertSqlSafe, Executor as _};
use sea_orm::{DbErr, QueryResult};

use super::Db;
use super::write_connection::{acquire_failed, query_failed};

impl Db {
    /// The one text that a statement selects, compiled once per connection. For SQLite.
    pub(crate) async fn read_sqlite_text(
        &self,
        sql: &'static str,
        arguments: SqliteArguments,
    ) -> Result<Option<String>, DbErr> {
        let pool = self.reader().get_sqlite_connection_pool();
        let mut connection = pool.acquire().await.map_err(acquire_failed)?;
        let found = sqlx::query_scalar_with(sql, arguments).fetch_one(&mut *connection);
        found.await.map_err(query_failed)
    }

    /// The rows of a query that holds its values as literals and is not prepared. For MySQL.
    pub(crate) async fn read_mysql_rows(&self, sql: String) -> Result<Vec<QueryResult>, DbErr> {
        let pool = self.reader().get_mysql_connection_pool();
        let mut connection = pool.acquire().await.map_err(acquire_failed)?;
        let rows = connection.fetch_all(AssertSqlSafe(sql)).await;
        let rows = rows.map_err(query_failed)?;
        Ok(rows.into_iter().map(QueryResult::from).collect())
    }
}
