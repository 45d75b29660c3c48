//! Orders that keep coming share transactions.

use std::time::Instant;

use super::*;

/// What a transaction takes; orders then gather for four times as long.
const TRANSACTION: Duration = Duration::from_millis(10);
/// More than are recorded at once without gathering.
const ORDERS_PER_ENTRY: usize = 20;

#[tokio::test]
async fn a_stream_of_orders_leaves_the_ledger_most_of_the_time() {
    let yard = Yard::new().await;
    yard.book.switch().be_slow(TRANSACTION);
    let drain_worker = yard.drain().await;
    let begun = Instant::now();
    for entry in orders(1..1_001).chunks(ORDERS_PER_ENTRY) {
        yard.grant(entry).await;
        tokio::time::sleep(TRANSACTION).await;
    }
    yard.recorded(1_000).await;
    let cycles = begun.elapsed().as_secs_f64() / (5 * TRANSACTION).as_secs_f64();
    drain_worker.finish().await;
    let sizes = yard.book.switch().sizes();
    // A machine that stands still for a while makes a backlog, which does not gather.
    assert!(
        (sizes.len() as f64) < cycles * 1.5 + 4.0,
        "{cycles}: {sizes:?}"
    );
    assert_eq!(yard.book.history(), orders(1..1_001));
}
