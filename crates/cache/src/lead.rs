//! What happens on a miss: a task leads one or more trips from Redis to the loader and back.
//!
//! ```text
//! read from Redis ── fresh ──────────────────────────────> done
//!    │ missing, stale, or due early
//! ask for the lease ── somebody stored it meanwhile ──────> done
//!    │ granted      └─ taken: by mode wait, load alone, or go on with the old value
//! load, one call for all ── error ────────────────────────> the old value, or the error
//!    │
//! fill ── refused: the readers get the value, nobody keeps it
//!    └─── stored: kept in memory too ─────────────────────> done
//! ```
//! Where Redis is away, the loader is asked at once, and the result is kept in memory alone, briefly. Everything together
//! is bounded by the hard timeout: what is under way then is dropped, and a dropped trip ends by itself.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::{join_all, join3};

use crate::{
    Loader, Mode, early,
    entry::Entry,
    flight::Progress,
    memory::Origin,
    remote::{Away, Leased},
    shared::Shared,
    trip::{Lease, Trip},
};

/// Keys of one task, and so of one call of the loader.
const LARGEST_BATCH: usize = 500;

/// How soon one who waits for another process looks again; each pause is half as long again as the last, up to the
/// longest. A message that the value was stored usually comes first.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// Starts the tasks.
pub(crate) fn spawn<L: Loader>(shared: &Arc<Shared<L>>, mut trips: Vec<Trip<L>>) {
    while !trips.is_empty() {
        let batch = trips.split_off(trips.len().saturating_sub(LARGEST_BATCH));
        let shared = shared.clone();
        supervise::spawn_once("cache load", async move {
            let limit = shared.settings.hard_timeout;
            // A trip that is dropped here knows what to tell its readers.
            let _ = tokio::time::timeout(limit, Box::pin(shared.travel(batch))).await;
        });
    }
}

impl<L: Loader> Shared<L> {
    async fn travel(&self, mut trips: Vec<Trip<L>>) {
        if !self.remote.breaker.admits(Instant::now()) {
            return self.load_cut_off(trips).await;
        }
        let keys: Vec<&L::Key> = trips.iter().map(|trip| &trip.key).collect();
        match self.remote.read::<L>(&keys, &self.meter).await {
            Ok(mut entries) => {
                trips.retain_mut(|trip| {
                    let entry = entries.next().flatten();
                    !self.settle(trip, entry)
                });
                self.lease(trips).await;
            }
            Err(Away) => self.load_cut_off(trips).await,
        }
    }

    /// Whether what Redis holds ends the trip. Otherwise readers learn what there is meanwhile.
    fn settle(&self, trip: &mut Trip<L>, entry: Option<Entry<L::Value>>) -> bool {
        let Some(entry) = entry else {
            self.meter.misses.add(1);
            return false;
        };
        self.memory
            .keep(&trip.key, &entry, Origin::Shared, trip.snapshot);
        if !entry.is_fresh() {
            self.meter.misses.add(1);
            trip.show(entry);
            return false;
        }
        self.meter.l2_hits.add(1);
        if self.is_due(trip, &entry) {
            trip.replacing = Some(entry.stamp);
            trip.show(entry);
            return false;
        }
        trip.arrive(Ok(entry.value));
        true
    }

    /// Whether an entry that is fresh shall be replaced nevertheless: because a reader drew that lot, and nobody has
    /// replaced it since, or because this one draws it.
    fn is_due(&self, trip: &Trip<L>, entry: &Entry<L::Value>) -> bool {
        match trip.replacing {
            Some(stamp) => stamp == entry.stamp,
            None => early::is_due(
                entry.fresh_for,
                entry.load_time,
                self.settings.early_refresh,
            ),
        }
    }

    /// Asks for the right to load, and does what follows from the answers.
    async fn lease(&self, mut trips: Vec<Trip<L>>) {
        let answers = join_all(trips.iter_mut().map(|trip| self.ask_lease(trip))).await;
        let (mut to_load, mut cut_off, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for (trip, answer) in trips.into_iter().zip(answers) {
            match answer {
                Ok(Leased::Found(entry)) => self.adopt(&trip, &entry),
                Ok(Leased::Granted) => to_load.push(trip),
                Ok(Leased::Taken | Leased::Garbage(_)) => {
                    match (trip.flight.progress(), self.settings.mode) {
                        (Progress::Fresh(value), _) => trip.arrive(Ok(value)),
                        (Progress::Stale(value), Mode::LogicalExpiry) => trip.arrive(Ok(value)),
                        (_, Mode::PassThrough) => to_load.push(trip),
                        (_, Mode::Mutex | Mode::LogicalExpiry) => waiting.push(trip),
                    }
                }
                Err(Away) => cut_off.push(trip),
            }
        }
        let waits = join_all(waiting.into_iter().map(|trip| self.wait_for_other(trip)));
        join3(self.load(to_load), self.load_cut_off(cut_off), waits).await;
    }

    /// Looks again and again until the other process has stored the value, or has given up and it is our turn.
    async fn wait_for_other(&self, mut trip: Trip<L>) {
        self.meter.lease_waits.add(1);
        let mut pause = FIRST_PAUSE;
        loop {
            // Either way it is time to look; a message that came while nobody waited is remembered.
            let _ = tokio::time::timeout(pause, trip.flight.changed.notified()).await;
            pause = (pause * 3 / 2).min(LONGEST_PAUSE);
            match self.ask_lease(&mut trip).await {
                Ok(Leased::Taken | Leased::Garbage(_)) => {}
                Ok(Leased::Found(entry)) => return self.adopt(&trip, &entry),
                Ok(Leased::Granted) => return self.load(vec![trip]).await,
                Err(Away) => return self.load_cut_off(vec![trip]).await,
            }
        }
    }

    async fn ask_lease(&self, trip: &mut Trip<L>) -> Result<Leased<L::Value>, Away> {
        trip.snapshot = self.memory.snapshot(&trip.key);
        trip.lease = Lease::Unknown;
        let answer = match self.ask_lease_once(trip).await? {
            Leased::Garbage(stamp) => {
                trip.replacing = Some(stamp);
                self.ask_lease_once(trip).await?
            }
            answer => answer,
        };
        trip.lease = match answer {
            Leased::Granted => Lease::Granted,
            _ => Lease::None,
        };
        Ok(answer)
    }

    async fn ask_lease_once(&self, trip: &Trip<L>) -> Result<Leased<L::Value>, Away> {
        let asked = self
            .remote
            .lease::<L>(&trip.key, trip.token, trip.replacing, &self.meter);
        asked.await
    }

    /// Takes over what another process stored.
    fn adopt(&self, trip: &Trip<L>, entry: &Entry<L::Value>) {
        self.meter.l2_hits.add(1);
        self.memory
            .keep(&trip.key, entry, Origin::Shared, trip.snapshot);
        trip.arrive(Ok(entry.value.clone()));
    }

    /// Loads without Redis.
    async fn load_cut_off(&self, mut trips: Vec<Trip<L>>) {
        self.meter.bypasses.add(trips.len());
        trips.iter_mut().for_each(Trip::remember);
        self.load(trips).await;
    }
}
