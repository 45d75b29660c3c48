//! A flash sale on Postgres: 1,000 people claim 100 units at once. Run it with
//! `DATABASE_URL=postgres://… cargo run -p redis-flash-sale --example flash_sale_postgres`; it works in a schema of its own,
//! which it drops in the end.
//!
//! The ledger is written by hand, as one is that has to fit tables that are there (`SqlLedger` needs a few lines alone: see
//! `flash_sale_sqlite`). Beside it this shows two things that a company may have already: accounts that are UUIDs, which get a number as
//! buyers, and a sequence that order ids come from. What is done with the ledger is in `support/sell_out.rs`.

#![expect(clippy::print_stdout, reason = "an example shows what it did")]

#[path = "support/private_redis.rs"]
mod private_redis;
#[path = "support/sell_out.rs"]
mod sell_out;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use redis_flash_sale::{
    Audit, BuyerId, DrainLease, Ended, Flash, FlashOptions, Holding, IdFuture, IdKind, KeyHash,
    Ledger, LedgerError, Link, LinkOptions, Locks, Order, OrderId, OrderIdSource, Refused, SaleId,
    StockUnit, Target, Terms, WriteOutcome,
};
use sell_out::{SALE, UNITS, sell_out};
use tokio::sync::Mutex;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, GenericClient, NoTls, Row};

