//! The ids of one worker number, in memory.
//!
//! Invariants: (millisecond, sequence) only rises, never beyond what is covered, and begins above the floor.

use super::super::IdError;
use super::super::layout::{Millisecond, SEQUENCES};
use crate::OrderId;

/// How far a clock may go back and be waited for. Beyond that ids are refused, so that it is noticed.
const MAX_STEP_BACK_MS: i64 = 1_000;

#[derive(Debug)]
pub(super) struct WorkerIds {
    worker: u16,
    /// The millisecond used last.
    latest_ms: i64,
    /// The next sequence of that millisecond.
    sequence: u16,
    covered_ms: i64,
}

/// The result of taking ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Take {
    Done,
    /// The clock must move on first.
    Wait,
    /// The ledger must cover this millisecond first.
    Cover(i64),
    /// A worker number has to be leased first.
    NoWorker,
}

impl WorkerIds {
    /// Nothing up to the floor is given out.
    pub(super) fn new(worker: u16, floor_ms: i64) -> Self {
        Self {
            worker,
            latest_ms: floor_ms,
            sequence: SEQUENCES,
            covered_ms: floor_ms,
        }
    }

    pub(super) fn worker(&self) -> u16 {
        self.worker
    }

    pub(super) fn covered_ms(&self) -> i64 {
        self.covered_ms
    }

    pub(super) fn cover(&mut self, up_to_ms: i64) {
        self.covered_ms = self.covered_ms.max(up_to_ms);
    }

    /// Appends ids of this millisecond until there are `len`, or returns what must happen first.
    pub(super) fn take(
        &mut self,
        now: Millisecond,
        len: usize,
        ids: &mut Vec<OrderId>,
    ) -> Result<Take, IdError> {
        let behind_ms = self.latest_ms - now.get();
        if behind_ms > MAX_STEP_BACK_MS {
            return Err(IdError::ClockBack { by_ms: behind_ms });
        }
        if ids.len() == len {
            return Ok(Take::Done);
        }
        if behind_ms > 0 {
            return Ok(Take::Wait);
        }
        if now.get() > self.covered_ms {
            return Ok(Take::Cover(now.get()));
        }
        if behind_ms < 0 {
            self.latest_ms = now.get();
            self.sequence = 0;
        }
        while ids.len() < len {
            if self.sequence == SEQUENCES {
                return Ok(Take::Wait);
            }
            ids.push(now.with_sequence(self.worker, self.sequence));
            self.sequence += 1;
        }
        Ok(Take::Done)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// 2022-01-01T00:00:00Z, where milliseconds of ids begin.
    const EPOCH_MS: i64 = 1_640_995_200_000;
    const FLOOR_MS: i64 = 5_000;

    fn at(ms: i64) -> Millisecond {
        Millisecond::at(EPOCH_MS + ms).unwrap()
    }

    proptest! {
        #[test]
        fn ids_rise_above_the_floor_and_stay_below_the_cover_whatever_the_clock_does(
            moves in prop::collection::vec((0_i64..12_000, 0_usize..5_000, any::<bool>()), 1..60),
        ) {
            let mut worker = WorkerIds::new(7, FLOOR_MS);
            let mut ids = Vec::new();
            for (ms, n, is_covered) in moves {
                if is_covered {
                    worker.cover(ms);
                }
                let len = ids.len() + n;
                let before = ids.len();
                let _ = worker.take(at(ms), len, &mut ids);
                prop_assert!(ids[before..].is_empty() || ms <= worker.covered_ms());
            }
            prop_assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(ids.iter().all(|id| *id > at(FLOOR_MS).with_sequence(7, SEQUENCES - 1)));
        }
    }

    #[test]
    fn a_clock_that_goes_back_a_second_is_waited_for_and_more_is_refused() {
        let mut worker = WorkerIds::new(7, FLOOR_MS);
        let mut ids = Vec::new();
        worker.cover(20_000);
        assert_eq!(worker.take(at(10_000), 1, &mut ids).unwrap(), Take::Done);
        assert_eq!(worker.take(at(9_000), 2, &mut ids).unwrap(), Take::Wait);
        let more = worker.take(at(8_999), 2, &mut ids);
        assert!(matches!(more, Err(IdError::ClockBack { by_ms: 1_001 })));
    }

    #[test]
    fn a_millisecond_has_4096_ids() {
        let mut worker = WorkerIds::new(7, FLOOR_MS);
        let mut ids = Vec::new();
        worker.cover(20_000);
        assert_eq!(
            worker.take(at(10_000), 5_000, &mut ids).unwrap(),
            Take::Wait
        );
        assert_eq!(ids.len(), 4_096);
        assert_eq!(
            worker.take(at(10_001), 5_000, &mut ids).unwrap(),
            Take::Done
        );
    }
}
