//! What a cache does with the reports of Redis: applies them to memory and in-flight loads, and publishes metrics.

use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::task::AbortOnDropHandle;

use crate::{Loader, hub::Subscriber, keys::TrackedKey, reload, shared::CacheState};

/// A cache as its feed knows it.
pub(crate) struct CacheSubscriber<L: Loader> {
    shared: Arc<CacheState<L>>,
    /// The reload that the last doubt has started; another one ends it.
    reload: Mutex<Option<AbortOnDropHandle<Option<()>>>>,
}

impl<L: Loader> CacheSubscriber<L> {
    pub(crate) fn new(shared: Arc<CacheState<L>>) -> Self {
        Self {
            shared,
            reload: Mutex::new(None),
        }
    }

    fn reload(&self) {
        let started = reload::start(&self.shared);
        *self.reload.lock().unwrap_or_else(PoisonError::into_inner) = started;
    }
}

impl<L: Loader> Subscriber for CacheSubscriber<L> {
    fn owns(&self, key: &[u8]) -> bool {
        let prefixes = self.shared.remote.keys.tracked_prefixes();
        prefixes.iter().any(|it| key.starts_with(it.as_bytes()))
    }

    fn invalidated(&self, keys: &[&[u8]]) {
        keys.iter()
            .for_each(|key| self.shared.apply_invalidation(key));
    }

    fn connected(&self) {
        self.shared.set_subscribed(true);
        self.shared.in_flight.outlive_all();
        self.reload();
    }

    fn disconnected(&self) {
        self.shared.set_subscribed(false);
    }

    fn all_invalidated(&self) {
        self.shared.memory.note_flush();
        self.shared.own_fills.clear();
        self.shared.in_flight.detach_all();
        self.reload();
    }

    fn tick(&self) {
        self.shared.meter.publish(&self.shared.stats());
        self.shared.own_fills.drop_overdue();
    }
}

impl<L: Loader> CacheState<L> {
    /// Memory first: a fill is noted only if memory says that the subscription is up.
    fn set_subscribed(&self, is_subscribed: bool) {
        let was_subscribed = self.memory.is_subscribed();
        self.memory.set_subscribed(is_subscribed);
        self.own_fills.clear();
        if was_subscribed && !is_subscribed {
            self.meter.gaps.add(1);
        }
    }

    fn apply_invalidation(&self, key: &[u8]) {
        match self.remote.keys.parse(key) {
            Some(TrackedKey::Value(key)) if self.own_fills.take_report(&key) => {
                self.in_flight.notify(&key);
            }
            Some(TrackedKey::Value(key) | TrackedKey::Tombstone(key)) => self.invalidate(&key),
            Some(TrackedKey::Tag(tag)) => self.invalidate_tag(&tag),
            // The key does not parse, so any entry may be affected.
            None => self.memory.distrust_all(),
        }
    }
}
