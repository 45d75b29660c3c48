//! Calls the loader, fills Redis and memory with the values, and publishes them to the readers.

use std::{
    collections::HashMap,
    convert::Infallible,
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{FutureExt as _, future::join_all};

use crate::{
    CacheError, Loaded, Loader,
    entry::{CacheEntry, RowVersion, Stamp},
    key_load::{KeyLoad, LeaseState},
    loaded::LoadClosure,
    memory::Origin,
    own_fills::FillNote,
    remote::{FillReply, RedisUnavailable},
    shared::CacheState,
    tags::EntryTags,
};

/// What the loader returned, by key; rows that do not exist are not among them unless a closure said so.
type Outcomes<L> = Result<
    HashMap<<L as Loader>::Key, Loaded<<L as Loader>::Value>>,
    CacheError<<L as Loader>::Error>,
>;

impl<L: Loader> CacheState<L> {
    /// Loads all of these keys in one call of the loader.
    pub(crate) async fn load(&self, mut loads: Vec<KeyLoad<L>>) {
        if loads.is_empty() {
            return;
        }
        // The cache never closes its semaphore.
        let Ok(_permit) = self.load_permits.acquire().await else {
            return;
        };
        self.read_tags(&mut loads).await;
        let since = Instant::now();
        self.meter.loads.add(loads.len());
        for load in &loads {
            self.why(&load.key, "calls the loader");
        }
        let closure = match &mut loads[..] {
            [load] => load.closure.get_mut().ok().and_then(Option::take),
            _ => None,
        };
        let call = AssertUnwindSafe(self.call_loader(&loads, closure)).catch_unwind();
        let loaded = tokio::select! {
            loaded = call => loaded.unwrap_or(Err(CacheError::Abandoned)),
            never = self.renew_leases(&loads) => match never {},
        };
        let load_time = since.elapsed();
        self.meter.load_took(load_time);
        match loaded {
            Ok(values) => self.fill_and_publish_all(loads, values, load_time).await,
            Err(error) => {
                self.meter.load_errors.add(1);
                loads
                    .iter_mut()
                    .for_each(|load| load.fall_back(error.clone()));
            }
        }
    }

    /// Renews the leases until the loader returns.
    async fn renew_leases(&self, loads: &[KeyLoad<L>]) -> Infallible {
        loop {
            tokio::time::sleep(self.remote.lease_ttl / 3).await;
            let held = loads
                .iter()
                .filter(|load| load.lease == LeaseState::Granted);
            let renewals = held.map(|load| self.remote.renew(&load.key, load.token, &self.meter));
            join_all(renewals).await;
        }
    }

    /// The versions of the tags, before the loader reads: what is invalidated after this is not in the entry.
    async fn read_tags(&self, loads: &mut [KeyLoad<L>]) {
        let tagged = loads
            .iter_mut()
            .filter(|load| !load.in_flight.tags.is_empty());
        let reads = tagged.map(|load| async {
            let names = &load.in_flight.tags;
            let tags = match load.lease {
                LeaseState::Granted => self.remote.current_tags(names, &self.meter).await,
                // Redis will not hold the value, so the versions are not needed, and perhaps not to be had.
                LeaseState::None | LeaseState::Unknown => self.remote.unknown_tags(names),
            };
            load.tags = Some(Arc::new(tags));
        });
        join_all(reads).await;
    }

    async fn call_loader(
        &self,
        loads: &[KeyLoad<L>],
        closure: Option<LoadClosure<L>>,
    ) -> Outcomes<L> {
        let failed = |error| CacheError::Loader(Arc::new(error));
        if let ([load], Some(closure)) = (loads, closure) {
            let loaded = closure().await.map_err(failed)?;
            return Ok(HashMap::from([(load.key.clone(), loaded)]));
        }
        if !L::LOADS {
            return Err(CacheError::NoLoader);
        }
        if let [load] = loads {
            let value = self.loader.load(&load.key).await.map_err(failed)?;
            return Ok(HashMap::from([(load.key.clone(), value.into())]));
        }
        let keys: Vec<L::Key> = loads.iter().map(|load| load.key.clone()).collect();
        let values = self.loader.load_many(&keys).await.map_err(failed)?;
        let loaded = values.into_iter().map(|(key, value)| (key, value.into()));
        Ok(loaded.collect())
    }

    async fn fill_and_publish_all(
        &self,
        loads: Vec<KeyLoad<L>>,
        mut values: HashMap<L::Key, Loaded<L::Value>>,
        load_time: Duration,
    ) {
        let fills = loads.into_iter().map(|load| {
            let loaded = values.remove(&load.key).unwrap_or_else(Loaded::absent);
            self.fill_and_publish(load, loaded, load_time)
        });
        // The iterator borrows `values`, so all fills are created before the first one runs.
        let fills: Vec<_> = fills.collect();
        join_all(fills).await;
    }

    /// Readers get the value in any case: it was current while they waited. Redis and memory store it only if the key was
    /// not invalidated in the meantime.
    async fn fill_and_publish(
        &self,
        mut load: KeyLoad<L>,
        loaded: Loaded<L::Value>,
        load_time: Duration,
    ) {
        let mut entry = self.new_entry(&load.key, loaded, load_time);
        entry.stamp = load.token;
        entry.tags = load.tags.take();
        let value = entry.value.clone();
        if entry.usable_for.is_zero() {
            self.why(&load.key, "loaded, and not stored: its lifetime is zero");
            return load.publish(Ok(value));
        }
        match self.store(&mut load, &entry).await {
            Ok(FillReply::Stored) => {
                self.meter.fills.add(1);
                self.why(&load.key, "loaded, and stored in both levels");
                self.memory
                    .insert(&load.key, &entry, Origin::Shared, load.snapshot);
            }
            Ok(FillReply::Refused) => {
                self.meter.refused_fills.add(1);
                self.why(
                    &load.key,
                    "loaded, and not stored: the key was invalidated, or a newer version is known",
                );
            }
            Ok(FillReply::Unsuitable) | Err(RedisUnavailable) => {
                self.why(
                    &load.key,
                    "loaded, and kept in memory briefly: Redis does not hold it",
                );
                self.memory
                    .insert(&load.key, &entry, Origin::Private, load.snapshot);
            }
        }
        load.publish(Ok(value));
    }

    /// An entry with the lifetimes of what was loaded.
    pub(crate) fn new_entry(
        &self,
        key: &L::Key,
        loaded: Loaded<L::Value>,
        load_time: Duration,
    ) -> CacheEntry<L::Value> {
        let value = loaded.value.as_ref();
        let own_ttl = loaded.soft_ttl.or_else(|| self.loader.ttl(key, value));
        let (fresh_for, usable_for) =
            self.settings
                .lifetimes(value.is_some(), own_ttl, loaded.hard_ttl);
        let version = loaded.version.or_else(|| value.and_then(L::version));
        CacheEntry {
            value: loaded.value.map(Arc::new),
            stamp: Stamp::random(),
            load_time,
            fresh_for,
            usable_for,
            version: version.map_or(RowVersion::NONE, RowVersion::new),
            tags: None,
        }
    }

    async fn store(
        &self,
        load: &mut KeyLoad<L>,
        entry: &CacheEntry<L::Value>,
    ) -> Result<FillReply, RedisUnavailable> {
        let are_tags_known = entry.tags.as_deref().is_none_or(EntryTags::are_known);
        if load.lease != LeaseState::Granted || !are_tags_known {
            return Err(RedisUnavailable);
        }
        let note = FillNote::begin(self, &load.key, load.token);
        let filled = self.remote.fill::<L>(&load.key, entry, &self.meter).await?;
        match filled {
            FillReply::Stored => note.stored(),
            FillReply::Refused => drop(note),
            // Nothing was sent, so the load still holds its lease.
            FillReply::Unsuitable => return Ok(filled),
        }
        load.lease = LeaseState::None;
        Ok(filled)
    }
}
