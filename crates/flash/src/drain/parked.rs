//! Orders that were not recorded and wait for a retry while everything else goes on; and the evidence that an order
//! itself is at fault.
//!
//! Time alone proves nothing: a ledger may be broken for days. An order is dead-lettered only if
//! 1. it failed [`ATTEMPTS`] times alone, without an outage of the ledger in between,
//! 2. [`PROOFS`] of these failures came after another order had been recorded since the failure before: the retry was
//!    alone, and the ledger was known to work,
//! 3. and another order was recorded after the last failure: the ledger worked before and after it.

use std::time::{Duration, Instant};

use supervise::Backoff;

use super::health::LedgerHealth;
use super::in_flight::DeliveryId;
use crate::Order;

/// How often an order must fail.
const ATTEMPTS: u32 = 5;

/// How many of its failures must follow the recording of another order.
const PROOFS: u32 = 2;

/// Pause after the first failure; it doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause: an order is recorded within this time after its cause is repaired.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// An order that is to be recorded, with its failures so far.
#[derive(Clone, Debug)]
pub(super) struct PendingOrder {
    pub(super) order: Order,
    pub(super) from: DeliveryId,
    /// Attempts without success, whatever the reason.
    attempts: u32,
    evidence: Option<Evidence>,
}

/// The evidence against an order.
#[derive(Clone, Debug)]
struct Evidence {
    failures: u32,
    proofs: u32,
    last: Instant,
    reason: String,
}

#[derive(Debug, Default)]
pub(super) struct ParkedOrders {
    waiting: Vec<(Instant, PendingOrder)>,
}

impl PendingOrder {
    pub(super) fn new(order: Order, from: DeliveryId) -> Self {
        Self {
            order,
            from,
            attempts: 0,
            evidence: None,
        }
    }

    pub(super) fn is_first_attempt(&self) -> bool {
        self.attempts == 0
    }

    /// Counts a failure of the order alone, at this moment.
    pub(super) fn fail(&mut self, at: Instant, reason: String, health: &LedgerHealth) {
        self.attempts += 1;
        let before = self.evidence.take();
        // Failures from before an outage may have been its first signs.
        let before = before.filter(|before| !health.was_unavailable_since(before.last));
        let (failures, proofs) = before.map_or((0, 0), |before| {
            let is_proof = health.has_recorded_since(before.last);
            (before.failures, before.proofs + u32::from(is_proof))
        });
        self.evidence = Some(Evidence {
            failures: failures + 1,
            proofs,
            last: at,
            reason,
        });
    }

    /// Counts an attempt that the ledger did not answer, which is no evidence against the order.
    pub(super) fn postpone(&mut self) {
        self.attempts += 1;
    }

    /// Why the order is to be dead-lettered, if that is proven.
    pub(super) fn proven_reason(&self, health: &LedgerHealth) -> Option<&str> {
        let evidence = self.evidence.as_ref()?;
        let is_proven = evidence.failures >= ATTEMPTS
            && evidence.proofs >= PROOFS
            && health.has_recorded_since(evidence.last)
            && !health.was_unavailable_since(evidence.last);
        is_proven.then_some(evidence.reason.as_str())
    }

    fn pause(&self) -> Duration {
        Backoff::new(FIRST_PAUSE, LONGEST_PAUSE).delay_after(self.attempts)
    }
}

impl ParkedOrders {
    pub(super) fn park(&mut self, pending: PendingOrder) {
        self.waiting
            .push((Instant::now() + pending.pause(), pending));
    }

    /// Orders whose pause is over, those with the fewest failures first: if many are at fault, the others are tried first.
    pub(super) fn take_due(&mut self) -> Vec<PendingOrder> {
        let now = Instant::now();
        let due = self.waiting.extract_if(.., |(at, _)| *at <= now);
        let mut due: Vec<PendingOrder> = due.map(|(_, pending)| pending).collect();
        due.sort_by_key(|pending| {
            pending
                .evidence
                .as_ref()
                .map_or(0, |evidence| evidence.failures)
        });
        due
    }

    /// How long until the next order is due, if any is parked.
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

    /// An order, the ledger's health, and a clock that advances with every event.
    struct Trial {
        pending: PendingOrder,
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
                pending: PendingOrder::new(order, DeliveryId::of(EntryId::NONE, 0)),
                health: LedgerHealth::default(),
                now: Instant::now(),
            }
        }

        /// `f` the order fails, `r` another is recorded, `u` the ledger is unavailable.
        fn play(&mut self, events: &str) -> bool {
            for event in events.chars() {
                self.now += Duration::from_secs(3_600);
                match event {
                    'f' => self.pending.fail(self.now, "why".to_owned(), &self.health),
                    'r' => self.health.note_recorded(self.now),
                    'u' => self.health.note_unavailable(self.now),
                    other => panic!("{other}"),
                }
            }
            self.pending.proven_reason(&self.health).is_some()
        }
    }

    #[test]
    fn an_order_is_proven_at_fault_between_recordings_of_others() {
        assert!(Trial::new().play("fffrfrfr"));
        assert!(Trial::new().play("frfrfrfrfr"));
    }

    #[test]
    fn time_and_failures_alone_prove_nothing() {
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
    fn an_outage_discards_the_evidence_before_it() {
        assert!(!Trial::new().play("fffrfrfuf"));
        assert!(!Trial::new().play("fffrfrfur"));
        assert!(!Trial::new().play("fffrfrfufr"));
        assert!(Trial::new().play("fffrfrfuffffrfrfr"));
    }
}
