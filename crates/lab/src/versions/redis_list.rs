//! Version 16. The queue in Redis: the script pushes the order onto a list, a worker pops it (`BRPOP`).
//!
//! Waiting orders survive the end of any process. The order that was just popped does not: it is in the worker's memory
//! only. If the worker dies, or SQL fails for a moment, it is lost.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use link::{Link, Script};

use super::gate::Gate;
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

static DECIDE_AND_PUSH: Script = Script::new(
    "if tonumber(redis.call('GET', KEYS[1])) <= 0 then return 1 end
     if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 2 end
     redis.call('DECR', KEYS[1])
     redis.call('SADD', KEYS[2], ARGV[1])
     redis.call('LPUSH', KEYS[3], ARGV[2])
     return 0",
);

const BLOCK: Duration = Duration::from_secs(1);

pub(crate) struct RedisList {
    gate: Gate,
    tables: SaleTables,
    link: Link,
    in_hand: AtomicU64,
}

impl Version for RedisList {
    async fn open(places: &Endpoints) -> Result<Self> {
        Ok(Self {
            gate: Gate::open(places, &DECIDE_AND_PUSH).await?,
            tables: SaleTables::open(&places.sql).await?,
            link: places.worker_link().await?,
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
        let mut line = self.link.blocking();
        let mut pop = redis::cmd("BRPOP");
        pop.arg(self.gate.orders_key()).arg(BLOCK.as_secs());
        loop {
            let popped: Option<(String, String)> = line.run(&pop, BLOCK).await?;
            let Some((_, order)) = popped else { continue };
            self.in_hand.store(1, Ordering::SeqCst);
            steps.saw("BRPOP", &order);
            steps.step("order is taken off the list").await;
            let recorded = self.tables.record(serde_json::from_str(&order)?).await;
            self.in_hand.store(0, Ordering::SeqCst);
            recorded?;
        }
    }

    async fn pending(&self) -> Result<u64> {
        let length = redis::cmd("LLEN").arg(self.gate.orders_key()).to_owned();
        let waiting: u64 = self.link.run(&length).await?;
        Ok(waiting + self.in_hand.load(Ordering::SeqCst))
    }
}
