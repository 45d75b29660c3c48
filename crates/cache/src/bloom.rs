//! Rejects ids that never existed, without a query of the store.
//!
//! Every process has a Bloom filter of all ids in memory. "May exist" is a local answer. Before the guard answers "does not
//! exist", it checks in Redis (one `GET`) that its filter holds every announced id; if not, it first reads the missing
//! announcements. If it cannot know (Redis is unavailable, the filter is being built, announcements are missing), the
//! answer is "may exist".
//!
//! So no process ever rejects an id whose [`insert`](BloomGuard::insert) has returned. The exceptions:
//!
//! - A row that is visible before its id is announced: announce it before the commit, inside the transaction. If that
//!   is not possible, announce it right after the commit and once more from an outbox, in case of a crash in between.
//! - An announcement that Redis acknowledged and then lost in a failover, together with the tip that would have shown
//!   the loss. The guard rebuilds the filter every [`BloomOptions::rebuild_every`], which bounds this.
//!
//! Ids of deleted rows stay until the next rebuild; they cost a query of the store like any false positive.

mod build;
mod log;

use std::{
    fmt,
    hash::RandomState,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use arc_swap::{ArcSwap, ArcSwapOption};
use fastbloom::AtomicBloomFilter;
use link::{Link, LinkError};
use tokio::sync::{Mutex, Notify};
use tokio_util::task::AbortOnDropHandle;

use crate::Key;
use log::{AnnouncementLog, Announcements, Mark};

/// The source of all ids, usually the primary keys of a table.
pub trait IdSource: Send + Sync + 'static {
    /// What identifies a row.
    type Id: Key;
    /// Why the ids could not be listed.
    type Error: std::error::Error + Send + Sync + 'static;

    /// At most `limit` ids that follow `last` in a fixed order; an empty page after the last id.
    fn ids_after(
        &self,
        last: Option<&Self::Id>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Self::Id>, Self::Error>> + Send;
}

/// The settings of a [`BloomGuard`].
#[derive(Clone, Debug)]
pub struct BloomOptions {
    /// The prefix of all keys in Redis.
    pub prefix: String,
    /// The fraction of absent ids that pass: one in a thousand costs 14 bits per id.
    pub false_positive_rate: f64,
    /// How often the guard rebuilds the filter from the store.
    pub rebuild_every: Duration,
}

impl Default for BloomOptions {
    fn default() -> Self {
        Self {
            prefix: String::new(),
            false_positive_rate: 0.001,
            rebuild_every: Duration::from_secs(60 * 60),
        }
    }
}

/// A Bloom filter in front of a cache; cheap to clone. The module page states its guarantees.
#[derive(Clone)]
pub struct BloomGuard<K: Key> {
    shared: Arc<BloomState<K>>,
    _builder: Arc<AbortOnDropHandle<()>>,
}

struct BloomState<K> {
    log: AnnouncementLog,
    options: BloomOptions,
    /// `None` until the first build is done.
    filter: ArcSwapOption<Filter>,
    /// Held while announcements are read, so that one does it for all.
    catching_up: Mutex<()>,
    /// Notified when the filter must be rebuilt.
    outdated: Notify,
    keys: std::marker::PhantomData<fn(K)>,
}

/// A filter and the position up to which it holds the log.
struct Filter {
    bits: AtomicBloomFilter<RandomState>,
    mark: ArcSwap<Mark>,
    items: AtomicUsize,
    capacity: usize,
}

impl Filter {
    fn insert(&self, id: &impl Key) {
        if !self.bits.insert(id) {
            self.items.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn is_full(&self) -> bool {
        self.items.load(Ordering::Relaxed) > self.capacity
    }
}

impl<K: Key> BloomGuard<K> {
    /// Starts to build the filter from these ids; every id passes until it is built. Guards of one name and prefix share
    /// their announcements. Must be called within a tokio runtime.
    pub fn start(
        name: &str,
        link: Link,
        options: BloomOptions,
        ids: impl IdSource<Id = K>,
    ) -> Self {
        let shared = Arc::new(BloomState {
            log: AnnouncementLog::new(link, &options.prefix, name),
            options,
            filter: ArcSwapOption::empty(),
            catching_up: Mutex::new(()),
            outdated: Notify::new(),
            keys: std::marker::PhantomData,
        });
        let builder = tokio::spawn(build::run(shared.clone(), ids));
        Self {
            shared,
            _builder: Arc::new(AbortOnDropHandle::new(builder)),
        }
    }

    /// Whether the id may exist. False is certain, true is not.
    pub async fn might_contain(&self, id: &K) -> bool {
        let Some(filter) = self.shared.filter.load_full() else {
            return true;
        };
        // Loaded before the bits are checked, so the bits hold at least the announcements up to the mark.
        let mark = filter.mark.load_full();
        if filter.bits.contains(id) {
            return true;
        }
        match self.shared.log.tip().await {
            Some(tip) if tip == mark.tip => false,
            Some(_) => !self.shared.catch_up(&filter).await || filter.bits.contains(id),
            None => true,
        }
    }

    /// Announces a new id to all processes. Call it before the row is visible, and retry it until it succeeds.
    pub async fn insert(&self, id: &K) -> Result<(), LinkError> {
        self.insert_many(std::slice::from_ref(id)).await
    }

    /// Announces some new ids; for many thousands use [`BloomGuard::rebuild`].
    pub async fn insert_many(&self, ids: &[K]) -> Result<(), LinkError> {
        self.shared.log.announce(ids).await
    }

    /// Makes all processes rebuild their filters, after rows were written without announcements.
    pub async fn rebuild(&self) -> Result<(), LinkError> {
        self.shared.log.reset().await?;
        self.shared.outdated.notify_one();
        Ok(())
    }

    /// Whether the filter is built; until then every id passes.
    pub fn is_ready(&self) -> bool {
        self.shared.filter.load().is_some()
    }
}

impl<K: Key> BloomState<K> {
    /// Reads the announcements after the filter's mark; returns whether the filter then holds all of them.
    async fn catch_up(&self, filter: &Arc<Filter>) -> bool {
        let _turn = self.catching_up.lock().await;
        let mark = filter.mark.load_full();
        match self.log.read_after::<K>(&mark).await {
            Some(Announcements::UpToDate) => true,
            Some(Announcements::New(ids, mark)) => {
                ids.iter().for_each(|id| filter.insert(id));
                filter.mark.store(Arc::new(mark));
                if filter.is_full() {
                    self.outdated.notify_one();
                }
                true
            }
            Some(Announcements::Gap) => {
                self.drop_filter(filter);
                false
            }
            None => false,
        }
    }

    /// Lets every id pass until the rebuild is done.
    fn drop_filter(&self, filter: &Arc<Filter>) {
        let expected = Some(filter.clone());
        // A filter that has replaced this one stays.
        self.filter.compare_and_swap(&expected, None);
        self.outdated.notify_one();
    }
}

impl<K: Key> fmt::Debug for BloomGuard<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let filter = self.shared.filter.load_full();
        let items = filter.map(|filter| filter.items.load(Ordering::Relaxed));
        let mut shown = f.debug_struct("BloomGuard");
        shown.field("items", &items).finish_non_exhaustive()
    }
}
