//! A ledger that is slow, or shared with others: transactions fit it, and orders come no faster than they may.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Instant;

use super::*;

#[tokio::test]
async fn a_transaction_that_takes_too_long_is_halved_until_it_fits() {
    let yard = Yard::new().await;
    yard.book.switch().time_out_beyond(30);
    for entry in orders(1..501).chunks(50) {
        yard.grant(entry).await;
    }
    let drain_worker = yard.drain().await;
    yard.recorded(500).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..501));
    assert!(yard.book.dead_letters().is_empty());
}

#[tokio::test]
async fn an_order_without_an_answer_blocks_no_other() {
    let yard = Yard::new().await;
    yard.book.switch().never_answer(OrderId(5));
    yard.grant(&orders(1..21)).await;
    let drain_worker = yard.drain().await;
    yard.recorded(19).await;
    yard.grant(&orders(21..31)).await;
    yard.recorded(29).await;
    assert!(
        yard.book.dead_letters().is_empty(),
        "an outage is no fault of the order"
    );
    yard.book.switch().swallow_all();
    yard.recorded(30).await;
    yard.settled().await;
    drain_worker.finish().await;
}

#[tokio::test]
async fn transactions_are_no_larger_than_the_setting_says() {
    let mut yard = Yard::new().await;
    yard.drain.batch_limit = NonZeroUsize::new(7).unwrap();
    yard.grant(&orders(1..101)).await;
    let drain_worker = yard.drain().await;
    yard.recorded(100).await;
    drain_worker.finish().await;
    let sizes = yard.book.switch().sizes();
    assert!(sizes.iter().all(|size| *size <= 7), "{sizes:?}");
    assert_eq!(yard.book.history(), orders(1..101));
}

#[tokio::test]
async fn orders_come_no_faster_than_the_ceiling() {
    let mut yard = Yard::new().await;
    yard.drain.orders_per_sec = NonZeroU32::new(100);
    yard.grant(&orders(1..301)).await;
    let begun = Instant::now();
    let drain_worker = yard.drain().await;
    yard.recorded(300).await;
    // The last hundred may begin two seconds after the first.
    assert!(begun.elapsed() >= Duration::from_secs(2));
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..301));
}

#[tokio::test]
async fn partitions_take_turns_where_only_one_transaction_may_run() {
    let mut yard = Yard::at(&Redis::shared().await.url(), 3).await;
    yard.drain.parallel = NonZeroUsize::new(1).unwrap();
    yard.book.switch().be_slow(Duration::from_millis(20));
    for (partition, entry) in (0..3).zip(orders(1..31).chunks(10)) {
        yard.grant_in(partition, entry).await;
    }
    let drain_worker = yard.drain().await;
    yard.recorded(30).await;
    drain_worker.finish().await;
    assert_eq!(yard.book.switch().most_at_once(), 1);
}
