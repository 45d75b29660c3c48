//! Version 18. A stream: the script appends the order, one reader reads it (`XREAD`).
//!
//! The stream keeps every entry. But only the reader's memory has the position. A restarted reader begins with new
//! entries and skips those that were appended meanwhile; and it never reads an entry again that it failed to record.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use link::{Link, Script};
use redis::streams::{StreamRangeReply, StreamReadReply};
use tokio::sync::Mutex;

use super::gate::Gate;
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

static DECIDE_AND_APPEND: Script = Script::new(
    "if tonumber(redis.call('GET', KEYS[1])) <= 0 then return 1 end
     if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 2 end
     redis.call('DECR', KEYS[1])
     redis.call('SADD', KEYS[2], ARGV[1])
     redis.call('XADD', KEYS[3], '*', 'order', ARGV[2])
     return 0",
);

const BLOCK: Duration = Duration::from_secs(1);

pub(crate) struct StreamReader {
    gate: Gate,
    tables: SaleTables,
    link: Link,
    /// The last entry that was read.
    position: Mutex<String>,
    in_hand: AtomicU64,
}

impl Version for StreamReader {
    async fn open(places: &Endpoints) -> Result<Self> {
        let gate = Gate::open(places, &DECIDE_AND_APPEND).await?;
        let link = places.worker_link().await?;
        let mut last = redis::cmd("XREVRANGE");
        last.arg(gate.orders_key())
            .arg("+")
            .arg("-")
            .arg("COUNT")
            .arg(1);
        let last: StreamRangeReply = link.run(&last).await?;
        let position = last.ids.first().map_or("0", |entry| &entry.id);
        Ok(Self {
            position: Mutex::new(position.to_owned()),
            gate,
            tables: SaleTables::open(&places.sql).await?,
            link,
            in_hand: AtomicU64::new(0),
        })
    }

    async fn publish(&self, sale: i64, stock: i64) -> Result<()> {
        self.gate.publish(sale, stock).await
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        steps.step("about to call the gate").await;
        self.gate.decide(Order::of(request)).await
    }

    async fn work(&self, steps: &StepControl) -> Result<()> {
        let mut position = self.position.lock().await;
        let mut line = self.link.blocking();
        loop {
            let mut read = redis::cmd("XREAD");
            read.arg("COUNT")
                .arg(1)
                .arg("BLOCK")
                .arg(BLOCK.as_millis() as u64);
            read.arg("STREAMS")
                .arg(self.gate.orders_key())
                .arg(&*position);
            let reply: Option<StreamReadReply> = line.run(&read, BLOCK).await?;
            for entry in reply
                .into_iter()
                .flat_map(|reply| reply.keys)
                .flat_map(|key| key.ids)
            {
                self.in_hand.store(1, Ordering::SeqCst);
                position.clone_from(&entry.id);
                let order: String = entry.get("order").context("an entry has an order")?;
                steps.saw("XREAD", &order);
                steps.step("order is read").await;
                let recorded = self.tables.record(serde_json::from_str(&order)?).await;
                self.in_hand.store(0, Ordering::SeqCst);
                recorded?;
            }
        }
    }

    async fn pending(&self) -> Result<u64> {
        Ok(self.in_hand.load(Ordering::SeqCst))
    }
}
