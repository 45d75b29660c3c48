//! What is delivered, how often, and in which order.

use std::collections::BTreeSet;
use std::time::Duration;

use flash::{OrderId, SaleId};
use futures_util::future::join_all;
use testkit::Redis;

use super::super::test_transport::TestTransport;
use super::{LONG, comes_to_rest, records};
use crate::memory_ledger::{Stop, open_sale};

pub(in super::super) async fn every_granted_order_is_recorded_once(transport: TestTransport) {
    let engines = [transport.engine().await, transport.engine().await];
    let sale = transport.open(&engines[0], open_sale(150)).await;
    let sales = [sale, transport.site.publish(sale.0 + 1, open_sale(150))];
    engines[1].preload(sales[1]).await.unwrap();
    let claims = (0..300_i64).map(|buyer| {
        let engine = &engines[usize::from(buyer % 2 == 0)];
        let sale = sales[usize::from(buyer % 3 == 0)];
        engine.buy(sale, buyer)
    });
    let granted: BTreeSet<OrderId> = join_all(claims)
        .await
        .into_iter()
        .filter_map(|outcome| match outcome {
            flash::ClaimOutcome::Granted(order) => Some(order),
            _ => None,
        })
        .collect();
    assert_eq!(
        granted.len(),
        250,
        "one hundred of the first, all of the second"
    );
    records(&transport, &granted).await;
    comes_to_rest(&engines[0]).await;
}

pub(in super::super) async fn orders_of_a_buyer_are_recorded_in_the_order_they_were_granted(
    transport: TestTransport,
) {
    let engine = transport.engine().await;
    let mut terms = open_sale(100);
    terms.limit_per_buyer = 5;
    let sale = transport.open(&engine, terms).await;
    let buyers = (0..20_i64).map(|buyer| {
        let engine = &engine;
        async move {
            let mut orders = Vec::new();
            for _ in 0..5 {
                orders.push(engine.order(sale, buyer).await);
            }
            orders
        }
    });
    let granted = join_all(buyers).await;
    records(&transport, &granted.iter().flatten().copied().collect()).await;
    let history = transport.site.book.history();
    for (buyer, orders) in (0_i64..).zip(granted) {
        let of_buyer = history.iter().filter(|order| order.buyer.0 == buyer);
        let recorded: Vec<OrderId> = of_buyer.map(|order| order.id).collect();
        assert_eq!(recorded, orders, "buyer {buyer}");
    }
}

pub(in super::super) async fn an_entry_that_comes_twice_is_recorded_once(transport: TestTransport) {
    let engine = transport.engine().await;
    let sale = transport.open(&engine, open_sale(10)).await;
    let first = engine.order(sale, 1).await;
    records(&transport, &BTreeSet::from([first])).await;
    let again = format!("1:{first}:1");
    append(&transport, sale, &again).await;
    append(&transport, sale, &again).await;
    let second = engine.order(sale, 2).await;
    records(&transport, &BTreeSet::from([first, second])).await;
    comes_to_rest(&engine).await;
}

pub(in super::super) async fn what_is_recorded_is_settled_with_the_broker(
    transport: TestTransport,
) {
    let mut engine = transport.engine().await;
    let sale = transport.open(&engine, open_sale(10)).await;
    let first = engine.order(sale, 1).await;
    records(&transport, &BTreeSet::from([first])).await;
    comes_to_rest(&engine).await;
    engine.rest().await;
    let drained = async || transport.is_drained().await;
    testkit::wait_until("a drained broker", LONG, drained).await;
}

/// What is not delivered is sent again after some seconds: a drain worker that gets nothing recovers, but visibly.
pub(in super::super) async fn a_group_that_is_new_to_its_broker_is_read_at_once(
    transport: TestTransport,
) {
    let engine = transport.engine().await;
    let sale = transport.open(&engine, open_sale(10)).await;
    let order = engine.order(sale, 1).await;
    records(&transport, &BTreeSet::from([order])).await;
    comes_to_rest(&engine).await;
    assert!(!transport.has_repetitions().await);
}

pub(in super::super) async fn what_a_dead_drain_worker_had_in_hand_comes_again(
    transport: TestTransport,
) {
    let dying = transport.engine().await;
    let sale = transport.open(&dying, open_sale(10)).await;
    dying.order(sale, 1).await;
    comes_to_rest(&dying).await;
    let faults = transport.site.book.switch();
    faults.stop_at(Stop::AfterCommit);
    dying.order(sale, 2).await;
    faults.stopped(1).await;
    dying.order(sale, 3).await;
    drop(dying);
    faults.go_on();

    let heir = transport.engine().await;
    let fourth = heir.order(sale, 4).await;
    let history = || transport.site.book.history();
    testkit::wait_until("the heir", LONG, async || {
        history().iter().any(|order| order.id == fourth)
    })
    .await;
    comes_to_rest(&heir).await;
    let buyers: Vec<i64> = history().iter().map(|order| order.buyer.0).collect();
    assert_eq!(buyers, [1, 2, 3, 4]);
}

pub(in super::super) async fn a_barrier_passes_when_everything_before_it_is_recorded(
    transport: TestTransport,
) {
    let engine = transport.engine().await;
    let sale = transport.open(&engine, open_sale(100)).await;
    transport
        .site
        .book
        .switch()
        .be_slow(Duration::from_millis(20));
    let claims = (0..60_i64).map(|buyer| engine.order(sale, buyer));
    let granted = join_all(claims).await;
    engine.wait_until_drained(LONG).await.unwrap();
    assert_eq!(transport.site.book.order_count(), granted.len());
}

/// What a gate would have written, had it granted this now.
async fn append(transport: &TestTransport, sale: SaleId, items: &str) {
    let mut connection = Redis::shared().await.connection().await;
    let keys = format!("{}{{1}}:", transport.site.prefix);
    let mut pipeline = redis::pipe();
    let entry = pipeline.cmd("XADD").arg(format!("{keys}orders")).arg("*");
    entry.arg("v").arg(1).arg("s").arg(sale.0).arg("t").arg(1);
    entry.arg("n").arg(1).arg("o").arg(items).ignore();
    pipeline.cmd("INCR").arg(format!("{keys}backlog")).ignore();
    let appended: redis::RedisResult<()> = pipeline.query_async(&mut connection).await;
    appended.unwrap();
}
