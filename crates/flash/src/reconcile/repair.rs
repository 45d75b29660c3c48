//! Repairs, in the order in which they are safe: holders first, then the stock.

use link::{LinkError, Script};

use super::survey::Survey;
use super::{Drift, Repair, Repaired};
use crate::gate::adjust::Adjustment;
use crate::load::LoadError;
use crate::{Ended, Flash, Ledger, OrderId, SaleId, StockReturn, StockUnit};

static REQUEUE: Script = Script::new(include_str!("../lua/requeue.lua"));
static RESTORE_ORDERS: Script = Script::new(include_str!("../lua/restore_orders.lua"));

/// Orders per script.
const CHUNK: usize = 200;

impl<L: Ledger> Flash<L> {
    /// Repairs the first difference that can be repaired; the others have to be surveyed again after that.
    pub(super) async fn repair(
        &self,
        sale: SaleId,
        survey: &Survey,
        drifts: &[Drift],
        repair: Repair,
    ) -> Result<Option<Repaired>, LoadError> {
        for drift in drifts {
            let (what, count) = match drift {
                Drift::Forgotten { orders } => {
                    ("forgotten", self.restore_orders(survey, orders).await?)
                }
                Drift::Ended { orders } => {
                    ("buried", self.return_ended(sale, survey, orders).await?)
                }
                Drift::Bucket { bucket, difference } => {
                    let bucket = &survey.buckets[usize::from(*bucket)];
                    let less = Adjustment::Initial(-difference);
                    ("bucket", self.adjust(bucket, &survey.snapshot, less).await?)
                }
                Drift::Units { difference } if *difference > 0 => {
                    ("surplus", self.take_out_surplus(survey, *difference).await?)
                }
                // An order that the gate lacks holds a unit that only seems to be missing.
                Drift::Units { .. } if !survey.forgotten.is_empty() => continue,
                Drift::Units { difference } => {
                    let more = Adjustment::Units(-difference);
                    let first = &survey.buckets[0];
                    (
                        "shortage",
                        self.adjust(first, &survey.snapshot, more).await?,
                    )
                }
                Drift::Ledger { .. } => return Ok(None),
                Drift::Orphaned { orders } if repair == Repair::WithOrphans => {
                    ("orphaned", self.requeue(survey, orders).await?)
                }
                Drift::NotLoaded | Drift::Terms | Drift::Orphaned { .. } => continue,
            };
            if count != 0 {
                return Ok(Some(Repaired { what, count }));
            }
        }
        Ok(None)
    }

    /// Writes live orders of the ledger into a gate that lacks them.
    async fn restore_orders(&self, survey: &Survey, orders: &[OrderId]) -> Result<i64, LinkError> {
        let spread =
            u16::try_from(survey.buckets.len()).expect("there are no more than partitions");
        let mut restored = 0;
        for bucket in &survey.buckets {
            let here: Vec<(i64, String)> = survey
                .forgotten
                .iter()
                .filter(|held| held.buyer.bucket(spread) == bucket.number)
                .filter(|held| orders.binary_search(&held.order).is_ok())
                .map(|held| held.to_item())
                .collect();
            for chunk in here.chunks(CHUNK) {
                let keys = [&bucket.sale_key, &bucket.buyers_key, &bucket.epochs_channel];
                let args = (survey.snapshot.load, bucket.sale.0, bucket.publish, chunk);
                let reply = self.inner.link.eval(&RESTORE_ORDERS, &keys, args).await;
                self.invalidate_flag(bucket.sale);
                let reply: Vec<i64> = reply?;
                restored += reply.first().copied().unwrap_or(0);
            }
        }
        Ok(restored)
    }

    /// Appends orders to the stream that only the gate knows. The drain worker records or dead-letters them: either way
    /// their buyers see the outcome.
    async fn requeue(&self, survey: &Survey, orders: &[OrderId]) -> Result<i64, LinkError> {
        let spread =
            u16::try_from(survey.buckets.len()).expect("there are no more than partitions");
        let mut requeued = 0;
        for bucket in &survey.buckets {
            let here: Vec<(i64, i64)> = survey
                .orphaned
                .iter()
                .filter(|(_, buyer)| buyer.bucket(spread) == bucket.number)
                .filter(|(order, _)| orders.binary_search(order).is_ok())
                .map(|(order, buyer)| (buyer.0, order.0))
                .collect();
            let keys = [
                bucket.sale_key.clone(),
                bucket.buyers_key.clone(),
                self.inner.keys.orders(bucket.partition),
                self.inner.keys.backlog(bucket.partition),
            ];
            for chunk in here.chunks(CHUNK) {
                let args = (survey.snapshot.load, bucket.sale.0, chunk);
                let sent: i64 = self.inner.link.eval(&REQUEUE, &keys, args).await?;
                requeued += sent;
            }
        }
        Ok(requeued)
    }

    /// Takes out unsold units that the ledger does not have.
    async fn take_out_surplus(&self, survey: &Survey, surplus: i64) -> Result<i64, LinkError> {
        let (first, less) = (&survey.buckets[0], Adjustment::Units(-surplus));
        let taken = self.adjust(first, &survey.snapshot, less).await?;
        let surplus = u32::try_from(surplus).unwrap_or(u32::MAX);
        if taken != 0 || !self.gather(&survey.buckets, surplus).await? {
            return Ok(taken);
        }
        let taken = self.take_surplus(&survey.buckets, surplus).await?;
        Ok(-i64::from(taken))
    }

    /// Returns the units of orders that have ended in the ledger. A dead-lettered one returns none: if the ledger has it
    /// after all, the next survey finds it missing, and adds it.
    async fn return_ended(
        &self,
        sale: SaleId,
        survey: &Survey,
        orders: &[OrderId],
    ) -> Result<i64, LinkError> {
        let mut returns = Vec::new();
        for ((order, buyer), end) in &survey.ended {
            if orders.binary_search(order).is_ok() {
                returns.push(StockReturn {
                    sale,
                    buyer: *buyer,
                    order: *order,
                    unit: match end {
                        Ended::DeadLettered => StockUnit::None,
                        Ended::Returned => StockUnit::Held,
                    },
                });
            }
        }
        Ok(self.return_units(&returns).await?.into())
    }
}
