//! The state that all handles of a cache share, and how readers wait for an in-flight load.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::Semaphore;

use crate::{
    BloomGuard, Builder, CacheError, CacheMode, Loader, ReadResult, Stats,
    breaker::Breaker,
    in_flight::{InFlightLoad, InFlightLoads, JoinedOrStarted, LoadProgress},
    key_load::KeyLoad,
    keys::Keys,
    memory::Memory,
    meter::Meter,
    own_fills::OwnFills,
    remote::Remote,
    settings::Settings,
    tags::{self, TagGenerations},
    values::Values,
};

/// The target of the log lines that say what a cache did for a read, and why: `RUST_LOG=cache_decisions=debug`.
pub(crate) const DECISIONS: &str = "cache_decisions";

/// A lease that is not renewed expires after this time and another process may load: long enough for a slow process,
/// short enough for readers to wait. It is at most half of the hard timeout.
const LONGEST_LEASE: Duration = Duration::from_secs(3);

/// A tag is renewed when half of its life is over, and its life is twice the longest of what may be stored under it.
const SHORTEST_TAG_LIFE: Duration = Duration::from_secs(60);

/// Shared by the handles of a cache, its loads and its subscriber task.
pub(crate) struct CacheState<L: Loader> {
    pub(crate) loader: L,
    pub(crate) settings: Settings,
    pub(crate) memory: Memory<L::Key, L::Value>,
    pub(crate) remote: Remote,
    pub(crate) in_flight: InFlightLoads<L::Key, L::Value, L::Error>,
    pub(crate) own_fills: OwnFills<L::Key>,
    pub(crate) load_permits: Semaphore,
    pub(crate) meter: Meter,
    pub(crate) bloom: Option<BloomGuard<L::Key>>,
}

impl<L: Loader> CacheState<L> {
    pub(crate) fn new(builder: Builder<L>) -> Self {
        let settings = builder.settings;
        let tag_generations = Arc::new(TagGenerations::new());
        let remote = Remote {
            link: builder.link,
            keys: Keys::new(&builder.prefix, &builder.name),
            values: Values::new(builder.codec, settings.compress_above),
            breaker: Breaker::new(Instant::now()),
            timeout: settings.l2_timeout,
            lease_ttl: LONGEST_LEASE.min(settings.hard_timeout / 2),
            tombstone_ttl: settings.tombstone_ttl,
            tag_ttl: settings.hard_ttl.max(SHORTEST_TAG_LIFE) * 2,
            tag_generations: tag_generations.clone(),
        };
        Self {
            loader: builder.loader,
            memory: Memory::new(&settings, tag_generations),
            remote,
            in_flight: InFlightLoads::new(),
            own_fills: OwnFills::new(),
            load_permits: Semaphore::new(settings.max_parallel_loads),
            meter: Meter::new(&builder.name),
            settings,
            bloom: builder.bloom,
        }
    }

    /// Joins the in-flight load of this key; if there is none, pushes a new one to `loads`, which the caller spawns. A new one
    /// is under these tags and those of the loader.
    pub(crate) fn join_or_start(
        self: &Arc<Self>,
        key: &L::Key,
        tags: &[String],
        loads: &mut Vec<KeyLoad<L>>,
    ) -> Arc<InFlightLoad<L::Value, L::Error>> {
        let tags = || tags::normalize([tags, &self.loader.tags(key)].concat());
        match self.in_flight.join_or_start(key, tags) {
            JoinedOrStarted::Joined(load) => {
                self.why(key, "joins the load in flight");
                load
            }
            JoinedOrStarted::Started(load) => {
                loads.push(KeyLoad::new(self, key.clone(), load.clone(), None));
                load
            }
        }
    }

    /// Waits for the outcome of a load; by mode and soft timeout, returns its interim value instead.
    pub(crate) async fn wait(&self, load: &InFlightLoad<L::Value, L::Error>) -> ReadResult<L> {
        let accepts_stale = self.settings.mode == CacheMode::LogicalExpiry;
        let within_soft_timeout = load.wait_for_progress(|progress| match progress {
            LoadProgress::Pending => false,
            LoadProgress::Stale(_) => accepts_stale,
            LoadProgress::Fresh(_) | LoadProgress::Done(_) => true,
        });
        let reached =
            match tokio::time::timeout(self.settings.soft_timeout, within_soft_timeout).await {
                Ok(reached) => reached,
                Err(_) => {
                    let has_value = |progress: &_| !matches!(progress, LoadProgress::Pending);
                    load.wait_for_progress(has_value).await
                }
            };
        match reached {
            LoadProgress::Done(outcome) => outcome,
            LoadProgress::Fresh(value) => Ok(value),
            LoadProgress::Stale(value) => {
                self.meter.stale_serves.add(1);
                tracing::debug!(target: DECISIONS, cache = self.meter.name(), "the old value is served while the load goes on");
                Ok(value)
            }
            LoadProgress::Pending => Err(CacheError::Abandoned),
        }
    }

    /// This process changed the key, or Redis sent an invalidation of it.
    pub(crate) fn invalidate(&self, key: &L::Key) {
        self.memory.invalidate(key);
        self.in_flight.detach(key);
    }

    /// This process invalidated the tag, or Redis sent an invalidation of it.
    pub(crate) fn invalidate_tag(&self, tag: &str) {
        self.remote.tag_generations.invalidate(tag);
        self.in_flight.detach_tagged(tag);
    }

    pub(crate) fn tags_of(&self, key: &L::Key) -> Vec<String> {
        tags::normalize(self.loader.tags(key))
    }

    /// Logs what the cache did for this key, and why.
    pub(crate) fn why(&self, key: &L::Key, decision: &'static str) {
        tracing::debug!(target: DECISIONS, cache = self.meter.name(), %key, "{decision}");
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats {
            l1_entries: self.memory.len(),
            in_flight_loads: self.in_flight.len() as u64,
            breaker_open: self.remote.breaker.is_open(),
            subscribed: self.memory.is_subscribed(),
            ..self.meter.stats()
        }
    }
}
