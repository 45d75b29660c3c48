//! What happens on a miss: one task loads one or more keys from Redis or from the loader.
//!
//! ```text
//! read from Redis ── fresh ──────────────────────────────> done
//!    │ missing, stale, or due early
//! request the lease ── another process stored it ──────────> done
//!    │ granted      └─ taken: by mode wait, load without the lease, or use the old value
//! load, one call for all ── error ────────────────────────> the old value, or the error
//!    │
//! fill ── refused: the readers get the value, no level stores it
//!    └─── stored: inserted into memory too ───────────────> done
//! ```
//! Without Redis, the task calls the loader at once and keeps the result in memory only, briefly. The hard timeout bounds
//! the whole task: at the timeout the remaining loads are dropped, and a dropped load publishes its own outcome.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::{join_all, join3};

use crate::{
    CacheMode, Loader, early,
    entry::{CacheEntry, MaybeValue, StoredEntry},
    in_flight::LoadProgress,
    key_load::{KeyLoad, LeaseState},
    memory::Origin,
    remote::{LeaseReply, RedisUnavailable},
    shared::CacheState,
};

/// Keys of one task, and so of one call of the loader.
const LARGEST_BATCH: usize = 500;

/// How often a load that waits for another process polls Redis; each delay is half as long again as the last, up to the
/// longest. The invalidation message of the fill usually arrives first.
const FIRST_POLL_DELAY: Duration = Duration::from_millis(10);
const LONGEST_POLL_DELAY: Duration = Duration::from_millis(100);

/// Spawns one task per batch of loads.
pub(crate) fn spawn_loads<L: Loader>(shared: &Arc<CacheState<L>>, mut loads: Vec<KeyLoad<L>>) {
    while !loads.is_empty() {
        let batch = loads.split_off(loads.len().saturating_sub(LARGEST_BATCH));
        let shared = shared.clone();
        supervise::spawn_once("cache load", async move {
            let limit = shared.settings.hard_timeout;
            // A load that is dropped here publishes its own outcome.
            let _ = tokio::time::timeout(limit, Box::pin(shared.run_loads(batch))).await;
        });
    }
}

impl<L: Loader> CacheState<L> {
    /// The value that Redis holds, without a lease or a load.
    pub(crate) async fn read_if_present(&self, key: &L::Key) -> Option<MaybeValue<L::Value>> {
        if !self.remote.breaker.admits(Instant::now()) {
            return None;
        }
        let snapshot = self.memory.snapshot(key);
        let stored = self.remote.read::<L>(&[key], &self.meter).await.ok()?;
        let Some(StoredEntry::Some(entry)) = stored.into_iter().next() else {
            self.meter.misses.add(1);
            return None;
        };
        self.memory.insert(key, &entry, Origin::Shared, snapshot);
        match (entry.is_fresh(), self.settings.mode) {
            (true, _) => self.meter.l2_hits.add(1),
            (false, CacheMode::LogicalExpiry) => self.meter.stale_serves.add(1),
            (false, CacheMode::PassThrough | CacheMode::Mutex) => {
                self.meter.misses.add(1);
                return None;
            }
        }
        Some(entry.value)
    }

    async fn run_loads(&self, mut loads: Vec<KeyLoad<L>>) {
        if !self.remote.breaker.admits(Instant::now()) {
            return self.load_without_redis(loads).await;
        }
        let keys: Vec<&L::Key> = loads.iter().map(|load| &load.key).collect();
        match self.remote.read::<L>(&keys, &self.meter).await {
            Ok(entries) => {
                let mut entries = entries.into_iter();
                loads.retain_mut(|load| {
                    let entry = entries.next().unwrap_or(StoredEntry::None);
                    !self.publish_if_fresh(load, entry)
                });
                self.lease_and_load(loads).await;
            }
            Err(RedisUnavailable) => self.load_without_redis(loads).await,
        }
    }

    /// Publishes a fresh entry and returns true. Otherwise publishes a stale entry as interim value and returns false.
    fn publish_if_fresh(&self, load: &mut KeyLoad<L>, entry: StoredEntry<L::Value>) -> bool {
        let entry = match entry {
            StoredEntry::Some(entry) => entry,
            StoredEntry::None => {
                self.meter.misses.add(1);
                self.why(&load.key, "miss: neither memory nor Redis holds the key");
                return false;
            }
            StoredEntry::Undecodable(stamp, _) | StoredEntry::Outdated(stamp) => {
                self.meter.misses.add(1);
                self.why(
                    &load.key,
                    "the entry in Redis does not decode, or its tag was invalidated",
                );
                load.replacing = Some(stamp);
                return false;
            }
        };
        self.memory
            .insert(&load.key, &entry, Origin::Shared, load.snapshot);
        if !entry.is_fresh() {
            self.meter.misses.add(1);
            self.why(&load.key, "Redis holds a value past its soft expiry");
            load.publish_interim(entry);
            return false;
        }
        self.meter.l2_hits.add(1);
        if self.is_due(load, &entry) {
            self.why(&load.key, "hit in Redis, refreshed early");
            load.replacing = Some(entry.stamp);
            load.publish_interim(entry);
            return false;
        }
        self.why(&load.key, "hit in Redis");
        load.publish(Ok(entry.value));
        true
    }

