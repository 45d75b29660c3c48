//! Rate limits inside one process, in front of everything that costs a round trip.
//!
//! The generic cell rate algorithm (GCRA): `burst` requests at once, then one every `period / burst`. Per key one instant is
//! kept, at which its burst is available again; a key with a full burst is not kept. So memory is bounded by the keys in
//! use, and beyond `capacity` by eviction: of a few keys the one closest to a full burst is dropped, which admits too much
//! and never too little. `docs/adr/0041` explains why this is not the `governor` crate.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hash};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

/// Enough that threads rarely contend.
const SHARDS: usize = 64;

/// Keys among which the one to evict is chosen.
const SAMPLE: usize = 8;

/// A limit per key. For all keys together, use one key.
#[derive(Debug)]
pub(crate) struct LocalLimit<K> {
    /// Between two requests at the steady rate.
    interval: Duration,
    /// How far ahead of the steady rate a key may be.
    tolerance: Duration,
    period: Duration,
    capacity_per_shard: usize,
    hasher: RandomState,
    shards: Box<[Mutex<Shard<K>>]>,
}

/// The limit is used up; a retry after this time succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the limit is used up for {} ms", .0.as_millis())]
pub(crate) struct RetryAfter(pub(crate) Duration);

#[derive(Debug)]
struct Shard<K> {
    /// When each key has its full burst again.
    clear_at: HashMap<K, Instant>,
    /// When the next sweep for keys with a full burst is due.
    sweep_at: Option<Instant>,
}

impl<K: Copy + Eq + Hash> LocalLimit<K> {
    /// At least one request per period; keeps about `capacity` keys.
    pub(crate) fn new(burst: u32, period: Duration, capacity: usize) -> Self {
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

    /// Counts a request of the key, unless its limit is used up.
    pub(crate) fn take(&self, key: K, now: Instant) -> Result<(), RetryAfter> {
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

    /// How many keys are kept.
    #[cfg(test)]
    fn remembered(&self) -> usize {
        let lengths = self.shards.iter().map(|shard| lock(shard).clear_at.len());
        lengths.sum()
    }

    fn shard(&self, key: &K) -> std::sync::MutexGuard<'_, Shard<K>> {
        let shards = u64::try_from(SHARDS).expect("a small number");
        let index = usize::try_from(self.hasher.hash_one(key) % shards);
        lock(&self.shards[index.expect("below the number of shards")])
    }
}

impl<K: Copy + Eq + Hash> Shard<K> {
    /// Drops keys with a full burst, at most once a period, because that scans the shard; otherwise evicts one key.
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
    // Nothing here panics between two changes of the map, so a poisoned lock is harmless.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
