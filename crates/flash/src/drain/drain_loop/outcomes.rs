//! What follows from the ledger's verdict on an order.

use super::Shift;
use crate::drain::parked::Job;
use crate::drain::recorder::{End, Verdict};
use crate::{Ledger, Piece, meter};

impl<L: Ledger> Shift<'_, L> {
    pub(super) async fn judge(&mut self, mut job: Job, verdict: Verdict) -> Result<(), End> {
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
            Verdict::Failed { reason, at } => {
                let (order, sale) = (job.order.id, job.order.sale);
                match job.is_first_attempt() {
                    true => tracing::warn!(%order, %sale, reason, "order not recorded, retrying"),
                    false => tracing::debug!(%order, %sale, reason, "order not recorded, retrying"),
                }
                job.fail(at, reason, self.recorder.health());
                self.parked.park(job);
                Ok(())
            }
            Verdict::Unavailable => {
                job.postpone();
                self.parked.park(job);
                Ok(())
            }
        }
    }

    /// Dead-letters those of the jobs that are proven to be at fault themselves, and returns the others.
    pub(super) async fn bury_proven(&mut self, due: Vec<Job>) -> Result<Vec<Job>, End> {
        let mut others = Vec::with_capacity(due.len());
        for job in due {
            match job.proven_reason(self.recorder.health()) {
                Some(reason) => {
                    let reason = reason.to_owned();
                    self.bury(job, &reason, Piece::Held, "failed").await?;
                }
                None => others.push(job),
            }
        }
        Ok(others)
    }

    async fn bury(
        &mut self,
        mut job: Job,
        reason: &str,
        piece: Piece,
        label: &'static str,
    ) -> Result<(), End> {
        if self.recorder.bury(&job.order, reason, piece).await? {
            meter::dead(label);
            tracing::error!(order = %job.order.id, sale = %job.order.sale, reason, "order dead-lettered");
            self.finish(&job);
        } else {
            job.postpone();
            self.parked.park(job);
        }
        Ok(())
    }

    fn finish(&mut self, job: &Job) {
        self.done.extend(self.hand.finish_order(job.from));
    }
}
