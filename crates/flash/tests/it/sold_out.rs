//! A sale that is over costs nothing, and a unit that comes back is for sale.

use std::time::{Duration, Instant};

use flash::{BuyerId, ClaimOutcome, OrderId, SaleId, StockReturn, StockUnit};
use testkit::{Redis, wait_until};

use crate::memory_ledger::open_sale;
use crate::site::{Engine, PATIENCE, Site};

/// Longer than a test runs: a flag with this ceiling falls by a message or not at all.
const FOR_EVER: Duration = Duration::from_secs(3_600);

/// Sells all units, to buyers 1 to `stock`, through an engine that drains.
async fn sell_out(site: &Site, stock: u32) -> (Engine, SaleId, Vec<OrderId>) {
    let sale = site.publish(1, open_sale(stock));
    let mut engine = site.engine().await;
    let mut orders = Vec::new();
    for buyer in 1..=i64::from(stock) {
        orders.push(engine.order(sale, buyer).await);
    }
    engine.wait_until_drained(PATIENCE).await.unwrap();
    engine.rest().await;
    (engine, sale, orders)
}

/// Asks until the engine answers from memory.
async fn raise_flag(redis: &Redis, engine: &Engine, sale: SaleId) {
    raise_flag_of(redis, engine, sale, ClaimOutcome::SoldOut).await;
}

async fn raise_flag_of(redis: &Redis, engine: &Engine, sale: SaleId, outcome: ClaimOutcome) {
    let mut buyer = 1_000_000;
    wait_until("the flag to be raised", PATIENCE, async || {
        let before = redis.commands().await;
        for _ in 0..3 {
            buyer += 1;
            assert_eq!(engine.buy(sale, buyer).await, outcome);
        }
        redis.commands().await.since(&before).of("evalsha") == 0
    })
    .await;
}

async fn give_back(site: &Site, engine: &Engine, sale: SaleId, buyer: i64, order: OrderId) {
    assert!(site.book.return_unit(order));
    let given = StockReturn {
        sale,
        buyer: BuyerId(buyer),
        order,
        unit: StockUnit::Held,
    };
    assert!(engine.return_unit(given).await.unwrap());
}

#[tokio::test]
async fn sold_out_answers_cost_no_commands_and_buyers_still_get_their_orders() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let (_seller, sale, orders) = sell_out(&site, 50).await;
    let engine = site.idle_engine(|options| options.sold_out_ceiling = FOR_EVER);
    let engine = engine.await;
    raise_flag(&redis, &engine, sale).await;
    let before = redis.commands().await;
    let mut asked_the_gate = 0;
    for buyer in 2_000_000..2_010_000 {
        let answer = engine.buy(sale, buyer).await;
        assert_eq!(answer, ClaimOutcome::SoldOut);
    }
    asked_the_gate += redis.commands().await.since(&before).of("evalsha");
    assert!(asked_the_gate <= 5, "mistaken for buyers: {asked_the_gate}");
    for (buyer, order) in (1..).zip(&orders) {
        assert_eq!(
            engine.buy(sale, buyer).await,
            ClaimOutcome::AlreadyBought(*order)
        );
    }
}

#[tokio::test]
async fn a_million_sold_out_answers_would_cost_less_than_a_thousand_commands() {
    const ANSWERS: u64 = 100_000;
    /// Heartbeats, and looks whether a unit came back: so often for any number of claims, and however slow the machine is.
    const BY_THE_CLOCK_PER_SEC: u64 = 10;
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let (_seller, sale, _) = sell_out(&site, 10).await;
    let engine = site.idle_engine(|_| {}).await;
    raise_flag(&redis, &engine, sale).await;
    let (before, began) = (redis.commands().await, Instant::now());
    for buyer in 0..i64::try_from(ANSWERS).unwrap() {
        engine.buy(sale, 2_000_000 + buyer).await;
    }
    let cost = redis.commands().await.since(&before).total();
    let by_the_clock = (began.elapsed().as_secs() + 1) * BY_THE_CLOCK_PER_SEC;
    assert!(
        cost * 1_000 <= ANSWERS + by_the_clock * 1_000,
        "{cost} commands for {ANSWERS} answers"
    );
}

#[tokio::test]
async fn a_returned_unit_is_for_sale_in_another_engine_within_a_second() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let (seller, sale, orders) = sell_out(&site, 10).await;
    let mut engine = site
        .idle_engine(|options| options.sold_out_ceiling = FOR_EVER)
        .await;
    engine.listen();
    raise_flag(&redis, &engine, sale).await;
    give_back(&site, &seller, sale, 3, orders[2]).await;
    let returned = Instant::now();
    wait_for_grant(&engine, sale).await;
    assert!(returned.elapsed() < Duration::from_secs(1));
    // Sold again, so it is over again, also for those who ask elsewhere.
    raise_flag(&redis, &engine, sale).await;
}

#[tokio::test]
async fn a_returned_unit_is_for_sale_although_its_message_was_lost() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let (seller, sale, orders) = sell_out(&site, 10).await;
    let engine = site.idle_engine(|_| {}).await;
    raise_flag(&redis, &engine, sale).await;
    give_back(&site, &seller, sale, 3, orders[2]).await;
    let returned = Instant::now();
    wait_for_grant(&engine, sale).await;
    assert!(returned.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_buyer_of_a_returned_unit_in_another_process_is_known() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let (seller, sale, orders) = sell_out(&site, 10).await;
    let mut engine = site
        .idle_engine(|options| options.sold_out_ceiling = FOR_EVER)
        .await;
    engine.listen();
    raise_flag(&redis, &engine, sale).await;
    give_back(&site, &seller, sale, 3, orders[2]).await;
    let order = seller.order(sale, 777).await;
    raise_flag(&redis, &engine, sale).await;
    assert_eq!(
        engine.buy(sale, 777).await,
        ClaimOutcome::AlreadyBought(order)
    );
    assert_eq!(engine.buy(sale, 3).await, ClaimOutcome::SoldOut);
}

#[tokio::test]
async fn a_claim_after_a_change_of_the_sale_gets_no_reply_from_before_it() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, open_sale(10));
    // Nobody listens: every message about the change is still on its way.
    let mut engine = site
        .idle_engine(|options| options.sold_out_ceiling = FOR_EVER)
        .await;
    engine.drain();
    engine.order(sale, 1).await;
    site.book.change(sale, |terms| terms.on_shelf = false);
    engine.amend(sale).await.unwrap();
    raise_flag_of(&redis, &engine, sale, ClaimOutcome::Ended).await;
    site.book.change(sale, |terms| terms.on_shelf = true);
    engine.amend(sale).await.unwrap();
    engine.order(sale, 2).await;
}

#[tokio::test]
async fn a_caller_that_returns_a_unit_may_buy_it_next() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let (_seller, sale, orders) = sell_out(&site, 10).await;
    let engine = site
        .idle_engine(|options| options.sold_out_ceiling = FOR_EVER)
        .await;
    raise_flag(&redis, &engine, sale).await;
    give_back(&site, &engine, sale, 3, orders[2]).await;
    engine.order(sale, 777).await;
}

/// Every claim has a new buyer, so that only a unit can make the difference.
async fn wait_for_grant(engine: &Engine, sale: SaleId) {
    let mut buyer = 5_000_000;
    wait_until("a grant", PATIENCE, async || {
        buyer += 1;
        matches!(engine.buy(sale, buyer).await, ClaimOutcome::Granted(_))
    })
    .await;
}