/// All numbers are BIGINT, so that every column is an `i64` here.
const TABLES: &str = "
    CREATE TABLE sale (id BIGINT PRIMARY KEY, initial BIGINT NOT NULL, stock BIGINT NOT NULL CHECK (stock >= 0),
        begin_ms BIGINT NOT NULL, end_ms BIGINT NOT NULL, limit_per_buyer BIGINT NOT NULL, spread BIGINT NOT NULL,
        on_shelf BOOLEAN NOT NULL, epoch BIGINT NOT NULL);
    -- An order that ended has no slot, and rows without one are not compared by the unique key.
    CREATE TABLE sale_order (id BIGINT PRIMARY KEY, sale BIGINT NOT NULL, buyer BIGINT NOT NULL, slot BIGINT,
        granted_at_ms BIGINT NOT NULL, request_key BIGINT, UNIQUE (sale, buyer, slot));
    CREATE TABLE dead_letter (id BIGINT PRIMARY KEY, sale BIGINT, buyer BIGINT, reason TEXT, holds_unit BOOLEAN);
    CREATE TABLE drain_lease (part BIGINT PRIMARY KEY, fence BIGINT NOT NULL);
    CREATE TABLE mark (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
    CREATE TABLE repair (sale BIGINT NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL);
    -- The gate knows buyers as numbers; the database knows whose.
    CREATE TABLE buyer (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account UUID NOT NULL UNIQUE);
    CREATE SEQUENCE order_id;
";

/// One connection is enough here. A service has a pool, and a transaction per call all the same.
#[derive(Clone, Debug)]
pub(crate) struct PostgresLedger {
    client: Arc<Mutex<Client>>,
}

impl PostgresLedger {
    /// Creates the tables in a schema of this name, in place of one that is there.
    pub(crate) async fn create(url: &str, schema: &str) -> Result<Self, tokio_postgres::Error> {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(connection);
        let schema = format!(
            "DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}; SET search_path TO {schema};"
        );
        client.batch_execute(&schema).await?;
        client.batch_execute(TABLES).await?;
        let client = Arc::new(Mutex::new(client));
        Ok(Self { client })
    }

    pub(crate) async fn drop_schema(&self, schema: &str) -> Result<(), tokio_postgres::Error> {
        let drop = format!("DROP SCHEMA {schema} CASCADE");
        self.client.lock().await.batch_execute(&drop).await
    }

    pub(crate) async fn publish(
        &self,
        sale: SaleId,
        terms: Terms,
    ) -> Result<(), tokio_postgres::Error> {
        let insert = "INSERT INTO sale VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8)";
        let (initial, limit) = (i64::from(terms.initial), i64::from(terms.limit_per_buyer));
        let (begin_ms, end_ms) = (terms.begin_ms, terms.end_ms);
        let (spread, on_shelf, epoch) = (i64::from(terms.spread), terms.on_shelf, terms.epoch);
        let client = self.client.lock().await;
        let values: [&(dyn ToSql + Sync); 8] = [
            &sale.0, &initial, &begin_ms, &end_ms, &limit, &spread, &on_shelf, &epoch,
        ];
        client.execute(insert, &values).await.map(drop)
    }

    /// The numbers of new accounts, as many as are asked for.
    async fn sign_up(&self, accounts: i64) -> Result<Vec<BuyerId>, tokio_postgres::Error> {
        let insert = "INSERT INTO buyer (account) SELECT gen_random_uuid() FROM generate_series(1, $1::bigint) RETURNING id";
        let rows = self.client.lock().await.query(insert, &[&accounts]).await?;
        Ok(rows.iter().map(|row| BuyerId(row.get("id"))).collect())
    }

    /// A cancellation: the order ends, its unit is in stock again. The gate is told by `Flash::return_unit`.
    pub(crate) async fn cancel(&self, order: OrderId) -> Result<(), LedgerError> {
        let cancel = "WITH ended AS (UPDATE sale_order SET slot = NULL WHERE id = $1 AND slot IS NOT NULL RETURNING sale)
            UPDATE sale SET stock = stock + 1, epoch = epoch + 1 WHERE id IN (SELECT sale FROM ended)";
        let client = self.client.lock().await;
        let cancelled = client.execute(cancel, &[&order.0]).await;
        cancelled.map(drop).map_err(LedgerError::unavailable)
    }

    async fn one(&self, sql: &str, id: i64) -> Result<Option<Row>, LedgerError> {
        let client = self.client.lock().await;
        client
            .query_opt(sql, &[&id])
            .await
            .map_err(LedgerError::unavailable)
    }
}

/// Order ids from a sequence of the database: unique whatever Redis loses, at a round trip per batch of claims.
impl OrderIdSource for PostgresLedger {
    fn take_many<'a>(&'a self, n: usize, ids: &'a mut Vec<OrderId>) -> IdFuture<'a> {
        Box::pin(async move {
            let next = "SELECT nextval('order_id') AS id FROM generate_series(1, $1::bigint)";
            let rows = self
                .client
                .lock()
                .await
                .query(next, &[&i64::try_from(n)?])
                .await?;
            ids.extend(rows.iter().map(|row| OrderId(row.get("id"))));
            Ok(())
        })
    }
}

impl Ledger for PostgresLedger {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        let settle = "INSERT INTO mark VALUES ('partitions', $1) ON CONFLICT DO NOTHING";
        let client = self.client.lock().await;
        let settled = client.execute(settle, &[&i64::from(count)]).await;
        settled.map_err(LedgerError::unavailable)?;
        drop(client);
        let settled = self.mark("partitions").await?;
        Ok(settled
            .and_then(|it| u16::try_from(it).ok())
            .unwrap_or(count))
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let row = self.one("SELECT * FROM sale WHERE id = $1", sale.0).await?;
        row.as_ref().map(terms).transpose()
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let raise = "UPDATE sale SET epoch = epoch + 1 WHERE id = $1 RETURNING *";
        let row = self.one(raise, sale.0).await?;
        row.as_ref().map(terms).transpose()
    }

    async fn holdings(
        &self,
        sale: SaleId,
        after: OrderId,
        limit: u32,
    ) -> Result<Vec<Holding>, LedgerError> {
        let page = "SELECT * FROM sale_order WHERE sale = $1 AND id > $2
            AND (slot IS NOT NULL OR request_key IS NOT NULL) ORDER BY id LIMIT $3";
        let client = self.client.lock().await;
        let rows = client
            .query(page, &[&sale.0, &after.0, &i64::from(limit)])
            .await;
        rows.map_err(LedgerError::unavailable)?
            .iter()
            .map(holding)
            .collect()
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        let held = "SELECT * FROM sale_order WHERE sale = $1 AND buyer = $2
            AND (slot IS NOT NULL OR request_key IS NOT NULL) ORDER BY id";
        let rows = self
            .client
            .lock()
            .await
            .query(held, &[&sale.0, &buyer.0])
            .await;
        rows.map_err(LedgerError::unavailable)?
            .iter()
            .map(holding)
            .collect()
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        let audit = "SELECT *, (SELECT COUNT(*) FROM sale_order WHERE sale = $1 AND slot IS NOT NULL) AS live
            FROM sale WHERE id = $1";
        let Some(row) = self.one(audit, sale.0).await? else {
            return Ok(None);
        };
        Ok(Some(Audit {
            terms: terms(&row)?,
            live_orders: number(&row, "live")?,
        }))
    }

    async fn current_sales(&self, ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        let current = "SELECT id FROM sale WHERE end_ms > $1";
        let rows = self
            .client
            .lock()
            .await
            .query(current, &[&ended_after_ms])
            .await;
        let rows = rows.map_err(LedgerError::unavailable)?;
        Ok(rows.iter().map(|row| SaleId(row.get("id"))).collect())
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        hold(&*self.client.lock().await, lease).await
    }

    async fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        let mut client = self.client.lock().await;
        let transaction = client
            .transaction()
            .await
            .map_err(LedgerError::unavailable)?;
        // Locks the row of the lease until the commit: a newer worker waits for this transaction, not beside it.
        hold(&transaction, lease).await?;
        let mut written = Vec::with_capacity(orders.len());
        for order in orders {
            // An error drops the transaction, which rolls everything back.
            written.push(write_order(&transaction, order).await?);
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
        let mut client = self.client.lock().await;
        let transaction = client
            .transaction()
            .await
            .map_err(LedgerError::unavailable)?;
        hold(&transaction, lease).await?;
        let keep = "INSERT INTO dead_letter SELECT $1::bigint, $2::bigint, $3::bigint, $4::text, $5::boolean
            WHERE NOT EXISTS (SELECT 1 FROM sale_order WHERE id = $1) ON CONFLICT DO NOTHING";
        let holds_unit = unit == StockUnit::Held;
        let (id, sale, buyer) = (order.id.0, order.sale.0, order.buyer.0);
        let kept = transaction
            .execute(keep, &[&id, &sale, &buyer, &reason, &holds_unit])
            .await;
        kept.map_err(LedgerError::unavailable)?;
        transaction.commit().await.map_err(LedgerError::unavailable)
    }

    async fn find_end(&self, order: OrderId) -> Result<Option<Ended>, LedgerError> {
        let find = "SELECT 1::bigint AS how FROM dead_letter WHERE id = $1
            UNION ALL SELECT 2 FROM sale_order WHERE id = $1 AND slot IS NULL LIMIT 1";
        let found = self.one(find, order.0).await?;
        Ok(found.map(|row| match row.get("how") {
            1_i64 => Ended::DeadLettered,
            _ => Ended::Returned,
        }))
    }

    async fn live_among(&self, orders: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        let ids: Vec<i64> = orders.iter().map(|order| order.0).collect();
        let live = "SELECT id FROM sale_order WHERE id = ANY($1) AND slot IS NOT NULL";
        let rows = self.client.lock().await.query(live, &[&ids]).await;
        let rows = rows.map_err(LedgerError::unavailable)?;
        Ok(rows.iter().map(|row| OrderId(row.get("id"))).collect())
    }

    async fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> Result<(), LedgerError> {
        let client = self.client.lock().await;
        let insert = "INSERT INTO repair VALUES ($1, $2, $3)";
        let inserted = client.execute(insert, &[&sale.0, &what, &detail]).await;
        inserted.map(drop).map_err(LedgerError::unavailable)
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        let client = self.client.lock().await;
        let row = client
            .query_opt("SELECT value FROM mark WHERE name = $1", &[&name])
            .await;
        Ok(row
            .map_err(LedgerError::unavailable)?
            .map(|row| row.get("value")))
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        let raise = "INSERT INTO mark VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = GREATEST(mark.value, excluded.value)";
        let client = self.client.lock().await;
        let raised = client.execute(raise, &[&name, &to]).await;
        raised.map(drop).map_err(LedgerError::unavailable)
    }
}

