//! The subscriber task: applies invalidations from Redis to memory and in-flight loads, and publishes metrics.

use std::{sync::Arc, time::Duration};

use link::{Event, Interest};
use tokio::time::{MissedTickBehavior, interval};

use crate::{Loader, keys::TrackedKey, reload, shared::CacheState};

/// Events buffered while this task is busy; a larger burst invalidates all of memory.
const EVENTS: usize = 16 * 1024;

const PUBLISH_EVERY: Duration = Duration::from_secs(1);

/// Runs until the last handle of the cache is dropped.
pub(crate) async fn run<L: Loader>(shared: Arc<CacheState<L>>) {
    let interest = Interest::keys([shared.remote.keys.tracked_prefix()]).capacity(EVENTS);
    let mut pushes = shared.remote.link.subscribe(interest);
    let _unsubscribed = UnsubscribedOnDrop(&shared);
    let mut _reload = None;
    let mut tick = interval(PUBLISH_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            event = pushes.next() => {
                let is_all_doubtful = matches!(event, Event::AllInvalidated | Event::Connected);
                shared.apply_event(event);
                if is_all_doubtful {
                    _reload = reload::start(&shared);
                }
            }
            _ = tick.tick() => {
                shared.meter.publish(&shared.stats());
                shared.own_fills.drop_overdue();
            }
        }
    }
}

/// Marks memory as unsubscribed when the task ends, also by a panic.
struct UnsubscribedOnDrop<'a, L: Loader>(&'a CacheState<L>);

impl<L: Loader> Drop for UnsubscribedOnDrop<'_, L> {
    fn drop(&mut self) {
        self.0.set_subscribed(false);
    }
}

impl<L: Loader> CacheState<L> {
    /// Memory first: a fill is noted only if memory says that the subscription is up.
    fn set_subscribed(&self, is_subscribed: bool) {
        self.memory.set_subscribed(is_subscribed);
        self.own_fills.clear();
    }

    fn apply_event(&self, event: Event) {
        match event {
            Event::Connected => {
                self.set_subscribed(true);
                self.in_flight.outlive_all();
            }
            Event::Disconnected => {
                self.set_subscribed(false);
                self.meter.gaps.add(1);
            }
            Event::Invalidated(keys) => keys.iter().for_each(|key| self.apply_invalidation(key)),
            Event::AllInvalidated => {
                self.memory.distrust_all();
                self.own_fills.clear();
                self.in_flight.detach_all();
            }
            // Messages, of which none are subscribed to, and events of later versions of the link.
            _ => {}
        }
    }

    fn apply_invalidation(&self, key: &[u8]) {
        match self.remote.keys.parse(key) {
            Some(TrackedKey::Value(key)) if self.own_fills.take_report(&key) => {
                self.in_flight.notify(&key);
            }
            Some(TrackedKey::Value(key) | TrackedKey::Tombstone(key)) => self.invalidate(&key),
            // The key does not parse, so any entry may be affected.
            None => self.memory.distrust_all(),
        }
    }
}
