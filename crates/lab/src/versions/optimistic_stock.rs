//! Version 4. Optimistic, by the stock itself: `WHERE stock > 0` is the only condition that is needed.
//!
//! No buyer is refused while there is stock, and a sale of N sells N. A buyer who clicks twice still has two orders.

use anyhow::Result;

use crate::sale_tables::{self, SaleTables};
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct OptimisticStock {
    tables: SaleTables,
}

impl Version for OptimisticStock {
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
        let taken = sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ? AND stock > 0")
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
