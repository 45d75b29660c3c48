//! Loading: how the gate of a sale comes to be, from nothing but the ledger.
//!
//! A gate is missing when a sale is new, when Redis forgot it, when the deployment moved to another Redis. A gate that was
//! loaded on another master counts as missing: a replica that took over may lack what was granted last. Then nothing is
//! sold until one process has loaded it:
//!
//! 1. `open_load` gives the load a number `E` that no load before it had.
//! 2. Every bucket is closed with that number ([`begin_load.lua`](../src/lua/begin_load.lua)): it is empty, nothing is
//!    granted any more, and it belongs to the master that closed it.
//! 3. A barrier in every partition of the sale: what was granted before is in the ledger.
//! 4. The live orders of the ledger are written into the buckets, page by page.
//! 5. The buckets are opened, with the pieces that are left and the terms as they are then.
//!
//! The invariant: **all that is read of the ledger is read after the buckets are closed, and what is written is refused
//! unless they are still closed by the same load, on the same master.** So it does not matter where a loader dies, sleeps or is overtaken:
//!
//! | what happens | what follows |
//! |---|---|
//! | Redis forgets everything, at any step | the next step finds no gate of its load and starts over |
//! | two loaders, one paused beyond its lock | the one with the lower number is refused wherever it goes on |
//! | Redis fails over, at any step | the next step finds a gate of another master and starts over |
//! | a late copy of a step | refused by the number, or finds it done |
//! | the loader dies | whoever wants the sale next closes it again, with a higher number |
//! | some buckets are lost and others sell on | all of them are closed before the barrier, so their sales are counted |
//! | an order is returned before its page is read | it is not on the page; its piece is unsold |
//! | … after its page is read | it is in the gate, or its return leaves a mark there that keeps it out |
//! | the terms change | [`amend`](crate::Flash::amend) leaves its number in the closed gate, and opening with older terms is refused |
//!
//! The names that buyers gave their requests travel with the orders to the ledger and come back with a load, also those of
//! orders that ended, so a request repeated across a load gets its order. What only the gate knew is gone: which orders
//! without a name were given back.
//!
//! A sale that ended longer ago than the grace is not loaded: the ledger answers for it ([`Loading::Past`]). Loads at once,
//! loads that wait and claimants that wait for them all have a bound; whoever is beyond it is refused.
//!
//! Pieces left are those of the ledger less the holders written, so returns during a load need no second look. A load
//! keeps one page in memory, whatever the number of holders.

mod loader;
pub(crate) mod maintenance;
mod steps;

use std::sync::Arc;
use std::time::Duration;

use link::LinkError;
use thiserror::Error;

use crate::gate::bucket::{Place, as_ms, now_ms};
use crate::load::maintenance::NoOutcome;
use crate::{Flash, Ledger, LedgerError, SaleId};
pub(crate) use steps::ABANDONED;

/// How long a claimant waits for a load, which goes on without it.
const WAIT: Duration = Duration::from_secs(5);

/// How long publishing waits: a sale that was sold before may have a million holders.
const WARM_WAIT: Duration = Duration::from_secs(60);

/// A load that failed is not tried again by the same process for this long, however many ask for it.
const FAILURE_PAUSE: Duration = Duration::from_millis(200);

/// Whether there is a gate to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loading {
    Loaded,
    NoSuchSale,
    /// It ended longer ago than the grace: no gate is made for it, the ledger answers.
    Past {
        limit_per_buyer: u8,
    },
}