/// Registers the lease; refuses a worker that another one has replaced.
async fn hold(client: &impl GenericClient, lease: DrainLease) -> Result<(), LedgerError> {
    let hold = "INSERT INTO drain_lease VALUES ($1, $2) ON CONFLICT (part)
        DO UPDATE SET fence = excluded.fence WHERE drain_lease.fence <= excluded.fence";
    let held = client
        .execute(hold, &[&i64::from(lease.partition.0), &lease.fence])
        .await;
    match held.map_err(LedgerError::unavailable)? {
        0 => Err(LedgerError::Fenced),
        _ => Ok(()),
    }
}

/// One order after the other, for the reader. A service inserts a batch by `UNNEST`, in one statement.
async fn write_order(
    client: &impl GenericClient,
    order: &Order,
) -> Result<WriteOutcome, LedgerError> {
    let (id, sale, buyer, slot) = (
        order.id.0,
        order.sale.0,
        order.buyer.0,
        i64::from(order.slot),
    );
    let known =
        "SELECT 1 FROM sale_order WHERE id = $1 UNION ALL SELECT 1 FROM dead_letter WHERE id = $1";
    let known = client.query_opt(known, &[&id]).await;
    if known.map_err(LedgerError::unavailable)?.is_some() {
        return Ok(WriteOutcome::AlreadyRecorded);
    }
    // The lock on the row of the sale also orders writers of other partitions, so none of them takes the slot meanwhile.
    let stock = "SELECT stock FROM sale WHERE id = $1 FOR UPDATE";
    let stock = client.query_opt(stock, &[&sale]).await;
    let Some(stock) = stock.map_err(LedgerError::unavailable)? else {
        return Ok(WriteOutcome::Refused(Refused::NoSuchSale));
    };
    let holder = "SELECT id FROM sale_order WHERE sale = $1 AND buyer = $2 AND slot = $3";
    let holder = client.query_opt(holder, &[&sale, &buyer, &slot]).await;
    if let Some(holder) = holder.map_err(LedgerError::unavailable)? {
        let holder = OrderId(holder.get("id"));
        return Ok(WriteOutcome::Refused(Refused::SlotTaken(holder)));
    }
    if stock.get::<_, i64>("stock") == 0 {
        return Err(LedgerError::OutOfStock(order.sale));
    }
    let insert = "WITH taken AS (UPDATE sale SET stock = stock - 1 WHERE id = $2)
        INSERT INTO sale_order VALUES ($1, $2, $3, $4, $5, $6)";
    let key = order.key.map(|key| key.0.cast_signed());
    let values: [&(dyn ToSql + Sync); 6] = [&id, &sale, &buyer, &slot, &order.granted_at_ms, &key];
    let inserted = client.execute(insert, &values).await;
    inserted.map_err(LedgerError::unavailable)?;
    Ok(WriteOutcome::New)
}

