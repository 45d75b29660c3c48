//! Version 2. Optimistic, by a version number: take a piece only if nobody changed the row since it was read.
//!
//! Nothing is sold twice. But of a hundred who read the same version one succeeds and ninety-nine are sent away, even
//! if there is stock for all; and whoever clicks twice, or asks again because no answer came, has two orders.

use anyhow::Result;

use crate::pace::Pace;
use crate::shelf::{self, Shelf};
use crate::version::{Answer, Order, Places, Version, Wish};

pub(crate) struct OptimisticVersion {
    shelf: Shelf,
}

impl Version for OptimisticVersion {
    async fn open(places: &Places) -> Result<Self> {
        let shelf = Shelf::open(&places.sql).await?;
        Ok(Self { shelf })
    }

    async fn buy(&self, wish: Wish, pace: &Pace) -> Result<Answer> {
        let (stock, version): (i64, i64) =
            sqlx::query_as("SELECT stock, version FROM sale WHERE id = ?")
                .bind(wish.sale)
                .fetch_one(&self.shelf.pool)
                .await?;
        if stock < 1 {
            return Ok(Answer::SoldOut);
        }
        pace.step("stock and version are read").await;

        let order = Order::of(wish);
        let mut transaction = self.shelf.pool.begin().await?;
        let taken = sqlx::query(
            "UPDATE sale SET stock = stock - 1, version = version + 1 WHERE id = ? AND version = ?",
        )
        .bind(wish.sale)
        .bind(version)
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
