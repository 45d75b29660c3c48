//! How long orders gather between two transactions.
//!
//! A transaction has a fixed price: its flush to the disk, and the pages that its first orders change. A loop that begins the
//! next one at once, while orders keep coming, pays it for a few dozen orders each time, and takes the processor from the claims that
//! the same machine serves. So orders gather for a few times as long as a transaction takes: the ledger is busy for a fifth
//! of the time, and under a heavier load transactions grow instead of following each other faster. Nothing gathers behind a backlog,
//! and a few orders are recorded at once.

use std::time::Duration;

/// A transaction of so few orders costs nobody much, and its successor need not wait.
const FEW_ORDERS: usize = 16;

/// Orders gather for so many times as long as the last transaction took.
const TIMES_AS_LONG: u32 = 4;

/// How much later an order may be recorded: nobody notices it, and a page asks for its order after longer.
const LONGEST: Duration = Duration::from_millis(50);

/// How long orders gather after a transaction of so many, behind which none wait.
pub(super) fn gather_for(orders: usize, took: Duration) -> Duration {
    match orders {
        0..=FEW_ORDERS => Duration::ZERO,
        _ => (took * TIMES_AS_LONG).min(LONGEST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn a_few_orders_are_recorded_at_once() {
        assert_eq!(gather_for(1, MILLISECOND), Duration::ZERO);
        assert_eq!(gather_for(FEW_ORDERS, 20 * MILLISECOND), Duration::ZERO);
    }

    #[test]
    fn a_stream_of_orders_leaves_the_ledger_four_fifths_of_the_time() {
        assert_eq!(gather_for(100, 5 * MILLISECOND), 20 * MILLISECOND);
    }

    #[test]
    fn a_slow_ledger_delays_nothing_much() {
        assert_eq!(gather_for(3_000, Duration::from_secs(1)), LONGEST);
    }
}
