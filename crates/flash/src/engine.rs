//! The handle: [`Flash`].

use std::fmt;
use std::sync::Arc;

use link::Link;
use lock::Locks;
use thiserror::Error;

use crate::claim::batcher::{BatcherContext, Batchers};
use crate::claim::recent_orders::RecentOrders;
use crate::drain::{IdleWatch, LedgerHealth, Throttle};
use crate::gate::bucket::Bucket;
use crate::gate::known_sales::{KnownSale, KnownSales};
use crate::ids::{IdChoice, OrderIds};
use crate::keys::Keys;
use crate::load::maintenance::Maintenance;
use crate::meter::Meter;
use crate::{FlashOptions, IdKind, Ledger, LedgerError, Partitions, SaleId};

/// The engine, cheap to clone. See the [crate] page for how it works and how it fails.
pub struct Flash<L> {
    pub(crate) inner: Arc<EngineState<L>>,
}

/// What the clones share. Each part of the engine is an `impl` block of [`Flash`] in its own file.
pub(crate) struct EngineState<L> {
    pub(crate) link: Link,
    pub(crate) locks: Locks,
    pub(crate) ledger: Arc<L>,
    pub(crate) keys: Keys,
    pub(crate) partitions: Partitions,
    pub(crate) options: FlashOptions,
    pub(crate) known_sales: KnownSales,
    pub(crate) recent_orders: Arc<RecentOrders>,
    pub(crate) batchers: Batchers,
    pub(crate) meter: Arc<Meter>,
    pub(crate) maintenance: Maintenance,
    pub(crate) ledger_health: LedgerHealth,
    pub(crate) idle_watch: IdleWatch,
    pub(crate) throttle: Throttle,
}

/// Why an engine does not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The ledger failed.
    #[error("the number of partitions could not be read from the ledger")]
    Ledger(#[source] LedgerError),
    /// The options have another number of partitions than the deployment began with.
    #[error("this deployment began with {began} partitions, and the settings say {set}")]
    Partitions {
        /// The number that the ledger keeps.
        began: u16,
        /// The number of the options.
        set: u16,
    },
}

impl<L: Ledger> Flash<L> {
    /// Must be called within a tokio runtime, where the batchers then run until the last clone is dropped.
    ///
    /// The number of partitions is not checked here: see [`check_partitions`](Self::check_partitions).
    pub fn new(link: Link, locks: Locks, ledger: L, options: FlashOptions) -> Self {
        let ledger = Arc::new(ledger);
        let mut keys = Keys::new(&options.prefix);
        if let Some(id_prefix) = &options.id_prefix {
            keys = keys.with_id_prefix(id_prefix);
        }
        let partitions = Partitions::new(options.partitions);
        let choice = match &options.order_ids {
            IdKind::Counted => IdChoice::Counted,
            IdKind::Snowflake => IdChoice::Snowflake(locks.clone()),
            IdKind::Custom(source) => IdChoice::Custom(source.clone()),
        };
        let ids = OrderIds::new(link.clone(), keys.clone(), ledger.clone(), choice);
        let meter = Arc::new(Meter::new());
        let recent_orders = Arc::new(RecentOrders::default());
        let context = BatcherContext {
            link: link.clone(),
            keys: keys.clone(),
            ids,
            options: options.clone(),
            recent_orders: recent_orders.clone(),
            meter: meter.clone(),
        };
        let batchers = Batchers::spawn(context, partitions);
        let throttle = Throttle::new(options.drain);
        let maintenance = Maintenance::new(options.queue_bound);
        let inner = EngineState {
            link,
            locks,
            ledger,
            keys,
            partitions,
            options,
            known_sales: KnownSales::default(),
            recent_orders,
            batchers,
            meter,
            maintenance,
            ledger_health: LedgerHealth::default(),
            idle_watch: IdleWatch::new(partitions),
            throttle,
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Fails if the deployment began with another number of partitions: the engine would look for keys in the wrong
    /// partitions. To be called once, before anything is sold.
    pub async fn check_partitions(&self) -> Result<(), StartError> {
        let set = self.inner.partitions.count();
        let began = self.inner.ledger.settle_partitions(set).await;
        match began.map_err(StartError::Ledger)? {
            began if began == set => Ok(()),
            began => Err(StartError::Partitions { began, set }),
        }
    }

    /// The ledger that the engine was created with.
    pub fn ledger(&self) -> &L {
        &self.inner.ledger
    }

    /// The partitions of this deployment.
    pub fn partitions(&self) -> Partitions {
        self.inner.partitions
    }

    /// The keys of this deployment, for an [`OrderIds`](crate::OrderIds) of the caller's own.
    pub fn keys(&self) -> &Keys {
        &self.inner.keys
    }
}

impl<L> EngineState<L> {
    /// Keeps a sale that has a gate, with its buckets.
    pub(crate) fn remember_sale(&self, sale: SaleId, spread: u16) -> Arc<KnownSale> {
        let is_cluster = self.link.is_cluster();
        let bucket = |number| Bucket::new(sale, number, &self.keys, self.partitions, is_cluster);
        let buckets = (0..spread.max(1)).map(bucket).collect();
        let sale = KnownSale::new(sale, buckets, self.options.sold_out_ceiling);
        self.known_sales.insert(sale)
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
