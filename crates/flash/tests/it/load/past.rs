//! Sales that are long over: the ledger answers, and nothing is loaded. Loads and those who wait for them have bounds.

use std::time::Duration;

use testkit::FaultProxy;

use super::*;
use crate::site::keyed;

/// Sells two units per buyer, and then moves the sale into the past.
async fn past_sale(site: &Site) -> (SaleId, OrderId, OrderId) {
    let mut terms = open_sale(10);
    terms.limit_per_buyer = 2;
    let sale = site.publish(1, terms);
    let mut engine = site.engine().await;
    let order = async |key| match engine.claim(keyed(sale, 1, key)).await.unwrap() {
        ClaimOutcome::Granted(order) => order,
        other => panic!("{other:?}"),
    };
    let orders = (order(7).await, order(8).await);
    engine.order(sale, 2).await;
    engine.wait_until_drained(PATIENCE).await.unwrap();
    engine.rest().await;
    let mut connection = Redis::shared().await.connection().await;
    for what in ["sale", "buyers"] {
        let key = key(site, engine.partitions(), sale, 0, what);
        let () = ask(&mut connection, &["DEL", &key]).await;
    }
    site.book.change(sale, |terms| {
        terms.begin_ms -= 30 * 86_400_000;
        terms.end_ms -= 30 * 86_400_000;
    });
    (sale, orders.0, orders.1)
}

#[tokio::test]
async fn a_sale_that_is_long_over_is_answered_by_the_ledger_and_not_loaded() {
    let site = Site::new().await;
    let (sale, first, second) = past_sale(&site).await;
    let before = site.book.terms(sale).unwrap().epoch;
    let engine = site.engine().await;
    let claim = async |claim| engine.claim(claim).await.unwrap();
    assert_eq!(
        claim(wish(sale, 1)).await,
        ClaimOutcome::AlreadyBought(second)
    );
    assert_eq!(claim(keyed(sale, 1, 7)).await, ClaimOutcome::Granted(first));
    assert_eq!(
        claim(wish(sale, 2)).await,
        ClaimOutcome::Ended,
        "below the limit"
    );
    assert_eq!(claim(wish(sale, 3)).await, ClaimOutcome::Ended);
    assert_eq!(
        site.book.terms(sale).unwrap().epoch,
        before,
        "nothing was loaded"
    );
    let gate = key(&site, engine.partitions(), sale, 0, "sale");
    let mut connection = Redis::shared().await.connection().await;
    let exists: bool = ask(&mut connection, &["EXISTS", &gate]).await;
    assert!(!exists);
    // A change of the end of the sale takes effect at once.
    site.book
        .change(sale, |terms| terms.end_ms += 60 * 86_400_000);
    engine.amend(sale).await.unwrap();
    engine.order(sale, 3).await;
    assert_in_balance(&*engine, sale).await;
}

#[tokio::test]
async fn fewer_units_of_a_sale_that_is_long_over_need_no_gate() {
    let site = Site::new().await;
    let (sale, ..) = past_sale(&site).await;
    let engine = site.engine().await;
    assert_eq!(engine.withdraw(sale, 3).await.unwrap().units, 3);
    site.book.change_initial(sale, -3);
    engine.amend(sale).await.unwrap();
}

#[tokio::test]
async fn more_sales_than_a_process_loads_are_refused_and_the_rest_is_loaded() {
    const SALES: i64 = 400;
    let site = Site::new().await;
    for sale in 1..=SALES {
        site.publish(sale, open_sale(1));
    }
    let engine = site.engine().await;
    let claims = (1..=SALES).map(|sale| engine.claim(wish(SaleId(sale), 1)));
    let outcomes = join_all(claims).await;
    let busy = |outcome: &&Result<ClaimOutcome, ClaimError>| {
        matches!(outcome, Err(ClaimError::Busy { .. }))
    };
    let refused = outcomes.iter().filter(busy).count();
    assert!(refused >= 400 - 256, "{refused}");
    let granted = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert!(granted > 0);
}

#[tokio::test]
async fn waiters_for_an_unknown_sale_are_bounded_and_look_it_up_once() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, open_sale(500));
    site.engine().await.preload(sale).await.unwrap();
    let engine = site
        .by_way_of(format!("redis://{}", proxy.addr()))
        .idle_engine(|options| options.queue_bound = 100)
        .await;
    let before = redis.commands().await;
    let crowd = join_all((1..=300).map(|buyer| engine.claim(wish(sale, buyer))));
    proxy.delay(Duration::from_millis(100)).await;
    let outcomes = crowd.await;
    let answered = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert!((1..=200).contains(&answered), "{answered}");
    let asked = redis.commands().await.since(&before).of("hget");
    assert!(asked <= 3, "{asked} lookups of the sale");
}
