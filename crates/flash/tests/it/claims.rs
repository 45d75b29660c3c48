//! What claimants are promised: no oversell, no undersell, one order each, the same answer to the same question.

use std::collections::HashSet;
use std::time::Duration;

use flash::{BuyerId, ClaimError, ClaimOutcome, Flash, OrderId, SaleId, SalePhase, StateError};
use futures_util::future::join_all;
use testkit::{Redis, RedisCluster, wait_for, wait_until};

use crate::memory_ledger::{MemoryLedger, open_sale};
use crate::site::{PATIENCE, Site, keyed, wish};

/// Everybody of a crowd claims at once, each in a task, through one engine or the other.
async fn crowd(
    engines: &[&Flash<MemoryLedger>],
    sale: SaleId,
    buyers: i64,
) -> Vec<(i64, ClaimOutcome)> {
    let claims = (1..=buyers).zip(engines.iter().cycle());
    let claims = claims.map(|(buyer, engine)| {
        let engine = Flash::clone(engine);
        // A buyer who is refused as busy, or gets no outcome on a busy machine, retries.
        let claim = async move || engine.claim(wish(sale, buyer)).await.ok();
        tokio::spawn(async move { (buyer, wait_for("an outcome", PATIENCE, claim).await) })
    });
    let outcomes = join_all(claims.collect::<Vec<_>>()).await;
    outcomes.into_iter().map(Result::unwrap).collect()
}

fn granted(outcomes: &[(i64, ClaimOutcome)]) -> HashSet<OrderId> {
    let mut orders = HashSet::new();
    for (buyer, outcome) in outcomes {
        match outcome {
            ClaimOutcome::Granted(order) => assert!(orders.insert(*order), "{order} twice"),
            ClaimOutcome::SoldOut => {}
            other => panic!("buyer {buyer} got {other:?}"),
        }
    }
    orders
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_claimants_of_a_hundred_units_get_exactly_a_hundred() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(100));
    let (one, other) = (site.engine().await, site.engine().await);
    let outcomes = crowd(&[&one, &other], sale, 10_000).await;
    let orders = granted(&outcomes);
    assert_eq!(orders.len(), 100);
    one.wait_until_drained(PATIENCE).await.unwrap();
    let recorded = site.book.live_orders(sale);
    let recorded: HashSet<OrderId> = recorded.iter().map(|order| order.id).collect();
    assert_eq!(recorded, orders);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_spread_over_a_cluster_sells_out_exactly() {
    let site = Site::at(RedisCluster::shared().await.url());
    let mut terms = open_sale(100);
    terms.spread = 3;
    let sale = site.publish(1, terms);
    let (one, other) = (site.engine().await, site.engine().await);
    let outcomes = crowd(&[&one, &other], sale, 2_000).await;
    assert_eq!(granted(&outcomes).len(), 100);
}

#[tokio::test]
async fn five_clicks_under_one_key_are_one_order_with_one_answer() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(10));
    let (one, other) = (site.engine().await, site.engine().await);
    let engines = [&one, &other, &one, &other, &one];
    let clicks = engines.map(|engine| engine.claim(keyed(sale, 7, 99)));
    let answers: HashSet<ClaimOutcome> = join_all(clicks)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(matches!(
        answers.iter().next(),
        Some(ClaimOutcome::Granted(_))
    ));
    assert_eq!(one.stocks(&[sale]).await.unwrap(), [Some(9)]);
}

#[tokio::test]
async fn five_clicks_without_a_key_are_one_order_that_every_answer_names() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(10));
    let (one, other) = (site.engine().await, site.engine().await);
    let engines = [&one, &other, &one, &other, &one];
    let clicks = engines.map(|engine| engine.claim(wish(sale, 7)));
    let answers: Vec<ClaimOutcome> = join_all(clicks)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let order = answers.iter().find_map(|answer| match answer {
        ClaimOutcome::Granted(order) => Some(*order),
        _ => None,
    });
    let order = order.unwrap();
    let grants = answers
        .iter()
        .filter(|answer| **answer == ClaimOutcome::Granted(order));
    assert_eq!(grants.count(), 1, "{answers:?}");
    let others = answers
        .iter()
        .filter(|answer| **answer == ClaimOutcome::AlreadyBought(order));
    assert_eq!(others.count(), 4, "{answers:?}");
    assert_eq!(one.stocks(&[sale]).await.unwrap(), [Some(9)]);
}

