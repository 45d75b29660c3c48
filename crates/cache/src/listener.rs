//! Hears of changes that other processes make, and tells the recorder how the cache is doing.

use std::{sync::Arc, time::Duration};

use link::{Event, Interest};
use tokio::time::{MissedTickBehavior, interval};

use crate::{Loader, shared::Shared};

/// Changes kept while this task is busy; a burst beyond it costs the whole memory of the process.
const EVENTS: usize = 16 * 1024;

/// As often as anybody looks at metrics.
const PUBLISH_EVERY: Duration = Duration::from_secs(1);

/// Runs until the last handle of the cache is dropped.
pub(crate) async fn listen<L: Loader>(shared: Arc<Shared<L>>) {
    let heard = Interest::keys([shared.remote.keys.heard()]).capacity(EVENTS);
    let mut pushes = shared.remote.link.subscribe(heard);
    let _deaf = DeafAfter(&shared);
    let mut tick = interval(PUBLISH_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            event = pushes.next() => shared.hear(event),
            _ = tick.tick() => shared.meter.publish(&shared.stats()),
        }
    }
}

/// While nobody listens nothing is served from memory, also after a panic.
struct DeafAfter<'a, L: Loader>(&'a Shared<L>);

impl<L: Loader> Drop for DeafAfter<'_, L> {
    fn drop(&mut self) {
        self.0.memory.set_listening(false);
    }
}

impl<L: Loader> Shared<L> {
    fn hear(&self, event: Event) {
        match event {
            Event::Connected => {
                self.memory.set_listening(true);
                self.flights.let_all_go();
            }
            Event::Disconnected => {
                self.memory.set_listening(false);
                self.meter.gaps.add(1);
            }
            Event::Invalidated(keys) => keys.iter().for_each(|key| self.hear_key(key)),
            Event::AllInvalidated => {
                self.memory.doubt_all();
                self.flights.let_all_go();
            }
            Event::Message { .. } => {}
        }
    }

    fn hear_key(&self, key: &[u8]) {
        match self.remote.keys.parse(key) {
            Some(key) => self.forget(&key),
            // Some key changed that we cannot name; to be safe it may have been any.
            None => self.memory.doubt_all(),
        }
    }
}
