//! Version 6. A pessimistic lock: `SELECT ... FOR UPDATE` locks the row of the sale until the transaction ends.
//!
//! Check and write are one transaction that nobody else can enter, in any process, and the lock ends with its connection: no
//! lease, nothing to forget. The result is right. The price: all buyers queue at one row, each with a connection in its
//! hand, so a few slow ones use up the pool; and a holder that is paused holds everybody up until SQL gives up waiting
//! (`innodb_lock_wait_timeout`, 50 seconds).

use anyhow::Result;
use sqlx::MySqlConnection;

use crate::sale_tables::{self, SaleTables};
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct PessimisticLock {
    tables: SaleTables,
}

impl Version for PessimisticLock {
    async fn open(places: &Endpoints) -> Result<Self> {
        let tables = SaleTables::open(&places.sql).await?;
        Ok(Self { tables })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let mut transaction = self.tables.pool.begin().await?;
        let stock = lock_row(&mut transaction, request.sale, steps).await?;
        steps.saw("SELECT stock FOR UPDATE", stock);
        // In the same transaction: another connection of the pool may never come while all wait for the row.
        let orders = "SELECT COUNT(*) FROM orders WHERE sale = ? AND buyer = ?";
        let orders = sqlx::query_scalar(orders).bind(request.sale);
        let orders: i64 = orders
            .bind(request.buyer)
            .fetch_one(&mut *transaction)
            .await?;
        steps.saw("SELECT COUNT(*) FROM orders", orders);
        if orders > 0 {
            transaction.rollback().await?;
            return Ok(PurchaseReply::AlreadyBought);
        }
        if stock < 1 {
            transaction.rollback().await?;
            return Ok(PurchaseReply::SoldOut);
        }
        steps.step("row is locked").await;

        let order = Order::of(request);
        sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ?")
            .bind(request.sale)
            .execute(&mut *transaction)
            .await?;
        sale_tables::insert(&mut transaction, order).await?;
        transaction.commit().await?;
        Ok(PurchaseReply::Ordered(order.id))
    }
}

/// Locks the row and reads its stock. The first query only finds out whether there is somebody to wait for.
async fn lock_row(connection: &mut MySqlConnection, sale: i64, steps: &StepControl) -> Result<i64> {
    let free = "SELECT stock FROM sale WHERE id = ? FOR UPDATE SKIP LOCKED";
    let free = sqlx::query_scalar(free).bind(sale);
    if let Some(stock) = free.fetch_optional(&mut *connection).await? {
        return Ok(stock);
    }
    steps.waits();
    let locked = sqlx::query_scalar("SELECT stock FROM sale WHERE id = ? FOR UPDATE");
    Ok(locked.bind(sale).fetch_one(connection).await?)
}
