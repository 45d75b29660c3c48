//! Version 5. One per person, by a query first: a buyer who has an order gets no other.
//!
//! It is the race of version 1 again, for buyers instead of stock: both clicks query before either has written.

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
