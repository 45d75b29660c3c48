//! Repairs, in the order in which they may be made: who holds pieces comes before how many are left.

use link::{LinkError, Script};

use super::survey::Survey;
use super::{Drift, Repair, Repaired};
use crate::gate::adjust::Adjustment;
use crate::load::LoadError;
use crate::{Ended, Flash, GiveBack, Ledger, OrderId, Piece, SaleId};

static REQUEUE: Script = Script::new(include_str!("../lua/requeue.lua"));
static ADOPT: Script = Script::new(include_str!("../lua/adopt.lua"));

/// Orders that one script makes known.
const CHUNK: usize = 200;

impl<L: Ledger> Flash<L> {
    /// Repairs the first of these differences that can be repaired; the others look different after that.
    pub(super) async fn mend(
        &self,
        sale: SaleId,
        survey: &Survey,
        drifts: &[Drift],
        repair: Repair,
    ) -> Result<Option<Repaired>, LoadError> {
        for drift in drifts {
            let (what, count) = match drift {
                Drift::Forgotten { orders } => ("forgotten", self.adopt(survey, orders).await?),
                Drift::Buried { orders } => ("buried", self.end(sale, survey, orders).await?),
                Drift::Bucket { bucket, difference } => {
                    let place = &survey.places[usize::from(*bucket)];
                    let less = Adjustment::Initial(-difference);
                    ("bucket", self.adjust(place, &survey.look, less).await?)
                }
                Drift::Pieces { difference } if *difference > 0 => {
                    ("surplus", self.take_back(survey, *difference).await?)
                }
                // An order that the gate does not know holds a piece that only seems to be missing.
                Drift::Pieces { .. } if !survey.forgotten.is_empty() => continue,
                Drift::Pieces { difference } => {
                    let more = Adjustment::Pieces(-difference);
                    let home = &survey.places[0];
                    ("shortage", self.adjust(home, &survey.look, more).await?)
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

    /// Writes live orders of the ledger into the gate that has forgotten them.
    async fn adopt(&self, survey: &Survey, orders: &[OrderId]) -> Result<i64, LinkError> {
        let spread = u16::try_from(survey.places.len()).expect("there are no more than partitions");
        let mut adopted = 0;
        for place in &survey.places {
            let here: Vec<(i64, String)> = survey
                .forgotten
                .iter()
                .filter(|held| held.buyer.bucket(spread) == place.bucket)
                .filter(|held| orders.binary_search(&held.order).is_ok())
                .map(|held| held.to_item())
                .collect();
            for chunk in here.chunks(CHUNK) {
                let keys = [&place.sale, &place.buyers, &place.epochs];
                let args = (survey.look.load, place.id.0, place.publish, chunk);
                let answer = self.inner.link.eval(&ADOPT, &keys, args).await;
                self.forget_answers(place.id);
                let answer: Vec<i64> = answer?;
                adopted += answer.first().copied().unwrap_or(0);
            }
        }
        Ok(adopted)
    }

    /// Sends orders to the ledger that only the gate knows. The drain records them, or dead-letters those that cannot be
    /// recorded: either way their buyers learn what became of them.
    async fn requeue(&self, survey: &Survey, orders: &[OrderId]) -> Result<i64, LinkError> {
        let spread = u16::try_from(survey.places.len()).expect("there are no more than partitions");
        let mut requeued = 0;
        for place in &survey.places {
            let here: Vec<(i64, i64)> = survey
                .orphaned
                .iter()
                .filter(|(_, buyer)| buyer.bucket(spread) == place.bucket)
                .filter(|(order, _)| orders.binary_search(order).is_ok())
                .map(|(order, buyer)| (buyer.0, order.0))
                .collect();
            let keys = [
                place.sale.clone(),
                place.buyers.clone(),
                self.inner.keys.orders(place.partition),
                self.inner.keys.backlog(place.partition),
            ];
            for chunk in here.chunks(CHUNK) {
                let args = (survey.look.load, place.id.0, chunk);
                let sent: i64 = self.inner.link.eval(&REQUEUE, &keys, args).await?;
                requeued += sent;
            }
        }
        Ok(requeued)
    }

    /// Takes unsold pieces out that the ledger does not have.
    async fn take_back(&self, survey: &Survey, surplus: i64) -> Result<i64, LinkError> {
        let (home, less) = (&survey.places[0], Adjustment::Pieces(-surplus));
        let taken = self.adjust(home, &survey.look, less).await?;
        let surplus = u32::try_from(surplus).unwrap_or(u32::MAX);
        if taken != 0 || !self.gather(&survey.places, surplus).await? {
            return Ok(taken);
        }
        let taken = self.take_surplus(&survey.places, surplus).await?;
        Ok(-i64::from(taken))
    }

    /// Ends what orders hold that have ended in the ledger. A buried one has no piece to sell again: if the ledger has
    /// one after all, it is missing when pieces are counted next, and added then.
    async fn end(
        &self,
        sale: SaleId,
        survey: &Survey,
        orders: &[OrderId],
    ) -> Result<i64, LinkError> {
        let mut given = Vec::new();
        for ((order, buyer), end) in &survey.ended {
            if orders.binary_search(order).is_ok() {
                given.push(GiveBack {
                    sale,
                    buyer: *buyer,
                    order: *order,
                    piece: match end {
                        Ended::Buried => Piece::None,
                        Ended::GivenBack => Piece::Held,
                    },
                });
            }
        }
        Ok(self.give_back_all(&given).await?.into())
    }
}
