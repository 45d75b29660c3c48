//! Blocks of counts in memory.
//!
//! Invariants: a count is used once, and only with a second of the day it was counted on; the seconds never go back.

use std::collections::VecDeque;

use super::super::{IdError, layout::Day, layout::Second};
use crate::OrderId;

/// How far the clock may be behind the latest second used. A time correction is smaller; a larger step is a mistake that
/// should be noticed, rather than produce ids with a wrong time.
const MAX_STEP_BACK_SECS: i64 = 60;

/// Counts of one day that belong to this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IdBlock {
    pub(super) day: Day,
    pub(super) next: i64,
    pub(super) last: i64,
}

#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The latest second used; days before it are over.
    latest: Option<Second>,
    blocks: VecDeque<IdBlock>,
}

impl Blocks {
    /// The second for ids given out at this time: now, or the latest used.
    pub(super) fn tick(&mut self, now: Second) -> Result<Second, IdError> {
        let second = self.latest.map_or(now, |latest| latest.max(now));
        let behind_secs = second.secs_after(now);
        if behind_secs > MAX_STEP_BACK_SECS {
            return Err(IdError::ClockBack {
                by_ms: behind_secs * 1000,
            });
        }
        self.latest = Some(second);
        self.blocks.retain(|block| block.day >= second.day());
        Ok(second)
    }

    /// Appends up to `n` ids of this second, which [`tick`](Self::tick) gave.
    pub(super) fn take(&mut self, second: Second, n: usize, ids: &mut Vec<OrderId>) {
        let mut wanted = i64::try_from(n).unwrap_or(i64::MAX);
        for block in &mut self.blocks {
            if block.day == second.day() {
                let taken = wanted.min(block.left());
                let counts = block.next..block.next + taken;
                block.next += taken;
                wanted -= taken;
                ids.extend(counts.map(|count| second.with_count(count)));
            }
        }
        self.blocks.retain(|block| block.left() > 0);
    }

    /// How many ids of a day are left.
    pub(super) fn left(&self, day: Day) -> i64 {
        let blocks = self.blocks.iter().filter(|block| block.day == day);
        blocks.map(IdBlock::left).sum()
    }

    pub(super) fn add(&mut self, block: IdBlock) {
        self.blocks.push_back(block);
    }
}

impl IdBlock {
    fn left(&self) -> i64 {
        self.last + 1 - self.next
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use proptest::prelude::*;

    use super::*;

    /// Midnight of some day, and how far the clock may wander from it in either direction.
    const MIDNIGHT_MS: i64 = 1_794_700_800_000;
    const WANDERING_MS: i64 = 100_000;

    proptest! {
        #[test]
        fn ids_are_distinct_and_rise_while_the_clock_jumps_around_midnight(
            moves in prop::collection::vec((-WANDERING_MS..WANDERING_MS, 1_usize..40, 1_i64..30), 1..80),
        ) {
            let mut blocks = Blocks::default();
            let mut counters = BTreeMap::<Day, i64>::new();
            let mut ids = Vec::new();
            for (offset_ms, n, size) in moves {
                let now = Second::at(MIDNIGHT_MS + offset_ms).unwrap();
                let Ok(second) = blocks.tick(now) else { continue };
                let counter = counters.entry(second.day()).or_default();
                blocks.add(IdBlock { day: second.day(), next: *counter + 1, last: *counter + size });
                *counter += size;
                blocks.take(second, n, &mut ids);
            }
            let distinct: HashSet<_> = ids.iter().collect();
            prop_assert_eq!(distinct.len(), ids.len());
            prop_assert!(ids.is_sorted());
        }
    }

    #[test]
    fn a_block_is_not_used_on_another_day() {
        let mut blocks = Blocks::default();
        let before = blocks.tick(Second::at(MIDNIGHT_MS - 1).unwrap()).unwrap();
        blocks.add(IdBlock {
            day: before.day(),
            next: 1,
            last: 10,
        });
        let after = blocks.tick(Second::at(MIDNIGHT_MS).unwrap()).unwrap();
        let mut ids = Vec::new();
        blocks.take(after, 10, &mut ids);
        assert!(ids.is_empty());
        assert_eq!(blocks.left(before.day()), 0);
    }

    #[test]
    fn a_clock_that_goes_back_a_minute_is_tolerated_and_more_is_refused() {
        let mut blocks = Blocks::default();
        let latest = blocks.tick(Second::at(MIDNIGHT_MS).unwrap()).unwrap();
        let minute_before = Second::at(MIDNIGHT_MS - 60_000).unwrap();
        assert_eq!(blocks.tick(minute_before).unwrap(), latest);
        let more = blocks.tick(Second::at(MIDNIGHT_MS - 61_000).unwrap());
        assert!(matches!(more, Err(IdError::ClockBack { by_ms: 61_000 })));
    }
}
