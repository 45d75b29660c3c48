//! The handle: [`Cache`].

use std::{
    fmt,
    sync::{Arc, Mutex},
    time::Instant,
};

use futures_util::{StreamExt as _, future::join_all, stream};
use link::{Link, LinkError};

use crate::{
    Builder, CacheError, CacheMode, Loaded, Loader, Stats, early,
    entry::{MaybeValue, RowVersion},
    hub::{Feed, Registration},
    in_flight::JoinedOrStarted,
    key_load::KeyLoad,
    loaded::LoadClosure,
    memory::{MemoryEntry, Origin},
    read_through, reload,
    shared::{CacheState, DECISIONS},
    subscriber::CacheSubscriber,
    tags,
};

/// Invalidations of one call that are in flight at a time.
const PARALLEL_INVALIDATIONS: usize = 64;

/// A cache over memory, Redis and a [`Loader`]; cheap to clone. The [crate] page says how it works and how it fails.
pub struct Cache<L: Loader> {
    pub(crate) shared: Arc<CacheState<L>>,
    _registration: Arc<Registration>,
}

impl<L: Loader> Clone for Cache<L> {
    fn clone(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            _registration: self._registration.clone(),
        }
    }
}

impl<L: Loader> fmt::Debug for Cache<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Cache");
        shown.field("settings", &self.shared.settings);
        shown.field("stats", &self.stats()).finish_non_exhaustive()
    }
}

/// The outcome of a read.
pub type ReadResult<L> = Result<MaybeValue<<L as Loader>::Value>, CacheError<<L as Loader>::Error>>;

impl<L: Loader> Cache<L> {
    /// Starts to build a cache. Its name is part of its keys in Redis: processes that use one name share one cache.
    pub fn builder(name: impl Into<String>, link: Link, loader: L) -> Builder<L> {
        Builder::new(name.into(), link, loader)
    }

    pub(crate) fn assemble(mut builder: Builder<L>) -> Self {
        let (feed, link) = (builder.feed.take(), builder.link.clone());
        let shared = Arc::new(CacheState::new(builder));
        let feed = feed.unwrap_or_else(|| {
            let prefixes = shared.remote.keys.tracked_prefixes();
            Feed::start(link, prefixes.map(str::to_owned).into())
        });
        let registration = feed.join(Arc::new(CacheSubscriber::new(shared.clone())));
        Self {
            shared,
            _registration: Arc::new(registration),
        }
    }

    /// Gets a value from memory without a Redis command, from Redis, or from the loader; `None` if the row does not exist.
    pub async fn get(&self, key: &L::Key) -> ReadResult<L> {
        self.read(key, None, None).await
    }

    /// Like [`Cache::get`], with a closure in place of the loader: one call per process at a time, and per cluster where the
    /// [mode](CacheMode) says so. It returns the value, an `Option` of it, or a [`Loaded`] with lifetimes of its own.
    ///
    /// Of several callers that wait for one load, the closure of the first is called and those of the others are dropped. It
    /// runs in a task of its own and goes on when its caller is cancelled. A refresh before the soft expiry, and one behind a
    /// stale value, is done by the closure of the reader who finds it due. What only the cache notices, no closure can do: after
    /// a flush or a lost subscription the keys of a cache with [`NoLoader`](crate::NoLoader) are not reloaded, and each one is
    /// loaded by its next caller. (A cache with a loader reloads them by its loader.)
    ///
    /// ```no_run
    /// # use std::{io, time::Duration};
    /// # use redis_two_level_cache::{Cache, CacheError, Loaded, NoLoader};
    /// # async fn fetch(url: String) -> Result<String, io::Error> { Ok(url) }
    /// # async fn example(pages: Cache<NoLoader<String, String, io::Error>>)
    /// # -> Result<(), CacheError<io::Error>> {
    /// let url = "https://example.com/".to_owned();
    /// let page = pages
    ///     .get_with(&url.clone(), async move || {
    ///         let page = fetch(url).await?;
    ///         Ok(Loaded::new(page).ttl(Duration::from_secs(30)))
    ///     })
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub async fn get_with<T, F, Fut>(&self, key: &L::Key, load: F) -> ReadResult<L>
    where
        T: Into<Loaded<L::Value>>,
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<T, L::Error>> + Send + 'static,
    {
        self.read(key, None, Some(boxed::<L, _, _, _>(load))).await
    }

