//! L1: entries in the memory of this process.
//!
//! The invariant: an entry is served only if no change of its key was heard since before it was read, and only for as
//! long as changes are heard; otherwise for `l1_blind_ttl` at most.
//!
//! Messages about changes come on another connection than the answers, so an answer may be older than a message that
//! overtook it. Whoever asks Redis or the loader therefore takes a [`Snapshot`] first. A change of the key raises the
//! generation of its shard, and an entry whose generation moved is taken back. Whatever makes all entries doubtful (a
//! lost connection, a flushed Redis) raises the epoch, and entries of another epoch are not served. They stay
//! as something to fall back on if Redis and the loader both fail.

use std::{
    hash::{BuildHasher as _, RandomState},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

use moka::sync::Cache;

use crate::{
    Key,
    entry::{Entry, Held, Stamp},
    settings::Settings,
};

/// A change of one key makes about this fraction of the answers on their way for other keys not be kept.
const SHARDS: usize = 1024;

pub(crate) struct Memory<K: Key, V: Send + Sync + 'static> {
    entries: Cache<K, Kept<V>>,
    epoch: AtomicU64,
    is_listening: AtomicBool,
    generations: Vec<AtomicU64>,
    hasher: RandomState,
    ttl: Duration,
    blind_ttl: Duration,
}

/// What was known of a key before it was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snapshot {
    epoch: u64,
    generation: u64,
    was_listening: bool,
}

/// How an entry came about, which decides how long it is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Redis holds the same entry, so its end will be heard of.
    Shared,
    /// Redis does not hold it: nothing will be heard.
    Private,
    /// The loader failed, and this is what there was before. It is served until the loader is tried again.
    Fallback,
}

/// How long a failed loader is left alone where there is an older value to serve.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

pub(crate) struct Kept<V> {
    pub(crate) value: Held<V>,
    pub(crate) stamp: Stamp,
    pub(crate) load_time: Duration,
    pub(crate) origin: Origin,
    pub(crate) fresh_until: Instant,
    usable_until: Instant,
    served_until: Instant,
    epoch: u64,
}

impl<V> Clone for Kept<V> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            ..*self
        }
    }
}

