//! What one process has under way for the upkeep of sales, so that it does nothing twice at the same time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link::LinkError;
use moka::sync::Cache;
use tokio::sync::{Notify, Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::gate::known_sales::Sale;
use crate::gate::spread::Pulled;
use crate::load::{LoadError, Loading};
use crate::{Flash, Ledger, SaleId};

/// How long a sale is believed not to exist, or to be long over. Whoever publishes one waits for the gate, not for this.
const ABSENT_TTL: Duration = Duration::from_secs(1);

/// Ids that do not exist are free to make up: beyond these the ledger is asked again.
const MAX_ABSENT: u64 = 10_000;

/// Loads that a process makes at once. Each keeps a page of holders in memory, and a database and Redis busy.
const LOADS_AT_ONCE: usize = 4;

/// Work of one kind that is in flight at once, for different sales: more than a site sells at a time. Ids of old sales are
/// free to ask for, so beyond this the caller is refused.
const MAX_IN_FLIGHT: usize = 256;

/// Questions to the ledger about sales that are long over, at once: a part of the connections that a database has for all.
const PAST_AT_ONCE: usize = 8;

#[derive(Debug)]
pub(crate) struct Upkeep {
    pub(crate) loads: Flights<SaleId, Result<Loading, LoadError>>,
    /// Who may load.
    pub(crate) load_turns: Semaphore,
    /// Questions whether a sale has a gate.
    pub(crate) finds: Flights<SaleId, Result<Option<Arc<Sale>>, LinkError>>,
    /// Claimants that may wait for a sale to be found or loaded: as many as may wait in front of a batcher.
    pub(crate) waiting: Semaphore,
    /// Sales that ended longer ago than the grace, with their limit per buyer.
    pub(crate) past: Cache<SaleId, u8>,
    /// Who may ask the ledger about one of these.
    pub(crate) past_turns: Semaphore,
    pub(crate) pulls: Flights<(SaleId, u16), Result<Pulled, LoadError>>,
    pub(crate) absent: Cache<SaleId, ()>,
    /// Rung when something was lost that a reconciliation may find.
    pub(crate) doubt: Notify,
}

impl Upkeep {
    pub(crate) fn new(queue_bound: usize) -> Self {
        let absent = Cache::builder().max_capacity(MAX_ABSENT);
        let past = Cache::builder().max_capacity(MAX_ABSENT);
        Self {
            loads: Flights::default(),
            load_turns: Semaphore::new(LOADS_AT_ONCE),
            finds: Flights::default(),
            waiting: Semaphore::new(queue_bound.clamp(1, Semaphore::MAX_PERMITS)),
            past: past.time_to_live(ABSENT_TTL).build(),
            past_turns: Semaphore::new(PAST_AT_ONCE),
            pulls: Flights::default(),
            absent: absent.time_to_live(ABSENT_TTL).build(),
            doubt: Notify::new(),
        }
    }
}

/// Between two attempts to get the lock of a worker from a Redis that does not answer.
const LOCK_PAUSE: Duration = Duration::from_secs(1);

impl<L: Ledger> Flash<L> {
    /// Runs a worker that never ends by itself, in one process of the site at a time, until told to stop. What it does
    /// at that moment is dropped where it stands.
    pub(crate) async fn in_turns<F: Future<Output = ()> + Send>(
        &self,
        name: &str,
        stop: &CancellationToken,
        worker: impl Fn() -> F + Sync,
    ) {
        let mutex = self.inner.locks.mutex(name);
        let turns = async {
            loop {
                match mutex.lock().await {
                    // Whoever loses the lock lines up for it again.
                    Ok(guard) => drop(guard.protect(worker()).await),
                    Err(error) => {
                        tracing::warn!(
                            name,
                            error = &error as &dyn std::error::Error,
                            "a worker waits for its lock"
                        );
                        tokio::time::sleep(LOCK_PAUSE).await;
                    }
                }
            }
        };
        stop.run_until_cancelled(turns).await;
    }
}

/// Work that is done once for all who want its outcome at the same time. It is a task of its own, so whoever gives up
/// waiting takes nobody along.
#[derive(Debug)]
pub(crate) struct Flights<K, V> {
    under_way: Arc<Mutex<UnderWay<K, V>>>,
}

/// Why work that was asked for has no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoOutcome {
    /// As much as may be is in flight; it was not begun.
    TooMany,
    /// Its task panicked, or the runtime is ending.
    BrokeDown,
}

type UnderWay<K, V> = HashMap<K, watch::Receiver<Option<V>>>;

impl<K, V> Default for Flights<K, V> {
    fn default() -> Self {
        Self {
            under_way: Arc::default(),
        }
    }
}

impl<K, V> Flights<K, V>
where
    K: Copy + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// The outcome of the work under way for this key, or of `work`.
    pub(crate) async fn join<F>(&self, key: K, work: impl FnOnce() -> F) -> Result<V, NoOutcome>
    where
        F: Future<Output = V> + Send + 'static,
    {
        let mut outcome = {
            let mut under_way = lock(&self.under_way);
            match under_way.get(&key) {
                Some(outcome) => outcome.clone(),
                None if under_way.len() >= MAX_IN_FLIGHT => return Err(NoOutcome::TooMany),
                None => self.take_off(&mut under_way, key, work()),
            }
        };
        let landed = outcome.wait_for(Option::is_some).await;
        let landed = landed.ok().and_then(|value| value.clone());
        landed.ok_or(NoOutcome::BrokeDown)
    }

    fn take_off<F>(
        &self,
        under_way: &mut UnderWay<K, V>,
        key: K,
        work: F,
    ) -> watch::Receiver<Option<V>>
    where
        F: Future<Output = V> + Send + 'static,
    {
        let (teller, outcome) = watch::channel(None);
        under_way.insert(key, outcome.clone());
        let landing = Landing {
            under_way: self.under_way.clone(),
            key,
        };
        supervise::spawn_once("sale upkeep", async move {
            let value = work.await;
            drop(landing);
            teller.send_replace(Some(value));
        });
        outcome
    }
}

/// Takes a flight off the list, also if its work panics.
struct Landing<K: Eq + Hash, V> {
    under_way: Arc<Mutex<UnderWay<K, V>>>,
    key: K,
}

impl<K: Eq + Hash, V> Drop for Landing<K, V> {
    fn drop(&mut self) {
        lock(&self.under_way).remove(&self.key);
    }
}

fn lock<K, V>(under_way: &Mutex<UnderWay<K, V>>) -> MutexGuard<'_, UnderWay<K, V>> {
    // The map is whole between any two statements, so a panic elsewhere does not spoil it.
    under_way.lock().unwrap_or_else(PoisonError::into_inner)
}
