//! A generation-checked memory: values of Redis keys, kept coherent by the invalidations that Redis sends.
//!
//! The invariant: [`TrackedMemory::get`] returns a value only if no invalidation of its key has arrived since the snapshot
//! that was taken before the value was read, and only in the epoch of that snapshot.
//!
//! Invalidations come on another connection than replies, so a reply may be older than an invalidation that arrived
//! first. A caller therefore takes a [`FillSnapshot`] before it reads. An invalidation raises the generation of the key's
//! shard, and an insert whose generation has moved removes itself. Whatever puts all values in doubt (a lost subscription,
//! a flushed Redis) starts a new epoch, and `get` ignores values of another epoch. A flush alone loses no invalidation, so a
//! caller who may be late can have the values of before it ([`TrackedMemory::get_flushed`]).

use std::{
    hash::{BuildHasher as _, Hash, RandomState},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use moka::sync::Cache;

/// An invalidation of one key prevents about this fraction of the concurrent inserts of other keys.
const SHARDS: usize = 1024;

/// Values of Redis keys in the memory of this process. The module page describes the protocol.
#[derive(Debug)]
pub struct TrackedMemory<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static> {
    entries: Cache<K, Tracked<V>>,
    epoch: AtomicU64,
    /// The epoch since which no invalidation can have been missed.
    complete_since: AtomicU64,
    is_subscribed: AtomicBool,
    generations: Vec<AtomicU64>,
    hasher: RandomState,
}

/// The state of a key before its value was read.
#[derive(Clone, Copy, Debug)]
pub struct FillSnapshot {
    epoch: u64,
    generation: u64,
    was_subscribed: bool,
}

impl FillSnapshot {
    /// Whether the subscription was up, so that later changes of the key cause an invalidation.
    pub fn was_subscribed(self) -> bool {
        self.was_subscribed
    }
}

#[derive(Clone, Debug)]
struct Tracked<V> {
    value: V,
    epoch: u64,
}

impl<K: Clone + Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static>
    TrackedMemory<K, V>
{
    /// At most `capacity` values. Not subscribed at first.
    pub fn new(capacity: u64) -> Self {
        Self::over(Cache::new(capacity))
    }

    /// At most `capacity` values, each for `ttl` at most.
    pub fn with_ttl(capacity: u64, ttl: Duration) -> Self {
        let entries = Cache::builder().max_capacity(capacity).time_to_live(ttl);
        Self::over(entries.build())
    }

    fn over(entries: Cache<K, Tracked<V>>) -> Self {
        Self {
            entries,
            epoch: AtomicU64::new(0),
            complete_since: AtomicU64::new(0),
            is_subscribed: AtomicBool::new(false),
            generations: (0..SHARDS).map(|_| AtomicU64::new(0)).collect(),
            hasher: RandomState::new(),
        }
    }

    /// The value, unless it is of another epoch.
    pub fn get(&self, key: &K) -> Option<V> {
        let tracked = self.entries.get(key)?;
        (tracked.epoch == self.epoch.load(Ordering::SeqCst)).then_some(tracked.value)
    }

    /// The value, also of another epoch if nothing but a flush of Redis has put it in doubt: every invalidation of its key has
    /// been applied.
    pub fn get_flushed(&self, key: &K) -> Option<V> {
        let tracked = self.entries.get(key)?;
        let complete_since = self.complete_since.load(Ordering::SeqCst);
        (self.is_subscribed() && tracked.epoch >= complete_since).then_some(tracked.value)
    }

    /// The last known value, also of another epoch: a fallback for a caller that can read no other.
    pub fn get_untrusted(&self, key: &K) -> Option<V> {
        self.entries.get(key).map(|tracked| tracked.value)
    }

    /// At most `limit` keys whose last known value, trusted or not, satisfies `wanted`; in no particular order.
    pub fn keys_where(&self, limit: usize, wanted: impl Fn(&V) -> bool) -> Vec<K> {
        let known = self.entries.iter();
        let wanted = known.filter(|(_, tracked)| wanted(&tracked.value));
        wanted.take(limit).map(|(key, _)| K::clone(&key)).collect()
    }

    /// Take it before the value is read.
    pub fn snapshot(&self, key: &K) -> FillSnapshot {
        FillSnapshot {
            epoch: self.epoch.load(Ordering::SeqCst),
            was_subscribed: self.is_subscribed.load(Ordering::SeqCst),
            generation: self.shard(key).load(Ordering::SeqCst),
        }
    }

    /// Inserts a value unless its key was invalidated since the snapshot. The check comes after the insert: an earlier
    /// invalidation is seen here, a later one removes the value.
    pub fn insert(&self, key: &K, value: V, snapshot: FillSnapshot) {
        let epoch = snapshot.epoch;
        self.entries.insert(key.clone(), Tracked { value, epoch });
        if self.shard(key).load(Ordering::SeqCst) != snapshot.generation {
            self.entries.invalidate(key);
        }
    }

    /// Removes the value of a key that changed.
    pub fn invalidate(&self, key: &K) {
        self.shard(key).fetch_add(1, Ordering::SeqCst);
        self.entries.invalidate(key);
    }

    /// Starts a new epoch: no present value is trusted, nor any that is inserted with an earlier snapshot.
    pub fn distrust_all(&self) {
        let before = self.epoch.fetch_add(1, Ordering::SeqCst);
        self.complete_since.fetch_max(before + 1, Ordering::SeqCst);
    }

    /// Starts a new epoch because Redis was flushed. [`TrackedMemory::get_flushed`] still returns the values of before.
    pub fn note_flush(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
    }

    /// Starts a new epoch when the subscription comes up or is lost. The order matters: a snapshot reads the epoch first,
    /// so one that says "subscribed" is never of an epoch in which the subscription was down.
    pub fn set_subscribed(&self, is_subscribed: bool) {
        if is_subscribed {
            self.distrust_all();
            self.is_subscribed.store(true, Ordering::SeqCst);
        } else {
            self.is_subscribed.store(false, Ordering::SeqCst);
            self.distrust_all();
        }
    }

    /// Whether the subscription to invalidations is up.
    pub fn is_subscribed(&self) -> bool {
        self.is_subscribed.load(Ordering::SeqCst)
    }

    /// How many values there are, approximately.
    pub fn len(&self) -> u64 {
        self.entries.entry_count()
    }

    /// Whether there is no value, approximately.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn shard(&self, key: &K) -> &AtomicU64 {
        let number = self.hasher.hash_one(key) % SHARDS as u64;
        &self.generations[usize::try_from(number).expect("below the number of shards")]
    }
}
