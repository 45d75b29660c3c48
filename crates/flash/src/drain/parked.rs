//! Orders that failed alone, waiting to be tried again while everything else goes on.

use std::time::{Duration, Instant};

use super::hand::DeliveryId;
use crate::Order;

/// How often an order is tried before it is given up.
const ATTEMPTS: u32 = 5;

/// Pause after the first failure; it doubles with each one. Five attempts take a second and a half.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Nothing that a person repairs waits longer than this to be noticed.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// How long an order is tried at least if the ledger takes no other either: it may be the ledger's fault, and people
/// need time to see it.
const PATIENCE: Duration = Duration::from_secs(30);

/// An order on its way to the ledger.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) order: Order,
    pub(super) from: DeliveryId,
    failures: u32,
    /// Since when it fails.
    failing_since: Option<Instant>,
}

#[derive(Debug, Default)]
pub(super) struct Parked {
    waiting: Vec<(Instant, Job)>,
}

impl Job {
    pub(super) fn new(order: Order, from: DeliveryId) -> Self {
        Self {
            order,
            from,
            failures: 0,
            failing_since: None,
        }
    }

    /// Notes a failure in an attempt that began at this moment.
    pub(super) fn fail(&mut self, begun: Instant) {
        self.failures += 1;
        self.failing_since.get_or_insert(begun);
    }

    /// Whether it was tried often enough, given whether the ledger took others since a moment.
    pub(super) fn is_hopeless(&self, took_others_since: impl FnOnce(Instant) -> bool) -> bool {
        let since = self.failing_since.filter(|_| self.failures >= ATTEMPTS);
        since.is_some_and(|since| took_others_since(since) || since.elapsed() >= PATIENCE)
    }

    fn pause(&self) -> Duration {
        let doublings = self.failures.saturating_sub(1).min(16);
        LONGEST_PAUSE.min(FIRST_PAUSE * 2_u32.pow(doublings))
    }
}

impl Parked {
    pub(super) fn park(&mut self, job: Job) {
        self.waiting.push((Instant::now() + job.pause(), job));
    }

    /// Those whose pause is over.
    pub(super) fn take_due(&mut self) -> Vec<Job> {
        let now = Instant::now();
        let due = self.waiting.extract_if(.., |(at, _)| *at <= now);
        due.map(|(_, job)| job).collect()
    }

    /// How long until one is due, if any waits.
    pub(super) fn next_due(&self) -> Option<Duration> {
        let next = self.waiting.iter().map(|(at, _)| *at).min()?;
        Some(next.saturating_duration_since(Instant::now()))
    }
}
