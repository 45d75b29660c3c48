//! Version 1. No lock: read the stock, and if there is some, take a unit.
//!
//! Other buyers read between the read and the write. All of them see the last unit, and all take it.

use anyhow::Result;

use crate::sale_tables::{self, SaleTables};
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct NoLock {
    tables: SaleTables,
}

impl Version for NoLock {
    async fn open(places: &Endpoints) -> Result<Self> {
        let tables = SaleTables::open(&places.sql).await?;
        Ok(Self { tables })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let stock = self.tables.stock(request.sale).await?;
        if stock < 1 {
            return Ok(PurchaseReply::SoldOut);
        }
        steps.step("stock is read").await;

        let order = Order::of(request);
        let mut transaction = self.tables.pool.begin().await?;
        sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ?")
            .bind(request.sale)
            .execute(&mut *transaction)
            .await?;
        sale_tables::insert(&mut transaction, order).await?;
        transaction.commit().await?;
        Ok(PurchaseReply::Ordered(order.id))
    }
}
