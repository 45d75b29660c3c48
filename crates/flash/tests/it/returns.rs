//! Returns: a unit comes back once, and soon enough for everybody who wants it.

use std::time::{Duration, Instant};

use flash::{BuyerId, ClaimOutcome, OrderId, SaleId, StockReturn, StockUnit};
use futures_util::future::join_all;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use testkit::{Redis, RedisCluster, wait_until};

use crate::gate_keys::assert_in_balance;
use crate::memory_ledger::open_sale;
use crate::site::{Engine, PATIENCE, Site, keyed, wish};

fn given(sale: SaleId, buyer: i64, order: OrderId) -> StockReturn {
    StockReturn {
        sale,
        buyer: BuyerId(buyer),
        order,
        unit: StockUnit::Held,
    }
}

/// Ends an order in the ledger and then in the gate.
async fn cancel(site: &Site, engine: &Engine, sale: SaleId, buyer: i64, order: OrderId) -> bool {
    engine.wait_until_drained(PATIENCE).await.unwrap();
    assert!(site.book.return_unit(order));
    engine.return_unit(given(sale, buyer, order)).await.unwrap()
}

#[tokio::test]
async fn a_unit_returns_once_however_often_it_is_returned() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    let order = engine.order(sale, 1).await;
    assert!(cancel(&site, &engine, sale, 1, order).await);
    for _ in 0..3 {
        assert!(!engine.return_unit(given(sale, 1, order)).await.unwrap());
    }
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(2)]);
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn only_the_order_that_holds_the_unit_returns_it() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    let order = engine.order(sale, 1).await;
    assert!(
        !engine
            .return_unit(given(sale, 1, OrderId(order.0 + 1)))
            .await
            .unwrap()
    );
    assert!(!engine.return_unit(given(sale, 2, order)).await.unwrap());
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(1)]);
}

#[tokio::test]
async fn an_order_that_never_had_a_unit_returns_none() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    let order = engine.order(sale, 1).await;
    let given = StockReturn {
        unit: StockUnit::None,
        ..given(sale, 1, order)
    };
    assert!(engine.return_unit(given).await.unwrap());
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(1)]);
}

#[tokio::test]
async fn a_sale_without_a_gate_has_nothing_to_give_back() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    assert!(
        !engine
            .return_unit(given(sale, 1, OrderId(5)))
            .await
            .unwrap()
    );
    assert_eq!(
        site.book.terms(sale).unwrap().epoch,
        1,
        "nothing was loaded for it"
    );
}

#[tokio::test]
async fn a_claim_repeated_after_its_order_was_returned_takes_no_second_unit() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    let first = engine.claim(keyed(sale, 1, 7)).await.unwrap();
    let ClaimOutcome::Granted(order) = first else {
        panic!("{first:?}");
    };
    assert!(cancel(&site, &engine, sale, 1, order).await);
    let repeated = engine.claim(keyed(sale, 1, 7)).await.unwrap();
    assert_eq!(repeated, ClaimOutcome::Granted(order));
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(2)]);
    assert_ne!(
        engine.order(sale, 1).await,
        order,
        "another wish is another order"
    );
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn a_buyer_may_buy_and_return_for_ever() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(1));
    let engine = site.engine().await;
    for _ in 0..20 {
        let order = engine.order(sale, 1).await;
        assert!(cancel(&site, &engine, sale, 1, order).await);
    }
    assert_in_balance(&engine, sale).await;
    engine.order(sale, 2).await;
}

/// So many people buy a unit each; then all these orders have ended in the ledger, and no gate knows of it.
async fn end_orders(site: &Site, engine: &Engine, sale: SaleId, count: i64) -> Vec<StockReturn> {
    let orders = join_all((0..count).map(|buyer| engine.order(sale, buyer))).await;
    engine.wait_until_drained(PATIENCE).await.unwrap();
    let end = |(buyer, order)| {
        assert!(site.book.return_unit(order));
        given(sale, buyer, order)
    };
    (0..count).zip(orders).map(end).collect()
}

#[tokio::test]
async fn six_hundred_units_come_back_in_three_calls() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, open_sale(600));
    let mut seller = site.engine().await;
    let ended = end_orders(&site, &seller, sale, 600).await;
    seller.rest().await;
    let mut engine = site.idle_engine(|_| {}).await;
    let before = redis.commands().await;
    assert_eq!(engine.return_units(&ended).await.unwrap(), 600);
    let spent = redis.commands().await.since(&before);
    // Each call tells of the new epoch once.
    assert_eq!(spent.of("publish"), 3, "{spent:?}");
    assert!(
        spent.of("evalsha") + spent.of("eval") <= 4,
        "one to make it known"
    );
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(600)]);
    assert_eq!(engine.return_units(&ended).await.unwrap(), 0);
    engine.drain();
    assert_in_balance(&engine, sale).await;
}

