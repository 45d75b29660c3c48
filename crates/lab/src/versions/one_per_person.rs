//! Version 4. One per person, by asking first: whoever has an order already gets no other.
//!
//! It is version 1 again, with people in place of pieces: both clicks ask before either has written.

use anyhow::Result;

use crate::pace::Pace;
use crate::shelf::{self, Shelf};
use crate::version::{Answer, Order, Places, Version, Wish};

pub(crate) struct OnePerPerson {
    shelf: Shelf,
}

impl Version for OnePerPerson {
    async fn open(places: &Places) -> Result<Self> {
        let shelf = Shelf::open(&places.sql).await?;
        Ok(Self { shelf })
    }

    async fn buy(&self, wish: Wish, pace: &Pace) -> Result<Answer> {
        if self.shelf.has_order(wish).await? {
            return Ok(Answer::AlreadyBought);
        }
        pace.step("no order is found").await;

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
