//! Builds a [`Cache`].

use std::{fmt, sync::Arc, time::Duration};

use link::Link;

use crate::{
    BadSettings, BloomGuard, Cache, CacheMode, Codec, Loader, hub::Feed, settings::Settings,
};

/// Created by [`Cache::builder`]. Every setting documents its default.
#[must_use]
pub struct Builder<L: Loader> {
    pub(crate) name: String,
    pub(crate) link: Link,
    pub(crate) prefix: String,
    pub(crate) loader: L,
    pub(crate) settings: Settings,
    pub(crate) codec: Codec,
    pub(crate) bloom: Option<BloomGuard<L::Key>>,
    /// Of the hub that the cache is built from.
    pub(crate) feed: Option<Arc<Feed>>,
    stale_window: Option<Duration>,
}

impl<L: Loader> fmt::Debug for Builder<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Builder");
        shown.field("name", &self.name);
        shown.field("settings", &self.settings);
        shown.field("codec", &self.codec).finish_non_exhaustive()
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
            codec: Codec::default(),
            bloom: None,
            feed: None,
            stale_window: None,
        }
    }

    /// The prefix of all keys in Redis; empty by default. A cache of a [`CacheHub`](crate::CacheHub) has that of the hub; with
    /// another one it has a push connection of its own.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self.feed = None;
        self
    }

    /// Compresses values of more bytes than this in Redis (LZ4); never by default. A kilobyte is a good start for texts. Values
    /// that do not shrink are stored as they are, and both are readable whatever the setting. Releases that do not
    /// know compression miss such entries and replace them.
    pub fn compress_above(mut self, bytes: usize) -> Self {
        self.settings.compress_above = Some(bytes);
        self
    }

    /// Serves a value for so long after its soft expiry at once, while one load of the cluster replaces it behind: short for
    /// [`CacheMode::LogicalExpiry`] with a hard TTL of the soft TTL plus `window`, whatever is set before or after.
    pub fn stale_while_revalidate(mut self, window: Duration) -> Self {
        self.stale_window = Some(window);
        self
    }

    /// How values become bytes in Redis; [`Codec::MessagePack`] by default. A cache that changes its codec loads its values
    /// anew, and so does each of two processes with different ones whenever the other has stored its own.
    pub fn codec(mut self, codec: Codec) -> Self {
        self.codec = codec;
        self
    }

    /// What a reader does when no fresh value is cached and another process is loading; [`CacheMode::Mutex`] by default.
    pub fn mode(mut self, mode: CacheMode) -> Self {
        self.settings.mode = mode;
        self
    }

    /// How long a value is fresh; 10 minutes.
    pub fn soft_ttl(mut self, ttl: Duration) -> Self {
        self.settings.soft_ttl = ttl;
        self
    }

    /// How long a value is a fallback after its load; an hour. If it equals the soft TTL, no stale value is served.
    pub fn hard_ttl(mut self, ttl: Duration) -> Self {
        self.settings.hard_ttl = ttl;
        self
    }

    /// How long an absent row is cached; a minute.
    pub fn negative_ttl(mut self, ttl: Duration) -> Self {
        self.settings.negative_ttl = ttl;
        self
    }

    /// The largest fraction by which random jitter shortens a lifetime; a tenth.
    pub fn jitter(mut self, share: f64) -> Self {
        self.settings.jitter = share;
        self
    }

    /// The β of XFetch: how early values are refreshed before they expire; 1. With 0 there is no early refresh.
    pub fn early_refresh(mut self, beta: f64) -> Self {
        self.settings.early_refresh = beta;
        self
    }

    /// The capacity of memory in entries; 10,000.
    pub fn l1_capacity(mut self, entries: u64) -> Self {
        self.settings.l1_capacity = entries;
        self
    }

    /// How long memory serves an entry while the subscription is up; a minute.
    pub fn l1_ttl(mut self, ttl: Duration) -> Self {
        self.settings.l1_ttl = ttl;
        self
    }

    /// How long memory serves an entry while the subscription is lost; a second.
    pub fn l1_blind_ttl(mut self, ttl: Duration) -> Self {
        self.settings.l1_blind_ttl = ttl;
        self
    }

    /// How many of the keys in memory are read again, in batches, when Redis was flushed or the subscription is back; a
    /// thousand. The first reader of any other key waits for its load.
    pub fn reloaded_keys(mut self, keys: usize) -> Self {
        self.settings.reloaded_keys = keys;
        self
    }

    /// How long a read waits for Redis before it calls the loader; half a second.
    pub fn l2_timeout(mut self, limit: Duration) -> Self {
        self.settings.l2_timeout = limit;
        self
    }

    /// How long a reader waits for a load when there is an old value; 200 ms. The load continues.
    pub fn loader_soft_timeout(mut self, limit: Duration) -> Self {
        self.settings.soft_timeout = limit;
        self
    }

    /// How long a load may take, and a reader waits at most; 5 s.
    pub fn hard_timeout(mut self, limit: Duration) -> Self {
        self.settings.hard_timeout = limit;
        self
    }

    /// Concurrent loads of this process; 64. Further loads wait within the hard timeout.
    pub fn max_parallel_loads(mut self, loads: usize) -> Self {
        self.settings.max_parallel_loads = loads;
        self
    }

    /// How long a tombstone lives in Redis; 30 s. Must exceed the hard timeout.
    pub fn tombstone_ttl(mut self, ttl: Duration) -> Self {
        self.settings.tombstone_ttl = ttl;
        self
    }

    /// Rejects ids that never existed before Redis or the loader is called.
    pub fn bloom(mut self, guard: BloomGuard<L::Key>) -> Self {
        self.bloom = Some(guard);
        self
    }

    /// Builds the cache and starts its subscriber task. Must be called within a tokio runtime.
    pub fn build(mut self) -> Result<Cache<L>, BadSettings> {
        if let Some(window) = self.stale_window {
            self.settings.mode = CacheMode::LogicalExpiry;
            self.settings.hard_ttl = self.settings.soft_ttl.saturating_add(window);
        }
        self.settings.check()?;
        Ok(Cache::assemble(self))
    }
}