impl<K: Key, V: Send + Sync + 'static> Memory<K, V> {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            entries: Cache::new(settings.l1_capacity),
            epoch: AtomicU64::new(0),
            is_listening: AtomicBool::new(false),
            generations: (0..SHARDS).map(|_| AtomicU64::new(0)).collect(),
            hasher: RandomState::new(),
            ttl: settings.l1_ttl,
            blind_ttl: settings.l1_blind_ttl,
        }
    }

    /// The entry, if it may be served. Its soft expiry may be over.
    pub(crate) fn get(&self, key: &K, now: Instant) -> Option<Kept<V>> {
        let kept = self.entries.get(key)?;
        let is_current = kept.epoch == self.epoch.load(Ordering::SeqCst);
        (is_current && now < kept.served_until).then_some(kept)
    }

    /// The last entry known, however doubtful, within its hard TTL.
    pub(crate) fn last_resort(&self, key: &K, now: Instant) -> Option<Entry<V>> {
        let kept = self.entries.get(key)?;
        let usable_for = kept.usable_until.saturating_duration_since(now);
        (!usable_for.is_zero()).then_some(Entry {
            value: kept.value,
            stamp: kept.stamp,
            load_time: kept.load_time,
            fresh_for: Duration::ZERO,
            usable_for,
        })
    }

    /// To be taken before Redis or the loader is asked.
    pub(crate) fn snapshot(&self, key: &K) -> Snapshot {
        Snapshot {
            epoch: self.epoch.load(Ordering::SeqCst),
            was_listening: self.is_listening.load(Ordering::SeqCst),
            generation: self.shard(key).load(Ordering::SeqCst),
        }
    }

    /// Keeps an entry unless its key changed since the snapshot. The check comes after the insert: a change before it
    /// is seen here, a change after it finds the entry and removes it.
    pub(crate) fn keep(&self, key: &K, entry: &Entry<V>, origin: Origin, snapshot: Snapshot) {
        let now = Instant::now();
        let ttl = match origin {
            Origin::Shared if snapshot.was_listening => self.ttl,
            Origin::Shared | Origin::Private => self.blind_ttl,
            Origin::Fallback => RETRY_PAUSE,
        };
        let fresh_for = match origin {
            Origin::Shared | Origin::Private => entry.fresh_for,
            Origin::Fallback => RETRY_PAUSE,
        };
        let kept = Kept {
            value: entry.value.clone(),
            stamp: entry.stamp,
            load_time: entry.load_time,
            origin,
            fresh_until: now + fresh_for,
            usable_until: now + entry.usable_for,
            served_until: now + ttl.min(entry.usable_for),
            epoch: snapshot.epoch,
        };
        self.entries.insert(key.clone(), kept);
        if self.shard(key).load(Ordering::SeqCst) != snapshot.generation {
            self.entries.invalidate(key);
        }
    }

    pub(crate) fn forget(&self, key: &K) {
        self.shard(key).fetch_add(1, Ordering::SeqCst);
        self.entries.invalidate(key);
    }

    /// Serves nothing of what is there any more.
    pub(crate) fn doubt_all(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
    }

    /// The order matters: a snapshot reads the epoch first, so it is never newer than what it says about listening.
    pub(crate) fn set_listening(&self, is_listening: bool) {
        if is_listening {
            self.doubt_all();
            self.is_listening.store(true, Ordering::SeqCst);
        } else {
            self.is_listening.store(false, Ordering::SeqCst);
            self.doubt_all();
        }
    }

    pub(crate) fn is_listening(&self) -> bool {
        self.is_listening.load(Ordering::SeqCst)
    }

    pub(crate) fn len(&self) -> u64 {
        self.entries.entry_count()
    }

    fn shard(&self, key: &K) -> &AtomicU64 {
        let number = self.hasher.hash_one(key) % SHARDS as u64;
        &self.generations[usize::try_from(number).expect("below the number of shards")]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn memory(l1_blind_ttl: Duration) -> Memory<u64, u64> {
        let memory = Memory::new(&Settings {
            l1_blind_ttl,
            ..Settings::default()
        });
        memory.set_listening(true);
        memory
    }

    fn entry() -> Entry<u64> {
        Entry {
            value: Some(Arc::new(7)),
            stamp: Stamp([1; 8]),
            load_time: Duration::ZERO,
            fresh_for: Duration::from_secs(60),
            usable_for: Duration::from_secs(600),
        }
    }

    fn is_served(memory: &Memory<u64, u64>) -> bool {
        memory.get(&1, Instant::now()).is_some()
    }

    #[test]
    fn an_answer_is_served_until_its_key_changes() {
        let memory = memory(Duration::ZERO);
        memory.keep(&1, &entry(), Origin::Shared, memory.snapshot(&1));
        assert!(is_served(&memory));
        memory.forget(&1);
        assert!(!is_served(&memory));
    }

    #[test]
    fn an_answer_whose_key_changed_on_the_way_is_not_kept() {
        let memory = memory(Duration::ZERO);
        let snapshot = memory.snapshot(&1);
        memory.forget(&1);
        memory.keep(&1, &entry(), Origin::Shared, snapshot);
        assert!(!is_served(&memory));
        assert!(memory.last_resort(&1, Instant::now()).is_none());
    }

    #[test]
    fn an_answer_from_before_a_gap_is_not_served_after_it() {
        for was_kept_before in [true, false] {
            let memory = memory(Duration::from_secs(60));
            let snapshot = memory.snapshot(&1);
            if was_kept_before {
                memory.keep(&1, &entry(), Origin::Shared, snapshot);
            }
            memory.set_listening(false);
            memory.set_listening(true);
            if !was_kept_before {
                memory.keep(&1, &entry(), Origin::Shared, snapshot);
            }
            assert!(!is_served(&memory));
            assert!(memory.last_resort(&1, Instant::now()).is_some());
        }
    }

    #[test]
    fn an_answer_of_which_nothing_will_be_heard_is_served_briefly() {
        for (is_listening, origin, is_brief) in [
            (true, Origin::Shared, false),
            (true, Origin::Private, true),
            (false, Origin::Shared, true),
        ] {
            let memory = memory(Duration::ZERO);
            memory.set_listening(is_listening);
            memory.keep(&1, &entry(), origin, memory.snapshot(&1));
            assert_eq!(is_served(&memory), !is_brief);
        }
    }
}
