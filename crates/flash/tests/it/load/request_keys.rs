//! What a buyer called a request is known to a gate that was loaded since.

use flash::{BuyerId, StockReturn, StockUnit};

use super::*;
use crate::site::keyed;

/// A sale of which everybody may have two, in a Redis of its own.
async fn site_of_two() -> (Redis, Site, SaleId) {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let mut terms = open_sale(50);
    terms.limit_per_buyer = 2;
    let sale = site.publish(1, terms);
    (redis, site, sale)
}

async fn lose_gate(redis: &Redis, site: &Site, engine: &Engine, sale: SaleId) {
    let mut connection = redis.connection().await;
    for what in ["sale", "buyers"] {
        let key = key(site, engine.partitions(), sale, 0, what);
        let () = ask(&mut connection, &["DEL", &key]).await;
    }
}

#[tokio::test]
async fn a_named_claim_buys_once_although_the_gate_was_lost_in_between() {
    let (redis, site, sale) = site_of_two().await;
    let engine = site.engine().await;
    let first = engine.claim(keyed(sale, 1, 0xabc)).await.unwrap();
    let ClaimOutcome::Granted(order) = first else {
        panic!("{first:?}");
    };
    let other = engine.claim(keyed(sale, 2, 0xabc)).await.unwrap();
    engine.wait_until_drained(PATIENCE).await.unwrap();
    lose_gate(&redis, &site, &engine, sale).await;
    assert_eq!(engine.claim(keyed(sale, 1, 0xabc)).await.unwrap(), first);
    assert_eq!(engine.claim(keyed(sale, 2, 0xabc)).await.unwrap(), other);
    let second = engine.claim(keyed(sale, 1, 0xdef)).await.unwrap();
    assert!(matches!(second, ClaimOutcome::Granted(id) if id != order));
    assert_in_balance(&*engine, sale).await;
    assert_eq!(site.book.live_orders(sale).len(), 3);
}

#[tokio::test]
async fn a_named_claim_that_was_given_back_buys_no_second_unit_after_a_load() {
    let (redis, site, sale) = site_of_two().await;
    let engine = site.engine().await;
    let first = engine.claim(keyed(sale, 1, 0xabc)).await.unwrap();
    let ClaimOutcome::Granted(order) = first else {
        panic!("{first:?}");
    };
    engine.wait_until_drained(PATIENCE).await.unwrap();
    assert!(site.book.return_unit(order));
    let given = StockReturn {
        sale,
        buyer: BuyerId(1),
        order,
        unit: StockUnit::Held,
    };
    assert!(engine.return_unit(given).await.unwrap());
    lose_gate(&redis, &site, &engine, sale).await;
    assert_eq!(engine.claim(keyed(sale, 1, 0xabc)).await.unwrap(), first);
    assert_in_balance(&*engine, sale).await;
    assert_eq!(site.book.live_orders(sale), []);
    engine.order(sale, 1).await;
    engine.order(sale, 1).await;
    assert!(matches!(
        engine.buy(sale, 1).await,
        ClaimOutcome::AlreadyBought(_)
    ));
    assert_in_balance(&*engine, sale).await;
}
