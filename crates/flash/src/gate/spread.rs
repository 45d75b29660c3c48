//! Spread: the units of one sale in several buckets, and transfers between them.
//!
//! A buyer belongs to one bucket for ever, so the limit per buyer is decided there. Units do not: an empty bucket pulls half
//! of the fullest bucket's stock, or all of it if that is little; a worker evens out uneven buckets. So the last unit can be
//! sold to any buyer.
//!
//! # A transfer
//! Two buckets are in different slots, often on different masters, so a transfer takes two scripts and may end between
//! them. **Debit** takes units out of one bucket and writes them into its journal, under the next number for the pair of
//! buckets. **Credit** adds them to the other bucket, if it has not received the number yet, and records it. **Clear**
//! removes them from the journal.
//!
//! The invariant: **units are in a bucket, or in a journal under a number that the other bucket has not received.**
//!
//! | what happens | what follows |
//! |---|---|
//! | the process dies after the debit | the next process that reads the journal finishes the transfer |
//! | … after the credit | the number was received: the next process only clears the journal |
//! | the reply to a debit is lost | it is never sent again; the journal shows the transfer |
//! | a credit is repeated, or arrives late | its number was received |
//! | the sale is loaded again | journals are deleted, the load counts every unit; late scripts name the old load |
//! | the sale ends | journals expire with the gates: their units were not sold |
//!
//! Numbers of a pair rise, and transfers are finished from the lowest on, up to the first that cannot be finished. So the
//! other bucket needs to keep one number per pair.

mod rebalance;
mod snapshot;
mod transfer;

use link::LinkError;

use crate::gate::bucket::Bucket;
use crate::load::LoadError;
use crate::{Flash, Ledger, SaleId};
pub(crate) use snapshot::{BucketSnapshot, GateSnapshot};

/// How often a pull reads the buckets again because others move units at the same time.
const MAX_READS: usize = 8;

/// A bucket with no more units than this gives all of them at once: halves of halves would delay the last units.
const FEW: u32 = 64;

/// The result of a pull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullOutcome {
    /// Units moved, or the bucket may have some by now: the claim should be sent to the gate again.
    Moved,
    /// No bucket has a unit, and none is in transit.
    AllEmpty,
}

impl<L: Ledger> Flash<L> {
    /// Moves units to an empty bucket from the fullest one.
    pub async fn pull(&self, sale: SaleId, bucket: u16) -> Result<PullOutcome, LoadError> {
        let flash = self.clone();
        let pull = || async move { flash.pull_once(sale, bucket).await };
        let pulled = self
            .inner
            .maintenance
            .pulls
            .join((sale, bucket), pull)
            .await;
        pulled.unwrap_or(Err(LoadError::Underway))
    }

    async fn pull_once(&self, sale: SaleId, bucket: u16) -> Result<PullOutcome, LoadError> {
        let buckets = self.loaded_buckets(sale).await?;
        let mut empty_at = None;
        for _ in 0..MAX_READS {
            let Some(snapshot) = GateSnapshot::read(&self.inner.link, &buckets).await? else {
                self.ensure_loaded(sale).await?;
                return Ok(PullOutcome::Moved);
            };
            if self.finish_transfers(&buckets, &snapshot).await? || snapshot.stock(bucket) > 0 {
                return Ok(PullOutcome::Moved);
            }
            if let Some((from, stock)) = snapshot.fullest() {
                if self
                    .transfer(&buckets, snapshot.load, from, bucket, share(stock))
                    .await?
                    > 0
                {
                    return Ok(PullOutcome::Moved);
                }
                continue;
            }
            // The buckets are not read atomically: a unit may have moved from one that was read later to one that was read
            // before. That one then has another epoch.
            let epochs = Some(snapshot.epochs());
            if empty_at == epochs {
                return Ok(PullOutcome::AllEmpty);
            }
            empty_at = epochs;
        }
        Ok(PullOutcome::Moved)
    }

    /// Moves at most `units` into bucket 0; `false` if there were none.
    pub(crate) async fn gather(&self, buckets: &[Bucket], units: u32) -> Result<bool, LinkError> {
        let Some(snapshot) = GateSnapshot::read(&self.inner.link, buckets).await? else {
            return Ok(false);
        };
        let mut moved = self.finish_transfers(buckets, &snapshot).await?;
        let mut wanted = units;
        for (from, stock) in snapshot.stocks().filter(|(bucket, _)| *bucket != 0) {
            if wanted == 0 {
                break;
            }
            let sent = self
                .transfer(buckets, snapshot.load, from, 0, stock.min(wanted))
                .await?;
            wanted = wanted.saturating_sub(sent);
            moved |= sent > 0;
        }
        Ok(moved)
    }
}

/// How many units the fullest bucket gives to an empty one.
fn share(stock: u32) -> u32 {
    match stock {
        0..=FEW => stock,
        more => more / 2,
    }
}
