//! One push connection for all caches of a process.
//!
//! A cache needs a connection per master on which Redis reports the writes of its keys. A cache that is built by itself
//! has its own; those that are built from one [`CacheHub`] share one. The hub tracks the keys of all caches under its prefix
//! and passes each report to the cache that owns the key.
//!
//! The invariant: a cache believes itself subscribed only while the hub is connected. A cache that joins a connected hub is
//! subscribed at once: the hub's prefixes cover its keys already.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use link::{Event, Interest, Link};
use supervise::next_tick;
use tokio_util::task::AbortOnDropHandle;

use crate::{Builder, Loader};

/// Events buffered while the task is busy; a larger burst invalidates all of memory.
const EVENTS: usize = 16 * 1024;

const PUBLISH_EVERY: Duration = Duration::from_secs(1);

/// What the caches of a process share: a link, the prefix of their keys, and one push connection per master of Redis. Cheap to
/// clone. The connection lasts as long as the hub or a cache that was built from it.
///
/// Redis sends a hub the reports of all caches under its prefix, also of those that only other processes have. Where these
/// are many and busy, give them another prefix, or build such a cache with [`Cache::builder`](crate::Cache::builder).
///
/// ```no_run
/// # use std::convert::Infallible;
/// # use link::Link;
/// use redis_two_level_cache::{CacheHub, NoLoader};
///
/// # fn example(link: Link) -> Result<(), Box<dyn std::error::Error>> {
/// let hub = CacheHub::new(link, "my-service:");
/// let names = hub.builder("name", NoLoader::<u64, String, Infallible>::new()).build()?;
/// let pages = hub.builder("page", NoLoader::<String, String, Infallible>::new()).build()?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct CacheHub {
    link: Link,
    prefix: String,
    feed: Arc<Feed>,
}

impl fmt::Debug for CacheHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CacheHub");
        shown.field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl CacheHub {
    /// Starts the task that holds the connection. Must be called within a tokio runtime.
    pub fn new(link: Link, prefix: impl Into<String>) -> Self {
        let prefix = prefix.into();
        // The beginnings of the keys that `Keys` makes, whatever the name of the cache.
        let tracked = ["cache:{", "cache-tag-drop:{"].map(|kind| format!("{prefix}{kind}"));
        Self {
            feed: Feed::start(link.clone(), tracked.into()),
            link,
            prefix,
        }
    }

    /// The link of its caches.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// What goes before every key of its caches.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Starts to build a cache that shares the connection of this hub. [`Builder::prefix`] would take it out of the hub's.
    pub fn builder<L: Loader>(&self, name: impl Into<String>, loader: L) -> Builder<L> {
        let mut builder = Builder::new(name.into(), self.link.clone(), loader);
        builder = builder.prefix(self.prefix.clone());
        builder.feed = Some(self.feed.clone());
        builder
    }
}

/// A cache, as its feed knows it. A trait, because caches of one feed have loaders of different types.
pub(crate) trait Subscriber: Send + Sync {
    /// Whether this is a key of the cache.
    fn owns(&self, key: &[u8]) -> bool;
    /// These are keys of the cache that were written, expired or evicted.
    fn invalidated(&self, keys: &[&[u8]]);
    fn connected(&self);
    fn disconnected(&self);
    /// Every key was deleted.
    fn all_invalidated(&self);
    fn tick(&self);
}

/// A push subscription, and the caches that it serves.
pub(crate) struct Feed {
    registry: Arc<Registry>,
    _task: AbortOnDropHandle<()>,
}

#[derive(Default)]
struct Registry {
    state: Mutex<RegistryState>,
}

#[derive(Default)]
struct RegistryState {
    is_connected: bool,
    subscribers: Vec<Weak<dyn Subscriber>>,
}

impl Feed {
    pub(crate) fn start(link: Link, prefixes: Vec<String>) -> Arc<Self> {
        let registry = Arc::new(Registry::default());
        let served = registry.clone();
        let task = supervise::spawn("cache invalidations", move || {
            run(link.clone(), prefixes.clone(), served.clone())
        });
        Arc::new(Self {
            registry,
            _task: AbortOnDropHandle::new(task),
        })
    }

    pub(crate) fn join(self: Arc<Self>, subscriber: Arc<dyn Subscriber>) -> Registration {
        let mut state = self.registry.lock();
        state.subscribers.push(Arc::downgrade(&subscriber));
        // Under the lock, so that a loss of the connection comes after it.
        if state.is_connected {
            subscriber.connected();
        }
        drop(state);
        Registration {
            feed: self,
            subscriber,
        }
    }
}

/// Keeps a cache subscribed; dropped with its last handle.
pub(crate) struct Registration {
    feed: Arc<Feed>,
    subscriber: Arc<dyn Subscriber>,
}

impl Drop for Registration {
    fn drop(&mut self) {
        let of_this = Arc::downgrade(&self.subscriber);
        let mut state = self.feed.registry.lock();
        state.subscribers.retain(|it| !it.ptr_eq(&of_this));
        drop(state);
        self.subscriber.disconnected();
    }
}

impl Registry {
    fn subscribers(&self) -> Vec<Arc<dyn Subscriber>> {
        let state = self.lock();
        state.subscribers.iter().filter_map(Weak::upgrade).collect()
    }

    /// The subscribers that need to be told: later ones see the flag when they join.
    fn set_connected(&self, is_connected: bool) -> Vec<Arc<dyn Subscriber>> {
        self.lock().is_connected = is_connected;
        self.subscribers()
    }

    fn apply(&self, event: Event) {
        match event {
            Event::Connected => self
                .set_connected(true)
                .iter()
                .for_each(|it| it.connected()),
            Event::Disconnected => {
                let told = self.set_connected(false);
                told.iter().for_each(|it| it.disconnected());
            }
            Event::AllInvalidated => {
                self.subscribers()
                    .iter()
                    .for_each(|it| it.all_invalidated());
            }
            Event::Invalidated(keys) => {
                for subscriber in self.subscribers() {
                    let keys = keys.iter().map(Vec::as_slice);
                    let owned: Vec<&[u8]> = keys.filter(|key| subscriber.owns(key)).collect();
                    subscriber.invalidated(&owned);
                }
            }
            // Messages, of which none are subscribed to, and events of later versions of the link.
            _ => {}
        }
    }

    /// No code panics while it holds this lock but a cache that joins, and it has been noted by then.
    fn lock(&self) -> MutexGuard<'_, RegistryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn run(link: Link, prefixes: Vec<String>, registry: Arc<Registry>) {
    let mut pushes = link.subscribe(Interest::keys(prefixes).capacity(EVENTS));
    let _disconnected = DisconnectedOnDrop(&registry);
    loop {
        tokio::select! {
            event = pushes.next() => registry.apply(event),
            () = next_tick(PUBLISH_EVERY) => registry.subscribers().iter().for_each(|it| it.tick()),
        }
    }
}

/// Tells the caches when the task ends, also by a panic.
struct DisconnectedOnDrop<'a>(&'a Registry);

impl Drop for DisconnectedOnDrop<'_> {
    fn drop(&mut self) {
        self.0.apply(Event::Disconnected);
    }
}
