//! Puts a [`Cache`] together.

use std::{fmt, time::Duration};

use link::Link;

use crate::{BadSettings, BloomGuard, Cache, Loader, Mode, settings::Settings};

/// Made by [`Cache::builder`]. Every setting has a default, named with it.
#[must_use]
pub struct Builder<L: Loader> {
    pub(crate) name: String,
    pub(crate) link: Link,
    pub(crate) prefix: String,
    pub(crate) loader: L,
    pub(crate) settings: Settings,
    pub(crate) bloom: Option<BloomGuard<L::Key>>,
}

impl<L: Loader> fmt::Debug for Builder<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Builder");
        shown.field("name", &self.name);
        shown
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl<L: Loader> Builder<L> {
    pub(crate) fn new(name: String, link: Link, loader: L) -> Self {
        Self {
            name,
            link,
            prefix: String::new(),
            loader,
            settings: Settings::default(),
            bloom: None,
        }
    }

    /// What all keys in Redis begin with; nothing by default.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// What happens to readers of a value that is not there or no longer fresh; [`Mode::Mutex`] by default.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.settings.mode = mode;
        self
    }

    /// How long a value is fresh; 10 minutes.
    pub fn soft_ttl(mut self, ttl: Duration) -> Self {
        self.settings.soft_ttl = ttl;
        self
    }

    /// How long a value can be fallen back on; an hour. Equal to the soft TTL, nothing stale is ever served.
    pub fn hard_ttl(mut self, ttl: Duration) -> Self {
        self.settings.hard_ttl = ttl;
        self
    }

    /// How long "there is no such row" is believed; a minute.
    pub fn negative_ttl(mut self, ttl: Duration) -> Self {
        self.settings.negative_ttl = ttl;
        self
    }

    /// By which share, at most, lifetimes are shortened at random; a tenth.
    pub fn jitter(mut self, share: f64) -> Self {
        self.settings.jitter = share;
        self
    }

    /// How eagerly values are refreshed before they expire: the β of XFetch; 1, and never if 0.
    pub fn early_refresh(mut self, beta: f64) -> Self {
        self.settings.early_refresh = beta;
        self
    }

    /// Entries in the memory of the process; 10,000.
    pub fn l1_capacity(mut self, entries: u64) -> Self {
        self.settings.l1_capacity = entries;
        self
    }

    /// How long an entry is served from memory while changes are heard; a minute.
    pub fn l1_ttl(mut self, ttl: Duration) -> Self {
        self.settings.l1_ttl = ttl;
        self
    }

    /// How long an entry is served from memory while changes may pass unheard; a second.
    pub fn l1_blind_ttl(mut self, ttl: Duration) -> Self {
        self.settings.l1_blind_ttl = ttl;
        self
    }

    /// How long a read waits for Redis before it goes to the loader; half a second.
    pub fn l2_timeout(mut self, limit: Duration) -> Self {
        self.settings.l2_timeout = limit;
        self
    }

    /// How long a reader waits when there is an old value to fall back on; 200 ms. The load goes on.
    pub fn loader_soft_timeout(mut self, limit: Duration) -> Self {
        self.settings.soft_timeout = limit;
        self
    }

    /// How long a reader waits at all, and a load may take; 5 s.
    pub fn hard_timeout(mut self, limit: Duration) -> Self {
        self.settings.hard_timeout = limit;
        self
    }

    /// Loads of this process at a time, whatever their keys; 64. More wait for their turn within the hard timeout.
    pub fn max_parallel_loads(mut self, loads: usize) -> Self {
        self.settings.max_parallel_loads = loads;
        self
    }

    /// How long an invalidation is remembered in Redis; 30 s. Must exceed the hard timeout.
    pub fn tombstone_ttl(mut self, ttl: Duration) -> Self {
        self.settings.tombstone_ttl = ttl;
        self
    }

    /// Turns ids away that were never there, before anything else is asked.
    pub fn bloom(mut self, guard: BloomGuard<L::Key>) -> Self {
        self.bloom = Some(guard);
        self
    }

    /// The cache, which begins to listen for changes. Must be called within a tokio runtime.
    pub fn build(self) -> Result<Cache<L>, BadSettings> {
        self.settings.check()?;
        Ok(Cache::assemble(self))
    }
}
