//! Version 9. The `lock` crate: re-entrant, renewed by a watchdog, waiting without asking, and with a fence.
//!
//! The watchdog keeps the lease alive as long as the process lives. If the whole process is held up, the fence decides:
//! every grant has a higher number than those before, and the row refuses whoever comes with a lower one.

use anyhow::Result;
use lock::{Fence, Locks, Options, Term};

use super::critical::PATIENCE;
use crate::pace::Pace;
use crate::shelf::{self, Shelf};
use crate::version::{Answer, Order, Places, Version, Wish};

pub(crate) struct FencedLock {
    shelf: Shelf,
    locks: Locks,
    term: Term,
}

impl Version for FencedLock {
    async fn open(places: &Places) -> Result<Self> {
        let options = Options {
            prefix: places.key("lock:"),
            ..Options::default()
        };
        Ok(Self {
            shelf: Shelf::open(&places.sql).await?,
            locks: Locks::with_options(places.link().await?, options),
            term: Term::Renewed(places.lease()),
        })
    }

    async fn buy(&self, wish: Wish, pace: &Pace) -> Result<Answer> {
        let mutex = self.locks.mutex(&wish.sale.to_string()).term(self.term);
        let guard = match mutex.try_lock().await? {
            Some(guard) => guard,
            None => {
                pace.waits();
                mutex.lock_within(PATIENCE).await?
            }
        };
        let answer = self.sell(wish, guard.fence(), pace).await;
        pace.step("about to release").await;

        // A lock that was lost meanwhile needs no release, and the fence has seen to the rest.
        let _lost = guard.release().await;
        answer
    }
}

impl FencedLock {
    async fn sell(&self, wish: Wish, fence: Fence, pace: &Pace) -> Result<Answer> {
        if self.shelf.has_order(wish).await? {
            return Ok(Answer::AlreadyBought);
        }
        if self.shelf.stock(wish.sale).await? < 1 {
            return Ok(Answer::SoldOut);
        }
        pace.step("stock is read").await;

        let order = Order::of(wish);
        let mut transaction = self.shelf.pool.begin().await?;
        let taken =
            sqlx::query("UPDATE sale SET stock = stock - 1, fence = ? WHERE id = ? AND fence <= ?")
                .bind(fence.as_i64())
                .bind(wish.sale)
                .bind(fence.as_i64())
                .execute(&mut *transaction)
                .await?;
        if taken.rows_affected() == 0 {
            return Ok(Answer::Busy);
        }
        shelf::insert(&mut transaction, order).await?;
        transaction.commit().await?;
        Ok(Answer::Ordered(order.id))
    }
}
