//! The database behind the caches, with a count of its queries.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use sqlx::MySqlPool;
use sqlx::mysql::MySqlPoolOptions;

const CONNECTIONS: u32 = 8;

#[derive(Debug)]
pub(super) struct ShopTable {
    pool: MySqlPool,
    loads: AtomicUsize,
}

impl ShopTable {
    /// A table with this many rows, with ids from 1.
    pub(super) async fn open(url: &str, count: i64) -> Result<Self> {
        let pool = MySqlPoolOptions::new().max_connections(CONNECTIONS);
        let pool = pool.connect(url).await?;
        let table = "CREATE TABLE shop (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL)";
        sqlx::query(table).execute(&pool).await?;
        let loads = AtomicUsize::new(0);
        let rows = Self { pool, loads };
        for id in 1..=count {
            rows.add(id).await?;
        }
        Ok(rows)
    }

    pub(super) async fn add(&self, id: i64) -> Result<()> {
        let insert = sqlx::query("INSERT INTO shop VALUES (?, ?)").bind(id);
        let insert = insert.bind(format!("shop {id}"));
        insert.execute(&self.pool).await?;
        Ok(())
    }

    pub(super) async fn load(&self, id: i64) -> Result<Option<String>, sqlx::Error> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        let query = sqlx::query_scalar("SELECT name FROM shop WHERE id = ?");
        query.bind(id).fetch_optional(&self.pool).await
    }

    pub(super) fn count(&self) -> usize {
        self.loads.load(Ordering::SeqCst)
    }

    pub(super) fn forget_count(&self) {
        self.loads.store(0, Ordering::SeqCst);
    }
}
