//! Orders that were not recorded, waiting to be retried while everything else goes on; and when one of them is proven to
//! be at fault itself.
//!
//! No amount of time proves anything: a ledger may be out of order for days. An order is dead-lettered only if
//! 1. it failed [`ATTEMPTS`] times alone, with no outage of the ledger in between,
//! 2. [`PROOFS`] of these failures came after another order had been recorded since the failure before: so it was tried
//!    once more, alone, with a ledger that was seen to work,
//! 3. and another order was recorded after the last failure, so the ledger worked on both sides of it.

use std::time::{Duration, Instant};

use super::health::LedgerHealth;
use super::in_flight::DeliveryId;
use crate::Order;

/// How often an order must fail.
const ATTEMPTS: u32 = 5;

/// How many of its failures must follow the recording of another order.
const PROOFS: u32 = 2;

/// Pause after the first failure; it doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// A repaired cause is noticed within this time.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// An order on its way to the ledger.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) order: Order,
    pub(super) from: DeliveryId,
    /// How often it was tried in vain, whatever the reason.
    attempts: u32,
    failed: Option<Failed>,
}

/// What speaks against an order.
#[derive(Clone, Debug)]
struct Failed {
    failures: u32,
    proofs: u32,
    last: Instant,
    reason: String,
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
            attempts: 0,
            failed: None,
        }
    }

    pub(super) fn is_first_attempt(&self) -> bool {
        self.attempts == 0
    }

    /// Notes that the order failed alone at this moment.
    pub(super) fn fail(&mut self, at: Instant, reason: String, health: &LedgerHealth) {
        self.attempts += 1;
        let before = self.failed.take();
        // Failures from before an outage may have been its first signs.
        let before = before.filter(|before| !health.was_unavailable_since(before.last));
        let (failures, proofs) = before.map_or((0, 0), |before| {
            let is_proof = health.has_recorded_since(before.last);
            (before.failures, before.proofs + u32::from(is_proof))
        });
        self.failed = Some(Failed {
            failures: failures + 1,
            proofs,
            last: at,
            reason,
        });
    }

    /// Notes that the ledger did not answer for the order, which is not the order's fault.
    pub(super) fn postpone(&mut self) {
        self.attempts += 1;
    }

    /// Why the order is to be dead-lettered, if that is proven.
    pub(super) fn proven_reason(&self, health: &LedgerHealth) -> Option<&str> {
        let failed = self.failed.as_ref()?;
        let is_proven = failed.failures >= ATTEMPTS
            && failed.proofs >= PROOFS
            && health.has_recorded_since(failed.last)
            && !health.was_unavailable_since(failed.last);
        is_proven.then_some(failed.reason.as_str())
    }

    fn pause(&self) -> Duration {
        let doublings = self.attempts.saturating_sub(1).min(16);
        LONGEST_PAUSE.min(FIRST_PAUSE * 2_u32.pow(doublings))
    }
}

impl Parked {
    pub(super) fn park(&mut self, job: Job) {
        self.waiting.push((Instant::now() + job.pause(), job));
    }

    /// Those whose pause is over, the ones that failed least first: should many be at fault, the others get their turn.
    pub(super) fn take_due(&mut self) -> Vec<Job> {
        let now = Instant::now();
        let due = self.waiting.extract_if(.., |(at, _)| *at <= now);
        let mut due: Vec<Job> = due.map(|(_, job)| job).collect();
        due.sort_by_key(|job| job.failed.as_ref().map_or(0, |failed| failed.failures));
        due
    }

    /// How long until one is due, if any waits.
    pub(super) fn next_due(&self) -> Option<Duration> {
        let next = self.waiting.iter().map(|(at, _)| *at).min()?;
        Some(next.saturating_duration_since(Instant::now()))
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::entry::EntryId;
    use crate::{BuyerId, OrderId, SaleId};

    /// A job, the ledger's health, and a clock that moves with every event.
    struct Trial {
        job: Job,
        health: LedgerHealth,
        now: Instant,
    }

    impl Trial {
        fn new() -> Self {
            let order = Order {
                id: OrderId(1),
                sale: SaleId(1),
                buyer: BuyerId(1),
                slot: 1,
                granted_at_ms: 0,
                key: None,
            };
            Self {
                job: Job::new(order, DeliveryId::of(EntryId::NONE, 0)),
                health: LedgerHealth::default(),
                now: Instant::now(),
            }
        }

        /// `f` the order fails, `r` another is recorded, `u` the ledger is unavailable.
        fn play(&mut self, events: &str) -> bool {
            for event in events.chars() {
                self.now += Duration::from_secs(3_600);
                match event {
                    'f' => self.job.fail(self.now, "why".to_owned(), &self.health),
                    'r' => self.health.note_recorded(self.now),
                    'u' => self.health.note_unavailable(self.now),
                    other => panic!("{other}"),
                }
            }
            self.job.proven_reason(&self.health).is_some()
        }
    }

    #[test]
    fn an_order_is_proven_at_fault_between_recordings_of_others() {
        assert!(Trial::new().play("fffrfrfr"));
        assert!(Trial::new().play("frfrfrfrfr"));
    }

    #[test]
    fn no_amount_of_time_or_failures_proves_anything_alone() {
        assert!(!Trial::new().play(&"f".repeat(1_000)));
        assert!(!Trial::new().play("rffffffffff"));
    }

    #[test]
    fn a_ledger_that_recovers_after_the_failures_proves_nothing() {
        assert!(!Trial::new().play("ffffffffffr"));
        assert!(!Trial::new().play("ffffffffffrf"));
        assert!(
            !Trial::new().play("fffffrfrf"),
            "nothing recorded after the last"
        );
    }

    #[test]
    fn an_outage_wipes_out_what_was_proven_before() {
        assert!(!Trial::new().play("fffrfrfuf"));
        assert!(!Trial::new().play("fffrfrfur"));
        assert!(!Trial::new().play("fffrfrfufr"));
        assert!(Trial::new().play("fffrfrfuffffrfrfr"));
    }
}