async fn units_return_once_whichever_caller_returns_them(site: Site, spread: u16) {
    let mut random = SmallRng::seed_from_u64(20_261_115);
    let terms = flash::Terms {
        spread,
        ..open_sale(100)
    };
    let (one, two) = (site.publish(1, terms), site.publish(2, terms));
    let (engine, other) = (site.engine().await, site.engine().await);
    let mut ended = end_orders(&site, &engine, one, 100).await;
    ended.extend(end_orders(&site, &engine, two, 100).await);
    // What two relays do that both think they are alone, and are cut off and begin again: the same orders twice in a
    // call, in several calls at once, in any order.
    let mut calls: Vec<Vec<StockReturn>> = Vec::new();
    for _ in 0..12 {
        let mut call: Vec<StockReturn> = ended.clone();
        call.shuffle(&mut random);
        call.truncate(random.random_range(1..ended.len()));
        let again = random.random_range(0..call.len());
        call.extend_from_within(..again);
        calls.push(call);
    }
    calls.push(ended.clone());
    let give = |(n, call): (usize, &Vec<StockReturn>)| {
        let (by, call) = ([&*engine, &*other][n % 2].clone(), call.clone());
        async move { by.return_units(&call).await.unwrap() }
    };
    let given: u32 = join_all(calls.iter().enumerate().map(give))
        .await
        .iter()
        .sum();
    assert_eq!(given, 200, "each once");
    let stocks = engine.stocks(&[one, two]).await.unwrap();
    assert_eq!(stocks, [Some(100), Some(100)]);
    for sale in [one, two] {
        assert_in_balance(&engine, sale).await;
    }
}

#[tokio::test]
async fn units_given_back_in_overlapping_calls_come_back_once() {
    units_return_once_whichever_caller_returns_them(Site::new().await, 1).await;
}

#[tokio::test]
async fn units_of_spread_sales_given_back_in_overlapping_calls_come_back_once() {
    let site = Site::at(RedisCluster::shared().await.url());
    units_return_once_whichever_caller_returns_them(site, 3).await;
}

#[tokio::test]
async fn orders_without_a_unit_among_others_bring_none_back() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(4));
    let engine = site.engine().await;
    let mut ended = end_orders(&site, &engine, sale, 4).await;
    ended[1].unit = StockUnit::None;
    ended[3].unit = StockUnit::None;
    assert_eq!(engine.return_units(&ended).await.unwrap(), 4);
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(2)]);
}

async fn returned_unit_is_for_sale_elsewhere_within_a_second(site: Site, spread: u16) {
    let mut terms = open_sale(1);
    terms.spread = spread;
    let sale = site.publish(1, terms);
    let one = site.engine().await;
    // Only a message makes its flags fall.
    let mut other = site
        .idle_engine(|options| options.sold_out_ceiling = 2 * PATIENCE)
        .await;
    other.listen();
    let order = one.order(sale, 1).await;
    assert_eq!(other.buy(sale, 2).await, ClaimOutcome::SoldOut);
    assert_eq!(one.buy(sale, 3).await, ClaimOutcome::SoldOut);
    assert!(cancel(&site, &one, sale, 1, order).await);
    let given_back = Instant::now();
    wait_until("the unit", PATIENCE, async || {
        matches!(
            other.claim(wish(sale, 2)).await,
            Ok(ClaimOutcome::Granted(_))
        )
    })
    .await;
    assert!(
        given_back.elapsed() < Duration::from_secs(1),
        "{:?}",
        given_back.elapsed()
    );
    assert_in_balance(&one, sale).await;
}

#[tokio::test]
async fn a_returned_unit_is_for_sale_in_another_process_within_a_second() {
    returned_unit_is_for_sale_elsewhere_within_a_second(Site::new().await, 1).await;
}

#[tokio::test]
async fn a_returned_unit_of_a_spread_sale_is_for_sale_in_another_process_within_a_second() {
    let site = Site::at(RedisCluster::shared().await.url());
    returned_unit_is_for_sale_elsewhere_within_a_second(site, 3).await;
}