    /// Whether to refresh a fresh entry early: a reader of memory has decided so and the entry is still the same, or this
    /// read decides so.
    fn is_due(&self, load: &KeyLoad<L>, entry: &CacheEntry<L::Value>) -> bool {
        match load.replacing {
            Some(stamp) => stamp == entry.stamp,
            None => early::is_due(
                entry.fresh_for,
                entry.load_time,
                self.settings.early_refresh,
            ),
        }
    }

    /// Requests the lease of each key, then loads, waits or publishes by the reply.
    async fn lease_and_load(&self, mut loads: Vec<KeyLoad<L>>) {
        let answers = join_all(loads.iter_mut().map(|load| self.request_lease(load))).await;
        let (mut to_load, mut without_redis, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for (load, answer) in loads.into_iter().zip(answers) {
            match answer {
                Ok(LeaseReply::Found(entry)) => self.publish_from_redis(&load, &entry),
                Ok(LeaseReply::Granted) => to_load.push(load),
                Ok(LeaseReply::Taken | LeaseReply::Unusable(_)) => {
                    match (load.in_flight.progress(), self.settings.mode) {
                        (LoadProgress::Fresh(value), _) => load.publish(Ok(value)),
                        (LoadProgress::Stale(value), CacheMode::LogicalExpiry) => {
                            load.publish(Ok(value));
                        }
                        _ if self.waits_for_lease(&load) => waiting.push(load),
                        _ => to_load.push(load),
                    }
                }
                Err(RedisUnavailable) => without_redis.push(load),
            }
        }
        let waits = join_all(waiting.into_iter().map(|load| self.wait_for_other(load)));
        join3(
            self.load(to_load),
            self.load_without_redis(without_redis),
            waits,
        )
        .await;
    }

    /// Whether to wait for the load that holds the lease. In [`CacheMode::PassThrough`] only if that may be an earlier load
    /// of this process.
    fn waits_for_lease(&self, load: &KeyLoad<L>) -> bool {
        match self.settings.mode {
            CacheMode::Mutex | CacheMode::LogicalExpiry => true,
            CacheMode::PassThrough => self.in_flight.has_outlived(&load.key),
        }
    }

    /// Polls until the other load has stored the value, or its lease has ended and this one gets it.
    async fn wait_for_other(&self, mut load: KeyLoad<L>) {
        self.meter.lease_waits.add(1);
        self.why(&load.key, "another load holds the lease: waits for it");
        let mut delay = FIRST_POLL_DELAY;
        loop {
            // Polls at the timeout too; `Notify` stores a permit for a notification that came before.
            let _ = tokio::time::timeout(delay, load.in_flight.changed.notified()).await;
            delay = (delay * 3 / 2).min(LONGEST_POLL_DELAY);
            match self.request_lease(&mut load).await {
                Ok(LeaseReply::Taken | LeaseReply::Unusable(_)) => {
                    if !self.waits_for_lease(&load) {
                        return self.load(vec![load]).await;
                    }
                }
                Ok(LeaseReply::Found(entry)) => return self.publish_from_redis(&load, &entry),
                Ok(LeaseReply::Granted) => return self.load(vec![load]).await,
                Err(RedisUnavailable) => return self.load_without_redis(vec![load]).await,
            }
        }
    }

    async fn request_lease(
        &self,
        load: &mut KeyLoad<L>,
    ) -> Result<LeaseReply<L::Value>, RedisUnavailable> {
        load.snapshot = self.memory.snapshot(&load.key);
        load.lease = LeaseState::Unknown;
        let answer = match self.request_lease_once(load).await? {
            LeaseReply::Unusable(stamp) => {
                load.replacing = Some(stamp);
                self.request_lease_once(load).await?
            }
            answer => answer,
        };
        load.lease = match answer {
            LeaseReply::Granted => LeaseState::Granted,
            _ => LeaseState::None,
        };
        Ok(answer)
    }

    async fn request_lease_once(
        &self,
        load: &KeyLoad<L>,
    ) -> Result<LeaseReply<L::Value>, RedisUnavailable> {
        let asked = self
            .remote
            .lease::<L>(&load.key, load.token, load.replacing, &self.meter);
        asked.await
    }

    /// Publishes the entry that another process stored.
    fn publish_from_redis(&self, load: &KeyLoad<L>, entry: &CacheEntry<L::Value>) {
        self.meter.l2_hits.add(1);
        self.why(&load.key, "another load has stored the value");
        self.memory
            .insert(&load.key, entry, Origin::Shared, load.snapshot);
        load.publish(Ok(entry.value.clone()));
    }

    /// Loads without a lease and without a fill.
    async fn load_without_redis(&self, mut loads: Vec<KeyLoad<L>>) {
        self.meter.bypasses.add(loads.len());
        for load in &mut loads {
            self.why(&load.key, "Redis is unavailable: loads without it");
            load.fall_back_on_memory();
        }
        self.load(loads).await;
    }
}
