//! In-flight loads: at most one per key and process that readers can join.
//!
//! A load runs in a task of its own, so a reader that is cancelled does not cancel the load. Readers of the same key join
//! it. When the key is invalidated, the load is detached: readers that already wait get its result, and later readers
//! start a new load, because the old one may have read the row before the change.
//!
//! When the subscription comes up, invalidations may have been missed, so every load is detached. Such a load may well hold
//! the lease of its key: then what it stores is current, since an invalidation would have deleted the lease. It is
//! remembered as long as it runs, so that in every mode the next load waits for it instead of calling the loader too.
//!
//! This is not [`supervise::SingleFlight`]: one task loads many keys, a load publishes an interim value before its
//! outcome, and an invalidation detaches it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, watch};

use crate::{CacheError, Key, entry::MaybeValue};

/// The progress of a load.
pub(crate) enum LoadProgress<V, E> {
    /// No value is known yet.
    Pending,
    /// Redis holds a fresh value; the load is an early refresh.
    Fresh(MaybeValue<V>),
    /// Redis holds a value past its soft expiry, for readers that do not wait.
    Stale(MaybeValue<V>),
    Done(Result<MaybeValue<V>, CacheError<E>>),
}

impl<V, E> Clone for LoadProgress<V, E> {
    fn clone(&self) -> Self {
        match self {
            Self::Pending => Self::Pending,
            Self::Fresh(value) => Self::Fresh(value.clone()),
            Self::Stale(value) => Self::Stale(value.clone()),
            Self::Done(outcome) => Self::Done(outcome.clone()),
        }
    }
}

impl<V, E> LoadProgress<V, E> {
    pub(crate) fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }
}

/// One load, shared by its readers.
pub(crate) struct InFlightLoad<V, E> {
    progress: watch::Sender<LoadProgress<V, E>>,
    /// Notified when the key changes in Redis, for a load that waits for another process.
    pub(crate) changed: Notify,
    /// The tags of the key.
    pub(crate) tags: Vec<String>,
}

impl<V, E> InFlightLoad<V, E> {
    fn new(tags: Vec<String>) -> Self {
        Self {
            tags,
            progress: watch::Sender::new(LoadProgress::Pending),
            changed: Notify::new(),
        }
    }

    /// Waits until the progress satisfies the predicate.
    pub(crate) async fn wait_for_progress(
        &self,
        is_enough: impl Fn(&LoadProgress<V, E>) -> bool,
    ) -> LoadProgress<V, E> {
        let mut progress = self.progress.subscribe();
        let reached = progress.wait_for(is_enough).await;
        // `self` owns the sender, so the channel is open.
        reached.map_or(LoadProgress::Pending, |progress| progress.clone())
    }

    pub(crate) fn progress(&self) -> LoadProgress<V, E> {
        self.progress.borrow().clone()
    }

    pub(crate) fn set(&self, progress: LoadProgress<V, E>) {
        self.progress.send_replace(progress);
    }
}

/// The in-flight loads of one cache.
pub(crate) struct InFlightLoads<K, V, E> {
    maps: Mutex<Maps<K, V, E>>,
}

type ByKey<K, V, E> = HashMap<K, Arc<InFlightLoad<V, E>>>;

struct Maps<K, V, E> {
    /// Those that readers join.
    joinable: ByKey<K, V, E>,
    /// Those that were detached when the subscription came up, of each key the last one.
    outlived: ByKey<K, V, E>,
}

/// The load that a reader waits for.
pub(crate) enum JoinedOrStarted<V, E> {
    Joined(Arc<InFlightLoad<V, E>>),
    /// The caller must spawn the load.
    Started(Arc<InFlightLoad<V, E>>),
}

impl<K: Key, V, E> InFlightLoads<K, V, E> {
    pub(crate) fn new() -> Self {
        Self {
            maps: Mutex::new(Maps {
                joinable: HashMap::new(),
                outlived: HashMap::new(),
            }),
        }
    }

    /// The load of this key; a new one has these tags.
    pub(crate) fn join_or_start(
        &self,
        key: &K,
        tags: impl FnOnce() -> Vec<String>,
    ) -> JoinedOrStarted<V, E> {
        let loads = &mut self.lock().joinable;
        if let Some(load) = loads.get(key) {
            return JoinedOrStarted::Joined(load.clone());
        }
        let load = Arc::new(InFlightLoad::new(tags()));
        loads.insert(key.clone(), load.clone());
        JoinedOrStarted::Started(load)
    }

    /// The key changed: later readers do not join its load.
    pub(crate) fn detach(&self, key: &K) {
        let mut maps = self.lock();
        let load = maps.joinable.remove(key);
        maps.outlived.remove(key);
        drop(maps);
        if let Some(load) = load {
            load.changed.notify_one();
        }
    }

    /// Every key under this tag changed.
    pub(crate) fn detach_tagged(&self, tag: &str) {
        let maps = &mut *self.lock();
        for loads in [&mut maps.joinable, &mut maps.outlived] {
            loads.retain(|_, load| {
                let is_tagged = load.tags.iter().any(|of_load| of_load == tag);
                if is_tagged {
                    load.changed.notify_one();
                }
                !is_tagged
            });
        }
    }

    /// Every key changed.
    pub(crate) fn detach_all(&self) {
        let mut maps = self.lock();
        maps.outlived.clear();
        for (_, load) in maps.joinable.drain() {
            load.changed.notify_one();
        }
    }

    /// Any key may have changed while the subscription was down.
    pub(crate) fn outlive_all(&self) {
        let maps = &mut *self.lock();
        for (key, load) in maps.joinable.drain() {
            load.changed.notify_one();
            maps.outlived.insert(key, load);
        }
    }

    /// Whether a load of this key has run since before the subscription came up.
    pub(crate) fn has_outlived(&self, key: &K) -> bool {
        self.lock().outlived.contains_key(key)
    }

    /// Another load of this process has stored the key: a load that waits for it need not wait longer.
    pub(crate) fn notify(&self, key: &K) {
        if let Some(load) = self.lock().joinable.get(key) {
            load.changed.notify_one();
        }
    }

    /// Removes a finished load, unless a newer one has replaced it.
    pub(crate) fn remove(&self, key: &K, load: &Arc<InFlightLoad<V, E>>) {
        let maps = &mut *self.lock();
        for loads in [&mut maps.joinable, &mut maps.outlived] {
            let current = loads.get(key);
            if current.is_some_and(|current| Arc::ptr_eq(current, load)) {
                loads.remove(key);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().joinable.len()
    }

    /// No code panics while it holds this lock, so a poisoned map is consistent.
    fn lock(&self) -> MutexGuard<'_, Maps<K, V, E>> {
        self.maps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
