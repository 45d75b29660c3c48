//! Loads on their way: at most one per key and process.
//!
//! A load is a task of its own, so a reader that gives up takes nobody along. Readers of the same key join it. When the
//! key changes, the load is let go of: those who wait get its result, and whoever comes later starts another one, because
//! the old one may have read the row before the change.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, watch};

use crate::{CacheError, Key, entry::Held};

/// How far a load has come.
pub(crate) enum Progress<V, E> {
    /// Nothing is known yet.
    Underway,
    /// There is a value that has not expired; the load is an early refresh.
    Fresh(Held<V>),
    /// There is a value past its soft expiry, for those who must not wait.
    Stale(Held<V>),
    Done(Result<Held<V>, CacheError<E>>),
}

impl<V, E> Clone for Progress<V, E> {
    fn clone(&self) -> Self {
        match self {
            Self::Underway => Self::Underway,
            Self::Fresh(value) => Self::Fresh(value.clone()),
            Self::Stale(value) => Self::Stale(value.clone()),
            Self::Done(outcome) => Self::Done(outcome.clone()),
        }
    }
}

impl<V, E> Progress<V, E> {
    pub(crate) fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }
}

/// One load, as its readers see it.
pub(crate) struct Flight<V, E> {
    progress: watch::Sender<Progress<V, E>>,
    /// Rung when the key changes in Redis, for a load that waits for another process.
    pub(crate) changed: Notify,
}

impl<V, E> Flight<V, E> {
    fn new() -> Self {
        Self {
            progress: watch::Sender::new(Progress::Underway),
            changed: Notify::new(),
        }
    }

    /// Waits for progress of this kind.
    pub(crate) async fn reach(
        &self,
        is_enough: impl Fn(&Progress<V, E>) -> bool,
    ) -> Progress<V, E> {
        let mut progress = self.progress.subscribe();
        let reached = progress.wait_for(is_enough).await;
        // The sender is in our hands, so it cannot be gone.
        reached.map_or(Progress::Underway, |progress| progress.clone())
    }

    pub(crate) fn progress(&self) -> Progress<V, E> {
        self.progress.borrow().clone()
    }

    pub(crate) fn set(&self, progress: Progress<V, E>) {
        self.progress.send_replace(progress);
    }
}

/// The flights of one cache.
pub(crate) struct Flights<K, V, E> {
    by_key: Mutex<HashMap<K, Arc<Flight<V, E>>>>,
}

/// What a reader got.
pub(crate) enum Boarding<V, E> {
    Joined(Arc<Flight<V, E>>),
    /// The reader must see to it that somebody flies it.
    Opened(Arc<Flight<V, E>>),
}

impl<K: Key, V, E> Flights<K, V, E> {
    pub(crate) fn new() -> Self {
        Self {
            by_key: Mutex::new(HashMap::new()),
        }
    }

    pub(crate) fn board(&self, key: &K) -> Boarding<V, E> {
        let mut flights = self.lock();
        if let Some(flight) = flights.get(key) {
            return Boarding::Joined(flight.clone());
        }
        let flight = Arc::new(Flight::new());
        flights.insert(key.clone(), flight.clone());
        Boarding::Opened(flight)
    }

    /// The key changed: nobody joins its flight from here on.
    pub(crate) fn let_go(&self, key: &K) {
        let flight = self.lock().remove(key);
        if let Some(flight) = flight {
            flight.changed.notify_one();
        }
    }

    /// Everything may have changed.
    pub(crate) fn let_all_go(&self) {
        let flights = std::mem::take(&mut *self.lock());
        for flight in flights.into_values() {
            flight.changed.notify_one();
        }
    }

    /// Takes a flight off the list, unless another one has its place.
    pub(crate) fn land(&self, key: &K, flight: &Arc<Flight<V, E>>) {
        let mut flights = self.lock();
        if flights
            .get(key)
            .is_some_and(|listed| Arc::ptr_eq(listed, flight))
        {
            flights.remove(key);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Nothing in here panics between two changes, so a poisoned lock is as good as any.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Arc<Flight<V, E>>>> {
        self.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
