//! L1: entries in the memory of this process.
//!
//! The invariant: memory serves an entry only if no invalidation of its key has arrived since before it was read
//! ([`TrackedMemory`]), and while the subscription is lost for `l1_blind_ttl` at most. Entries of an earlier epoch stay as a
//! fallback for when Redis and the loader both fail, and for a moment after a flush.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{
    Key,
    entry::{CacheEntry, MaybeValue, RowVersion, Stamp},
    settings::Settings,
    tags::{TagGenerations, Tags},
    tracked_memory::{FillSnapshot, TrackedMemory},
};

/// How long the loader is not called again after a failure if there is an older value to serve.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// How long after a flush readers that accept an old value may get one while it is read again.
const FLUSH_GRACE: Duration = Duration::from_secs(1);

pub(crate) struct Memory<K: Key, V: Send + Sync + 'static> {
    entries: TrackedMemory<K, MemoryEntry<V>>,
    tag_generations: Arc<TagGenerations>,
    ttl: Duration,
    blind_ttl: Duration,
    flushed_at: Mutex<Option<Instant>>,
}

/// Where an entry comes from, which decides how long memory serves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Redis holds the same entry, so a change of it causes an invalidation.
    Shared,
    /// Redis does not hold it, so no invalidation will come.
    Private,
    /// The loader failed, and this is the previous value. Memory serves it until the next call of the loader.
    Fallback,
}

pub(crate) struct MemoryEntry<V> {
    pub(crate) value: MaybeValue<V>,
    pub(crate) stamp: Stamp,
    pub(crate) load_time: Duration,
    pub(crate) origin: Origin,
    pub(crate) fresh_until: Instant,
    usable_until: Instant,
    served_until: Instant,
    tags: Tags,
}

impl<V> Clone for MemoryEntry<V> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            tags: self.tags.clone(),
            ..*self
        }
    }
}

