//! A barrier tells that everything before it is in the ledger: recorded, or dead-lettered.

use flash::BarrierError;

use super::*;

/// What a barrier that must not pass is given to do it nevertheless.
const NOT_YET: Duration = Duration::from_millis(300);

#[tokio::test]
async fn a_barrier_passes_when_everything_before_it_is_in_the_ledger() {
    let yard = Yard::new().await;
    let drain_worker = yard.drain().await;
    drain_worker
        .flash
        .wait_until_drained(PATIENCE)
        .await
        .unwrap();
    for round in 1..5 {
        yard.grant(&orders(round * 100..round * 100 + 100)).await;
        drain_worker
            .flash
            .wait_until_drained(PATIENCE)
            .await
            .unwrap();
        assert_eq!(
            yard.book.order_count(),
            usize::try_from(round).unwrap() * 100
        );
    }
    yard.settled().await;
    drain_worker.finish().await;
}

#[tokio::test]
async fn a_barrier_does_not_pass_before_the_commit() {
    let yard = Yard::new().await;
    yard.grant(&[order(1)]).await;
    yard.book.switch().stop_at(Stop::BeforeCommit);
    let drain_worker = yard.drain().await;
    yard.stands_still(1).await;
    let early = drain_worker.flash.wait_until_drained(NOT_YET).await;
    assert!(matches!(early, Err(BarrierError::TimedOut)), "{early:?}");
    yard.book.switch().go_on();
    drain_worker
        .flash
        .wait_until_drained(PATIENCE)
        .await
        .unwrap();
    assert_eq!(yard.book.order_count(), 1);
    drain_worker.finish().await;
}

#[tokio::test]
async fn a_barrier_waits_for_an_order_that_is_tried_again() {
    let yard = Yard::new().await;
    yard.book.switch().choke_on(OrderId(2));
    let drain_worker = yard.drain().await;
    yard.grant(&orders(1..4)).await;
    yard.recorded(2).await;
    let early = drain_worker.flash.wait_until_drained(NOT_YET).await;
    assert!(matches!(early, Err(BarrierError::TimedOut)), "{early:?}");
    // It ends by being dead-lettered, when others show that the ledger works.
    let drained = drain_worker.flash.wait_until_drained(PATIENCE);
    let (drained, ()) = tokio::join!(drained, yard.dead_lettered_among(4..500));
    drained.unwrap();
    assert_eq!(yard.book.dead_letters().len(), 1);
    drain_worker.finish().await;
}

#[tokio::test]
async fn a_drain_worker_that_was_replaced_passes_no_barrier() {
    use flash::{DrainLease, Ledger as _, Partition};
    let yard = Yard::new().await;
    let drain_worker = yard.drain().await;
    drain_worker
        .flash
        .wait_until_drained(PATIENCE)
        .await
        .unwrap();
    let highest = DrainLease {
        partition: Partition(0),
        fence: i64::MAX,
    };
    yard.book.take_drain_lease(highest).await.unwrap();
    let answer = drain_worker.flash.wait_until_drained(NOT_YET).await;
    assert!(matches!(answer, Err(BarrierError::TimedOut)), "{answer:?}");
    drain_worker.finish().await;
}

#[tokio::test]
async fn without_a_drain_worker_there_is_no_answer() {
    let yard = Yard::new().await;
    let flash = yard.engine().await;
    let answer = flash.wait_until_drained(NOT_YET).await;
    assert!(matches!(answer, Err(BarrierError::TimedOut)), "{answer:?}");
}
