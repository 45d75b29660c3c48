//! Returns: a piece comes back once, and soon enough for everybody who wants it.

use std::time::{Duration, Instant};

use flash::{BuyerId, GiveBack, OrderId, Outcome, Piece, SaleId};
use testkit::{RedisCluster, wait_until};

use crate::book::open_sale;
use crate::gate_keys::assert_in_balance;
use crate::site::{Engine, PATIENCE, Site, keyed, wish};

fn given(sale: SaleId, buyer: i64, order: OrderId) -> GiveBack {
    GiveBack {
        sale,
        buyer: BuyerId(buyer),
        order,
        piece: Piece::Held,
    }
}

/// Ends an order in the ledger and then in the gate.
async fn cancel(site: &Site, engine: &Engine, sale: SaleId, buyer: i64, order: OrderId) -> bool {
    engine.wait_until_drained(PATIENCE).await.unwrap();
    assert!(site.book.give_back(order));
    engine.give_back(given(sale, buyer, order)).await.unwrap()
}

#[tokio::test]
async fn a_piece_comes_back_once_however_often_it_is_given() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    let order = engine.order(sale, 1).await;
    assert!(cancel(&site, &engine, sale, 1, order).await);
    for _ in 0..3 {
        assert!(!engine.give_back(given(sale, 1, order)).await.unwrap());
    }
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(2)]);
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn only_the_order_that_holds_the_piece_gives_it_back() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    let order = engine.order(sale, 1).await;
    assert!(
        !engine
            .give_back(given(sale, 1, OrderId(order.0 + 1)))
            .await
            .unwrap()
    );
    assert!(!engine.give_back(given(sale, 2, order)).await.unwrap());
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(1)]);
}

#[tokio::test]
async fn an_order_that_never_had_a_piece_brings_none_back() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    let order = engine.order(sale, 1).await;
    let given = GiveBack {
        piece: Piece::None,
        ..given(sale, 1, order)
    };
    assert!(engine.give_back(given).await.unwrap());
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(1)]);
}

#[tokio::test]
async fn a_sale_without_a_gate_has_nothing_to_give_back() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    assert!(!engine.give_back(given(sale, 1, OrderId(5))).await.unwrap());
    assert_eq!(
        site.book.terms(sale).unwrap().epoch,
        1,
        "nothing was loaded for it"
    );
}

#[tokio::test]
async fn a_claim_repeated_after_its_order_was_given_back_takes_no_second_piece() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(2));
    let engine = site.engine().await;
    let first = engine.claim(keyed(sale, 1, 7)).await.unwrap();
    let Outcome::Granted(order) = first else {
        panic!("{first:?}");
    };
    assert!(cancel(&site, &engine, sale, 1, order).await);
    let repeated = engine.claim(keyed(sale, 1, 7)).await.unwrap();
    assert_eq!(repeated, Outcome::Granted(order));
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

async fn returned_piece_is_for_sale_elsewhere_within_a_second(site: Site, spread: u16) {
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
    assert_eq!(other.buy(sale, 2).await, Outcome::SoldOut);
    assert_eq!(one.buy(sale, 3).await, Outcome::SoldOut);
    assert!(cancel(&site, &one, sale, 1, order).await);
    let given_back = Instant::now();
    wait_until("the piece", PATIENCE, async || {
        matches!(other.claim(wish(sale, 2)).await, Ok(Outcome::Granted(_)))
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
async fn a_returned_piece_is_for_sale_in_another_process_within_a_second() {
    returned_piece_is_for_sale_elsewhere_within_a_second(Site::new().await, 1).await;
}

#[tokio::test]
async fn a_returned_piece_of_a_spread_sale_is_for_sale_in_another_process_within_a_second() {
    let site = Site::at(RedisCluster::shared().await.url());
    returned_piece_is_for_sale_elsewhere_within_a_second(site, 3).await;
}
