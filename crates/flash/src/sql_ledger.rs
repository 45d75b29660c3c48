//! A [`Ledger`] on an SQL database: the tables, and what each function says to them.
//!
//! How a statement is sent is [`SqlDatabase`], some twenty lines over any client library. The statements are the SQL that SQLite (from
//! 3.35) and Postgres have in common, and every function is one transaction of them. The three promises of a ledger are in `write.rs`: the
//! conditional update of the stock, the unique key on sale, buyer and slot, and the fence that every write compares.
//!
//! It writes one order after the other, some thousands a second. A ledger of your own can write a batch with one statement.

mod database;
mod read;
mod tables;
mod write;

use crate::{
    Audit, BuyerId, DrainLease, Ended, Holding, Ledger, LedgerError, Order, OrderId, SaleId,
    StockUnit, Terms, WriteOutcome,
};
use database::{Open, number, numbers};
pub use database::{SqlDatabase, SqlError, SqlRow, SqlValue};

/// A [`Ledger`] on an SQL database.
#[derive(Clone, Debug)]
pub struct SqlLedger<D> {
    database: D,
}

impl<D: SqlDatabase> SqlLedger<D> {
    /// The ledger in this database, whose tables are there: see [`create_tables`](Self::create_tables).
    pub fn new(database: D) -> Self {
        Self { database }
    }

    /// Creates the tables that are missing. Their names begin with `flash_`.
    pub async fn create_tables(&self) -> Result<(), LedgerError> {
        let mut transaction = self.begin().await?;
        for table in tables::ALL {
            transaction.run(table, &[]).await?;
        }
        transaction.commit().await
    }

    /// Puts up a sale. Nobody has bought yet: its stock is `terms.initial`. Fails if there is a sale with this id.
    pub async fn publish(&self, sale: SaleId, terms: Terms) -> Result<(), LedgerError> {
        let insert = "INSERT INTO flash_sale VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8)";
        let values = numbers([
            sale.0,
            terms.initial.into(),
            terms.begin_ms,
            terms.end_ms,
            terms.limit_per_buyer.into(),
            terms.spread.into(),
            terms.on_shelf.into(),
            terms.epoch,
        ]);
        self.run(insert, &values).await.map(drop)
    }

    /// Ends an order and returns its unit to stock, as a cancellation does; `false` if there is no such live order. Tell the
    /// gate by [`Flash::return_unit`](crate::Flash::return_unit).
    pub async fn return_unit(&self, order: OrderId) -> Result<bool, LedgerError> {
        let mut transaction = self.begin().await?;
        let is_returned = write::return_unit(&mut transaction, order).await?;
        transaction.commit().await?;
        Ok(is_returned)
    }

    async fn begin(&self) -> Result<Open<D>, LedgerError> {
        Open::begin(&self.database).await
    }

    /// One statement in a transaction of its own.
    async fn run(
        &self,
        sql: &'static str,
        values: &[SqlValue<'_>],
    ) -> Result<Vec<SqlRow>, LedgerError> {
        let mut transaction = self.begin().await?;
        let rows = transaction.run(sql, values).await?;
        transaction.commit().await?;
        Ok(rows)
    }
}

impl<D: SqlDatabase> Ledger for SqlLedger<D> {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        // An update that changes nothing returns the row that is there: the first number stays.
        let settle = "INSERT INTO flash_mark VALUES ('partitions', $1)
            ON CONFLICT (name) DO UPDATE SET value = flash_mark.value RETURNING value";
        let rows = self.run(settle, &numbers([count.into()])).await?;
        rows.first().map_or(Ok(count), |row| number(row, 0))
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let select = "SELECT * FROM flash_sale WHERE id = $1";
        let rows = self.run(select, &numbers([sale.0])).await?;
        rows.first().map(read::terms).transpose()
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let raise = "UPDATE flash_sale SET epoch = epoch + 1 WHERE id = $1 RETURNING *";
        let rows = self.run(raise, &numbers([sale.0])).await?;
        rows.first().map(read::terms).transpose()
    }

