//! The handle: [`Flash`].

use std::fmt;
use std::sync::Arc;

use link::Link;
use lock::Locks;
use thiserror::Error;

use crate::claim::batcher::{Batchers, Shared};
use crate::claim::recent_orders::Recent;
use crate::drain::{LedgerHealth, Throttle};
use crate::gate::known_sales::{Sale, Sales};
use crate::ids::{IdChoice, OrderIds};
use crate::keys::Keys;
use crate::load::maintenance::Upkeep;
use crate::meter::Meter;
use crate::{FlashOptions, IdKind, Ledger, LedgerError, Partitions, SaleId};

/// The engine, cheap to clone. See the [crate] page for how it works and how it fails.
pub struct Flash<L> {
    pub(crate) inner: Arc<Inner<L>>,
}

/// What the clones share. The parts of the engine are `impl` blocks of [`Flash`] in their own files.
pub(crate) struct Inner<L> {
    pub(crate) link: Link,
    pub(crate) locks: Locks,
    pub(crate) ledger: Arc<L>,
    pub(crate) keys: Keys,
    pub(crate) partitions: Partitions,
    pub(crate) options: FlashOptions,
    pub(crate) sales: Sales,
    pub(crate) recent: Arc<Recent>,
    pub(crate) batchers: Batchers,
    pub(crate) meter: Arc<Meter>,
    pub(crate) upkeep: Upkeep,
    pub(crate) ledger_health: LedgerHealth,
    pub(crate) throttle: Throttle,
}

/// Why an engine does not start.
#[derive(Debug, Error)]
pub enum StartError {
    #[error("the ledger could not be asked for the number of partitions")]
    Ledger(#[source] LedgerError),
    #[error("this deployment began with {began} partitions, and the settings say {set}")]
    Partitions { began: u16, set: u16 },
}

impl<L: Ledger> Flash<L> {
    /// Must be called within a tokio runtime, where the batchers then run until the last clone is dropped.
    ///
    /// The number of partitions is taken as it is: see [`settle`](Self::settle).
    pub fn new(link: Link, locks: Locks, ledger: L, options: FlashOptions) -> Self {
        let ledger = Arc::new(ledger);
        let keys = Keys::new(&options.prefix);
        let partitions = Partitions::new(options.partitions);
        let choice = match options.order_ids {
            IdKind::Counted => IdChoice::Counted,
            IdKind::Snowflake => IdChoice::Snowflake(locks.clone()),
        };
        let ids = OrderIds::new(link.clone(), keys.clone(), ledger.clone(), choice);
        let meter = Arc::new(Meter::new());
        let recent = Arc::new(Recent::default());
        let shared = Shared {
            link: link.clone(),
            keys: keys.clone(),
            ids,
            options: options.clone(),
            recent: recent.clone(),
            meter: meter.clone(),
        };
        let batchers = Batchers::spawn(shared, partitions);
        let throttle = Throttle::new(options.drain);
        let upkeep = Upkeep::new(options.queue_bound);
        let inner = Inner {
            link,
            locks,
            ledger,
            keys,
            partitions,
            options,
            sales: Sales::default(),
            recent,
            batchers,
            meter,
            upkeep,
            ledger_health: LedgerHealth::default(),
            throttle,
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Refuses to go on with another number of partitions than the deployment began with: keys would be looked for
    /// where they are not. To be called once, before anything is sold.
    pub async fn settle(&self) -> Result<(), StartError> {
        let set = self.inner.partitions.count();
        let began = self.inner.ledger.settle_partitions(set).await;
        match began.map_err(StartError::Ledger)? {
            began if began == set => Ok(()),
            began => Err(StartError::Partitions { began, set }),
        }
    }

    pub fn ledger(&self) -> &L {
        &self.inner.ledger
    }

    pub fn partitions(&self) -> Partitions {
        self.inner.partitions
    }

    pub fn keys(&self) -> &Keys {
        &self.inner.keys
    }
}

impl<L> Inner<L> {
    /// Keeps how a sale is spread.
    pub(crate) fn learn(&self, sale: SaleId, spread: u16) -> Arc<Sale> {
        let ceiling = self.options.sold_out_ceiling;
        let sale = Sale::new(sale, spread, &self.keys, self.partitions, ceiling);
        self.sales.learn(sale)
    }
}

impl<L> Clone for Flash<L> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
        }
    }
}

impl<L> fmt::Debug for Flash<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flash")
            .field("partitions", &self.inner.partitions)
            .finish_non_exhaustive()
    }
}