/// Why a sale could not be loaded. Asking again later is sensible in every case.
#[derive(Clone, Debug, Error)]
pub enum LoadError {
    #[error("the ledger could not be read")]
    Ledger(#[source] Arc<LedgerError>),
    #[error("redis could not be asked")]
    Redis(#[from] LinkError),
    #[error("another process loads the sale, or did not end doing so")]
    Locked(#[source] lock::Error),
    /// Nobody drains, or there is much to drain.
    #[error("orders on their way did not reach the ledger in time")]
    Backlog,
    #[error("the sale was loaded or forgotten by others again and again")]
    Overtaken,
    #[error("the sale is still being loaded")]
    Underway,
    #[error("too many sales are being loaded")]
    TooMany,
}

impl From<LedgerError> for LoadError {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(Arc::new(error))
    }
}

impl<L: Ledger> Flash<L> {
    /// Sees to it that the sale has a gate. However many ask, a process has one load of a sale under way, and a site
    /// has one.
    pub async fn ensure_loaded(&self, sale: SaleId) -> Result<Loading, LoadError> {
        if self.inner.upkeep.absent.contains_key(&sale) {
            return Ok(Loading::NoSuchSale);
        }
        if let Some(past) = self.known_past(sale) {
            return Ok(past);
        }
        self.load_within(sale, WAIT).await
    }

    /// Loads a sale that was just published: its gate is open when this returns, so the first claimant finds it.
    pub async fn warm(&self, sale: SaleId) -> Result<Loading, LoadError> {
        self.inner.upkeep.absent.invalidate(&sale);
        self.inner.upkeep.past.invalidate(&sale);
        self.load_within(sale, WARM_WAIT).await
    }

    /// Whether the ledger has said of late that a sale ended longer ago than the grace.
    pub(crate) fn known_past(&self, sale: SaleId) -> Option<Loading> {
        let limit = self.inner.upkeep.past.get(&sale);
        limit.map(|limit_per_buyer| Loading::Past { limit_per_buyer })
    }

    async fn load_within(&self, sale: SaleId, wait: Duration) -> Result<Loading, LoadError> {
        let flash = self.clone();
        let load = || async move { flash.load_once(sale).await };
        let landed = self.inner.upkeep.loads.join(sale, load);
        match tokio::time::timeout(wait, landed).await {
            Ok(Ok(loading)) => loading,
            Ok(Err(NoOutcome::TooMany)) => Err(LoadError::TooMany),
            Ok(Err(NoOutcome::BrokeDown)) | Err(_) => Err(LoadError::Underway),
        }
    }

    async fn load_once(&self, sale: SaleId) -> Result<Loading, LoadError> {
        let loading = self.load_unless_past(sale).await;
        match &loading {
            Ok(Loading::Loaded) => {}
            Ok(Loading::NoSuchSale) => self.inner.upkeep.absent.insert(sale, ()),
            Ok(Loading::Past { limit_per_buyer }) => {
                self.inner.upkeep.past.insert(sale, *limit_per_buyer);
            }
            Err(error) => {
                tracing::warn!(
                    sale = sale.0,
                    error = error as &dyn std::error::Error,
                    "could not load a sale"
                );
                tokio::time::sleep(FAILURE_PAUSE).await;
            }
        }
        loading
    }

    async fn load_unless_past(&self, sale: SaleId) -> Result<Loading, LoadError> {
        let Some(terms) = self.inner.ledger.sale(sale).await? else {
            return Ok(Loading::NoSuchSale);
        };
        let kept_until_ms = (terms.end_ms).saturating_add(as_ms(self.inner.options.grace));
        if now_ms() >= kept_until_ms {
            return Ok(Loading::Past {
                limit_per_buyer: terms.limit_per_buyer,
            });
        }
        let _turn = self.inner.upkeep.load_turns.acquire().await;
        loader::load(self, sale).await
    }

    /// The buckets of a sale that has a gate, by what its bucket 0 says; none if it has no gate there.
    pub(crate) async fn gated_places(&self, sale: SaleId) -> Result<Vec<Place>, LinkError> {
        let home = self.place(sale, 0);
        let mut ask = redis::cmd("HGET");
        let spread: Option<u16> = self
            .inner
            .link
            .run(ask.arg(&home.sale).arg("spread"))
            .await?;
        Ok(spread.map_or_else(Vec::new, |spread| self.places(sale, spread)))
    }
}
