//! Spread: the pieces of one sale in several buckets, and how they get to where the buyers are.
//!
//! A buyer belongs to one bucket for ever, so the limit per buyer is decided there. Pieces do not: when a bucket runs
//! out while others have some, it pulls half of what the richest has, or all of a few; when a worker finds buckets uneven, it evens them
//! out. So the last piece is sold whoever asks for it.
//!
//! # A transfer
//! Two buckets are in different slots, often on different masters, so a transfer takes two scripts and may end between
//! them. **Debit** takes pieces out of one bucket and writes them into its journal, under the next number of the road to
//! the other. **Credit** adds them there, if that bucket has not seen the number yet, and notes it. **Settle** strikes
//! them from the journal.
//!
//! The invariant: **pieces are in a bucket, or in a journal under a number that the other end has not seen.**
//!
//! | what happens | what follows |
//! |---|---|
//! | the process dies after the debit | whoever reads the journal next finishes the transfer |
//! | … after the credit | the number was seen: whoever reads the journal only settles it |
//! | the answer to a debit is lost | it is never sent again; the journal tells |
//! | a credit is repeated, or arrives late | its number was seen |
//! | the sale is loaded anew | journals are forgotten, the load counts every piece; late scripts name the old load |
//! | the sale ends | journals end with the gates: what is in them was not sold |
//!
//! Numbers of a road rise, and whoever finishes transfers does so from the lowest on and stops where one is in doubt.
//! So the other end needs to remember one number per road, and no transfer is remembered for ever.

mod rebalance;
mod snapshot;
mod transfer;

use link::LinkError;

use crate::gate::bucket::Place;
use crate::load::LoadError;
use crate::{Flash, Ledger, SaleId};
pub(crate) use snapshot::{BucketLook, Look};

/// How often a pull looks again because others move pieces at the same time.
const MAX_LOOKS: usize = 8;

/// A bucket with no more pieces than this gives all of them at once: halves of halves would keep those who wait for the
/// last pieces going in circles.
const FEW: u32 = 64;

/// What a look into the other buckets brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pulled {
    /// Something has changed: asking the gate again is sensible.
    Moved,
    /// No bucket has a piece, and none is on its way.
    AllEmpty,
}

impl<L: Ledger> Flash<L> {
    /// Gets pieces for a bucket that has none from one that has.
    pub async fn pull(&self, sale: SaleId, bucket: u16) -> Result<Pulled, LoadError> {
        let flash = self.clone();
        let pull = || async move { flash.pull_once(sale, bucket).await };
        let pulled = self.inner.upkeep.pulls.join((sale, bucket), pull).await;
        pulled.unwrap_or(Err(LoadError::Underway))
    }

    async fn pull_once(&self, sale: SaleId, bucket: u16) -> Result<Pulled, LoadError> {
        let places = self.gated_places(sale).await?;
        let mut empty_at = None;
        for _ in 0..MAX_LOOKS {
            let Some(look) = Look::at(&self.inner.link, &places).await? else {
                self.ensure_loaded(sale).await?;
                return Ok(Pulled::Moved);
            };
            if self.finish_transfers(&places, &look).await? || look.stock(bucket) > 0 {
                return Ok(Pulled::Moved);
            }
            if let Some((from, stock)) = look.richest() {
                if self
                    .transfer(&places, look.load, from, bucket, share(stock))
                    .await?
                    > 0
                {
                    return Ok(Pulled::Moved);
                }
                continue;
            }
            // Buckets are not read at one moment: a piece may have come from one that was read later to one that was read
            // before. That one has another epoch since.
            let epochs = Some(look.epochs());
            if empty_at == epochs {
                return Ok(Pulled::AllEmpty);
            }
            empty_at = epochs;
        }
        Ok(Pulled::Moved)
    }

    /// Moves at most `pieces` into bucket 0; `false` if there were none.
    pub(crate) async fn gather(&self, places: &[Place], pieces: u32) -> Result<bool, LinkError> {
        let Some(look) = Look::at(&self.inner.link, places).await? else {
            return Ok(false);
        };
        let mut moved = self.finish_transfers(places, &look).await?;
        let mut wanted = pieces;
        for (from, stock) in look.stocks().filter(|(bucket, _)| *bucket != 0) {
            if wanted == 0 {
                break;
            }
            let sent = self
                .transfer(places, look.load, from, 0, stock.min(wanted))
                .await?;
            wanted = wanted.saturating_sub(sent);
            moved |= sent > 0;
        }
        Ok(moved)
    }
}

/// How many of its pieces the richest bucket gives to one that has none.
fn share(stock: u32) -> u32 {
    match stock {
        0..=FEW => stock,
        more => more / 2,
    }
}
