//! The handle: [`Cache`].

use std::{fmt, sync::Arc, time::Instant};

use futures_util::{StreamExt as _, future::join_all, stream};
use link::{Link, LinkError};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    Builder, CacheError, Loader, Mode, Stats, early,
    entry::{Held, Version},
    flight::Boarding,
    lead, listener,
    memory::{Kept, Origin},
    shared::Shared,
    trip::Trip,
};

/// Invalidations of one call that are on their way at a time.
const PARALLEL_INVALIDATIONS: usize = 64;

/// Keys that a warm-up asks for at a time: large enough to make batches worthwhile, small enough for one statement.
const WARM_UP_BATCH: usize = 500;

/// A cache over memory, Redis and a [`Loader`]; cheap to clone. The [crate] page says how it works and how it fails.
pub struct Cache<L: Loader> {
    shared: Arc<Shared<L>>,
    _listener: Arc<AbortOnDropHandle<()>>,
}

impl<L: Loader> Clone for Cache<L> {
    fn clone(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            _listener: self._listener.clone(),
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

/// What a read brings.
pub type Read<L> = Result<Held<<L as Loader>::Value>, CacheError<<L as Loader>::Error>>;

impl<L: Loader> Cache<L> {
    /// Begins a cache of this name, which is part of its keys in Redis: caches of one name are one cache.
    pub fn builder(name: impl Into<String>, link: Link, loader: L) -> Builder<L> {
        Builder::new(name.into(), link, loader)
    }

    pub(crate) fn assemble(builder: Builder<L>) -> Self {
        let shared = Arc::new(Shared::new(builder));
        let heard = shared.clone();
        let listener = supervise::spawn("cache invalidations", move || {
            listener::listen(heard.clone())
        });
        Self {
            shared,
            _listener: Arc::new(AbortOnDropHandle::new(listener)),
        }
    }

    /// The value, or nothing if there is none: from memory without a single command, from Redis, or from the loader.
    pub async fn get(&self, key: &L::Key) -> Read<L> {
        if let Some(held) = self.recall(key) {
            return Ok(held);
        }
        if self.turns_away(key).await {
            return Ok(None);
        }
        let since = Instant::now();
        let mut trips = Vec::new();
        let flight = self.shared.board(key, &mut trips);
        lead::spawn(&self.shared, trips);
        let outcome = self.shared.wait(&flight).await;
        self.shared.meter.miss_took(since);
        outcome
    }

    /// The values of these keys, in their order: one round trip per server of Redis for all that are not in memory, and
    /// one call of the loader for the rest. The first error is the error of all.
    pub async fn get_many(
        &self,
        keys: &[L::Key],
    ) -> Result<Vec<Held<L::Value>>, CacheError<L::Error>> {
        let mut answers: Vec<_> = keys.iter().map(|key| self.recall(key)).collect();
        let missing = || (0..keys.len()).filter(|index| answers[*index].is_none());
        let turned_away = join_all(missing().map(|index| self.turns_away(&keys[index]))).await;
        let asked = missing()
            .zip(turned_away)
            .filter(|(_, is_absent)| !is_absent);
        let mut trips = Vec::new();
        let boarded = asked.map(|(index, _)| (index, self.shared.board(&keys[index], &mut trips)));
        let boarded: Vec<_> = boarded.collect();
        lead::spawn(&self.shared, trips);
        for (index, flight) in boarded {
            answers[index] = Some(self.shared.wait(&flight).await?);
        }
        Ok(answers.into_iter().map(Option::flatten).collect())
    }

    /// To be called after the row was changed or created, and repeated until it succeeds: see the [crate] page.
    pub async fn invalidate(&self, key: &L::Key) -> Result<(), LinkError> {
        self.announce(key, Version::NONE).await
    }

    /// Like [`Cache::invalidate`], for rows with a [version](Loader::version): the row has this one by now, so whatever
    /// is older goes, and is not stored again. A value of this version or a newer one stays.
    pub async fn invalidate_older(&self, key: &L::Key, version: u64) -> Result<(), LinkError> {
        self.announce(key, Version::new(version)).await
    }

    /// Invalidates all of them, even if some fail; then the first failure is told, and all should be repeated.
    pub async fn invalidate_many(&self, keys: &[L::Key]) -> Result<(), LinkError> {
        let all = stream::iter(keys).map(|key| self.invalidate(key));
        let outcomes = all.buffer_unordered(PARALLEL_INVALIDATIONS);
        outcomes
            .fold(Ok(()), async |first, outcome| first.and(outcome))
            .await
    }

    /// Reads these keys into Redis and memory, those that are there already excepted, and says how many exist.
    pub async fn warm_up(
        &self,
        keys: impl IntoIterator<Item = L::Key>,
    ) -> Result<usize, CacheError<L::Error>> {
        let mut keys = keys.into_iter().peekable();
        let mut found = 0;
        while keys.peek().is_some() {
            let batch: Vec<L::Key> = keys.by_ref().take(WARM_UP_BATCH).collect();
            let values = self.get_many(&batch).await?;
            found += values.iter().flatten().count();
        }
        Ok(found)
    }

    /// What was done so far, and how things are.
    pub fn stats(&self) -> Stats {
        self.shared.stats()
    }

    /// From memory, if it may be served from there; sees to a refresh that is due.
    fn recall(&self, key: &L::Key) -> Option<Held<L::Value>> {
        let now = Instant::now();
        let kept = self.shared.memory.get(key, now)?;
        let fresh_for = kept.fresh_until.saturating_duration_since(now);
        if fresh_for.is_zero() {
            return self.recall_stale(key, kept);
        }
        if kept.origin == Origin::Fallback {
            self.shared.meter.stale_serves.add(1);
            return Some(kept.value);
        }
        self.shared.meter.l1_hits.add(1);
        if early::is_due(
            fresh_for,
            kept.load_time,
            self.shared.settings.early_refresh,
        ) {
            self.refresh(key, &kept);
        }
        Some(kept.value)
    }

    /// Past its soft expiry a value is served from memory only where nobody may wait.
    fn recall_stale(&self, key: &L::Key, kept: Kept<L::Value>) -> Option<Held<L::Value>> {
        if self.shared.settings.mode != Mode::LogicalExpiry {
            return None;
        }
        self.shared.meter.stale_serves.add(1);
        self.refresh(key, &kept);
        Some(kept.value)
    }

    /// Has the entry replaced in the background, unless that is happening already.
    fn refresh(&self, key: &L::Key, kept: &Kept<L::Value>) {
        if let Boarding::Opened(flight) = self.shared.flights.board(key) {
            self.shared.meter.early_refreshes.add(1);
            let trip = Trip::new(&self.shared, key.clone(), flight, Some(kept.stamp));
            lead::spawn(&self.shared, vec![trip]);
        }
    }

    async fn turns_away(&self, key: &L::Key) -> bool {
        let Some(bloom) = &self.shared.bloom else {
            return false;
        };
        let is_absent = !bloom.might_contain(key).await;
        self.shared.meter.turned_away.add(usize::from(is_absent));
        is_absent
    }

    async fn announce(&self, key: &L::Key, version: Version) -> Result<(), LinkError> {
        // Forgets the key when this call ends, in whatever way.
        let _forget = Forget {
            shared: &self.shared,
            key,
        };
        self.shared.meter.invalidations.add(1);
        self.shared.remote.invalidate(key, version).await
    }
}

struct Forget<'a, L: Loader> {
    shared: &'a Shared<L>,
    key: &'a L::Key,
}

impl<L: Loader> Drop for Forget<'_, L> {
    fn drop(&mut self) {
        self.shared.forget(self.key);
    }
}
