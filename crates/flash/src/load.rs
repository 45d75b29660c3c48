//! The load of a sale: builds its gate from the ledger.
//!
//! A gate is missing when a sale is new, when Redis lost it, when the deployment moved to another Redis. A gate that was
//! loaded on another master counts as missing: a promoted replica may lack the last grants. Then nothing is sold until one
//! process has loaded it:
//!
//! 1. `open_load` gives the load a number `E` that no load before it had.
//! 2. Every bucket is closed with that number ([`begin_load.lua`](../src/lua/begin_load.lua)): it is empty, grants
//!    nothing, and belongs to the master that closed it.
//! 3. A barrier passes in every partition of the sale: all earlier grants are in the ledger.
//! 4. The live orders of the ledger are written into the buckets, page by page.
//! 5. The buckets are opened, with the remaining units and the terms of that moment.
//!
//! The invariant: **the ledger is read after the buckets are closed, and writes are refused unless the buckets are still
//! closed by the same load, on the same master.** So a loader may die, pause or be overtaken at any step:
//!
//! | what happens | what follows |
//! |---|---|
//! | Redis loses everything, at any step | the next step finds no gate of its load and starts over |
//! | two loaders, one paused beyond its lock | the one with the lower number is refused at its next step |
//! | Redis fails over, at any step | the next step finds a gate of another master and starts over |
//! | a step arrives late or twice | refused by the number, or already done |
//! | the loader dies | the next claim starts another load, with a higher number |
//! | some buckets are lost while others sell | all of them are closed before the barrier, so their grants are counted |
//! | an order is returned before its page is read | it is not on the page; its unit is unsold |
//! | … after its page is read | it is in the gate, or its return leaves an item there that keeps it out |
//! | the terms change | [`amend`](crate::Flash::amend) leaves its epoch in the closed gate, and opening with older terms is refused |
//!
//! The ledger has the request keys of orders, also of ended ones, so a request that is repeated across a load gets its
//! order. Only the gate knows which orders without a key were returned; a load loses that.
//!
//! A sale that ended longer ago than the grace period is not loaded: the ledger decides its claims ([`LoadOutcome::Past`]). Concurrent
//! loads, waiting loads and waiting claims are all bounded; beyond the bound claims are refused.
//!
//! The remaining units are the ledger's total less the holders written, so returns during a load need no special case. A load
//! keeps one page in memory, whatever the number of holders.

mod loader;
pub(crate) mod maintenance;
mod steps;

use std::sync::Arc;
use std::time::Duration;

use link::LinkError;
use thiserror::Error;

use crate::gate::bucket::{Bucket, as_ms, now_ms};
use crate::{Flash, Ledger, LedgerError, SaleId};
pub(crate) use steps::ABANDONED;
use supervise::NoOutcome;

/// How long a claim waits for a load, which goes on without it.
const WAIT: Duration = Duration::from_secs(5);

/// How long publishing waits: a sale that was sold before may have a million holders.
const PRELOAD_WAIT: Duration = Duration::from_secs(60);

/// A failed load is not retried by the same process for this long, however many claims need it.
const FAILURE_PAUSE: Duration = Duration::from_millis(200);

/// The result of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadOutcome {
    /// The sale has a gate.
    Loaded,
    /// The ledger has no such sale.
    NoSuchSale,
    /// It ended longer ago than the grace period: it gets no gate, the ledger decides.
    Past {
        /// Units that a buyer may hold, for the decision from the ledger.
        limit_per_buyer: u8,
    },
}

