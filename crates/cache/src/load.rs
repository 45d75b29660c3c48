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
    CacheError, Loader,
    entry::{CacheEntry, MaybeValue},
    key_load::{KeyLoad, LeaseState},
    memory::Origin,
    own_fills::FillNote,
    remote::{FillReply, RedisUnavailable},
    shared::CacheState,
};

type Loaded<L> =
    Result<HashMap<<L as Loader>::Key, <L as Loader>::Value>, CacheError<<L as Loader>::Error>>;

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
        let since = Instant::now();
        self.meter.loads.add(loads.len());
        let call = AssertUnwindSafe(self.call_loader(&loads)).catch_unwind();
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

    async fn call_loader(&self, loads: &[KeyLoad<L>]) -> Loaded<L> {
        let failed = |error| CacheError::Loader(Arc::new(error));
        if let [load] = loads {
            let value = self.loader.load(&load.key).await.map_err(failed)?;
            return Ok(value
                .map(|value| (load.key.clone(), value))
                .into_iter()
                .collect());
        }
        let keys: Vec<L::Key> = loads.iter().map(|load| load.key.clone()).collect();
        let values = self.loader.load_many(&keys).await.map_err(failed)?;
        Ok(values.into_iter().collect())
    }

    async fn fill_and_publish_all(
        &self,
        loads: Vec<KeyLoad<L>>,
        mut values: HashMap<L::Key, L::Value>,
        load_time: Duration,
    ) {
        let fills = loads.into_iter().map(|load| {
            let value = values.remove(&load.key).map(Arc::new);
            self.fill_and_publish(load, value, load_time)
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
        value: MaybeValue<L::Value>,
        load_time: Duration,
    ) {
        let (fresh_for, usable_for) = self.settings.lifetimes(value.is_some());
        let entry = CacheEntry {
            value: value.clone(),
            stamp: load.token,
            load_time,
            fresh_for,
            usable_for,
        };
        match self.store(&mut load, &entry).await {
            Ok(FillReply::Stored) => {
                self.meter.fills.add(1);
                self.memory
                    .insert(&load.key, &entry, Origin::Shared, load.snapshot);
            }
            Ok(FillReply::Refused) => self.meter.refused_fills.add(1),
            Ok(FillReply::Unsuitable) | Err(RedisUnavailable) => {
                self.memory
                    .insert(&load.key, &entry, Origin::Private, load.snapshot);
            }
        }
        load.publish(Ok(value));
    }

    async fn store(
        &self,
        load: &mut KeyLoad<L>,
        entry: &CacheEntry<L::Value>,
    ) -> Result<FillReply, RedisUnavailable> {
        if load.lease != LeaseState::Granted {
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
