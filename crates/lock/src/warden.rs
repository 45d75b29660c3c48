//! Starts to watch a lease when it first needs it.
//!
//! Most locks are held for a moment, and a task for each would cost more than the lock. So a lease is only noted here,
//! with the time at which it is due to be renewed or to end; if it still exists then, its watching task is started. The
//! one task that waits for these times is disturbed only by a lease that is due before all others.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use crate::{
    core::lock,
    lease::{State, watch},
};

/// Leases that nobody watches yet.
#[derive(Debug, Default)]
pub(crate) struct Warden {
    notes: Mutex<Notes>,
    earlier: Notify,
}

/// Where a lease is noted.
pub(crate) type Place = (Instant, u64);

#[derive(Debug, Default)]
struct Notes {
    by_due: BTreeMap<Place, Arc<State>>,
    last: u64,
    /// When the task will look again by itself.
    looks_at: Option<Instant>,
}

impl Warden {
    pub(crate) fn note(&self, due: Instant, state: Arc<State>) -> Place {
        let mut notes = lock(&self.notes);
        notes.last += 1;
        let place = (due, notes.last);
        notes.by_due.insert(place, state);
        if notes.looks_at.is_none_or(|looks_at| due < looks_at) {
            notes.looks_at = Some(due);
            self.earlier.notify_one();
        }
        place
    }

    pub(crate) fn forget(&self, place: Place) {
        lock(&self.notes).by_due.remove(&place);
    }

    /// Runs until it is aborted.
    pub(crate) async fn run(self: Arc<Self>) {
        loop {
            match self.start_due() {
                Some(due) => tokio::select! {
                    () = sleep_until(due) => {}
                    () = self.earlier.notified() => {}
                },
                None => self.earlier.notified().await,
            }
        }
    }

    /// Starts to watch what is due; says when the next is.
    fn start_due(&self) -> Option<Instant> {
        let mut notes = lock(&self.notes);
        let now = Instant::now();
        while let Some(first) = notes
            .by_due
            .first_entry()
            .filter(|entry| entry.key().0 <= now)
        {
            let state = first.remove();
            let watched = state.clone();
            let task = supervise::spawn("lock lease", move || watch(watched.clone()));
            state.be_watched_by(task);
        }
        notes.looks_at = notes.by_due.keys().next().map(|(due, _)| *due);
        notes.looks_at
    }
}
