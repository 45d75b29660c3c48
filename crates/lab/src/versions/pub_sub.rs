//! Version 17. Publish and subscribe: the script publishes the order, and a subscriber records it.
//!
//! A message without a subscriber is lost. While the worker is down, every order that is sold is lost.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use link::{Event, Interest, Link, Script, Subscription};
use tokio::sync::Mutex;

use super::gate::Gate;
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

static DECIDE_AND_PUBLISH: Script = Script::new(
    "if tonumber(redis.call('GET', KEYS[1])) <= 0 then return 1 end
     if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 2 end
     redis.call('DECR', KEYS[1])
     redis.call('SADD', KEYS[2], ARGV[1])
     redis.call('PUBLISH', KEYS[3], ARGV[2])
     return 0",
);

/// Enough for the messages of the whole crowd.
const CAPACITY: usize = 100_000;

pub(crate) struct PubSub {
    gate: Gate,
    tables: SaleTables,
    _link: Link,
    messages: Mutex<Subscription>,
    in_hand: AtomicU64,
}

impl Version for PubSub {
    async fn open(places: &Endpoints) -> Result<Self> {
        let gate = Gate::open(places, &DECIDE_AND_PUBLISH).await?;
        let link = places.worker_link().await?;
        let interest = Interest::channels([gate.orders_key()]).capacity(CAPACITY);
        let mut messages = link.subscribe(interest);
        while messages.next().await != Event::Connected {}
        Ok(Self {
            gate,
            tables: SaleTables::open(&places.sql).await?,
            _link: link,
            messages: Mutex::new(messages),
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
        let mut messages = self.messages.lock().await;
        loop {
            let Event::Message { payload, .. } = messages.next().await else {
                continue;
            };
            self.in_hand.store(1, Ordering::SeqCst);
            steps.saw("message", String::from_utf8_lossy(&payload));
            steps.step("order is received").await;
            let recorded = self.tables.record(serde_json::from_slice(&payload)?).await;
            self.in_hand.store(0, Ordering::SeqCst);
            recorded?;
        }
    }

    async fn pending(&self) -> Result<u64> {
        Ok(self.in_hand.load(Ordering::SeqCst))
    }
}