    async fn holdings(
        &self,
        sale: SaleId,
        after: OrderId,
        limit: u32,
    ) -> Result<Vec<Holding>, LedgerError> {
        let page =
            "SELECT id, buyer, slot, request_key FROM flash_order WHERE sale = $1 AND id > $2
            AND (slot IS NOT NULL OR request_key IS NOT NULL) ORDER BY id LIMIT $3";
        let values = numbers([sale.0, after.0, limit.into()]);
        let rows = self.run(page, &values).await?;
        rows.iter().map(read::holding).collect()
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        let held =
            "SELECT id, buyer, slot, request_key FROM flash_order WHERE sale = $1 AND buyer = $2
            AND (slot IS NOT NULL OR request_key IS NOT NULL) ORDER BY id";
        let rows = self.run(held, &numbers([sale.0, buyer.0])).await?;
        rows.iter().map(read::holding).collect()
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        let audit =
            "SELECT *, (SELECT COUNT(*) FROM flash_order WHERE sale = $1 AND slot IS NOT NULL)
            FROM flash_sale WHERE id = $1";
        let rows = self.run(audit, &numbers([sale.0])).await?;
        rows.first().map(read::audit).transpose()
    }

    async fn current_sales(&self, ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        let current = "SELECT id FROM flash_sale WHERE end_ms > $1";
        let rows = self.run(current, &numbers([ended_after_ms])).await?;
        let sales = rows.iter().map(|row| number(row, 0).map(SaleId));
        sales.collect()
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        let mut transaction = self.begin().await?;
        write::register_lease(&mut transaction, lease).await?;
        transaction.commit().await
    }

    async fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        let mut transaction = self.begin().await?;
        write::register_lease(&mut transaction, lease).await?;
        let mut written = Vec::with_capacity(orders.len());
        for order in orders {
            // An error drops the transaction, which rolls everything back.
            written.push(write::order(&mut transaction, order).await?);
        }
        transaction.commit().await?;
        Ok(written)
    }

    async fn dead_letter(
        &self,
        lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<(), LedgerError> {
        let mut transaction = self.begin().await?;
        write::register_lease(&mut transaction, lease).await?;
        write::dead_letter(&mut transaction, order, reason, unit).await?;
        transaction.commit().await
    }

    async fn find_end(&self, order: OrderId) -> Result<Option<Ended>, LedgerError> {
        let find = "SELECT 1 FROM flash_dead_letter WHERE id = $1
            UNION ALL SELECT 2 FROM flash_order WHERE id = $1 AND slot IS NULL";
        let rows = self.run(find, &numbers([order.0])).await?;
        rows.first().map(read::end).transpose()
    }

    async fn live_among(&self, orders: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        let mut transaction = self.begin().await?;
        let find = "SELECT id FROM flash_order WHERE id = $1 AND slot IS NOT NULL";
        let mut live = Vec::new();
        for order in orders {
            let rows = transaction.run(find, &numbers([order.0])).await?;
            live.extend((!rows.is_empty()).then_some(*order));
        }
        transaction.commit().await?;
        Ok(live)
    }

    async fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> Result<(), LedgerError> {
        let insert = "INSERT INTO flash_repair VALUES ($1, $2, $3)";
        let values = [
            SqlValue::Number(Some(sale.0)),
            SqlValue::Text(what),
            SqlValue::Text(detail),
        ];
        self.run(insert, &values).await.map(drop)
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        let select = "SELECT value FROM flash_mark WHERE name = $1";
        let rows = self.run(select, &[SqlValue::Text(name)]).await?;
        rows.first().map(|row| number(row, 0)).transpose()
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        let raise = "INSERT INTO flash_mark VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE flash_mark.value < excluded.value";
        let values = [SqlValue::Text(name), SqlValue::Number(Some(to))];
        self.run(raise, &values).await.map(drop)
    }
}
