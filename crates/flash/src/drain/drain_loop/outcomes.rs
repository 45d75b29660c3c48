//! What the drain loop does with the outcome of each order: acknowledge, park, or dead-letter.

use super::DrainLoop;
use crate::drain::parked::PendingOrder;
use crate::drain::recorder::{RecordOutcome, StopReason};
use crate::{Ledger, StockUnit, meter};

impl<L: Ledger> DrainLoop<'_, L> {
    pub(super) async fn apply_outcome(
        &mut self,
        mut pending: PendingOrder,
        outcome: RecordOutcome,
    ) -> Result<(), StopReason> {
        match outcome {
            RecordOutcome::Recorded => {
                self.finish(&pending);
                Ok(())
            }
            RecordOutcome::Refused(why) => {
                self.dead_letter(pending, &why.to_string(), StockUnit::Held, "refused")
                    .await
            }
            RecordOutcome::OutOfStock => {
                let reason = "the ledger has no unit left for it";
                self.dead_letter(pending, reason, StockUnit::None, "short")
                    .await
            }
            RecordOutcome::Failed { reason, at } => {
                let (order, sale) = (pending.order.id, pending.order.sale);
                match pending.is_first_attempt() {
                    true => tracing::warn!(%order, %sale, reason, "order not recorded, retrying"),
                    false => tracing::debug!(%order, %sale, reason, "order not recorded, retrying"),
                }
                pending.fail(at, reason, self.recorder.health());
                self.parked.park(pending);
                Ok(())
            }
            RecordOutcome::Unavailable => {
                pending.postpone();
                self.parked.park(pending);
                Ok(())
            }
        }
    }

    /// Dead-letters the orders that are proven to be at fault themselves, and returns the others.
    pub(super) async fn dead_letter_proven(
        &mut self,
        due: Vec<PendingOrder>,
    ) -> Result<Vec<PendingOrder>, StopReason> {
        let mut others = Vec::with_capacity(due.len());
        for pending in due {
            match pending.proven_reason(self.recorder.health()) {
                Some(reason) => {
                    let reason = reason.to_owned();
                    self.dead_letter(pending, &reason, StockUnit::Held, "failed")
                        .await?;
                }
                None => others.push(pending),
            }
        }
        Ok(others)
    }

    async fn dead_letter(
        &mut self,
        mut pending: PendingOrder,
        reason: &str,
        unit: StockUnit,
        label: &'static str,
    ) -> Result<(), StopReason> {
        let order = &pending.order;
        if self.recorder.dead_letter(order, reason, unit).await? {
            meter::dead_lettered(label);
            tracing::error!(order = %order.id, sale = %order.sale, reason, "order dead-lettered");
            self.finish(&pending);
        } else {
            pending.postpone();
            self.parked.park(pending);
        }
        Ok(())
    }

    fn finish(&mut self, pending: &PendingOrder) {
        let finished = self.in_flight.finish_order(pending.from);
        self.to_acknowledge.extend(finished);
    }
}
