//! The gate that versions 15 to 21 share: stock and buyers in Redis, decided by one script.
//!
//! Each version has its own script, because what it does with a granted order is the difference between them.

use anyhow::{Result, bail};
use link::{Link, Script};

use crate::step_control;
use crate::version::{Endpoints, Order, PurchaseReply};

/// The script of the versions that send the order after the gate's reply.
pub(super) static DECIDE: Script = Script::new(
    "if tonumber(redis.call('GET', KEYS[1])) <= 0 then return 1 end
     if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 2 end
     redis.call('DECR', KEYS[1])
     redis.call('SADD', KEYS[2], ARGV[1])
     return 0",
);

pub(super) struct Gate {
    link: Link,
    places: Endpoints,
    script: &'static Script,
}

impl Gate {
    pub(super) async fn open(places: &Endpoints, script: &'static Script) -> Result<Self> {
        Ok(Self {
            link: places.link().await?,
            places: places.clone(),
            script,
        })
    }

    /// Writes the stock to Redis, before the sale begins.
    pub(super) async fn publish(&self, sale: i64, stock: i64) -> Result<()> {
        let key = self.stock_key(sale);
        Ok(self.link.run(redis::cmd("SET").arg(key).arg(stock)).await?)
    }

    /// Runs the script with the keys of stock, buyers and orders, and with the buyer and the order.
    pub(super) async fn decide(&self, order: Order) -> Result<PurchaseReply> {
        let buyers = self.places.key(&format!("buyers:{}", order.sale));
        let keys = [self.stock_key(order.sale), buyers, self.orders_key()];
        let arguments = (order.buyer, serde_json::to_string(&order)?);
        let code: i64 = self.link.eval(self.script, &keys, arguments).await?;
        step_control::saw("EVAL", code);
        Ok(match code {
            0 => PurchaseReply::Ordered(order.id),
            1 => PurchaseReply::SoldOut,
            2 => PurchaseReply::AlreadyBought,
            other => bail!("the script answers {other}"),
        })
    }

    /// The list, channel or stream of orders.
    pub(super) fn orders_key(&self) -> String {
        self.places.key("orders")
    }

    fn stock_key(&self, sale: i64) -> String {
        self.places.key(&format!("stock:{sale}"))
    }
}
