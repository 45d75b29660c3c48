//! Version 19. A stream with a consumer group: Redis keeps each delivered order as pending until it is acknowledged.
//!
//! A restarted worker first reads its pending orders, so the end of a process loses nothing. What Redis loses is lost:
//! after a failover to a lagging replica, orders are missing and their buyers may buy again.

use std::time::Duration;

use anyhow::{Context as _, Result};
use link::{Link, Script};
use redis::streams::{StreamId, StreamReadReply};

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

const GROUP: &str = "g1";
/// One consumer name for all processes, as in the original: a started process takes over what another left pending.
const CONSUMER: &str = "c1";
const BLOCK: Duration = Duration::from_secs(1);

pub(crate) struct StreamGroup {
    gate: Gate,
    tables: SaleTables,
    link: Link,
}

impl Version for StreamGroup {
    async fn open(places: &Endpoints) -> Result<Self> {
        let gate = Gate::open(places, &DECIDE_AND_APPEND).await?;
        let link = places.worker_link().await?;
        let mut create = redis::cmd("XGROUP");
        create
            .arg("CREATE")
            .arg(gate.orders_key())
            .arg(GROUP)
            .arg("0")
            .arg("MKSTREAM");
        // It fails if the group exists, which is as good.
        let _there: Result<(), _> = link.run(&create).await;
        let tables = SaleTables::open(&places.sql).await?;
        Ok(Self { gate, tables, link })
    }

    async fn publish(&self, sale: i64, stock: i64) -> Result<()> {
        self.gate.publish(sale, stock).await
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        steps.step("about to call the gate").await;
        self.gate.decide(Order::of(request)).await
    }

    async fn work(&self, steps: &StepControl) -> Result<()> {
        // First what is pending since before the restart ("0"), then what is new (">").
        let mut from = "0";
        let mut line = self.link.blocking();
        loop {
            let mut read = redis::cmd("XREADGROUP");
            read.arg("GROUP")
                .arg(GROUP)
                .arg(CONSUMER)
                .arg("COUNT")
                .arg(1);
            read.arg("BLOCK").arg(BLOCK.as_millis() as u64);
            read.arg("STREAMS").arg(self.gate.orders_key()).arg(from);
            let reply: Option<StreamReadReply> = line.run(&read, BLOCK).await?;
            let entries = reply.into_iter().flat_map(|reply| reply.keys);
            let entries: Vec<StreamId> = entries.flat_map(|key| key.ids).collect();
            if entries.is_empty() {
                from = ">";
            }
            for entry in entries {
                self.handle(&entry, steps).await?;
            }
        }
    }

    async fn pending(&self) -> Result<u64> {
        let length = redis::cmd("XLEN").arg(self.gate.orders_key()).to_owned();
        Ok(self.link.run(&length).await?)
    }
}

impl StreamGroup {
    async fn handle(&self, entry: &StreamId, steps: &StepControl) -> Result<()> {
        let order: String = entry.get("order").context("an entry has an order")?;
        steps.saw("XREADGROUP", &order);
        steps.step("order is read").await;
        self.tables.record(serde_json::from_str(&order)?).await?;
        steps.step("order is recorded").await;
        let key = self.gate.orders_key();
        let mut done = redis::pipe();
        done.cmd("XACK")
            .arg(&key)
            .arg(GROUP)
            .arg(&entry.id)
            .ignore();
        done.cmd("XDEL").arg(&key).arg(&entry.id).ignore();
        Ok(self.link.pipe(&done).await?)
    }
}
