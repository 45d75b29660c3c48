//! The row in SQL that is cached, and the outbox beside it: [`ShopRow`].

use anyhow::Result;
use sqlx::MySqlPool;
use sqlx::mysql::MySqlPoolOptions;

const CONNECTIONS: u32 = 4;

const TABLES: [&str; 2] = [
    "CREATE TABLE shop (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL)",
    "CREATE TABLE outbox (id BIGINT AUTO_INCREMENT PRIMARY KEY, shop BIGINT NOT NULL)",
];

/// The id of the one row.
pub(super) const ID: i64 = 1;

#[derive(Debug)]
pub(super) struct ShopRow {
    pool: MySqlPool,
}

impl ShopRow {
    pub(super) async fn open(url: &str) -> Result<Self> {
        let pool = MySqlPoolOptions::new().max_connections(CONNECTIONS);
        let pool = pool.connect(url).await?;
        for table in TABLES {
            sqlx::query(table).execute(&pool).await?;
        }
        Ok(Self { pool })
    }

    /// The row as it was before a trial, and an empty outbox.
    pub(super) async fn reset(&self, name: &str) -> Result<()> {
        let row = sqlx::query("REPLACE INTO shop VALUES (?, ?)").bind(ID);
        row.bind(name).execute(&self.pool).await?;
        sqlx::query("DELETE FROM outbox")
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    pub(super) async fn name(&self) -> Result<String, sqlx::Error> {
        let query = sqlx::query_scalar("SELECT name FROM shop WHERE id = ?");
        query.bind(ID).fetch_one(&self.pool).await
    }

    pub(super) async fn rename(&self, name: &str) -> Result<()> {
        let update = sqlx::query("UPDATE shop SET name = ? WHERE id = ?");
        update.bind(name).bind(ID).execute(&self.pool).await?;
        Ok(())
    }

    /// Changes the row and records in the same transaction that its cache entry is to be invalidated.
    pub(super) async fn rename_with_outbox(&self, name: &str) -> Result<()> {
        let mut transaction = self.pool.begin().await?;
        let update = sqlx::query("UPDATE shop SET name = ? WHERE id = ?");
        update
            .bind(name)
            .bind(ID)
            .execute(&mut *transaction)
            .await?;
        let insert = sqlx::query("INSERT INTO outbox (shop) VALUES (?)");
        insert.bind(ID).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Shops whose invalidation is not confirmed, with the ids of their records.
    pub(super) async fn outbox(&self) -> Result<Vec<(i64, i64)>> {
        let query = sqlx::query_as("SELECT id, shop FROM outbox ORDER BY id");
        Ok(query.fetch_all(&self.pool).await?)
    }

    pub(super) async fn confirm(&self, record: i64) -> Result<()> {
        let delete = sqlx::query("DELETE FROM outbox WHERE id = ?").bind(record);
        delete.execute(&self.pool).await?;
        Ok(())
    }
}