impl<K: Key, V: Send + Sync + 'static> Memory<K, V> {
    pub(crate) fn new(settings: &Settings, tag_generations: Arc<TagGenerations>) -> Self {
        Self {
            entries: TrackedMemory::new(settings.l1_capacity),
            tag_generations,
            ttl: settings.l1_ttl,
            blind_ttl: settings.l1_blind_ttl,
            flushed_at: Mutex::new(None),
        }
    }

    /// The entry, if memory may serve it. It may be past its soft expiry.
    pub(crate) fn get(&self, key: &K, now: Instant) -> Option<MemoryEntry<V>> {
        let entry = self.entries.get(key)?;
        self.is_served(&entry, now).then_some(entry)
    }

    /// The entry that memory served until Redis was flushed a moment ago, unless its key was invalidated since.
    pub(crate) fn get_flushed(&self, key: &K, now: Instant) -> Option<MemoryEntry<V>> {
        let is_recent = self.flushed_at().is_some_and(|at| now < at + FLUSH_GRACE);
        let entry = is_recent.then(|| self.entries.get_flushed(key)).flatten()?;
        self.is_served(&entry, now).then_some(entry)
    }

    fn is_served(&self, entry: &MemoryEntry<V>, now: Instant) -> bool {
        now < entry.served_until && self.tag_generations.are_current(&entry.tags)
    }

    /// No code panics while it holds this lock.
    fn flushed_at(&self) -> MutexGuard<'_, Option<Instant>> {
        self.flushed_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// At most `limit` keys of entries that memory would serve if it trusted them, with the tags of the entries: those that
    /// readers want at present.
    pub(crate) fn wanted_keys(&self, limit: usize, now: Instant) -> Vec<(K, Vec<String>)> {
        let is_wanted = |entry: &MemoryEntry<V>| now < entry.served_until;
        let keys = self.entries.keys_where(limit, is_wanted).into_iter();
        let tagged = keys.filter_map(|key| {
            let tags = self.entries.get_untrusted(&key)?.tags;
            Some((key, tags.map_or_else(Vec::new, |tags| tags.names())))
        });
        tagged.collect()
    }

    /// The last known entry within its hard TTL, also if it is not trusted.
    pub(crate) fn last_resort(&self, key: &K, now: Instant) -> Option<CacheEntry<V>> {
        let entry = self.entries.get_untrusted(key)?;
        let usable_for = entry.usable_until.saturating_duration_since(now);
        let is_usable = !usable_for.is_zero() && self.tag_generations.are_current(&entry.tags);
        is_usable.then_some(CacheEntry {
            value: entry.value,
            stamp: entry.stamp,
            load_time: entry.load_time,
            fresh_for: Duration::ZERO,
            usable_for,
            version: RowVersion::NONE,
            tags: entry.tags,
        })
    }

    /// Take it before a request to Redis or the loader.
    pub(crate) fn snapshot(&self, key: &K) -> FillSnapshot {
        self.entries.snapshot(key)
    }

    /// Inserts an entry unless its key was invalidated since the snapshot.
    pub(crate) fn insert(
        &self,
        key: &K,
        entry: &CacheEntry<V>,
        origin: Origin,
        snapshot: FillSnapshot,
    ) {
        let now = Instant::now();
        let ttl = match origin {
            Origin::Shared if snapshot.was_subscribed() => self.ttl,
            Origin::Shared | Origin::Private => self.blind_ttl,
            Origin::Fallback => RETRY_DELAY,
        };
        let fresh_for = match origin {
            Origin::Shared | Origin::Private => entry.fresh_for,
            Origin::Fallback => RETRY_DELAY,
        };
        let inserted = MemoryEntry {
            value: entry.value.clone(),
            stamp: entry.stamp,
            load_time: entry.load_time,
            origin,
            fresh_until: now + fresh_for,
            usable_until: now + entry.usable_for,
            served_until: now + ttl.min(entry.usable_for),
            tags: entry.tags.clone(),
        };
        self.entries.insert(key, inserted, snapshot);
    }

    pub(crate) fn invalidate(&self, key: &K) {
        self.entries.invalidate(key);
    }

    /// Stops serving the present entries; they stay as a last resort.
    pub(crate) fn distrust_all(&self) {
        self.entries.distrust_all();
    }

    /// Redis was flushed: stops serving the present entries, but to readers that accept an old value.
    pub(crate) fn note_flush(&self) {
        *self.flushed_at() = Some(Instant::now());
        self.entries.note_flush();
    }

    pub(crate) fn set_subscribed(&self, is_subscribed: bool) {
        self.entries.set_subscribed(is_subscribed);
    }

    pub(crate) fn is_subscribed(&self) -> bool {
        self.entries.is_subscribed()
    }

    pub(crate) fn len(&self) -> u64 {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(l1_blind_ttl: Duration) -> Memory<u64, u64> {
        let settings = Settings {
            l1_blind_ttl,
            ..Settings::default()
        };
        let memory = Memory::new(&settings, Arc::new(TagGenerations::new()));
        memory.set_subscribed(true);
        memory
    }

    fn entry() -> CacheEntry<u64> {
        CacheEntry {
            value: Some(Arc::new(7)),
            stamp: Stamp([1; 8]),
            load_time: Duration::ZERO,
            fresh_for: Duration::from_secs(60),
            usable_for: Duration::from_secs(600),
            version: RowVersion::NONE,
            tags: None,
        }
    }

    fn is_served(memory: &Memory<u64, u64>) -> bool {
        memory.get(&1, Instant::now()).is_some()
    }

    #[test]
    fn an_answer_is_served_until_its_key_changes() {
        let memory = memory(Duration::ZERO);
        memory.insert(&1, &entry(), Origin::Shared, memory.snapshot(&1));
        assert!(is_served(&memory));
        memory.invalidate(&1);
        assert!(!is_served(&memory));
    }

    #[test]
    fn an_answer_whose_key_changed_on_the_way_is_not_kept() {
        let memory = memory(Duration::ZERO);
        let snapshot = memory.snapshot(&1);
        memory.invalidate(&1);
        memory.insert(&1, &entry(), Origin::Shared, snapshot);
        assert!(!is_served(&memory));
        assert!(memory.last_resort(&1, Instant::now()).is_none());
    }

    #[test]
    fn an_answer_from_before_a_gap_is_not_served_after_it() {
        for was_kept_before in [true, false] {
            let memory = memory(Duration::from_secs(60));
            let snapshot = memory.snapshot(&1);
            if was_kept_before {
                memory.insert(&1, &entry(), Origin::Shared, snapshot);
            }
            memory.set_subscribed(false);
            memory.set_subscribed(true);
            if !was_kept_before {
                memory.insert(&1, &entry(), Origin::Shared, snapshot);
            }
            assert!(!is_served(&memory));
            assert!(memory.last_resort(&1, Instant::now()).is_some());
        }
    }

    #[test]
    fn an_answer_from_before_a_flush_is_an_old_one_for_a_moment() {
        let memory = memory(Duration::ZERO);
        memory.insert(&1, &entry(), Origin::Shared, memory.snapshot(&1));
        memory.insert(&2, &entry(), Origin::Shared, memory.snapshot(&2));
        let is_flushed = |key, now| memory.get_flushed(key, now).is_some();
        assert!(!is_flushed(&1, Instant::now()), "nothing was flushed");
        memory.note_flush();
        let now = Instant::now();
        assert!(!is_served(&memory));
        assert!(is_flushed(&1, now) && is_flushed(&2, now));
        assert!(!is_flushed(&1, now + FLUSH_GRACE));
        memory.invalidate(&2);
        assert!(is_flushed(&1, now) && !is_flushed(&2, now));
        memory.note_flush();
        assert!(is_flushed(&1, now), "flushed again");
        memory.distrust_all();
        assert!(!is_flushed(&1, now), "something else was heard of");
    }

    #[test]
    fn after_a_gap_nothing_of_before_a_flush_is_served() {
        for flushed_first in [true, false] {
            let memory = memory(Duration::ZERO);
            memory.insert(&1, &entry(), Origin::Shared, memory.snapshot(&1));
            if flushed_first {
                memory.note_flush();
            }
            memory.set_subscribed(false);
            memory.note_flush();
            assert!(memory.get_flushed(&1, Instant::now()).is_none());
            memory.set_subscribed(true);
            memory.note_flush();
            assert!(memory.get_flushed(&1, Instant::now()).is_none());
        }
    }

    #[test]
    fn a_value_without_invalidations_is_served_briefly() {
        for (is_subscribed, origin, is_brief) in [
            (true, Origin::Shared, false),
            (true, Origin::Private, true),
            (false, Origin::Shared, true),
        ] {
            let memory = memory(Duration::ZERO);
            memory.set_subscribed(is_subscribed);
            memory.insert(&1, &entry(), origin, memory.snapshot(&1));
            assert_eq!(is_served(&memory), !is_brief);
        }
    }
}
