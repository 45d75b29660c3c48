//! Version 15. The gate: a Lua script decides in Redis, and a worker writes orders from a queue in memory to SQL.
//!
//! The buyer gets the reply long before SQL has the order. If the process dies in between, the queue is lost: the buyer
//! has the id of an order that does not exist.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use tokio::sync::{Mutex, mpsc};

use super::gate::{DECIDE, Gate};
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct MemoryQueue {
    gate: Gate,
    tables: SaleTables,
    queue: mpsc::UnboundedSender<Order>,
    orders: Mutex<mpsc::UnboundedReceiver<Order>>,
    pending: AtomicU64,
}

impl Version for MemoryQueue {
    async fn open(places: &Endpoints) -> Result<Self> {
        let (queue, orders) = mpsc::unbounded_channel();
        Ok(Self {
            gate: Gate::open(places, &DECIDE).await?,
            tables: SaleTables::open(&places.sql).await?,
            queue,
            orders: Mutex::new(orders),
            pending: AtomicU64::new(0),
        })
    }

    async fn publish(&self, sale: i64, stock: i64) -> Result<()> {
        self.gate.publish(sale, stock).await
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        steps.step("about to call the gate").await;
        let order = Order::of(request);
        let answer = self.gate.decide(order).await?;
        if let PurchaseReply::Ordered(_) = answer {
            self.pending.fetch_add(1, Ordering::SeqCst);
            self.queue.send(order)?;
        }
        Ok(answer)
    }

    async fn work(&self, steps: &StepControl) -> Result<()> {
        let mut orders = self.orders.lock().await;
        while let Some(order) = orders.recv().await {
            steps.saw("queue", order);
            steps.step("order is taken from the queue").await;
            let recorded = self.tables.record(order).await;
            self.pending.fetch_sub(1, Ordering::SeqCst);
            recorded?;
        }
        Ok(())
    }

    async fn pending(&self) -> Result<u64> {
        Ok(self.pending.load(Ordering::SeqCst))
    }
}
