//! The source of truth in SQL: the stock that is left, and the orders.
//!
//! The tables are those of the original, without the columns that no version reads. As there, only the id of an order is
//! unique, unless a version fills in the slot.

use anyhow::Result;
use sqlx::mysql::MySqlPoolOptions;
use sqlx::{MySqlConnection, MySqlPool};

use crate::step_control;
use crate::version::{Order, PurchaseRequest};

const TABLES: [&str; 2] = [
    "CREATE TABLE sale (id BIGINT PRIMARY KEY, initial BIGINT NOT NULL, stock BIGINT NOT NULL, \
     version BIGINT NOT NULL DEFAULT 0, fence BIGINT NOT NULL DEFAULT 0, epoch BIGINT NOT NULL DEFAULT 1)",
    "CREATE TABLE orders (id BIGINT PRIMARY KEY, sale BIGINT NOT NULL, buyer BIGINT NOT NULL, slot TINYINT, \
     KEY (sale, buyer), UNIQUE (sale, buyer, slot))",
];

/// Connections of one process; more than a crowd of this size could use on a small machine.
const CONNECTIONS: u32 = 16;

#[derive(Clone, Debug)]
pub(crate) struct SaleTables {
    pub(crate) pool: MySqlPool,
}

impl SaleTables {
    pub(crate) async fn open(url: &str) -> Result<Self> {
        let pool = MySqlPoolOptions::new().max_connections(CONNECTIONS);
        Ok(Self {
            pool: pool.connect(url).await?,
        })
    }

    pub(crate) async fn create_tables(&self) -> Result<()> {
        for table in TABLES {
            sqlx::query(table).execute(&self.pool).await?;
        }
        Ok(())
    }

    pub(crate) async fn put_up(&self, sale: i64, stock: i64) -> Result<()> {
        let insert = sqlx::query("INSERT INTO sale (id, initial, stock) VALUES (?, ?, ?)");
        let insert = insert.bind(sale).bind(stock).bind(stock);
        insert.execute(&self.pool).await?;
        Ok(())
    }

    pub(crate) async fn stock(&self, sale: i64) -> Result<i64> {
        let query = sqlx::query_scalar("SELECT stock FROM sale WHERE id = ?");
        let stock: i64 = query.bind(sale).fetch_one(&self.pool).await?;
        step_control::saw("SELECT stock", stock);
        Ok(stock)
    }

    pub(crate) async fn has_order(&self, request: PurchaseRequest) -> Result<bool> {
        let query = "SELECT COUNT(*) FROM orders WHERE sale = ? AND buyer = ?";
        let query = sqlx::query_scalar(query)
            .bind(request.sale)
            .bind(request.buyer);
        let orders: i64 = query.fetch_one(&self.pool).await?;
        step_control::saw("SELECT COUNT(*) FROM orders", orders);
        Ok(orders > 0)
    }

    /// All orders of a sale: ids and buyers.
    pub(crate) async fn orders(&self, sale: i64) -> Result<Vec<(i64, i64)>> {
        let query = sqlx::query_as("SELECT id, buyer FROM orders WHERE sale = ?");
        Ok(query.bind(sale).fetch_all(&self.pool).await?)
    }

    /// Records an order that a gate granted and takes its unit from the stock. Idempotent.
    pub(crate) async fn record(&self, order: Order) -> Result<()> {
        loop {
            match self.try_record(order).await {
                Err(error) if is_deadlock(&error) => continue,
                outcome => return Ok(outcome?),
            }
        }
    }

    async fn try_record(&self, order: Order) -> Result<(), sqlx::Error> {
        let mut transaction = self.pool.begin().await?;
        let insert = sqlx::query("INSERT IGNORE INTO orders (id, sale, buyer) VALUES (?, ?, ?)");
        let insert = insert.bind(order.id).bind(order.sale).bind(order.buyer);
        let is_new = insert.execute(&mut *transaction).await?.rows_affected() > 0;
        if is_new {
            let update = sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ?");
            update.bind(order.sale).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

/// Two workers with the same orders may deadlock; SQL then rolls one of them back, which must be repeated.
fn is_deadlock(error: &sqlx::Error) -> bool {
    const SERIALIZATION_FAILURE: &str = "40001";
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| code == SERIALIZATION_FAILURE)
}

/// Inserts an order within a transaction.
pub(crate) async fn insert(connection: &mut MySqlConnection, order: Order) -> Result<()> {
    let insert = sqlx::query("INSERT INTO orders (id, sale, buyer) VALUES (?, ?, ?)");
    let insert = insert.bind(order.id).bind(order.sale).bind(order.buyer);
    insert.execute(connection).await?;
    Ok(())
}