#[tokio::test]
async fn a_limit_of_two_is_two_orders_and_one_per_key() {
    let site = Site::new().await;
    let mut terms = open_sale(10);
    terms.limit_per_buyer = 2;
    let sale = site.publish(1, terms);
    let engine = site.engine().await;
    let first = engine.claim(keyed(sale, 7, 1)).await.unwrap();
    assert_eq!(engine.claim(keyed(sale, 7, 1)).await.unwrap(), first);
    let second = engine.order(sale, 7).await;
    assert_ne!(first, ClaimOutcome::Granted(second));
    assert_eq!(
        engine.buy(sale, 7).await,
        ClaimOutcome::AlreadyBought(second)
    );
}

#[tokio::test]
async fn a_sale_that_does_not_exist_is_said_not_to() {
    let site = Site::new().await;
    let engine = site.engine().await;
    let answer = engine.claim(wish(SaleId(404), 1)).await;
    assert_eq!(answer, Err(ClaimError::NoSuchSale));
    assert_eq!(engine.state(SaleId(404), None).await.unwrap(), None);
    assert_eq!(engine.stocks(&[SaleId(404)]).await.unwrap(), [None]);
}

/// The time by the server's clock, which is this machine's.
fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

#[tokio::test]
async fn a_sale_begins_at_its_moment_by_the_servers_clock() {
    let site = Site::new().await;
    let mut terms = open_sale(10);
    terms.begin_ms = now_ms() + 3_600_000;
    let sale = site.publish(1, terms);
    let engine = site.engine().await;
    assert_eq!(engine.buy(sale, 1).await, ClaimOutcome::NotStarted);
    let begin_ms = now_ms() + 1_000;
    site.book.change(sale, |terms| terms.begin_ms = begin_ms);
    engine.amend(sale).await.unwrap();
    let order = wait_for_grant(&engine, sale, 1).await;
    let late_ms = now_ms() - begin_ms;
    assert!(late_ms >= 0, "granted {} ms early", -late_ms);
    assert!(late_ms < 900, "the answer before was kept too long");
    assert_eq!(
        engine.buy(sale, 1).await,
        ClaimOutcome::AlreadyBought(order)
    );
}

async fn wait_for_grant(engine: &Flash<MemoryLedger>, sale: SaleId, buyer: i64) -> OrderId {
    testkit::wait_for("a grant", PATIENCE, async || {
        match engine.claim(wish(sale, buyer)).await.unwrap() {
            ClaimOutcome::Granted(order) => Some(order),
            _ => None,
        }
    })
    .await
}

#[tokio::test]
async fn a_sale_that_ended_still_knows_its_buyers() {
    let site = Site::new().await;
    let mut terms = open_sale(10);
    terms.end_ms = now_ms() + 2_000;
    let sale = site.publish(1, terms);
    let engine = site.engine().await;
    let order = engine.order(sale, 1).await;
    let over = async || now_ms() >= terms.end_ms;
    wait_until("the end of the sale", PATIENCE, over).await;
    assert_eq!(engine.buy(sale, 3).await, ClaimOutcome::Ended);
    assert_eq!(engine.buy(sale, 4).await, ClaimOutcome::Ended);
    assert_eq!(
        engine.buy(sale, 1).await,
        ClaimOutcome::AlreadyBought(order)
    );
    let state = engine.state(sale, Some(BuyerId(1))).await.unwrap().unwrap();
    assert_eq!((state.phase, state.orders), (SalePhase::Ended, vec![order]));
}

