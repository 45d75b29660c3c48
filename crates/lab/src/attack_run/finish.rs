//! The end of a run: late buyers buy the rest of the stock, orders in flight are recorded, and the outcome is checked.

use std::time::Duration;

use anyhow::{Result, bail};
use tokio::time::{Instant, sleep};

use super::{AttackRun, PATIENCE};
use crate::protocol::{AttackCommand, ProcessReply};
use crate::sale_outcome::SaleOutcome;
use crate::snapshot::FIRST_LATECOMER;
use crate::version::PurchaseReply;

/// An order that is no longer in flight and not in SQL after this time is lost. Delivery within a machine takes a
/// hundredth of it.
const GRACE: Duration = Duration::from_millis(400);

const POLL: Duration = Duration::from_millis(5);

impl AttackRun<'_> {
    /// Ends a sale: late buyers buy the rest, and orders in flight are recorded.
    pub(crate) async fn close(&mut self, process: usize) -> Result<SaleOutcome> {
        self.is_recording = false;
        self.settle().await?;
        if self.entry.has_worker() {
            self.is_recording = true;
            self.note("worker", None, "settle");
            self.observe().await?;
            self.is_recording = false;
        }
        for latecomer in 0..=i64::try_from(self.stock)? {
            let answer = self.insist(process, FIRST_LATECOMER + latecomer).await?;
            if answer == PurchaseReply::SoldOut {
                break;
            }
        }
        self.settle().await?;
        self.verdict().await
    }

    /// Waits until no order is in flight, or those in flight are lost.
    pub(crate) async fn settle(&mut self) -> Result<()> {
        if !self.entry.has_worker() {
            return Ok(());
        }
        let until = Instant::now() + PATIENCE;
        let mut idle_since = None;
        while Instant::now() < until {
            if self.pending().await? > 0 {
                idle_since = None;
            } else {
                let idle_for = idle_since.get_or_insert_with(Instant::now).elapsed();
                if self.verdict().await?.lost == 0 || idle_for > GRACE {
                    return Ok(());
                }
            }
            sleep(POLL).await;
        }
        bail!("orders of {} are on their way for ever", self.entry.id)
    }

    async fn pending(&mut self) -> Result<u64> {
        let mut all = 0;
        for process in 0..self.processes.len() {
            self.processes[process].send(AttackCommand::Pending).await?;
            let reply = self
                .until(|reply| matches!(reply, ProcessReply::Pending { .. }))
                .await?;
            if let ProcessReply::Pending { orders } = reply {
                all += orders;
            }
        }
        Ok(all)
    }
}
