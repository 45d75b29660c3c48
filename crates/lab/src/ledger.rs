//! The [`Ledger`] of the `flash` crate over the lab's tables.
//!
//! Every function is one statement or one transaction. Orders fill in their slot, so `UNIQUE (sale, buyer, slot)` refuses
//! a second one of a buyer, whatever the gate may have believed.

use std::panic::Location;
use std::sync::OnceLock;

use anyhow::Result;
use flash::{
    Audit, BuyerId, DrainLease, Ended, Holding, Ledger, LedgerError, Order, OrderId, Refused,
    SaleId, StockUnit, Terms, WriteOutcome,
};
use sqlx::MySqlConnection;

use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version;

/// Sales of the lab stay open.
const DAY_MS: i64 = 86_400_000;

const TABLES: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS drain_lease (part SMALLINT UNSIGNED PRIMARY KEY, fence BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS mark (name VARCHAR(100) PRIMARY KEY, value BIGINT NOT NULL)",
];

#[derive(Debug)]
pub(crate) struct SqlLedger {
    tables: SaleTables,
    /// Of the worker that drains, once there is one.
    steps: OnceLock<StepControl>,
}

impl SqlLedger {
    pub(crate) fn new(tables: SaleTables) -> Self {
        let steps = OnceLock::new();
        Self { tables, steps }
    }

    /// From here on orders are recorded at this steps.
    pub(crate) fn follow(&self, steps: &StepControl) {
        self.steps.get_or_init(|| steps.clone());
    }

    #[track_caller]
    fn step(&self, name: &'static str) -> impl Future<Output = ()> + Send {
        let (steps, place) = (self.steps.get(), Location::caller());
        async move {
            if let Some(steps) = steps {
                steps.step_at(name, place).await;
            }
        }
    }

    /// The worker's schedule shows the orders that it holds.
    fn note_delivered(&self, orders: &[Order]) {
        if let Some(steps) = self.steps.get() {
            let orders = orders.iter().map(|order| lab_order(order).to_string());
            steps.saw("XREADGROUP", orders.collect::<Vec<_>>().join(", "));
        }
    }

    async fn create_tables(&self) -> Result<(), sqlx::Error> {
        for table in TABLES {
            sqlx::query(table).execute(&self.tables.pool).await?;
        }
        Ok(())
    }

    async fn terms(&self, sale: SaleId) -> Result<Option<Terms>, sqlx::Error> {
        let query = sqlx::query_as("SELECT initial, stock, epoch FROM sale WHERE id = ?");
        let row = query.bind(sale.0).fetch_optional(&self.tables.pool);
        let row: Option<(i64, i64, i64)> = row.await?;
        let now_ms = jiff::Timestamp::now().as_millisecond();
        let units = |count: i64| u32::try_from(count).unwrap_or_default();
        Ok(row.map(|(initial, stock, epoch)| Terms {
            initial: units(initial),
            stock: units(stock),
            begin_ms: now_ms - DAY_MS,
            end_ms: now_ms + DAY_MS,
            limit_per_buyer: 1,
            spread: 1,
            on_shelf: true,
            epoch,
        }))
    }

    async fn write(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        let mut transaction = self.tables.pool.begin().await.map_err(away)?;
        check_lease(&mut transaction, lease).await?;
        let mut written = Vec::with_capacity(orders.len());
        for order in orders {
            written.push(write_one(&mut transaction, order).await.map_err(away)?);
        }
        transaction.commit().await.map_err(away)?;
        Ok(written)
    }
}

