//! Turns away ids that never existed, without asking the store.
//!
//! Every process has a Bloom filter of all ids in its memory. "Maybe there" is its own answer and costs nothing. "Not
//! there" it says only after a look at Redis (one `GET`) whether it has heard of every id that was announced; if not, it
//! first reads the announcements it lacks. Whenever that cannot be told (Redis is away, the filter is being built,
//! announcements are missing), the answer is "maybe there".
//!
//! So an id whose [`insert`](BloomGuard::insert) has returned is never turned away, by no process. The exceptions:
//!
//! - A row that is visible before its id is announced: announce it before the commit, inside the transaction. If that
//!   cannot be, announce it right after the commit and once more from an outbox, for the crash in between.
//! - An announcement that Redis acknowledged and then lost in a failover, together with the tip that would have shown
//!   the loss. The filter is built anew every [`BloomOptions::rebuild_every`], which bounds this.
//!
//! Ids of deleted rows stay until the filter is built anew; they cost a look at the store like any false positive.

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
use log::{Log, Mark, News};

/// Where a filter gets its ids from, usually the primary keys of a table.
pub trait Ids: Send + Sync + 'static {
    type Id: Key;
    type Error: std::error::Error + Send + Sync + 'static;

    /// At most `limit` ids that follow `last` in a fixed order; fewer than one if there are no more.
    fn ids_after(
        &self,
        last: Option<&Self::Id>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Self::Id>, Self::Error>> + Send;
}

#[derive(Clone, Debug)]
pub struct BloomOptions {
    /// What all keys in Redis begin with.
    pub prefix: String,
    /// How many of the absent ids are taken for present: one in a thousand costs 14 bits per id.
    pub false_positive_rate: f64,
    /// How often the filter is built anew from the store.
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

/// The guard; cheap to clone. See the page above for what it promises.
#[derive(Clone)]
pub struct BloomGuard<K: Key> {
    shared: Arc<Shared<K>>,
    _builder: Arc<AbortOnDropHandle<()>>,
}

struct Shared<K> {
    log: Log,
    options: BloomOptions,
    /// Nothing until the first one is built.
    filter: ArcSwapOption<Filter>,
    /// Held while announcements are read, so that one does it for all.
    catching_up: Mutex<()>,
    /// Rung when the filter must be built anew.
    outdated: Notify,
    keys: std::marker::PhantomData<fn(K)>,
}

/// A filter and how much of the log is in it.
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
    /// Begins to build the filter from these ids, and lets everything pass until that is done. Guards of one name and
    /// prefix tell each other of new ids. Must be called within a tokio runtime.
    pub fn start(name: &str, link: Link, options: BloomOptions, ids: impl Ids<Id = K>) -> Self {
        let shared = Arc::new(Shared {
            log: Log::new(link, &options.prefix, name),
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

    /// Whether there may be such an id. No means no; yes means maybe.
    pub async fn might_contain(&self, id: &K) -> bool {
        let Some(filter) = self.shared.filter.load_full() else {
            return true;
        };
        // Before the look at the bits: they hold at least what the mark says.
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

    /// Announces a new id to all processes. To be called before anybody can know of it, and repeated until it succeeds.
    pub async fn insert(&self, id: &K) -> Result<(), LinkError> {
        self.insert_many(std::slice::from_ref(id)).await
    }

    /// Announces some new ids; for many thousands, [`BloomGuard::start_over`] is the better way.
    pub async fn insert_many(&self, ids: &[K]) -> Result<(), LinkError> {
        self.shared.log.announce(ids).await
    }

    /// Has all processes build their filters anew, after rows were brought in by other ways.
    pub async fn start_over(&self) -> Result<(), LinkError> {
        self.shared.log.start_over().await?;
        self.shared.outdated.notify_one();
        Ok(())
    }

    /// Whether a filter is there; until then everything passes.
    pub fn is_ready(&self) -> bool {
        self.shared.filter.load().is_some()
    }
}

impl<K: Key> Shared<K> {
    /// Reads what was announced after the filter's mark, and says whether the filter holds all of it.
    async fn catch_up(&self, filter: &Arc<Filter>) -> bool {
        let _one = self.catching_up.lock().await;
        let mark = filter.mark.load_full();
        match self.log.news::<K>(&mark).await {
            Some(News::None) => true,
            Some(News::Ids(ids, mark)) => {
                ids.iter().for_each(|id| filter.insert(id));
                filter.mark.store(Arc::new(mark));
                if filter.is_full() {
                    self.outdated.notify_one();
                }
                true
            }
            Some(News::Gap) => {
                self.drop_filter(filter);
                false
            }
            None => false,
        }
    }

    /// Lets everything pass until there is another filter.
    fn drop_filter(&self, filter: &Arc<Filter>) {
        let expected = Some(filter.clone());
        // If another one is in its place already, that one stays.
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
