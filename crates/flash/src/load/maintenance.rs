//! What one process has in progress to maintain sales, with the limits of each kind of work.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use link::LinkError;
use moka::sync::Cache;
use supervise::SingleFlight;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::gate::known_sales::KnownSale;
use crate::gate::spread::PullOutcome;
use crate::load::{LoadError, LoadOutcome};
use crate::{Flash, Ledger, SaleId};

/// How long a sale is assumed not to exist, or to be long over. Publishing a sale waits for its gate, not for this.
const ABSENT_TTL: Duration = Duration::from_secs(1);

/// Anybody can make up ids that do not exist: beyond so many the ledger is asked again.
const MAX_ABSENT: u64 = 10_000;

/// Concurrent loads of a process. Each keeps a page of holders in memory, and a database and Redis busy.
const CONCURRENT_LOADS: usize = 4;

/// Calls of one kind in flight at once, for different sales: more than a site has at a time. Ids of old sales are free to ask
/// for, so beyond this the caller is refused.
const MAX_IN_FLIGHT: usize = 256;

/// Concurrent queries to the ledger about sales that are long over: a part of a database's connections.
const CONCURRENT_PAST_QUERIES: usize = 8;

#[derive(Debug)]
pub(crate) struct Maintenance {
    pub(crate) loads: SingleFlight<SaleId, Result<LoadOutcome, LoadError>>,
    pub(crate) load_permits: Semaphore,
    /// Queries whether a sale has a gate.
    pub(crate) gate_lookups: SingleFlight<SaleId, Result<Option<Arc<KnownSale>>, LinkError>>,
    /// Claims that may wait for a sale to be found or loaded: as many as may wait in front of a batcher.
    pub(crate) waiting_claims: Semaphore,
    /// Sales that ended longer ago than the grace period, with their limit per buyer.
    pub(crate) past_sales: Cache<SaleId, u8>,
    pub(crate) past_query_permits: Semaphore,
    pub(crate) pulls: SingleFlight<(SaleId, u16), Result<PullOutcome, LoadError>>,
    pub(crate) absent_sales: Cache<SaleId, ()>,
    /// Notified when orders may be lost, which a reconciliation finds.
    pub(crate) reconcile_now: Notify,
}

impl Maintenance {
    pub(crate) fn new(queue_bound: usize) -> Self {
        let absent_sales = Cache::builder().max_capacity(MAX_ABSENT);
        let past_sales = Cache::builder().max_capacity(MAX_ABSENT);
        Self {
            loads: SingleFlight::new("sale upkeep", MAX_IN_FLIGHT),
            load_permits: Semaphore::new(CONCURRENT_LOADS),
            gate_lookups: SingleFlight::new("sale upkeep", MAX_IN_FLIGHT),
            waiting_claims: Semaphore::new(queue_bound.clamp(1, Semaphore::MAX_PERMITS)),
            past_sales: past_sales.time_to_live(ABSENT_TTL).build(),
            past_query_permits: Semaphore::new(CONCURRENT_PAST_QUERIES),
            pulls: SingleFlight::new("sale upkeep", MAX_IN_FLIGHT),
            absent_sales: absent_sales.time_to_live(ABSENT_TTL).build(),
            reconcile_now: Notify::new(),
        }
    }
}

impl<L: Ledger> Flash<L> {
    /// Runs a worker that never ends by itself, in one process of the site at a time, until `stop`, which cancels it at
    /// its next await.
    pub(crate) async fn run_exclusively<F: Future<Output = Infallible> + Send>(
        &self,
        name: &str,
        stop: &CancellationToken,
        worker: impl Fn() -> F + Sync,
    ) {
        let mutex = self.inner.locks.mutex(name);
        mutex.run_while_held(stop, worker).await;
    }
}
