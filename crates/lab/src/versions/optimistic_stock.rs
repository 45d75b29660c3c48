//! Version 3. Optimistic, by the stock itself: `WHERE stock > 0` is all the condition that is needed.
//!
//! Nobody is sent away in vain any more, and a sale of N sells N. Whoever clicks twice still has two orders.

use anyhow::Result;

use crate::pace::Pace;
use crate::shelf::{self, Shelf};
use crate::version::{Answer, Order, Places, Version, Wish};

pub(crate) struct OptimisticStock {
    shelf: Shelf,
}

impl Version for OptimisticStock {
    async fn open(places: &Places) -> Result<Self> {
        let shelf = Shelf::open(&places.sql).await?;
        Ok(Self { shelf })
    }

    async fn buy(&self, wish: Wish, pace: &Pace) -> Result<Answer> {
        let stock = self.shelf.stock(wish.sale).await?;
        if stock < 1 {
            return Ok(Answer::SoldOut);
        }
        pace.step("stock is read").await;

        let order = Order::of(wish);
        let mut transaction = self.shelf.pool.begin().await?;
        let taken = sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ? AND stock > 0")
            .bind(wish.sale)
            .execute(&mut *transaction)
            .await?;
        if taken.rows_affected() == 0 {
            return Ok(Answer::SoldOut);
        }
        shelf::insert(&mut transaction, order).await?;
        transaction.commit().await?;
        Ok(Answer::Ordered(order.id))
    }
}