#[tokio::test]
async fn state_and_stock_are_those_of_the_gate_once_there_is_one() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    let before = engine.state(sale, Some(BuyerId(1))).await.unwrap().unwrap();
    assert_eq!((before.phase, before.stock), (SalePhase::Open, 2));
    let order = engine.order(sale, 1).await;
    engine.order(sale, 2).await;
    let after = engine.state(sale, Some(BuyerId(1))).await.unwrap().unwrap();
    assert_eq!(
        (after.phase, after.stock, after.orders),
        (SalePhase::SoldOut, 0, vec![order])
    );
    assert!((after.now_ms - now_ms()).abs() < 5_000);
    let unloaded = site.publish(2, open_sale(5));
    let stocks = engine.stocks(&[unloaded, sale, SaleId(3)]).await.unwrap();
    assert_eq!(stocks, [None, Some(0), None]);
}

#[tokio::test]
async fn an_order_on_its_way_is_found_by_its_buyer_in_every_process() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let (one, other) = (site.engine().await, site.engine().await);
    let order = one.order(sale, 1).await;
    for engine in [&one, &other] {
        assert_eq!(found(engine, 1, order).await.unwrap(), Some(sale));
        assert_eq!(found(engine, 2, order).await.unwrap(), None);
        assert_eq!(found(engine, 1, OrderId(5)).await.unwrap(), None);
    }
}

#[tokio::test]
async fn an_order_on_its_way_is_found_although_its_gate_is_lost() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, open_sale(2));
    let one = site.idle_engine(|_| {}).await;
    let mut drain_worker = site.engine().await;
    let first = one.order(sale, 1).await;
    drain_worker.wait_until_drained(PATIENCE).await.unwrap();
    drain_worker.rest().await;
    let order = one.order(sale, 2).await;
    let mut connection = redis.connection().await;
    let keys: Vec<String> = redis::cmd("KEYS")
        .arg(format!("{}{{*", site.prefix))
        .query_async(&mut connection)
        .await
        .unwrap();
    for key in keys
        .iter()
        .filter(|key| key.contains(":sale:") || key.contains(":buyers:"))
    {
        let () = redis::cmd("DEL")
            .arg(key)
            .query_async(&mut connection)
            .await
            .unwrap();
    }
    let other = site.idle_engine(|_| {}).await;
    assert_eq!(found(&other, 2, order).await.unwrap(), Some(sale));
    assert_eq!(found(&other, 1, order).await.unwrap(), None, "another's");
    assert_eq!(
        found(&other, 1, first).await.unwrap(),
        None,
        "the ledger has it"
    );
}

async fn found(
    engine: &Flash<MemoryLedger>,
    buyer: i64,
    order: OrderId,
) -> Result<Option<SaleId>, StateError> {
    engine.find_order(BuyerId(buyer), order).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripts_may_be_flushed_under_load() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, open_sale(100));
    let engine = site.engine().await;
    let mut connection = redis.connection().await;
    let flushing = tokio::spawn(async move {
        loop {
            let () = redis::cmd("SCRIPT")
                .arg("FLUSH")
                .query_async(&mut connection)
                .await
                .unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    let outcomes = crowd(&[&engine], sale, 3_000).await;
    flushing.abort();
    assert_eq!(granted(&outcomes).len(), 100);
}

#[tokio::test]
async fn another_number_of_partitions_than_at_the_beginning_is_refused() {
    let site = Site::new().await;
    let four = site.idle_engine(|_| {}).await;
    four.check_partitions().await.unwrap();
    four.check_partitions().await.unwrap();
    let five = site.idle_engine(|options| {
        options.partitions = std::num::NonZeroU16::new(5).unwrap();
    });
    let refused = five.await.check_partitions().await.unwrap_err();
    assert!(
        refused.to_string().contains("began with 4 partitions"),
        "{refused}"
    );
}
