//! How a scene ends: latecomers take what is left, orders on their way arrive, and the verdict is spoken.

use std::time::Duration;

use anyhow::{Result, bail};
use tokio::time::{Instant, sleep};

use super::log::FIRST_LATECOMER;
use super::{PATIENCE, Scene};
use crate::verdict::Verdict;
use crate::version::Answer;
use crate::wire::{Reply, Word};

/// An order that the version does not believe to be on its way any more, and that is not in SQL after this time, is lost.
/// What is on its way within a machine arrives in a hundredth of it.
const GRACE: Duration = Duration::from_millis(400);

const POLL: Duration = Duration::from_millis(5);

impl Scene<'_> {
    /// Ends a sale: everything that can be sold is sold, everything on its way arrives.
    pub(crate) async fn close(&mut self, branch: usize) -> Result<Verdict> {
        self.settle().await?;
        for latecomer in 0..=i64::try_from(self.stock)? {
            let answer = self.insist(branch, FIRST_LATECOMER + latecomer).await?;
            if answer == Answer::SoldOut {
                break;
            }
        }
        self.settle().await?;
        self.verdict().await
    }

    /// Waits until nothing is on its way to SQL, or what is will never arrive.
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
        for branch in 0..self.branches.len() {
            self.branches[branch].say(Word::Pending).await?;
            let reply = self
                .until(|reply| matches!(reply, Reply::Pending { .. }))
                .await?;
            if let Reply::Pending { orders } = reply {
                all += orders;
            }
        }
        Ok(all)
    }
}
