//! Version 14. Stock and buyers in Redis, without a script: `GET`, `SISMEMBER`, `SADD`, `DECR`, one after the other.
//!
//! Every command is atomic, the sequence is not. Two clicks of one person both ask `SISMEMBER` before either has called
//! `SADD`: two orders. `DECR` alone is safe, since it returns a different number to each caller, so nothing is oversold. But a
//! purchase that ends between two commands leaves half of itself behind: a buyer without a unit, or a unit without an order.

use anyhow::Result;
use link::Link;

use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

pub(crate) struct RedisCheckThenAct {
    tables: SaleTables,
    link: Link,
    places: Endpoints,
}

impl Version for RedisCheckThenAct {
    async fn open(places: &Endpoints) -> Result<Self> {
        Ok(Self {
            tables: SaleTables::open(&places.sql).await?,
            link: places.link().await?,
            places: places.clone(),
        })
    }

    async fn publish(&self, sale: i64, stock: i64) -> Result<()> {
        let key = self.stock_key(sale);
        Ok(self.link.run(redis::cmd("SET").arg(key).arg(stock)).await?)
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        let stock_key = self.stock_key(request.sale);
        let buyers_key = self.places.key(&format!("buyers:{}", request.sale));
        let ask_buyers = |command: &str| {
            let mut command = redis::cmd(command);
            command.arg(&buyers_key).arg(request.buyer);
            command
        };
        let stock: i64 = self.link.run(redis::cmd("GET").arg(&stock_key)).await?;
        steps.saw("GET stock", stock);
        if stock <= 0 {
            return Ok(PurchaseReply::SoldOut);
        }
        let is_buyer: bool = self.link.run(&ask_buyers("SISMEMBER")).await?;
        steps.saw("SISMEMBER", u8::from(is_buyer));
        if is_buyer {
            return Ok(PurchaseReply::AlreadyBought);
        }
        steps.step("not among the buyers").await;

        let _added: i64 = self.link.run(&ask_buyers("SADD")).await?;
        steps.step("marked as a buyer").await;

        let left: i64 = self.link.run(redis::cmd("DECR").arg(&stock_key)).await?;
        steps.saw("DECR", left);
        if left < 0 {
            let _removed: i64 = self.link.run(&ask_buyers("SREM")).await?;
            return Ok(PurchaseReply::SoldOut);
        }
        let order = Order::of(request);
        steps.step("granted, not recorded").await;
        self.tables.record(order).await?;
        Ok(PurchaseReply::Ordered(order.id))
    }
}

impl RedisCheckThenAct {
    fn stock_key(&self, sale: i64) -> String {
        self.places.key(&format!("stock:{sale}"))
    }
}
