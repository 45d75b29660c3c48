//! Version 11. The gate: a Lua script decides in Redis, and a queue in memory takes the order to SQL.
//!
//! The buyer is answered long before SQL has the order. If the process dies in between, so does the queue: the buyer
//! holds the number of an order that nobody knows.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use tokio::sync::{Mutex, mpsc};

use super::gate::{DECIDE, Gate};
use crate::pace::Pace;
use crate::shelf::Shelf;
use crate::version::{Answer, Order, Places, Version, Wish};

pub(crate) struct MemoryQueue {
    gate: Gate,
    shelf: Shelf,
    queue: mpsc::UnboundedSender<Order>,
    orders: Mutex<mpsc::UnboundedReceiver<Order>>,
    pending: AtomicU64,
}

impl Version for MemoryQueue {
    async fn open(places: &Places) -> Result<Self> {
        let (queue, orders) = mpsc::unbounded_channel();
        Ok(Self {
            gate: Gate::open(places, &DECIDE).await?,
            shelf: Shelf::open(&places.sql).await?,
            queue,
            orders: Mutex::new(orders),
            pending: AtomicU64::new(0),
        })
    }

    async fn publish(&self, sale: i64, stock: i64) -> Result<()> {
        self.gate.publish(sale, stock).await
    }

    async fn buy(&self, wish: Wish, pace: &Pace) -> Result<Answer> {
        pace.step("about to ask the gate").await;
        let order = Order::of(wish);
        let answer = self.gate.ask(order).await?;
        if let Answer::Ordered(_) = answer {
            self.pending.fetch_add(1, Ordering::SeqCst);
            self.queue.send(order)?;
        }
        Ok(answer)
    }

    async fn work(&self, pace: &Pace) -> Result<()> {
        let mut orders = self.orders.lock().await;
        while let Some(order) = orders.recv().await {
            pace.step("order is taken from the queue").await;
            let recorded = self.shelf.record(order).await;
            self.pending.fetch_sub(1, Ordering::SeqCst);
            recorded?;
        }
        Ok(())
    }

    async fn pending(&self) -> Result<u64> {
        Ok(self.pending.load(Ordering::SeqCst))
    }
}