    /// Like [`Cache::get_with`], under these tags instead of those of [`Loader::tags`]: see [`Cache::invalidate_tag`].
    pub async fn get_tagged<T, F, Fut>(
        &self,
        key: &L::Key,
        tags: impl IntoIterator<Item = impl Into<String>>,
        load: F,
    ) -> ReadResult<L>
    where
        T: Into<Loaded<L::Value>>,
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<T, L::Error>> + Send + 'static,
    {
        let tags = tags.into_iter().map(Into::into).collect();
        self.read(key, Some(tags), Some(boxed::<L, _, _, _>(load)))
            .await
    }

    /// A read. `tags` are instead of those of the loader, `closure` is called instead of it.
    async fn read(
        &self,
        key: &L::Key,
        tags: Option<Vec<String>>,
        mut closure: Option<LoadClosure<L>>,
    ) -> ReadResult<L> {
        if let Some(value) = self.get_from_memory(key, &tags, &mut closure) {
            return Ok(value);
        }
        if self.is_known_absent(key).await {
            return Ok(None);
        }
        let since = Instant::now();
        let outcome = loop {
            let load = match self.start(key, &tags, &mut closure, None) {
                JoinedOrStarted::Started(load) => load,
                JoinedOrStarted::Joined(load) => {
                    self.shared.why(key, "joins the load in flight");
                    load
                }
            };
            match self.shared.wait(&load).await {
                // It joined the load of a reader without a closure.
                Err(CacheError::NoLoader) if closure.is_some() => {}
                outcome => break outcome,
            }
        };
        self.shared.meter.miss_took(since);
        outcome
    }

    /// Starts the load of a key unless one is in flight. The closure is taken only by a load that starts.
    fn start(
        &self,
        key: &L::Key,
        tags: &Option<Vec<String>>,
        closure: &mut Option<LoadClosure<L>>,
        replacing: Option<&MemoryEntry<L::Value>>,
    ) -> JoinedOrStarted<L::Value, L::Error> {
        let tags = || match tags {
            Some(tags) => tags::normalize(tags.clone()),
            None => self.shared.tags_of(key),
        };
        let load = self.shared.in_flight.join_or_start(key, tags);
        if let JoinedOrStarted::Started(in_flight) = &load {
            let stamp = replacing.map(|entry| entry.stamp);
            let mut load = KeyLoad::new(&self.shared, key.clone(), in_flight.clone(), stamp);
            load.closure = Mutex::new(closure.take());
            read_through::spawn_loads(&self.shared, vec![load]);
        }
        load
    }

    /// Gets the values of these keys, in their order: one round trip per server of Redis for all that are not in memory, and
    /// one call of the loader for the rest. The first error is the error of all.
    pub async fn get_many(
        &self,
        keys: &[L::Key],
    ) -> Result<Vec<MaybeValue<L::Value>>, CacheError<L::Error>> {
        let mut values: Vec<_> = keys
            .iter()
            .map(|key| self.get_from_memory(key, &None, &mut None))
            .collect();
        let missing = || (0..keys.len()).filter(|index| values[*index].is_none());
        let known_absent =
            join_all(missing().map(|index| self.is_known_absent(&keys[index]))).await;
        let possible = missing()
            .zip(known_absent)
            .filter(|(_, is_absent)| !is_absent);
        let mut loads = Vec::new();
        let joined = possible.map(|(index, _)| {
            let load = self.shared.join_or_start(&keys[index], &[], &mut loads);
            (index, load)
        });
        let joined: Vec<_> = joined.collect();
        read_through::spawn_loads(&self.shared, loads);
        for (index, load) in joined {
            values[index] = Some(self.shared.wait(&load).await?);
        }
        Ok(values.into_iter().map(Option::flatten).collect())
    }

