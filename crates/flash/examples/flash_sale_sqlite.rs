//! A flash sale on SQLite: 1,000 people claim 100 units at once. Run it with
//! `cargo run -p redis-flash-sale --example flash_sale_sqlite`.
//!
//! Redis decides; SQLite is the ledger, the store of record. Six tables and one function per transaction are all that the
//! engine needs of a database. What is done with it is in `support/sell_out.rs`.

#![expect(clippy::print_stdout, reason = "an example shows what it did")]

#[path = "support/private_redis.rs"]
mod private_redis;
#[path = "support/sell_out.rs"]
mod sell_out;

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use redis_flash_sale::{
    Audit, BuyerId, DrainLease, Ended, Flash, FlashOptions, Holding, KeyHash, Ledger, LedgerError,
    Link, LinkOptions, Locks, Order, OrderId, Refused, SaleId, StockUnit, Target, Terms,
    WriteOutcome,
};
pub(crate) use sell_out::Books;
use sell_out::{SALE, UNITS, sell_out};
use sqlx::sqlite::{SqliteConnection, SqlitePool, SqlitePoolOptions, SqliteRow};
use sqlx::{Row as _, query, query_as, query_scalar};

const TABLES: [&str; 6] = [
    "CREATE TABLE sale (id INTEGER PRIMARY KEY, initial INTEGER NOT NULL, stock INTEGER NOT NULL CHECK (stock >= 0),
        begin_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL, limit_per_buyer INTEGER NOT NULL, spread INTEGER NOT NULL,
        on_shelf INTEGER NOT NULL, epoch INTEGER NOT NULL)",
    // An order that ended has no slot, and rows without one are not compared by the unique key.
    "CREATE TABLE sale_order (id INTEGER PRIMARY KEY, sale INTEGER NOT NULL, buyer INTEGER NOT NULL, slot INTEGER,
        granted_at_ms INTEGER NOT NULL, request_key INTEGER, UNIQUE (sale, buyer, slot))",
    "CREATE TABLE dead_letter (id INTEGER PRIMARY KEY, sale INTEGER, buyer INTEGER, reason TEXT, holds_unit INTEGER)",
    "CREATE TABLE drain_lease (part INTEGER PRIMARY KEY, fence INTEGER NOT NULL)",
    "CREATE TABLE mark (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
    "CREATE TABLE repair (sale INTEGER NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL)",
];

/// SQLite has one writer at a time; one connection queues the transactions instead of having them fail.
#[derive(Clone, Debug)]
pub(crate) struct SqliteLedger {
    pool: SqlitePool,
}

impl SqliteLedger {
    pub(crate) async fn create() -> Result<Self, sqlx::Error> {
        let pool = SqlitePoolOptions::new().max_connections(1);
        // A file in earnest; a database in memory ends with its connection, which therefore never does.
        let pool = pool.idle_timeout(None).max_lifetime(None);
        let pool = pool.connect("sqlite::memory:").await?;
        for table in TABLES {
            query(table).execute(&pool).await?;
        }
        Ok(Self { pool })
    }

    pub(crate) async fn publish(&self, sale: SaleId, terms: Terms) -> Result<(), sqlx::Error> {
        let insert = query("INSERT INTO sale VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8)");
        let insert = insert.bind(sale.0).bind(terms.initial).bind(terms.begin_ms);
        let insert = insert.bind(terms.end_ms).bind(terms.limit_per_buyer);
        let insert = insert
            .bind(terms.spread)
            .bind(terms.on_shelf)
            .bind(terms.epoch);
        insert.execute(&self.pool).await.map(drop)
    }
}

impl Books for SqliteLedger {
    type Error = sqlx::Error;

    async fn live_orders(&self) -> Result<BTreeMap<OrderId, BuyerId>, sqlx::Error> {
        let rows = query_as("SELECT id, buyer FROM sale_order WHERE slot IS NOT NULL");
        let rows: Vec<(i64, i64)> = rows.fetch_all(&self.pool).await?;
        let rows = rows
            .into_iter()
            .map(|(id, buyer)| (OrderId(id), BuyerId(buyer)));
        Ok(rows.collect())
    }

