//! Limits inside one process, in front of everything that costs a round trip.
//!
//! The generic cell rate algorithm: `burst` at once, then one every `period / burst`. Per key a single moment is kept, at
//! which the key will owe nothing; a key that owes nothing is not kept at all. So memory is bounded by those who are in
//! debt, and beyond `capacity` by force: whoever owes least among a few is forgotten, which admits too much and never
//! too little.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hash};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

/// Enough that threads seldom meet.
const SHARDS: usize = 64;

/// Among how many the one to be forgotten is chosen.
const SAMPLE: usize = 8;

/// Takes per key. For all keys together, use one key.
#[derive(Debug)]
pub struct LocalLimit<K> {
    /// Between two takes at the steady rate.
    interval: Duration,
    /// How far a key may be in debt and still take.
    tolerance: Duration,
    period: Duration,
    capacity_per_shard: usize,
    hasher: RandomState,
    shards: Box<[Mutex<Shard<K>>]>,
}

/// The limit is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the limit is used up for {} ms", .0.as_millis())]
pub struct RetryAfter(pub Duration);

#[derive(Debug)]
struct Shard<K> {
    /// When each key will owe nothing.
    clear_at: HashMap<K, Instant>,
    /// When looking for keys that owe nothing pays again.
    sweep_at: Option<Instant>,
}

impl<K: Copy + Eq + Hash> LocalLimit<K> {
    /// At least one per period; remembers about `capacity` keys.
    pub fn new(burst: u32, period: Duration, capacity: usize) -> Self {
        let interval = period / burst.max(1);
        let shard = || {
            Mutex::new(Shard {
                clear_at: HashMap::new(),
                sweep_at: None,
            })
        };
        Self {
            interval,
            tolerance: interval * (burst.max(1) - 1),
            period,
            capacity_per_shard: capacity.div_ceil(SHARDS).max(1),
            hasher: RandomState::new(),
            shards: std::iter::repeat_with(shard).take(SHARDS).collect(),
        }
    }

    /// Takes one of the key's share.
    pub fn take(&self, key: K, now: Instant) -> Result<(), RetryAfter> {
        let mut shard = self.shard(&key);
        let known = shard.clear_at.get(&key).copied();
        let clear_at = known.unwrap_or(now).max(now);
        let debt = clear_at - now;
        if debt > self.tolerance {
            return Err(RetryAfter(debt - self.tolerance));
        }
        if known.is_none() && shard.clear_at.len() >= self.capacity_per_shard {
            shard.make_room(now, self.period);
        }
        shard.clear_at.insert(key, clear_at + self.interval);
        Ok(())
    }

    /// How many keys are remembered.
    pub fn remembered(&self) -> usize {
        let lengths = self.shards.iter().map(|shard| lock(shard).clear_at.len());
        lengths.sum()
    }

    fn shard(&self, key: &K) -> std::sync::MutexGuard<'_, Shard<K>> {
        let shards = u64::try_from(SHARDS).expect("a small number");
        let place = usize::try_from(self.hasher.hash_one(key) % shards);
        lock(&self.shards[place.expect("below the number of shards")])
    }
}

impl<K: Copy + Eq + Hash> Shard<K> {
    /// Forgets who owes nothing; at most once a period, because it looks at everybody. Otherwise forgets one.
    fn make_room(&mut self, now: Instant, period: Duration) {
        if self.sweep_at.is_none_or(|due| due <= now) {
            self.sweep_at = Some(now + period);
            let before = self.clear_at.len();
            self.clear_at.retain(|_, clear_at| *clear_at > now);
            if self.clear_at.len() < before {
                return;
            }
        }
        let few = self.clear_at.iter().take(SAMPLE);
        if let Some((&key, _)) = few.min_by_key(|(_, clear_at)| **clear_at) {
            self.clear_at.remove(&key);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A map that a panic left behind is whole: nothing in here panics between two changes.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
