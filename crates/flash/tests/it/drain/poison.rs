//! Orders that the ledger does not take: they alone are given up, and the others go on.

use flash::{Refused, StockUnit};

use super::*;

#[tokio::test]
async fn a_poison_order_is_found_by_halving_and_dead_lettered_while_the_others_go_on() {
    let yard = Yard::new().await;
    let all = orders(1..1_001);
    for entry in all.chunks(100) {
        yard.grant(entry).await;
    }
    yard.book.switch().choke_on(OrderId(333));
    let drain_worker = yard.drain().await;
    yard.recorded(999).await;
    // The whole, and two halves of each of ten sizes, with as many retries as there was time for.
    let writes = yard.book.write_count() - u64::from(yard.book.switch().tried_alone(OrderId(333)));
    assert!(writes <= 1 + 2 * 10, "{writes} transactions");
    yard.book.change_initial(SALE, 1_000);
    yard.dead_lettered_among(1_001..2_000).await;
    yard.settled().await;
    drain_worker.finish().await;
    let history = yard.book.history();
    let others: Vec<Order> = all.into_iter().filter(|order| order.id.0 != 333).collect();
    assert_eq!(history[..999], others);
    let dead_letter = &yard.book.dead_letters()[0];
    assert_eq!(
        (dead_letter.order.id.0, dead_letter.unit),
        (333, StockUnit::Held)
    );
    assert_eq!(dead_letter.reason, "choked on order 333");
}

#[tokio::test]
async fn an_order_that_is_retried_blocks_no_other() {
    let yard = Yard::new().await;
    yard.book.switch().choke_on(OrderId(1));
    let drain_worker = yard.drain().await;
    yard.grant(&[order(1)]).await;
    wait_until("a second attempt", PATIENCE, async || {
        yard.book.write_count() > 1
    })
    .await;
    yard.grant(&orders(2..10)).await;
    yard.recorded(8).await;
    yard.dead_lettered_among(10..500).await;
    yard.settled().await;
    drain_worker.finish().await;
}

#[tokio::test]
async fn an_order_that_works_in_the_end_is_recorded() {
    let yard = Yard::new().await;
    yard.grant(&orders(1..4)).await;
    yard.book.switch().choke_on(OrderId(2));
    let drain_worker = yard.drain().await;
    yard.recorded(2).await;
    yard.book.switch().swallow_all();
    yard.recorded(3).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert!(yard.book.dead_letters().is_empty());
}

#[tokio::test]
async fn an_order_that_waits_for_its_next_attempt_survives_the_drainer() {
    let yard = Yard::new().await;
    yard.grant(&orders(1..4)).await;
    yard.book.switch().choke_on(OrderId(2));
    let drain_worker = yard.drain().await;
    yard.recorded(2).await;
    drain_worker.kill().await;
    assert_eq!(yard.entries_left().await, 1);
    yard.book.switch().swallow_all();
    let drain_worker = yard.drain().await;
    yard.recorded(3).await;
    yard.settled().await;
    drain_worker.finish().await;
}

#[tokio::test]
async fn orders_that_can_never_be_recorded_are_dead_lettered_at_once() {
    let yard = Yard::new().await;
    let second = Order {
        id: OrderId(2),
        ..order(1)
    };
    let nowhere = Order {
        sale: SaleId(8),
        ..order(3)
    };
    yard.grant(&[order(1), second]).await;
    yard.grant(&[nowhere]).await;
    yard.grant(&[order(4)]).await;
    let drain_worker = yard.drain().await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), [order(1), order(4)]);
    let dead_letters = yard.book.dead_letters();
    let reasons: Vec<&str> = dead_letters
        .iter()
        .map(|dead_letter| dead_letter.reason.as_str())
        .collect();
    let taken = Refused::SlotTaken(OrderId(1)).to_string();
    assert_eq!(reasons, [taken, Refused::NoSuchSale.to_string()]);
    assert!(
        dead_letters
            .iter()
            .all(|dead_letter| dead_letter.unit == StockUnit::Held)
    );
    assert_eq!(yard.book.write_count(), 1);
}

#[tokio::test]
async fn orders_beyond_the_units_of_the_ledger_are_dead_lettered_without_one() {
    let yard = Yard::new().await;
    let small = SaleId(9);
    yard.book.publish(small, open_sale(10));
    let too_many = orders(1..17).into_iter().map(|order| Order {
        sale: small,
        ..order
    });
    yard.grant(&too_many.collect::<Vec<_>>()).await;
    yard.grant(&orders(17..20)).await;
    let drain_worker = yard.drain().await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.live_orders(small).len(), 10);
    assert_eq!(yard.book.live_orders(SALE), orders(17..20));
    let dead_letters = yard.book.dead_letters();
    assert_eq!(dead_letters.len(), 6);
    assert!(
        dead_letters
            .iter()
            .all(|dead_letter| dead_letter.unit == StockUnit::None)
    );
}

#[tokio::test]
async fn a_dead_lettered_order_that_comes_again_stays_dead_lettered() {
    let yard = Yard::new().await;
    yard.grant(&orders(1..3)).await;
    yard.book.switch().choke_on(OrderId(2));
    let drain_worker = yard.drain().await;
    yard.dead_lettered_among(3..500).await;
    yard.book.switch().swallow_all();
    yard.grant(&orders(1..3)).await;
    yard.settled().await;
    drain_worker.finish().await;
    let twice = yard.book.history().into_iter().filter(|it| it.id.0 < 3);
    assert_eq!(twice.collect::<Vec<_>>(), [order(1)]);
}
