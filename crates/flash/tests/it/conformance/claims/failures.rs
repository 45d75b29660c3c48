//! What happens when something fails.

use std::collections::BTreeSet;

use flash::OrderId;
use futures_util::future::join_all;
use testkit::{Redis, wait_until};

use super::super::test_transport::TestTransport;
use super::{Crowd, LONG, comes_to_rest, is_turned_away, records, records_more};
use crate::gate_keys::ask;
use crate::memory_ledger::open_sale;
use crate::site::Engine;

/// Orders that may be on their way in the test of back-pressure.
const BACKLOG_LIMIT: u64 = 40;

/// The same where a crowd buys as fast as it can, so that a long outage does not sell everything.
const CROWD_LIMIT: u64 = 1_000;

pub(in super::super) async fn a_poisoned_order_is_dead_lettered_alone(transport: TestTransport) {
    let engine = transport.engine().await;
    let sale = transport.open(&engine, open_sale(10_000)).await;
    let first = engine.order(sale, 0).await;
    records(&transport, &BTreeSet::from([first])).await;

    let book = &transport.site.book;
    book.switch().go_away();
    let claims = (1..=30_i64).map(|buyer| engine.order(sale, buyer));
    let mut granted = join_all(claims).await;
    let poison = granted.swap_remove(17);
    book.switch().choke_on(poison);
    book.switch().come_back();

    // Without others that are recorded nothing shows that the ledger works.
    let mut others = 31..10_000_i64;
    wait_until("a dead letter", LONG, async || {
        if let Some(buyer) = others.next() {
            granted.push(engine.order(sale, buyer).await);
        }
        !book.dead_letters().is_empty()
    })
    .await;
    let dead_lettered: Vec<OrderId> = book
        .dead_letters()
        .iter()
        .map(|dead_letter| dead_letter.order.id)
        .collect();
    assert_eq!(dead_lettered, [poison]);
    granted.push(first);
    records(&transport, &granted.into_iter().collect()).await;
    comes_to_rest(&engine).await;
}

pub(in super::super) async fn an_entry_nobody_can_read_does_not_hold_up_the_next(
    transport: TestTransport,
) {
    let engine = transport.engine().await;
    let sale = transport.open(&engine, open_sale(10)).await;
    let first = engine.order(sale, 1).await;
    records(&transport, &BTreeSet::from([first])).await;

    let mut connection = Redis::shared().await.connection().await;
    let keys = format!("{}{{1}}:", transport.site.prefix);
    let mut garbage = redis::cmd("XADD");
    garbage.arg(format!("{keys}orders")).arg("*");
    garbage.arg("v").arg(b"\xff\xfe");
    let _id: String = garbage.query_async(&mut connection).await.unwrap();
    transport.litter("not an order").await;

    let second = engine.order(sale, 2).await;
    records(&transport, &BTreeSet::from([first, second])).await;
    comes_to_rest(&engine).await;
    let mut kept = redis::cmd("XLEN");
    kept.arg(format!("{keys}dead"));
    let kept: u64 = kept.query_async(&mut connection).await.unwrap();
    assert_eq!(kept, 1, "what the stream had is kept");
    if let Some(letter) = transport.dead_letter().await {
        assert_eq!(letter, "not an order");
    }
}

pub(in super::super) async fn an_entry_of_another_version_waits_and_holds_up_nobody(
    transport: TestTransport,
) {
    let mut engine = transport.engine().await;
    let sale = transport.open(&engine, open_sale(10)).await;
    let mut granted = BTreeSet::from([engine.order(sale, 1).await]);
    records(&transport, &granted).await;

    let mut connection = Redis::shared().await.connection().await;
    let keys = format!("{}{{1}}:", transport.site.prefix);
    let (stream, dead) = (format!("{keys}orders"), format!("{keys}dead"));
    let newer = [
        "XADD", &stream, "*", "v", "2", "n", "1", "whatever", "it is",
    ];
    let newer: String = ask(&mut connection, &newer).await;
    for buyer in 2..4 {
        granted.insert(engine.order(sale, buyer).await);
        records(&transport, &granted).await;
        // The next worker skips it as well.
        engine.rest().await;
        engine.drain();
    }
    let found: Vec<(String, redis::Value)> =
        ask(&mut connection, &["XRANGE", &stream, &newer, &newer]).await;
    assert_eq!(found.len(), 1, "it waits for a process that knows it");
    let kept: u64 = ask(&mut connection, &["XLEN", &dead]).await;
    assert_eq!(kept, 0);
}

pub(in super::super) async fn no_order_is_lost_when_the_broker_restarts_under_load(
    transport: TestTransport,
) {
    let engines = [crowd_engine(&transport).await];
    let sale = transport.open(&engines[0], open_sale(100_000)).await;
    let crowd = Crowd::new(&engines, sale);
    let restart = async {
        records_more(&transport).await;
        transport.go_away().await;
        transport.come_back().await;
        records_more(&transport).await;
        crowd.go_home();
    };
    let (granted, ()) = tokio::join!(join_all((0..4).map(|_| crowd.queue())), restart);
    records(&transport, &granted.into_iter().flatten().collect()).await;
    comes_to_rest(&engines[0]).await;
}

pub(in super::super) async fn a_broker_that_is_away_fills_the_backlog_and_is_caught_up_with(
    transport: TestTransport,
) {
    let engine = transport
        .tuned_engine(|options| options.backlog_limit = BACKLOG_LIMIT)
        .await;
    let sale = transport.open(&engine, open_sale(1_000)).await;
    let mut granted = BTreeSet::from([engine.order(sale, 0).await]);
    records(&transport, &granted).await;

    transport.go_away().await;
    let mut buyers = 1..;
    let mut next = || buyers.next().expect("there are enough people");
    while let Some(order) = is_turned_away(&engine, sale, next()).await {
        granted.insert(order);
    }
    let ahead = u64::try_from(granted.len()).unwrap();
    assert!(ahead >= BACKLOG_LIMIT, "{ahead} were granted");
    assert!(ahead <= 3 * BACKLOG_LIMIT, "{ahead} were granted");
    transport.come_back().await;

    records(&transport, &granted).await;
    wait_until("claims to be taken again", LONG, async || {
        let order = is_turned_away(&engine, sale, next()).await;
        granted.extend(order);
        order.is_some()
    })
    .await;
    records(&transport, &granted).await;
}

pub(in super::super) async fn engines_hand_over_to_each_other_under_load(transport: TestTransport) {
    let mut first = crowd_engine(&transport).await;
    let sale = transport.open(&first, open_sale(100_000)).await;
    let others = [crowd_engine(&transport).await];
    let crowd = Crowd::new(&others, sale);
    let hand_over = async {
        for _ in 0..2 {
            records_more(&transport).await;
            first.rest().await;
            records_more(&transport).await;
            first.drain();
        }
        crowd.go_home();
    };
    let (granted, ()) = tokio::join!(join_all((0..4).map(|_| crowd.queue())), hand_over);
    records(&transport, &granted.into_iter().flatten().collect()).await;
    comes_to_rest(&others[0]).await;
}

async fn crowd_engine(transport: &TestTransport) -> Engine {
    transport
        .tuned_engine(|options| options.backlog_limit = CROWD_LIMIT)
        .await
}
