//! What follows from the ledger's word on an order.

use std::time::Instant;

use super::Shift;
use crate::drain::parked::Job;
use crate::drain::recorder::{End, Verdict};
use crate::{Ledger, Piece, meter};

impl<L: Ledger> Shift<'_, L> {
    pub(super) async fn judge(
        &mut self,
        mut job: Job,
        verdict: Verdict,
        begun: Instant,
    ) -> Result<(), End> {
        match verdict {
            Verdict::Recorded => {
                self.finish(&job);
                Ok(())
            }
            Verdict::Refused(why) => {
                self.bury(job, &why.to_string(), Piece::Held, "refused")
                    .await
            }
            Verdict::Short => {
                let reason = "the ledger has no piece left for it";
                self.bury(job, reason, Piece::None, "short").await
            }
            Verdict::Failed(reason) => {
                job.fail(begun);
                tracing::debug!(order = %job.order.id, reason, "an order could not be recorded");
                match job.is_hopeless(|since| self.recorder.has_recorded_since(since)) {
                    true => self.bury(job, &reason, Piece::Held, "failed").await,
                    false => {
                        self.parked.park(job);
                        Ok(())
                    }
                }
            }
        }
    }

    async fn bury(
        &mut self,
        job: Job,
        reason: &str,
        piece: Piece,
        label: &'static str,
    ) -> Result<(), End> {
        if self.recorder.bury(&job.order, reason, piece).await? {
            meter::dead(label);
            tracing::error!(order = %job.order.id, sale = %job.order.sale, reason, "an order was buried");
            self.finish(&job);
        } else {
            self.parked.park(job);
        }
        Ok(())
    }

    fn finish(&mut self, job: &Job) {
        self.done.extend(self.hand.finish_order(job.from));
    }
}
