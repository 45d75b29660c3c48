//! The parts of a cache, and how readers wait for a flight.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::Semaphore;

use crate::{
    BloomGuard, Builder, CacheError, Loader, Mode, Read, Stats,
    breaker::Breaker,
    flight::{Boarding, Flight, Flights, Progress},
    keys::Keys,
    memory::Memory,
    meter::Meter,
    remote::Remote,
    settings::Settings,
    trip::Trip,
};

/// After this time without a sign of life of the one who loads, another one may: long enough for a process that is
/// merely slow, short enough to wait for. With a short hard timeout it is half of that.
const LONGEST_LEASE: Duration = Duration::from_secs(3);

/// What the handles of a cache, its loads and its listener share.
pub(crate) struct Shared<L: Loader> {
    pub(crate) loader: L,
    pub(crate) settings: Settings,
    pub(crate) memory: Memory<L::Key, L::Value>,
    pub(crate) remote: Remote,
    pub(crate) flights: Flights<L::Key, L::Value, L::Error>,
    pub(crate) loads: Semaphore,
    pub(crate) meter: Meter,
    pub(crate) bloom: Option<BloomGuard<L::Key>>,
}

impl<L: Loader> Shared<L> {
    pub(crate) fn new(builder: Builder<L>) -> Self {
        let settings = builder.settings;
        let remote = Remote {
            link: builder.link,
            keys: Keys::new(&builder.prefix, &builder.name),
            breaker: Breaker::new(Instant::now()),
            timeout: settings.l2_timeout,
            lease_ttl: LONGEST_LEASE.min(settings.hard_timeout / 2),
            tombstone_ttl: settings.tombstone_ttl,
        };
        Self {
            loader: builder.loader,
            memory: Memory::new(&settings),
            remote,
            flights: Flights::new(),
            loads: Semaphore::new(settings.max_parallel_loads),
            meter: Meter::new(&builder.name),
            settings,
            bloom: builder.bloom,
        }
    }

    /// The flight of this key; if there was none, it is put on the list of trips to be made.
    pub(crate) fn board(
        self: &Arc<Self>,
        key: &L::Key,
        trips: &mut Vec<Trip<L>>,
    ) -> Arc<Flight<L::Value, L::Error>> {
        match self.flights.board(key) {
            Boarding::Joined(flight) => flight,
            Boarding::Opened(flight) => {
                trips.push(Trip::new(self, key.clone(), flight.clone(), None));
                flight
            }
        }
    }

    /// What a reader gets from a flight: the outcome, or soon what there is meanwhile.
    pub(crate) async fn wait(&self, flight: &Flight<L::Value, L::Error>) -> Read<L> {
        let takes_stale = self.settings.mode == Mode::LogicalExpiry;
        let soon = flight.reach(|progress| match progress {
            Progress::Underway => false,
            Progress::Stale(_) => takes_stale,
            Progress::Fresh(_) | Progress::Done(_) => true,
        });
        let reached = match tokio::time::timeout(self.settings.soft_timeout, soon).await {
            Ok(reached) => reached,
            Err(_) => {
                let anything = |progress: &_| !matches!(progress, Progress::Underway);
                flight.reach(anything).await
            }
        };
        match reached {
            Progress::Done(outcome) => outcome,
            Progress::Fresh(held) => Ok(held),
            Progress::Stale(held) => {
                self.meter.stale_serves.add(1);
                Ok(held)
            }
            Progress::Underway => Err(CacheError::Abandoned),
        }
    }

    /// A change of this key was made here or heard of.
    pub(crate) fn forget(&self, key: &L::Key) {
        self.memory.forget(key);
        self.flights.let_go(key);
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats {
            l1_entries: self.memory.len(),
            flights: self.flights.len() as u64,
            breaker_open: self.remote.breaker.is_open(),
            listening: self.memory.is_listening(),
            ..self.meter.stats()
        }
    }
}