impl Ledger for SqlLedger {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        self.create_tables().await.map_err(away)?;
        Ok(count)
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        self.terms(sale).await.map_err(away)
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let raise = sqlx::query("UPDATE sale SET epoch = epoch + 1 WHERE id = ?");
        let raised = raise.bind(sale.0).execute(&self.tables.pool).await;
        raised.map_err(away)?;
        self.sale(sale).await
    }

    async fn holdings(
        &self,
        sale: SaleId,
        after: OrderId,
        limit: u32,
    ) -> Result<Vec<Holding>, LedgerError> {
        let query = "SELECT id, buyer FROM orders WHERE sale = ? AND id > ? ORDER BY id LIMIT ?";
        let query = sqlx::query_as(query).bind(sale.0).bind(after.0).bind(limit);
        let rows: Vec<(i64, i64)> = query.fetch_all(&self.tables.pool).await.map_err(away)?;
        let holding = |(order, buyer)| Holding {
            order: OrderId(order),
            buyer: BuyerId(buyer),
            slot: 1,
            key: None,
        };
        Ok(rows.into_iter().map(holding).collect())
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        let query = "SELECT id FROM orders WHERE sale = ? AND buyer = ? ORDER BY id";
        let query = sqlx::query_as(query).bind(sale.0).bind(buyer.0);
        let rows: Vec<(i64,)> = query.fetch_all(&self.tables.pool).await.map_err(away)?;
        let holding = |(order,)| Holding {
            order: OrderId(order),
            buyer,
            slot: 1,
            key: None,
        };
        Ok(rows.into_iter().map(holding).collect())
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        let terms = self.sale(sale).await?;
        // Stock and orders change in one transaction, so one follows from the other.
        Ok(terms.map(|terms| Audit {
            terms,
            live_orders: u64::from(terms.initial - terms.stock),
        }))
    }

    async fn current_sales(&self, _ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        let query = sqlx::query_scalar("SELECT id FROM sale").fetch_all(&self.tables.pool);
        let ids: Vec<i64> = query.await.map_err(away)?;
        Ok(ids.into_iter().map(SaleId).collect())
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        let upsert = "INSERT INTO drain_lease (part, fence) VALUES (?, ?) \
                      ON DUPLICATE KEY UPDATE fence = GREATEST(fence, VALUES(fence))";
        let upsert = sqlx::query(upsert)
            .bind(lease.partition.0)
            .bind(lease.fence);
        upsert.execute(&self.tables.pool).await.map_err(away)?;
        let mut connection = self.tables.pool.acquire().await.map_err(away)?;
        check_lease(&mut connection, lease).await
    }

    async fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        self.note_delivered(orders);
        self.step("order is delivered").await;
        let written = self.write(lease, orders).await?;
        self.step("order is recorded").await;
        Ok(written)
    }

    async fn dead_letter(
        &self,
        lease: DrainLease,
        _order: &Order,
        _reason: &str,
        _unit: StockUnit,
    ) -> Result<(), LedgerError> {
        let mut connection = self.tables.pool.acquire().await.map_err(away)?;
        check_lease(&mut connection, lease).await
    }

    async fn find_end(&self, _order: OrderId) -> Result<Option<Ended>, LedgerError> {
        // Nobody gives anything back in the lab.
        Ok(None)
    }

    async fn live_among(&self, orders: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        let mut live = Vec::new();
        for order in orders {
            let query = sqlx::query_scalar("SELECT id FROM orders WHERE id = ?").bind(order.0);
            let found: Option<i64> = query
                .fetch_optional(&self.tables.pool)
                .await
                .map_err(away)?;
            live.extend(found.map(OrderId));
        }
        Ok(live)
    }

    async fn record_repair(&self, _: SaleId, _: &str, _: &str) -> Result<(), LedgerError> {
        Ok(())
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        let query = sqlx::query_scalar("SELECT value FROM mark WHERE name = ?").bind(name);
        query.fetch_optional(&self.tables.pool).await.map_err(away)
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        let upsert = "INSERT INTO mark (name, value) VALUES (?, ?) \
                      ON DUPLICATE KEY UPDATE value = GREATEST(value, VALUES(value))";
        let upsert = sqlx::query(upsert).bind(name).bind(to);
        upsert.execute(&self.tables.pool).await.map_err(away)?;
        Ok(())
    }
}

/// A worker with a lower fencing token than the registered one must not write.
async fn check_lease(
    connection: &mut MySqlConnection,
    lease: DrainLease,
) -> Result<(), LedgerError> {
    let query = sqlx::query_scalar("SELECT fence FROM drain_lease WHERE part = ? FOR UPDATE");
    let fence: Option<i64> = query
        .bind(lease.partition.0)
        .fetch_optional(connection)
        .await
        .map_err(away)?;
    match fence {
        Some(fence) if fence == lease.fence => Ok(()),
        _ => Err(LedgerError::Fenced),
    }
}

async fn write_one(
    connection: &mut MySqlConnection,
    order: &Order,
) -> Result<WriteOutcome, sqlx::Error> {
    let insert = "INSERT IGNORE INTO orders (id, sale, buyer, slot) VALUES (?, ?, ?, ?)";
    let insert = sqlx::query(insert).bind(order.id.0).bind(order.sale.0);
    let insert = insert.bind(order.buyer.0).bind(order.slot);
    if insert.execute(&mut *connection).await?.rows_affected() > 0 {
        let take = sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ?");
        take.bind(order.sale.0).execute(connection).await?;
        return Ok(WriteOutcome::New);
    }
    let holder = "SELECT id FROM orders WHERE sale = ? AND buyer = ? AND slot = ?";
    let holder = sqlx::query_scalar(holder).bind(order.sale.0);
    let holder = holder.bind(order.buyer.0).bind(order.slot);
    Ok(match holder.fetch_one(connection).await? {
        holder if holder == order.id.0 => WriteOutcome::AlreadyRecorded,
        holder => WriteOutcome::Refused(Refused::SlotTaken(OrderId(holder))),
    })
}

fn lab_order(order: &Order) -> version::Order {
    version::Order {
        id: order.id.0,
        sale: order.sale.0,
        buyer: order.buyer.0,
    }
}

fn away(error: sqlx::Error) -> LedgerError {
    LedgerError::Unavailable(error.into())
}
