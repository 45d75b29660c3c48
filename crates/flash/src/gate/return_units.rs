//! Returns: the units of orders that ended are for sale again.
//!
//! The ledger comes first: one transaction ends the order, returns its unit to stock and writes an outbox row, whose
//! handler calls [`Flash::return_unit`]. That is idempotent, so the row may be handled twice. The order id stays in the
//! gate, marked as returned: a late repetition of its claim gets the same reply and takes no second unit.
//!
//! Many orders that end at once are returned in batches ([`Flash::return_units`]). A script runs as a whole or not at all,
//! and treats each order on its own, so an interrupted batch is repeated as a whole.

use std::collections::BTreeMap;

use link::{LinkError, Script};

use crate::gate::bucket::{Bucket, as_ms, eval_with_retry};
use crate::load::ABANDONED;
use crate::{BuyerId, Flash, Ledger, OrderId, SaleId, StockUnit};

static RETURN_UNITS: Script = Script::new(include_str!("../lua/return_units.lua"));

/// Returned orders that the gate keeps per buyer. A request is repeated for minutes at most, and nobody buys and returns so
/// often in that time.
const REMEMBERED: u8 = 8;

/// Orders per call: as many as claims, so that a claim never waits longer for returns than for other claims.
const ORDERS_PER_CALL: usize = 256;

/// An order that ended, whose unit returns to stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockReturn {
    /// The sale of the order.
    pub sale: SaleId,
    /// The buyer of the order.
    pub buyer: BuyerId,
    /// The order that ended.
    pub order: OrderId,
    /// [`StockUnit::None`] for an order that the ledger had no unit for: nothing returns to stock.
    pub unit: StockUnit,
}

impl<L: Ledger> Flash<L> {
    /// Returns the unit of an order to stock, once; `false` if the gate holds none for it. Without a gate there is nothing
    /// to do: the next load of the sale does not find the order.
    pub async fn return_unit(&self, returned: StockReturn) -> Result<bool, LinkError> {
        Ok(self.return_units(&[returned]).await? > 0)
    }

    /// As [`Flash::return_unit`], for many orders of any sales. Returns how many orders held a unit. After an error some
    /// units may have returned: repeat all.
    pub async fn return_units(&self, returns: &[StockReturn]) -> Result<u32, LinkError> {
        let mut by_sale: BTreeMap<SaleId, Vec<StockReturn>> = BTreeMap::new();
        for order in returns {
            by_sale.entry(order.sale).or_default().push(*order);
        }
        let mut ended = 0;
        for (sale, returns) in by_sale {
            ended += self.return_units_of(sale, &returns).await?;
        }
        Ok(ended)
    }

    async fn return_units_of(
        &self,
        sale: SaleId,
        returns: &[StockReturn],
    ) -> Result<u32, LinkError> {
        let buckets = self.loaded_buckets(sale).await?;
        let spread = u16::try_from(buckets.len()).expect("there are no more than partitions");
        let mut ended = 0;
        for bucket in &buckets {
            let is_here = |order: &&StockReturn| order.buyer.bucket(spread) == bucket.number;
            let here: Vec<StockReturn> = returns.iter().filter(is_here).copied().collect();
            for call in here.chunks(ORDERS_PER_CALL) {
                supervise::fail_point::pass("in_the_middle_of_a_return");
                ended += self.eval_return(bucket, call).await?;
            }
        }
        Ok(ended)
    }

    async fn eval_return(
        &self,
        bucket: &Bucket,
        returns: &[StockReturn],
    ) -> Result<u32, LinkError> {
        let keys = [
            bucket.sale_key.as_str(),
            &bucket.buyers_key,
            &bucket.epochs_channel,
        ];
        let order = |order: &StockReturn| {
            let restock = u8::from(order.unit == StockUnit::Held);
            (order.buyer.0, order.order.0, restock)
        };
        let orders: Vec<(i64, i64, u8)> = returns.iter().map(order).collect();
        let terms = (bucket.sale.0, REMEMBERED, bucket.publish, as_ms(ABANDONED));
        let returned =
            eval_with_retry(&self.inner.link, &RETURN_UNITS, &keys, (terms, orders)).await;
        self.invalidate_flag(bucket.sale);
        returned
    }
}