    /// A cancellation: the order ends, its unit is in stock again. The gate is told by `Flash::return_unit`.
    async fn cancel(&self, order: OrderId) -> Result<(), sqlx::Error> {
        let mut transaction = self.pool.begin().await?;
        let end = query("UPDATE sale_order SET slot = NULL WHERE id = $1 AND slot IS NOT NULL");
        let ended = end.bind(order.0).execute(&mut *transaction).await?;
        if ended.rows_affected() == 1 {
            let restock = "UPDATE sale SET stock = stock + 1, epoch = epoch + 1
                WHERE id = (SELECT sale FROM sale_order WHERE id = $1)";
            query(restock)
                .bind(order.0)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await
    }
}

impl Ledger for SqliteLedger {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        let settle = "INSERT INTO mark VALUES ('partitions', $1) ON CONFLICT DO NOTHING";
        let settle = query(settle).bind(count).execute(&self.pool).await;
        settle.map_err(LedgerError::unavailable)?;
        let settled = self.mark("partitions").await?;
        Ok(settled
            .and_then(|it| u16::try_from(it).ok())
            .unwrap_or(count))
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let row = query("SELECT * FROM sale WHERE id = $1").bind(sale.0);
        let row = row.fetch_optional(&self.pool).await;
        Ok(row.map_err(LedgerError::unavailable)?.as_ref().map(terms))
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let raise = query("UPDATE sale SET epoch = epoch + 1 WHERE id = $1 RETURNING *");
        let row = raise.bind(sale.0).fetch_optional(&self.pool).await;
        Ok(row.map_err(LedgerError::unavailable)?.as_ref().map(terms))
    }

    async fn holdings(
        &self,
        sale: SaleId,
        after: OrderId,
        limit: u32,
    ) -> Result<Vec<Holding>, LedgerError> {
        let page = "SELECT * FROM sale_order WHERE sale = $1 AND id > $2
            AND (slot IS NOT NULL OR request_key IS NOT NULL) ORDER BY id LIMIT $3";
        let page = query(page).bind(sale.0).bind(after.0).bind(limit);
        let rows = page.fetch_all(&self.pool).await;
        Ok(rows
            .map_err(LedgerError::unavailable)?
            .iter()
            .map(holding)
            .collect())
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        let held = "SELECT * FROM sale_order WHERE sale = $1 AND buyer = $2
            AND (slot IS NOT NULL OR request_key IS NOT NULL) ORDER BY id";
        let rows = query(held)
            .bind(sale.0)
            .bind(buyer.0)
            .fetch_all(&self.pool)
            .await;
        Ok(rows
            .map_err(LedgerError::unavailable)?
            .iter()
            .map(holding)
            .collect())
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        let audit = "SELECT *, (SELECT COUNT(*) FROM sale_order WHERE sale = $1 AND slot IS NOT NULL) AS live
            FROM sale WHERE id = $1";
        let row = query(audit).bind(sale.0).fetch_optional(&self.pool).await;
        let audit = |row: SqliteRow| Audit {
            terms: terms(&row),
            live_orders: row.get("live"),
        };
        Ok(row.map_err(LedgerError::unavailable)?.map(audit))
    }

    async fn current_sales(&self, ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        let ids = query_scalar("SELECT id FROM sale WHERE end_ms > $1").bind(ended_after_ms);
        let ids: Vec<i64> = ids
            .fetch_all(&self.pool)
            .await
            .map_err(LedgerError::unavailable)?;
        Ok(ids.into_iter().map(SaleId).collect())
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        let connection = self.pool.acquire().await;
        hold(&mut *connection.map_err(LedgerError::unavailable)?, lease).await
    }

    async fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        let transaction = self.pool.begin().await;
        let mut transaction = transaction.map_err(LedgerError::unavailable)?;
        hold(&mut transaction, lease).await?;
        let mut written = Vec::with_capacity(orders.len());
        for order in orders {
            // An error drops the transaction, which rolls everything back.
            written.push(write_order(&mut transaction, order).await?);
        }
        transaction
            .commit()
            .await
            .map_err(LedgerError::unavailable)?;
        Ok(written)
    }

    async fn dead_letter(
        &self,
        lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<(), LedgerError> {
        let transaction = self.pool.begin().await;
        let mut transaction = transaction.map_err(LedgerError::unavailable)?;
        hold(&mut transaction, lease).await?;
        let keep = "INSERT INTO dead_letter SELECT $1, $2, $3, $4, $5
            WHERE NOT EXISTS (SELECT 1 FROM sale_order WHERE id = $1) ON CONFLICT DO NOTHING";
        let keep = query(keep)
            .bind(order.id.0)
            .bind(order.sale.0)
            .bind(order.buyer.0);
        let keep = keep.bind(reason).bind(unit == StockUnit::Held);
        let kept = keep.execute(&mut *transaction).await;
        kept.map_err(LedgerError::unavailable)?;
        transaction.commit().await.map_err(LedgerError::unavailable)
    }

    async fn find_end(&self, order: OrderId) -> Result<Option<Ended>, LedgerError> {
        let find = "SELECT 1 FROM dead_letter WHERE id = $1
            UNION ALL SELECT 2 FROM sale_order WHERE id = $1 AND slot IS NULL";
        let found = query_scalar(find)
            .bind(order.0)
            .fetch_optional(&self.pool)
            .await;
        Ok(match found.map_err(LedgerError::unavailable)? {
            Some(1_i64) => Some(Ended::DeadLettered),
            Some(_) => Some(Ended::Returned),
            None => None,
        })
    }

    async fn live_among(&self, orders: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        let mut live = Vec::new();
        for order in orders {
            let find = query("SELECT 1 FROM sale_order WHERE id = $1 AND slot IS NOT NULL");
            let found = find.bind(order.0).fetch_optional(&self.pool).await;
            if found.map_err(LedgerError::unavailable)?.is_some() {
                live.push(*order);
            }
        }
        Ok(live)
    }

    async fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> Result<(), LedgerError> {
        let insert = query("INSERT INTO repair VALUES ($1, $2, $3)");
        let insert = insert.bind(sale.0).bind(what).bind(detail);
        insert
            .execute(&self.pool)
            .await
            .map(drop)
            .map_err(LedgerError::unavailable)
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        let mark = query_scalar("SELECT value FROM mark WHERE name = $1").bind(name);
        mark.fetch_optional(&self.pool)
            .await
            .map_err(LedgerError::unavailable)
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        let raise =
            "INSERT INTO mark VALUES ($1, $2) ON CONFLICT DO UPDATE SET value = MAX(value, $2)";
        let raise = query(raise).bind(name).bind(to).execute(&self.pool).await;
        raise.map(drop).map_err(LedgerError::unavailable)
    }
}