/// A number that the column cannot hold by its constraints is a fault of the database, not of an order.
fn number<T: TryFrom<i64>>(row: &Row, column: &str) -> Result<T, LedgerError> {
    let value: i64 = row.get(column);
    let number = T::try_from(value);
    number.map_err(|_| LedgerError::unavailable(format!("{column} is {value}")))
}

fn terms(row: &Row) -> Result<Terms, LedgerError> {
    Ok(Terms {
        initial: number(row, "initial")?,
        stock: number(row, "stock")?,
        begin_ms: row.get("begin_ms"),
        end_ms: row.get("end_ms"),
        limit_per_buyer: number(row, "limit_per_buyer")?,
        spread: number(row, "spread")?,
        on_shelf: row.get("on_shelf"),
        epoch: row.get("epoch"),
    })
}

fn holding(row: &Row) -> Result<Holding, LedgerError> {
    let slot: Option<i64> = row.get("slot");
    let key: Option<i64> = row.get("request_key");
    Ok(Holding {
        order: OrderId(row.get("id")),
        buyer: BuyerId(row.get("buyer")),
        slot: if slot.is_some() {
            number(row, "slot")?
        } else {
            0
        },
        key: key.map(|key| KeyHash(key.cast_unsigned())),
    })
}

#[cfg_attr(test, expect(dead_code, reason = "the tests start a server"))]
#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::var("DATABASE_URL");
    let url =
        url.map_err(|_| "set DATABASE_URL to that of a Postgres: postgres://user@host/database")?;
    run(&url).await
}

pub(crate) async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let schema = format!("flash_sale_{}", std::process::id());
    let ledger = PostgresLedger::create(url, &schema).await?;
    let ids = PostgresLedger::clone(&ledger);
    let terms = Terms::open_now(UNITS, Duration::from_secs(600));
    ledger.publish(SALE, terms).await?;
    let buyers = ledger.sign_up(1_000).await?;

    let redis = private_redis::redis().await;
    let link = Link::connect(&Target::parse(&redis.url)?, LinkOptions::default()).await?;
    let options = FlashOptions {
        prefix: format!("{schema}:"),
        order_ids: IdKind::Custom(Arc::new(ids)),
        ..FlashOptions::default()
    };
    let flash = Flash::new(link.clone(), Locks::new(link), ledger.clone(), options);
    let late = ledger.sign_up(1).await?[0];
    let cancel = async |order| ledger.cancel(order).await;
    sell_out(&flash, &buyers, late, cancel).await?;
    ledger.drop_schema(&schema).await?;
    Ok(())
}
