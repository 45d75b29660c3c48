//! The table of shops behind the caches, with a count of its queries: [`ShopTable`].

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use sqlx::MySqlPool;
use sqlx::mysql::MySqlPoolOptions;

const CONNECTIONS: u32 = 8;

#[derive(Debug)]
pub(crate) struct ShopTable {
    pool: MySqlPool,
    loads: AtomicUsize,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
}

impl ShopTable {
    /// A table with this many rows, with ids from 1.
    pub(crate) async fn open(url: &str, count: i64) -> Result<Self> {
        let pool = MySqlPoolOptions::new().max_connections(CONNECTIONS);
        let pool = pool.connect(url).await?;
        let table = "CREATE TABLE shop (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL)";
        sqlx::query(table).execute(&pool).await?;
        let rows = Self {
            pool,
            loads: AtomicUsize::new(0),
            in_flight: AtomicUsize::new(0),
            most_in_flight: AtomicUsize::new(0),
        };
        for id in 1..=count {
            rows.add(id).await?;
        }
        Ok(rows)
    }

    pub(crate) async fn add(&self, id: i64) -> Result<()> {
        let insert = sqlx::query("INSERT INTO shop VALUES (?, ?)").bind(id);
        let insert = insert.bind(format!("shop {id}"));
        insert.execute(&self.pool).await?;
        Ok(())
    }

    pub(crate) async fn load(&self, id: i64) -> Result<Option<String>, sqlx::Error> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        let in_flight = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(in_flight, Ordering::SeqCst);
        let query = sqlx::query_scalar("SELECT name FROM shop WHERE id = ?");
        let found = query.bind(id).fetch_optional(&self.pool).await;
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        found
    }

    pub(crate) fn count(&self) -> usize {
        self.loads.load(Ordering::SeqCst)
    }

    /// The most queries that were under way at the same time, those that waited for a connection included.
    pub(crate) fn most_in_flight(&self) -> usize {
        self.most_in_flight.load(Ordering::SeqCst)
    }

    pub(crate) fn forget_count(&self) {
        self.loads.store(0, Ordering::SeqCst);
        self.most_in_flight.store(0, Ordering::SeqCst);
    }
}