/// Registers the lease; refuses a worker that another one has replaced.
async fn hold(connection: &mut SqliteConnection, lease: DrainLease) -> Result<(), LedgerError> {
    let hold = "INSERT INTO drain_lease VALUES ($1, $2)
        ON CONFLICT DO UPDATE SET fence = excluded.fence WHERE fence <= excluded.fence";
    let hold = query(hold).bind(lease.partition.0).bind(lease.fence);
    let held = hold
        .execute(connection)
        .await
        .map_err(LedgerError::unavailable)?;
    match held.rows_affected() {
        0 => Err(LedgerError::Fenced),
        _ => Ok(()),
    }
}

async fn write_order(
    connection: &mut SqliteConnection,
    order: &Order,
) -> Result<WriteOutcome, LedgerError> {
    let known =
        "SELECT 1 FROM sale_order WHERE id = $1 UNION ALL SELECT 1 FROM dead_letter WHERE id = $1";
    let known = query(known)
        .bind(order.id.0)
        .fetch_optional(&mut *connection)
        .await;
    if known.map_err(LedgerError::unavailable)?.is_some() {
        return Ok(WriteOutcome::AlreadyRecorded);
    }
    let sale = query("SELECT 1 FROM sale WHERE id = $1").bind(order.sale.0);
    let sale = sale.fetch_optional(&mut *connection).await;
    if sale.map_err(LedgerError::unavailable)?.is_none() {
        return Ok(WriteOutcome::Refused(Refused::NoSuchSale));
    }
    let holder = "SELECT id FROM sale_order WHERE sale = $1 AND buyer = $2 AND slot = $3";
    let holder = query_scalar(holder)
        .bind(order.sale.0)
        .bind(order.buyer.0)
        .bind(order.slot);
    let holder = holder.fetch_optional(&mut *connection).await;
    if let Some(id) = holder.map_err(LedgerError::unavailable)? {
        return Ok(WriteOutcome::Refused(Refused::SlotTaken(OrderId(id))));
    }
    let take = query("UPDATE sale SET stock = stock - 1 WHERE id = $1 AND stock > 0");
    let taken = take.bind(order.sale.0).execute(&mut *connection).await;
    if taken.map_err(LedgerError::unavailable)?.rows_affected() == 0 {
        return Err(LedgerError::OutOfStock(order.sale));
    }
    let insert = query("INSERT INTO sale_order VALUES ($1, $2, $3, $4, $5, $6)");
    let insert = insert
        .bind(order.id.0)
        .bind(order.sale.0)
        .bind(order.buyer.0)
        .bind(order.slot);
    let insert = insert
        .bind(order.granted_at_ms)
        .bind(order.key.map(|key| key.0.cast_signed()));
    insert
        .execute(connection)
        .await
        .map_err(LedgerError::unavailable)?;
    Ok(WriteOutcome::New)
}

fn terms(row: &SqliteRow) -> Terms {
    Terms {
        initial: row.get("initial"),
        stock: row.get("stock"),
        begin_ms: row.get("begin_ms"),
        end_ms: row.get("end_ms"),
        limit_per_buyer: row.get("limit_per_buyer"),
        spread: row.get("spread"),
        on_shelf: row.get("on_shelf"),
        epoch: row.get("epoch"),
    }
}

fn holding(row: &SqliteRow) -> Holding {
    let key: Option<i64> = row.get("request_key");
    Holding {
        order: OrderId(row.get("id")),
        buyer: BuyerId(row.get("buyer")),
        slot: row.get::<Option<u8>, _>("slot").unwrap_or(0),
        key: key.map(|key| KeyHash(key.cast_unsigned())),
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let ledger = SqliteLedger::create().await?;
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
    sell_out(&flash, &buyers, BuyerId(1_001)).await
}
