//! The loader is asked, and what it says is stored, kept and handed out.

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
    entry::{Entry, Held},
    memory::Origin,
    remote::{Away, Filled},
    shared::Shared,
    trip::{Lease, Trip},
};

type Loaded<L> =
    Result<HashMap<<L as Loader>::Key, <L as Loader>::Value>, CacheError<<L as Loader>::Error>>;

impl<L: Loader> Shared<L> {
    /// One call of the loader for all of these.
    pub(crate) async fn load(&self, mut trips: Vec<Trip<L>>) {
        if trips.is_empty() {
            return;
        }
        // Closed never; a cache has it for life.
        let Ok(_permit) = self.loads.acquire().await else {
            return;
        };
        let since = Instant::now();
        self.meter.loads.add(trips.len());
        let call = AssertUnwindSafe(self.call_loader(&trips)).catch_unwind();
        let loaded = tokio::select! {
            loaded = call => loaded.unwrap_or(Err(CacheError::Abandoned)),
            never = self.renew_leases(&trips) => match never {},
        };
        let load_time = since.elapsed();
        self.meter.load_took(load_time);
        match loaded {
            Ok(values) => self.hand_in_all(trips, values, load_time).await,
            Err(error) => {
                self.meter.load_errors.add(1);
                trips
                    .iter_mut()
                    .for_each(|trip| trip.fall_back(error.clone()));
            }
        }
    }

    /// Shows other processes that this one is still at it.
    async fn renew_leases(&self, trips: &[Trip<L>]) -> Infallible {
        loop {
            tokio::time::sleep(self.remote.lease_ttl / 3).await;
            let held = trips.iter().filter(|trip| trip.lease == Lease::Granted);
            let renewals = held.map(|trip| self.remote.renew(&trip.key, trip.token, &self.meter));
            join_all(renewals).await;
        }
    }

    async fn call_loader(&self, trips: &[Trip<L>]) -> Loaded<L> {
        let failed = |error| CacheError::Loader(Arc::new(error));
        if let [trip] = trips {
            let value = self.loader.load(&trip.key).await.map_err(failed)?;
            return Ok(value
                .map(|value| (trip.key.clone(), value))
                .into_iter()
                .collect());
        }
        let keys: Vec<L::Key> = trips.iter().map(|trip| trip.key.clone()).collect();
        let values = self.loader.load_many(&keys).await.map_err(failed)?;
        Ok(values.into_iter().collect())
    }

    async fn hand_in_all(
        &self,
        trips: Vec<Trip<L>>,
        mut values: HashMap<L::Key, L::Value>,
        load_time: Duration,
    ) {
        let fills = trips.into_iter().map(|trip| {
            let value = values.remove(&trip.key).map(Arc::new);
            self.hand_in(trip, value, load_time)
        });
        // The iterator borrows the values, so all fills are made before the first one runs.
        let fills: Vec<_> = fills.collect();
        join_all(fills).await;
    }

    /// Readers get the value in any case: it was the row's while they waited. Whether anybody keeps it depends on what
    /// happened to the row meanwhile.
    async fn hand_in(&self, mut trip: Trip<L>, value: Held<L::Value>, load_time: Duration) {
        let (fresh_for, usable_for) = self.settings.lifetimes(value.is_some());
        let entry = Entry {
            value: value.clone(),
            stamp: trip.token,
            load_time,
            fresh_for,
            usable_for,
        };
        match self.store(&mut trip, &entry).await {
            Ok(Filled::Stored) => {
                self.meter.fills.add(1);
                self.memory
                    .keep(&trip.key, &entry, Origin::Shared, trip.snapshot);
            }
            Ok(Filled::Refused) => self.meter.refused_fills.add(1),
            Err(Away) => self
                .memory
                .keep(&trip.key, &entry, Origin::Private, trip.snapshot),
        }
        trip.arrive(Ok(value));
    }

    async fn store(&self, trip: &mut Trip<L>, entry: &Entry<L::Value>) -> Result<Filled, Away> {
        if trip.lease != Lease::Granted {
            return Err(Away);
        }
        let filled = self.remote.fill::<L>(&trip.key, entry, &self.meter).await?;
        trip.lease = Lease::None;
        Ok(filled)
    }
}
