//! A flash sale on SQLite: 1,000 people claim 100 units at once. Run it with
//! `cargo run -p redis-flash-sale --features sql-ledger --example flash_sale_sqlite`.
//!
//! Redis decides; SQLite is the ledger, the store of record. The engine brings tables and statements; here is how one is sent. The
//! crowd, and what must be true after it, are in `support/sell_out.rs`.

#![expect(clippy::print_stdout, reason = "an example shows what it did")]

#[path = "support/private_redis.rs"]
mod private_redis;
#[path = "support/sell_out.rs"]
mod sell_out;

use std::{error::Error, time::Duration};

use redis_flash_sale::{
    BuyerId, Flash, FlashOptions, Link, LinkOptions, Locks, SqlDatabase, SqlError, SqlLedger,
    SqlRow, SqlValue, Target, Terms,
};
use sell_out::{SALE, UNITS, sell_out};
use sqlx::sqlite::{SqlitePool, SqlitePoolOptions, SqliteRow};
use sqlx::{Row as _, Sqlite, Transaction, query};

#[derive(Clone, Debug)]
pub(crate) struct Database(SqlitePool);

impl Database {
    pub(crate) async fn open() -> Result<Self, sqlx::Error> {
        // SQLite has one writer at a time, and a database in memory ends with its connection: so one, which never ends.
        let pool = SqlitePoolOptions::new().max_connections(1);
        let pool = pool.idle_timeout(None).max_lifetime(None);
        Ok(Self(pool.connect("sqlite::memory:").await?))
    }
}

impl SqlDatabase for Database {
    type Transaction = Transaction<'static, Sqlite>;

    async fn begin(&self) -> Result<Self::Transaction, SqlError> {
        Ok(self.0.begin().await?)
    }

    async fn run(
        transaction: &mut Self::Transaction,
        sql: &'static str,
        values: &[SqlValue<'_>],
    ) -> Result<Vec<SqlRow>, SqlError> {
        let mut statement = query(sql);
        for value in values {
            statement = match value {
                SqlValue::Number(number) => statement.bind(*number),
                SqlValue::Text(text) => statement.bind((*text).to_owned()),
            };
        }
        let rows = statement.fetch_all(&mut **transaction).await?;
        let columns = |row: &SqliteRow| (0..row.len()).map(|at| row.try_get(at)).collect();
        Ok(rows
            .iter()
            .map(columns)
            .collect::<Result<_, sqlx::Error>>()?)
    }

    async fn commit(transaction: Self::Transaction) -> Result<(), SqlError> {
        Ok(transaction.commit().await?)
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let ledger = SqlLedger::new(Database::open().await?);
    ledger.create_tables().await?;
    let terms = Terms::open_now(UNITS, Duration::from_secs(600));
    ledger.publish(SALE, terms).await?;

    let redis = private_redis::redis().await;
    let link = Link::connect(&Target::parse(&redis.url)?, LinkOptions::default()).await?;
    let options = FlashOptions {
        prefix: format!("flash-sale-sqlite-{}:", std::process::id()),
        ..FlashOptions::default()
    };
    let flash = Flash::new(link.clone(), Locks::new(link), ledger.clone(), options);
    let buyers: Vec<BuyerId> = (1..=1_000).map(BuyerId).collect();
    let cancel = async |order| ledger.return_unit(order).await.map(drop);
    sell_out(&flash, &buyers, BuyerId(1_001), cancel).await
}
