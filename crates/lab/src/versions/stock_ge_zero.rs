//! Version 3. Optimistic, by the stock itself, and one character wrong: `WHERE stock >= 0` instead of `WHERE stock > 0`.
//!
//! The statement takes a unit as long as the stock is not negative *before* it. Of all buyers who have read the last unit
//! one more than there are units gets through: the stock ends at -1, and the sale is oversold by exactly one.

use anyhow::Result;

use crate::sale_tables::{self, SaleTables};
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct StockGeZero {
    tables: SaleTables,
}

impl Version for StockGeZero {
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
        let taken = sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ? AND stock >= 0")
            .bind(request.sale)
            .execute(&mut *transaction)
            .await?;
        if taken.rows_affected() == 0 {
            return Ok(PurchaseReply::SoldOut);
        }
        sale_tables::insert(&mut transaction, order).await?;
        transaction.commit().await?;
        Ok(PurchaseReply::Ordered(order.id))
    }
}