/// Why a sale could not be loaded. Every case is worth a retry.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The ledger failed.
    #[error("the ledger could not be read")]
    Ledger(#[source] Arc<LedgerError>),
    /// Redis failed.
    #[error("redis failed")]
    Redis(#[from] LinkError),
    /// Another process loads or changes the sale.
    #[error("another process holds the lock of the sale")]
    Locked(#[source] lock::Error),
    /// There is no drain worker, or it is behind.
    #[error("granted orders did not reach the ledger in time")]
    Backlog,
    /// Other loads of the sale began meanwhile, each time.
    #[error("the load was overtaken by others too often")]
    Overtaken,
    /// The load goes on; the caller waited long enough.
    #[error("the sale is still being loaded")]
    Underway,
    /// Beyond the bound on loads at once.
    #[error("too many sales are being loaded")]
    TooMany,
}

impl From<LedgerError> for LoadError {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(Arc::new(error))
    }
}

impl<L: Ledger> Flash<L> {
    /// Makes sure that the sale has a gate. However many callers, a process has one load of a sale in flight, and a site
    /// has one.
    pub async fn ensure_loaded(&self, sale: SaleId) -> Result<LoadOutcome, LoadError> {
        if self.inner.maintenance.absent_sales.contains_key(&sale) {
            return Ok(LoadOutcome::NoSuchSale);
        }
        if let Some(past) = self.known_past(sale) {
            return Ok(past);
        }
        self.load_within(sale, WAIT).await
    }

    /// Loads a sale that was just published: its gate is open when this returns, before the first claim.
    pub async fn preload(&self, sale: SaleId) -> Result<LoadOutcome, LoadError> {
        self.inner.maintenance.absent_sales.invalidate(&sale);
        self.inner.maintenance.past_sales.invalidate(&sale);
        self.load_within(sale, PRELOAD_WAIT).await
    }

    /// Whether the ledger said recently that a sale ended longer ago than the grace period.
    pub(crate) fn known_past(&self, sale: SaleId) -> Option<LoadOutcome> {
        let limit = self.inner.maintenance.past_sales.get(&sale);
        limit.map(|limit_per_buyer| LoadOutcome::Past { limit_per_buyer })
    }

    async fn load_within(&self, sale: SaleId, wait: Duration) -> Result<LoadOutcome, LoadError> {
        let flash = self.clone();
        let load = || async move { flash.load_once(sale).await };
        let loading = self.inner.maintenance.loads.join(sale, load);
        match tokio::time::timeout(wait, loading).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(NoOutcome::TooMany)) => Err(LoadError::TooMany),
            Ok(Err(NoOutcome::Aborted)) | Err(_) => Err(LoadError::Underway),
        }
    }

    async fn load_once(&self, sale: SaleId) -> Result<LoadOutcome, LoadError> {
        let outcome = self.load_unless_past(sale).await;
        match &outcome {
            Ok(LoadOutcome::Loaded) => {}
            Ok(LoadOutcome::NoSuchSale) => self.inner.maintenance.absent_sales.insert(sale, ()),
            Ok(LoadOutcome::Past { limit_per_buyer }) => {
                self.inner
                    .maintenance
                    .past_sales
                    .insert(sale, *limit_per_buyer);
            }
            Err(error) => {
                tracing::warn!(
                    sale = sale.0,
                    error = error as &dyn std::error::Error,
                    "sale not loaded, retrying"
                );
                tokio::time::sleep(FAILURE_PAUSE).await;
            }
        }
        outcome
    }

    async fn load_unless_past(&self, sale: SaleId) -> Result<LoadOutcome, LoadError> {
        let Some(terms) = self.inner.ledger.sale(sale).await? else {
            return Ok(LoadOutcome::NoSuchSale);
        };
        let kept_until_ms = (terms.end_ms).saturating_add(as_ms(self.inner.options.grace));
        if now_ms() >= kept_until_ms {
            return Ok(LoadOutcome::Past {
                limit_per_buyer: terms.limit_per_buyer,
            });
        }
        let _permit = self.inner.maintenance.load_permits.acquire().await;
        loader::load(self, sale).await
    }

    /// The buckets of a sale that has a gate, by the spread in its bucket 0; empty if it has no gate there.
    pub(crate) async fn loaded_buckets(&self, sale: SaleId) -> Result<Vec<Bucket>, LinkError> {
        let first = self.bucket(sale, 0);
        let mut cmd = redis::cmd("HGET");
        let spread: Option<u16> = self
            .inner
            .link
            .run(cmd.arg(&first.sale_key).arg("spread"))
            .await?;
        Ok(spread.map_or_else(Vec::new, |spread| self.buckets(sale, spread)))
    }
}
