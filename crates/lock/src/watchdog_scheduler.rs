//! Starts the watchdog task of a lease when its first renewal is due.
//!
//! Most locks are held for a moment, and a task for each would cost more than the lock. So a lease is only scheduled here,
//! with the time at which its renewal or its end is due; if it still exists then, the scheduler starts its watchdog. Only a
//! lease that is due before all others wakes the scheduler early.

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
    lease::{LeaseState, run_watchdog},
};

/// Leases without a watchdog so far.
#[derive(Debug, Default)]
pub(crate) struct WatchdogScheduler {
    schedule: Mutex<Schedule>,
    earlier: Notify,
}

/// Identifies a scheduled lease.
pub(crate) type ScheduleKey = (Instant, u64);

#[derive(Debug, Default)]
struct Schedule {
    by_due: BTreeMap<ScheduleKey, Arc<LeaseState>>,
    last: u64,
    /// When the scheduler task wakes next.
    wakes_at: Option<Instant>,
}

impl WatchdogScheduler {
    pub(crate) fn schedule(&self, due: Instant, state: Arc<LeaseState>) -> ScheduleKey {
        let mut schedule = lock(&self.schedule);
        schedule.last += 1;
        let key = (due, schedule.last);
        schedule.by_due.insert(key, state);
        if schedule.wakes_at.is_none_or(|wakes_at| due < wakes_at) {
            schedule.wakes_at = Some(due);
            self.earlier.notify_one();
        }
        key
    }

    pub(crate) fn cancel(&self, key: ScheduleKey) {
        lock(&self.schedule).by_due.remove(&key);
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

    /// Starts the watchdogs that are due; returns when the next one is.
    fn start_due(&self) -> Option<Instant> {
        let mut schedule = lock(&self.schedule);
        let now = Instant::now();
        while let Some(first) = schedule
            .by_due
            .first_entry()
            .filter(|entry| entry.key().0 <= now)
        {
            let state = first.remove();
            let watched = state.clone();
            let task = supervise::spawn("lock lease", move || run_watchdog(watched.clone()));
            state.set_watchdog(task);
        }
        schedule.wakes_at = schedule.by_due.keys().next().map(|(due, _)| *due);
        schedule.wakes_at
    }
}
