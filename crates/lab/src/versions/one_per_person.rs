//! Version 4. One per person, by asking first: whoever has an order already gets no other.
//!
//! It is version 1 again, with people in place of pieces: both clicks ask before either has written.

use anyhow::Result;

use crate::sale_tables::{self, SaleTables};
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct OnePerPerson {
    tables: SaleTables,
}

impl Version for OnePerPerson {
    async fn open(places: &Endpoints) -> Result<Self> {
        let tables = SaleTables::open(&places.sql).await?;
        Ok(Self { tables })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        if self.tables.has_order(request).await? {
            return Ok(PurchaseReply::AlreadyBought);
        }
        steps.step("no order is found").await;

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
