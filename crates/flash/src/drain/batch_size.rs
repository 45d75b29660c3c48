//! How many orders go into one transaction: as many as the ledger records within [`TARGET`], never more than the setting.
//!
//! A transaction that is too large for a slow ledger times out, and would do so for ever at the same size. So every
//! attempt without an answer halves the size, and the duration of every other one is measured.

use std::time::Duration;

/// How long a transaction should take at most. Far below the time limit of a query, and long enough that its fixed costs
/// are negligible.
const TARGET: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct BatchSize {
    orders: usize,
    limit: usize,
}

impl BatchSize {
    pub(super) fn new(limit: usize) -> Self {
        let limit = limit.max(1);
        Self {
            orders: limit,
            limit,
        }
    }

    /// How many of `waiting` orders the next transaction takes: all of them, or an even share.
    pub(super) fn share_of(&self, waiting: usize) -> usize {
        let transactions = waiting.div_ceil(self.orders).max(1);
        waiting.div_ceil(transactions)
    }

    /// A transaction of this many orders was answered.
    pub(super) fn answered(&mut self, orders: usize, took: Duration) {
        if took > TARGET {
            // Never less than half: one slow answer may have other reasons.
            let fitting = TARGET.as_secs_f64() / took.as_secs_f64();
            let numerator = (fitting * 1_000.0).clamp(500.0, 1_000.0).round();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a number between 500 and 1000"
            )]
            let per_mille = numerator as usize;
            self.orders = (orders * per_mille / 1_000).max(1);
        } else if orders >= self.orders {
            self.orders = (self.orders * 2).min(self.limit);
        }
    }

    /// A transaction of this many orders was not answered, or not in time.
    pub(super) fn unanswered(&mut self, orders: usize) {
        self.orders = (orders / 2).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_split_evenly_over_as_few_transactions_as_possible() {
        let size = BatchSize::new(4_000);
        assert_eq!(size.share_of(0), 0);
        assert_eq!(size.share_of(4_000), 4_000);
        assert_eq!(size.share_of(4_001), 2_001);
    }

    #[test]
    fn timeouts_halve_the_size_down_to_one_order() {
        let mut size = BatchSize::new(4_000);
        let mut tried = Vec::new();
        for _ in 0..14 {
            tried.push(size.share_of(4_000));
            size.unanswered(size.share_of(4_000));
        }
        assert_eq!(&tried[..4], [4_000, 2_000, 1_000, 500]);
        assert_eq!(tried.last(), Some(&1));
    }

    #[test]
    fn the_size_follows_the_measured_duration_within_its_limit() {
        let mut size = BatchSize::new(4_000);
        size.answered(4_000, TARGET * 4 / 3);
        assert_eq!(size.orders, 3_000);
        size.answered(3_000, TARGET * 10);
        assert_eq!(size.orders, 1_500, "at most halved at a time");
        size.answered(10, TARGET / 100);
        assert_eq!(size.orders, 1_500, "a small transaction says nothing");
        for _ in 0..3 {
            size.answered(size.orders, TARGET / 100);
        }
        assert_eq!(size.orders, 4_000);
    }
}