    /// Gets what memory or Redis holds, and never calls the loader: `None` if neither holds the key, `Some(None)` if the row is
    /// known not to exist. A value past its soft expiry counts in [`CacheMode::LogicalExpiry`] only.
    pub async fn get_if_present(&self, key: &L::Key) -> Option<MaybeValue<L::Value>> {
        let now = Instant::now();
        let in_memory = self.shared.memory.get(key, now);
        match in_memory {
            Some(entry) if now < entry.fresh_until => {
                self.shared.meter.l1_hits.add(1);
                Some(entry.value)
            }
            Some(entry) if self.shared.settings.mode == CacheMode::LogicalExpiry => {
                self.shared.meter.stale_serves.add(1);
                Some(entry.value)
            }
            _ => self.shared.read_if_present(key).await,
        }
    }

    /// Invalidates a key. Call it after the commit that changed or created the row, and retry it until it succeeds: see the
    /// [crate] page.
    pub async fn invalidate(&self, key: &L::Key) -> Result<(), LinkError> {
        self.announce(key, RowVersion::NONE).await
    }

    /// Like [`Cache::invalidate`], for rows with a [version](Loader::version): removes entries older than `version` and
    /// refuses older fills. An entry of this version or a newer one stays.
    pub async fn invalidate_older(&self, key: &L::Key, version: u64) -> Result<(), LinkError> {
        self.announce(key, RowVersion::new(version)).await
    }

    /// Invalidates all keys, also after a failure, and returns the first error. The caller then retries all of them.
    pub async fn invalidate_many(&self, keys: &[L::Key]) -> Result<(), LinkError> {
        let all = stream::iter(keys).map(|key| self.invalidate(key));
        let outcomes = all.buffer_unordered(PARALLEL_INVALIDATIONS);
        outcomes
            .fold(Ok(()), async |first, outcome| first.and(outcome))
            .await
    }

    /// Invalidates all keys that are filled under this tag: by [`Loader::tags`] or by [`Cache::get_tagged`]. Like
    /// [`Cache::invalidate`], call it after the commit and retry it until it succeeds. It costs one command, however many keys
    /// there are; their values stay in Redis until they expire or are replaced, and are not served.
    pub async fn invalidate_tag(&self, tag: &str) -> Result<(), LinkError> {
        // Invalidates memory also if this call fails or is cancelled.
        let _invalidate = InvalidateTagOnDrop {
            shared: &self.shared,
            tag,
        };
        self.shared.meter.invalidations.add(1);
        tracing::debug!(target: DECISIONS, cache = self.shared.meter.name(), tag, "tag invalidated");
        self.shared.remote.invalidate_tag(tag).await
    }

    /// Loads the keys that are neither in memory nor in Redis, in batches, and returns how many of all keys exist. Their
    /// values are in memory then, as many as fit.
    pub async fn warm_up(
        &self,
        keys: impl IntoIterator<Item = L::Key>,
    ) -> Result<usize, CacheError<L::Error>> {
        let mut keys = keys.into_iter().peekable();
        let mut found = 0;
        while keys.peek().is_some() {
            let batch: Vec<L::Key> = keys.by_ref().take(reload::BATCH).collect();
            found += self.get_many(&batch).await?.iter().flatten().count();
        }
        Ok(found)
    }

    /// Totals and the present state.
    pub fn stats(&self) -> Stats {
        self.shared.stats()
    }

