//! A ledger that fails everything and recovers, at the worst moments: no order is blamed for it.

use super::*;

/// As often as an order that is at fault itself has to fail.
const MANY_FAILURES: u32 = 5;

#[tokio::test]
async fn a_ledger_that_recovers_in_the_middle_of_a_pass_dead_letters_nothing() {
    let yard = Yard::new().await;
    yard.book.switch().fail_writes(u64::MAX);
    yard.grant(&[order(1)]).await;
    let drain_worker = yard.drain().await;
    wait_until("an order to fail often", PATIENCE, async || {
        yard.book.switch().tried_alone(OrderId(1)) >= MANY_FAILURES
    })
    .await;
    for entry in orders(2..201).chunks(40) {
        yard.grant(entry).await;
    }
    wait_until("the others to fail", PATIENCE, async || {
        (2..201).any(|id| yard.book.switch().tried_alone(OrderId(id)) >= 1)
    })
    .await;
    // Space returns after a few more attempts, with most of the pass ahead.
    yard.book.switch().fail_writes(3);
    yard.recorded(200).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert!(yard.book.dead_letters().is_empty());
}

#[tokio::test]
async fn a_ledger_that_fails_now_and_then_dead_letters_nothing() {
    let yard = Yard::new().await;
    let drain_worker = yard.drain().await;
    for (round, entry) in (1_u64..).zip(orders(1..201).chunks(20)) {
        // Between one write and twenty, so that it recovers at any place of a pass.
        yard.book.switch().fail_writes(1 + round * 7 % 20);
        yard.grant(entry).await;
        yard.recorded(usize::try_from(round).unwrap() * 20 - 19)
            .await;
    }
    yard.recorded(200).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert!(yard.book.dead_letters().is_empty());
}

#[tokio::test]
async fn a_drain_loop_that_panics_is_restarted_and_counted() {
    let figures = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    let _in_force = metrics::set_default_local_recorder(&figures);
    let yard = Yard::new().await;
    yard.book.switch().panic_writes(3);
    yard.grant(&orders(1..50)).await;
    let drain_worker = yard.drain().await;
    yard.recorded(49).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..50));
    let page = figures.handle().render();
    let panics = "supervised_task_panics_total{task=\"order drain 0\"} 3";
    assert!(page.lines().any(|line| line == panics), "{page}");
}

#[tokio::test]
async fn an_order_that_fails_for_long_alone_is_not_dead_lettered() {
    let yard = Yard::new().await;
    yard.grant(&[order(1)]).await;
    yard.book.switch().choke_on(OrderId(1));
    let drain_worker = yard.drain().await;
    wait_until("many attempts", PATIENCE, async || {
        yard.book.switch().tried_alone(OrderId(1)) >= MANY_FAILURES
    })
    .await;
    assert!(yard.book.dead_letters().is_empty());
    // Others that are recorded once show that the ledger works, and the order is tried once more.
    yard.book.switch().swallow_all();
    yard.grant(&orders(2..5)).await;
    yard.recorded(4).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert!(yard.book.dead_letters().is_empty());
}

#[tokio::test]
async fn a_failing_ledger_is_not_called_for_every_order() {
    let yard = Yard::new().await;
    yard.book.switch().fail_writes(u64::MAX);
    yard.grant(&orders(1..801)).await;
    let drain_worker = yard.drain().await;
    wait_until("three rounds", PATIENCE, async || {
        yard.book
            .switch()
            .sizes()
            .iter()
            .filter(|size| **size > 400)
            .count()
            >= 3
    })
    .await;
    let writes = yard.book.write_count();
    assert!(writes <= 60, "{writes} transactions in three rounds");
    yard.book.switch().fail_writes(0);
    yard.recorded(800).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert!(yard.book.dead_letters().is_empty());
}
