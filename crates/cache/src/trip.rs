//! One key on its way through a load.
//!
//! The invariant: a trip ends, and says so. Dropped without a result (at the hard timeout, in a panic, with the runtime)
//! it tells its readers, lets the next one start anew, and gives back its lease.

use std::{sync::Arc, time::Instant};

use crate::{
    CacheError, Loader,
    entry::{Entry, Held, Stamp},
    flight::{Flight, Progress},
    memory::{Origin, Snapshot},
    shared::Shared,
};

pub(crate) struct Trip<L: Loader> {
    shared: Arc<Shared<L>>,
    pub(crate) key: L::Key,
    pub(crate) flight: Arc<Flight<L::Value, L::Error>>,
    /// Taken before the last question.
    pub(crate) snapshot: Snapshot,
    /// The entry that shall be replaced although it is still good.
    pub(crate) replacing: Option<Stamp>,
    /// Of the lease, and of the entry that is then stored.
    pub(crate) token: Stamp,
    pub(crate) lease: Lease,
    /// What there is meanwhile, and to fall back on.
    interim: Option<Entry<L::Value>>,
    started: Instant,
}

/// Whether the right to fill is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lease {
    None,
    /// It was asked for, and the answer was lost.
    Unknown,
    Granted,
}

impl<L: Loader> Trip<L> {
    pub(crate) fn new(
        shared: &Arc<Shared<L>>,
        key: L::Key,
        flight: Arc<Flight<L::Value, L::Error>>,
        replacing: Option<Stamp>,
    ) -> Self {
        Self {
            snapshot: shared.memory.snapshot(&key),
            shared: shared.clone(),
            key,
            flight,
            replacing,
            token: Stamp::random(),
            lease: Lease::None,
            interim: None,
            started: Instant::now(),
        }
    }

    /// Tells everybody, and takes the flight off the list.
    pub(crate) fn arrive(&self, outcome: Result<Held<L::Value>, CacheError<L::Error>>) {
        self.shared.flights.land(&self.key, &self.flight);
        self.flight.set(Progress::Done(outcome));
    }

    /// Lets readers know of an entry that they may have to do with.
    pub(crate) fn show(&mut self, entry: Entry<L::Value>) {
        let value = entry.value.clone();
        self.flight.set(match entry.is_fresh() {
            true => Progress::Fresh(value),
            false => Progress::Stale(value),
        });
        self.interim = Some(entry);
    }

    /// Redis is away: doubtful memories are all there is to fall back on. Readers are not shown them before it has come to
    /// that.
    pub(crate) fn remember(&mut self) {
        if self.interim.is_none() {
            self.interim = self.shared.memory.last_resort(&self.key, Instant::now());
        }
    }

    /// No new value came: the one there was will do, or else everybody gets the error.
    pub(crate) fn fall_back(&mut self, error: CacheError<L::Error>) {
        let Some(mut entry) = self.interim.take() else {
            return self.arrive(Err(error));
        };
        if !entry.is_fresh() {
            self.shared.meter.stale_serves.add(1);
            entry.usable_for = entry.usable_for.saturating_sub(self.started.elapsed());
            let memory = &self.shared.memory;
            memory.keep(&self.key, &entry, Origin::Fallback, self.snapshot);
        }
        self.arrive(Ok(entry.value));
    }

    /// Why a trip that was dropped on its way came to nothing.
    fn reason(&self) -> CacheError<L::Error> {
        let limit = self.shared.settings.hard_timeout;
        if self.started.elapsed() < limit {
            return CacheError::Abandoned;
        }
        self.shared.meter.load_errors.add(1);
        CacheError::TimedOut(limit)
    }

    /// In the background: nobody has to wait for it, and a lease that is not given back ends by itself.
    fn give_lease_back(&self) {
        let can_ask = !self.shared.remote.breaker.is_open();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.lease != Lease::None && can_ask {
            let (shared, key, token) = (self.shared.clone(), self.key.clone(), self.token);
            let _context = runtime.enter();
            supervise::spawn_once("cache lease release", async move {
                shared.remote.release(&key, token, &shared.meter).await;
            });
        }
    }
}

impl<L: Loader> Drop for Trip<L> {
    fn drop(&mut self) {
        if !self.flight.progress().is_done() {
            let reason = self.reason();
            self.fall_back(reason);
        }
        self.give_lease_back();
    }
}
