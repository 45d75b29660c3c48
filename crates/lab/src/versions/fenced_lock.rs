//! Version 11. The `lock` crate: re-entrant, renewed by a watchdog, waiting without polling, and with fencing tokens.
//!
//! The watchdog renews the lease while the process lives. If the whole process is paused, the fencing token decides:
//! every grant has a higher token than those before, and the row rejects a writer with a lower one.

use anyhow::Result;
use lock::{Fence, Locks, Options, Term};

use super::critical::PATIENCE;
use crate::sale_tables::{self, SaleTables};
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct FencedLock {
    tables: SaleTables,
    locks: Locks,
    term: Term,
}

impl Version for FencedLock {
    async fn open(places: &Endpoints) -> Result<Self> {
        let options = Options {
            prefix: places.key("lock:"),
            ..Options::default()
        };
        Ok(Self {
            tables: SaleTables::open(&places.sql).await?,
            locks: Locks::with_options(places.link().await?, options),
            term: Term::Renewed(places.lease()),
        })
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let mutex = self.locks.mutex(&request.sale.to_string()).term(self.term);
        let guard = match mutex.try_lock().await? {
            Some(guard) => guard,
            None => {
                steps.waits();
                mutex.lock_within(PATIENCE).await?
            }
        };
        steps.saw("fence", guard.fence().as_i64());
        let answer = self.sell(request, guard.fence(), steps).await;
        steps.step("about to release").await;

        // A lock that was lost meanwhile needs no release, and the fencing token has prevented any write.
        let _lost = guard.release().await;
        answer
    }
}

impl FencedLock {
    async fn sell(
        &self,
        request: PurchaseRequest,
        fence: Fence,
        steps: &StepControl,
    ) -> Result<PurchaseReply> {
        if self.tables.has_order(request).await? {
            return Ok(PurchaseReply::AlreadyBought);
        }
        if self.tables.stock(request.sale).await? < 1 {
            return Ok(PurchaseReply::SoldOut);
        }
        steps.step("stock is read").await;

        let order = Order::of(request);
        let mut transaction = self.tables.pool.begin().await?;
        let taken =
            sqlx::query("UPDATE sale SET stock = stock - 1, fence = ? WHERE id = ? AND fence <= ?")
                .bind(fence.as_i64())
                .bind(request.sale)
                .bind(fence.as_i64())
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
