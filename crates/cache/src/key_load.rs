//! The load of one key, from the read of Redis to the published outcome.
//!
//! The invariant: every load publishes an outcome. A load that is dropped without one (at the hard timeout, by a panic, at
//! runtime shutdown) publishes an error or the previous value, is removed from the in-flight loads, and releases its lease.

use std::{
    sync::{Arc, Mutex},
    time::Instant,
};

use crate::{
    CacheError, Loader,
    entry::{CacheEntry, MaybeValue, Stamp},
    in_flight::{InFlightLoad, LoadProgress},
    loaded::LoadClosure,
    memory::Origin,
    shared::CacheState,
    tags::Tags,
    tracked_memory::FillSnapshot,
};

pub(crate) struct KeyLoad<L: Loader> {
    shared: Arc<CacheState<L>>,
    pub(crate) key: L::Key,
    pub(crate) in_flight: Arc<InFlightLoad<L::Value, L::Error>>,
    /// Taken before the last request to Redis or the loader.
    pub(crate) snapshot: FillSnapshot,
    /// The entry to replace although it is still fresh.
    pub(crate) replacing: Option<Stamp>,
    /// The token of the lease, and the stamp of the entry that the fill stores.
    pub(crate) token: Stamp,
    pub(crate) lease: LeaseState,
    /// The tags of the key with the versions that they had before the loader was called.
    pub(crate) tags: Tags,
    /// Called instead of the loader. Such a load is alone in its batch. The lock is never waited for: it makes a closure that
    /// is only `Send` a part of something that is `Sync`.
    pub(crate) closure: Mutex<Option<LoadClosure<L>>>,
    /// The previous value: readers get it in the meantime, or if the load fails.
    interim: Option<CacheEntry<L::Value>>,
    started: Instant,
}

/// Whether this load holds the lease of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaseState {
    None,
    /// The request was sent, and the reply was lost.
    Unknown,
    Granted,
}

impl<L: Loader> KeyLoad<L> {
    pub(crate) fn new(
        shared: &Arc<CacheState<L>>,
        key: L::Key,
        in_flight: Arc<InFlightLoad<L::Value, L::Error>>,
        replacing: Option<Stamp>,
    ) -> Self {
        Self {
            snapshot: shared.memory.snapshot(&key),
            shared: shared.clone(),
            key,
            in_flight,
            replacing,
            token: Stamp::random(),
            lease: LeaseState::None,
            tags: None,
            closure: Mutex::new(None),
            interim: None,
            started: Instant::now(),
        }
    }

    /// Gives the outcome to all readers and removes the load from the in-flight loads.
    pub(crate) fn publish(&self, outcome: Result<MaybeValue<L::Value>, CacheError<L::Error>>) {
        self.shared.in_flight.remove(&self.key, &self.in_flight);
        self.in_flight.set(LoadProgress::Done(outcome));
    }

    /// Publishes the entry that Redis holds; readers may use it until the outcome is known.
    pub(crate) fn publish_interim(&mut self, entry: CacheEntry<L::Value>) {
        let value = entry.value.clone();
        self.in_flight.set(match entry.is_fresh() {
            true => LoadProgress::Fresh(value),
            false => LoadProgress::Stale(value),
        });
        self.interim = Some(entry);
    }

    /// Redis is unavailable: an untrusted memory entry is the only fallback. Readers get it only if the load fails.
    pub(crate) fn fall_back_on_memory(&mut self) {
        if self.interim.is_none() {
            self.interim = self.shared.memory.last_resort(&self.key, Instant::now());
        }
    }

    /// The load failed: readers get the previous value, or the error if there is none.
    pub(crate) fn fall_back(&mut self, error: CacheError<L::Error>) {
        let Some(mut entry) = self.interim.take() else {
            return self.publish(Err(error));
        };
        if !entry.is_fresh() {
            self.shared.meter.stale_serves.add(1);
            self.shared
                .why(&self.key, "the load failed: the old value is served");
            entry.usable_for = entry.usable_for.saturating_sub(self.started.elapsed());
            let memory = &self.shared.memory;
            memory.insert(&self.key, &entry, Origin::Fallback, self.snapshot);
        }
        self.publish(Ok(entry.value));
    }

    /// The error of a load that was dropped before its outcome.
    fn drop_error(&self) -> CacheError<L::Error> {
        let limit = self.shared.settings.hard_timeout;
        if self.started.elapsed() < limit {
            return CacheError::Abandoned;
        }
        self.shared.meter.load_errors.add(1);
        CacheError::TimedOut(limit)
    }
}

impl<L: Loader> CacheState<L> {
    /// Releases a lease in the background; a lease that is not released expires.
    pub(crate) fn release_lease(self: &Arc<Self>, key: &L::Key, token: Stamp) {
        let is_redis_up = !self.remote.breaker.is_open();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if is_redis_up {
            let (shared, key) = (self.clone(), key.clone());
            let _context = runtime.enter();
            supervise::spawn_once("cache lease release", async move {
                shared.remote.release(&key, token, &shared.meter).await;
            });
        }
    }
}

impl<L: Loader> Drop for KeyLoad<L> {
    fn drop(&mut self) {
        if !self.in_flight.progress().is_done() {
            let error = self.drop_error();
            self.fall_back(error);
        }
        if self.lease != LeaseState::None {
            self.shared.release_lease(&self.key, self.token);
        }
    }
}
