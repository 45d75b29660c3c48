//! What the drain loops of a process know about the ledger: when it last recorded an order, and when it was last
//! unavailable.
//!
//! An order is dead-lettered only on evidence that the ledger works and that this order alone fails. All partitions write
//! to one ledger, so they share the evidence.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

#[derive(Debug, Default)]
pub(crate) struct LedgerHealth {
    last: Mutex<Last>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Last {
    /// When the latest transaction began that recorded a new order.
    recorded: Option<Instant>,
    /// When the ledger was last found unavailable.
    unavailable: Option<Instant>,
}

impl LedgerHealth {
    /// A transaction that began at this moment recorded a new order. One that found all of its orders recorded already
    /// wrote nothing, and is no evidence.
    pub(super) fn note_recorded(&self, begun: Instant) {
        let mut last = self.last();
        last.recorded = last.recorded.max(Some(begun));
    }

    pub(super) fn note_unavailable(&self, at: Instant) {
        let mut last = self.last();
        last.unavailable = last.unavailable.max(Some(at));
    }

    pub(super) fn has_recorded_since(&self, moment: Instant) -> bool {
        self.last().recorded.is_some_and(|at| at >= moment)
    }

    pub(super) fn was_unavailable_since(&self, moment: Instant) -> bool {
        self.last().unavailable.is_some_and(|at| at >= moment)
    }

    fn last(&self) -> MutexGuard<'_, Last> {
        // A panic cannot leave the two instants half written.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
