//! Version 1. No lock at all: look at the stock, and if there is some, take a piece.
//!
//! Between the look and the taking everybody else looks too. All see the last piece, all take it.

use anyhow::Result;

use crate::pace::Pace;
use crate::shelf::{self, Shelf};
use crate::version::{Answer, Order, Places, Version, Wish};

pub(crate) struct NoLock {
    shelf: Shelf,
}

impl Version for NoLock {
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
        sqlx::query("UPDATE sale SET stock = stock - 1 WHERE id = ?")
            .bind(wish.sale)
            .execute(&mut *transaction)
            .await?;
        shelf::insert(&mut transaction, order).await?;
        transaction.commit().await?;
        Ok(Answer::Ordered(order.id))
    }
}
