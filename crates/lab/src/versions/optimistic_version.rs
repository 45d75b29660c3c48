//! Version 2. Optimistic, by a version number: take a unit only if the row is unchanged since it was read.
//!
//! Nothing is oversold. But of a hundred buyers who read the same version one succeeds and ninety-nine are refused, even
//! if there is stock for all; and a buyer who clicks twice, or retries after a lost reply, has two orders.

use anyhow::Result;

use crate::sale_tables::{self, SaleTables};
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct OptimisticVersion {
    tables: SaleTables,
}

impl Version for OptimisticVersion {
    async fn open(places: &Endpoints) -> Result<Self> {
        let tables = SaleTables::open(&places.sql).await?;
        Ok(Self { tables })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let (stock, version): (i64, i64) =
            sqlx::query_as("SELECT stock, version FROM sale WHERE id = ?")
                .bind(request.sale)
                .fetch_one(&self.tables.pool)
                .await?;
        if stock < 1 {
            return Ok(PurchaseReply::SoldOut);
        }
        steps.saw("SELECT stock, version", format!("{stock}, {version}"));
        steps.step("stock and version are read").await;

        let order = Order::of(request);
        let mut transaction = self.tables.pool.begin().await?;
        let taken = sqlx::query(
            "UPDATE sale SET stock = stock - 1, version = version + 1 WHERE id = ? AND version = ?",
        )
        .bind(request.sale)
        .bind(version)
        .execute(&mut *transaction)
        .await?;
        if taken.rows_affected() == 0 {
            return Ok(PurchaseReply::Busy);
        }
        sale_tables::insert(&mut transaction, order).await?;
        transaction.commit().await?;
        Ok(PurchaseReply::Ordered(order.id))
    }
}
