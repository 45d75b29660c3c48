//! The handle: [`Cache`].

use std::{fmt, sync::Arc, time::Instant};

use futures_util::{StreamExt as _, future::join_all, stream};
use link::{Link, LinkError};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    Builder, CacheError, CacheMode, Loader, Stats, early,
    entry::{MaybeValue, RowVersion},
    in_flight::JoinedOrStarted,
    key_load::KeyLoad,
    memory::{MemoryEntry, Origin},
    read_through, reload,
    shared::CacheState,
    subscriber,
};

/// Invalidations of one call that are in flight at a time.
const PARALLEL_INVALIDATIONS: usize = 64;

/// A cache over memory, Redis and a [`Loader`]; cheap to clone. The [crate] page says how it works and how it fails.
pub struct Cache<L: Loader> {
    shared: Arc<CacheState<L>>,
    _subscriber: Arc<AbortOnDropHandle<()>>,
}

impl<L: Loader> Clone for Cache<L> {
    fn clone(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            _subscriber: self._subscriber.clone(),
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

    pub(crate) fn assemble(builder: Builder<L>) -> Self {
        let shared = Arc::new(CacheState::new(builder));
        let subscribed = shared.clone();
        let subscriber = supervise::spawn("cache invalidations", move || {
            subscriber::run(subscribed.clone())
        });
        Self {
            shared,
            _subscriber: Arc::new(AbortOnDropHandle::new(subscriber)),
        }
    }

    /// Gets a value from memory without a Redis command, from Redis, or from the loader; `None` if the row does not exist.
    pub async fn get(&self, key: &L::Key) -> ReadResult<L> {
        if let Some(value) = self.get_from_memory(key) {
            return Ok(value);
        }
        if self.is_known_absent(key).await {
            return Ok(None);
        }
        let since = Instant::now();
        let mut loads = Vec::new();
        let load = self.shared.join_or_start(key, &mut loads);
        read_through::spawn_loads(&self.shared, loads);
        let outcome = self.shared.wait(&load).await;
        self.shared.meter.miss_took(since);
        outcome
    }

    /// Gets the values of these keys, in their order: one round trip per server of Redis for all that are not in memory, and
    /// one call of the loader for the rest. The first error is the error of all.
    pub async fn get_many(
        &self,
        keys: &[L::Key],
    ) -> Result<Vec<MaybeValue<L::Value>>, CacheError<L::Error>> {
        let mut values: Vec<_> = keys.iter().map(|key| self.get_from_memory(key)).collect();
        let missing = || (0..keys.len()).filter(|index| values[*index].is_none());
        let known_absent =
            join_all(missing().map(|index| self.is_known_absent(&keys[index]))).await;
        let possible = missing()
            .zip(known_absent)
            .filter(|(_, is_absent)| !is_absent);
        let mut loads = Vec::new();
        let joined =
            possible.map(|(index, _)| (index, self.shared.join_or_start(&keys[index], &mut loads)));
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
    fn get_from_memory(&self, key: &L::Key) -> Option<MaybeValue<L::Value>> {
        let now = Instant::now();
        let entry = self.shared.memory.get(key, now)?;
        let fresh_for = entry.fresh_until.saturating_duration_since(now);
        if fresh_for.is_zero() {
            return self.get_stale_from_memory(key, entry);
        }
        if entry.origin == Origin::Fallback {
            self.shared.meter.stale_serves.add(1);
            return Some(entry.value);
        }
        self.shared.meter.l1_hits.add(1);
        if early::is_due(
            fresh_for,
            entry.load_time,
            self.shared.settings.early_refresh,
        ) {
            self.refresh(key, &entry);
        }
        Some(entry.value)
    }

    /// Memory serves a value past its soft expiry only in [`CacheMode::LogicalExpiry`].
    fn get_stale_from_memory(
        &self,
        key: &L::Key,
        entry: MemoryEntry<L::Value>,
    ) -> Option<MaybeValue<L::Value>> {
        if self.shared.settings.mode != CacheMode::LogicalExpiry {
            return None;
        }
        self.shared.meter.stale_serves.add(1);
        self.refresh(key, &entry);
        Some(entry.value)
    }

    /// Replaces the entry in the background, unless a load of the key is in flight.
    fn refresh(&self, key: &L::Key, entry: &MemoryEntry<L::Value>) {
        if let JoinedOrStarted::Started(in_flight) = self.shared.in_flight.join_or_start(key) {
            self.shared.meter.early_refreshes.add(1);
            let load = KeyLoad::new(&self.shared, key.clone(), in_flight, Some(entry.stamp));
            read_through::spawn_loads(&self.shared, vec![load]);
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

    async fn announce(&self, key: &L::Key, version: RowVersion) -> Result<(), LinkError> {
        // Invalidates memory also if this call fails or is cancelled.
        let _invalidate = InvalidateOnDrop {
            shared: &self.shared,
            key,
        };
        self.shared.meter.invalidations.add(1);
        self.shared.remote.invalidate(key, version).await
    }
}

struct InvalidateOnDrop<'a, L: Loader> {
    shared: &'a CacheState<L>,
    key: &'a L::Key,
}

impl<L: Loader> Drop for InvalidateOnDrop<'_, L> {
    fn drop(&mut self) {
        self.shared.invalidate(self.key);
    }
}