    /// Returns an entry that memory may serve, and starts a refresh that is due.
    fn get_from_memory(
        &self,
        key: &L::Key,
        tags: &Option<Vec<String>>,
        closure: &mut Option<LoadClosure<L>>,
    ) -> Option<MaybeValue<L::Value>> {
        let now = Instant::now();
        let memory = &self.shared.memory;
        // Memory serves a value past its soft expiry, or of before a flush, only in this mode.
        let accepts_stale = self.shared.settings.mode == CacheMode::LogicalExpiry;
        let serve_stale = |entry: MemoryEntry<L::Value>, closure: &mut _| {
            self.shared.meter.stale_serves.add(1);
            self.shared
                .why(key, "the old value of memory is served, one load behind it");
            self.refresh(key, tags, closure, &entry);
            entry.value
        };
        let Some(entry) = memory.get(key, now) else {
            let flushed = accepts_stale.then(|| memory.get_flushed(key, now));
            return flushed.flatten().map(|entry| serve_stale(entry, closure));
        };
        let fresh_for = entry.fresh_until.saturating_duration_since(now);
        if fresh_for.is_zero() {
            return accepts_stale.then(|| serve_stale(entry, closure));
        }
        if entry.origin == Origin::Fallback {
            self.shared.meter.stale_serves.add(1);
            self.shared
                .why(key, "the old value is served: the last load failed");
            return Some(entry.value);
        }
        self.shared.meter.l1_hits.add(1);
        tracing::trace!(target: DECISIONS, cache = self.shared.meter.name(), %key, "hit in memory");
        if early::is_due(
            fresh_for,
            entry.load_time,
            self.shared.settings.early_refresh,
        ) {
            self.shared.why(key, "refreshed early");
            self.refresh(key, tags, closure, &entry);
        }
        Some(entry.value)
    }

    /// Replaces the entry in the background, unless a load of the key is in flight.
    fn refresh(
        &self,
        key: &L::Key,
        tags: &Option<Vec<String>>,
        closure: &mut Option<LoadClosure<L>>,
        entry: &MemoryEntry<L::Value>,
    ) {
        // A reader without a closure cannot refresh what only closures load.
        if !L::LOADS && closure.is_none() {
            return;
        }
        let load = self.start(key, tags, closure, Some(entry));
        if let JoinedOrStarted::Started(_) = load {
            self.shared.meter.early_refreshes.add(1);
        }
    }

    async fn is_known_absent(&self, key: &L::Key) -> bool {
        let Some(bloom) = &self.shared.bloom else {
            return false;
        };
        let is_absent = !bloom.might_contain(key).await;
        self.shared.meter.turned_away.add(usize::from(is_absent));
        is_absent
    }

    pub(crate) async fn announce(
        &self,
        key: &L::Key,
        version: RowVersion,
    ) -> Result<(), LinkError> {
        // Invalidates memory also if this call fails or is cancelled.
        let _invalidate = InvalidateOnDrop {
            shared: &self.shared,
            key,
        };
        self.shared.meter.invalidations.add(1);
        self.shared.why(key, "invalidated");
        self.shared.remote.invalidate(key, version).await
    }
}

/// A closure that returns any form of a loaded value, as the loads keep it.
fn boxed<L, T, F, Fut>(load: F) -> LoadClosure<L>
where
    L: Loader,
    T: Into<Loaded<L::Value>>,
    F: FnOnce() -> Fut + Send + 'static,
    Fut: Future<Output = Result<T, L::Error>> + Send + 'static,
{
    Box::new(move || {
        let load = load();
        Box::pin(async move { load.await.map(Into::into) })
    })
}

struct InvalidateTagOnDrop<'a, L: Loader> {
    shared: &'a CacheState<L>,
    tag: &'a str,
}

impl<L: Loader> Drop for InvalidateTagOnDrop<'_, L> {
    fn drop(&mut self) {
        self.shared.invalidate_tag(self.tag);
    }
}

pub(crate) struct InvalidateOnDrop<'a, L: Loader> {
    pub(crate) shared: &'a CacheState<L>,
    pub(crate) key: &'a L::Key,
}

impl<L: Loader> Drop for InvalidateOnDrop<'_, L> {
    fn drop(&mut self) {
        self.shared.invalidate(self.key);
    }
}
