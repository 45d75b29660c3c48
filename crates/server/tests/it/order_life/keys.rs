//! `Idempotency-Key`: the same request gets the same answer and one effect, whatever the network does.

use futures_util::future::join_all;
use serde_json::json;
use testkit::Client;

use super::{BALANCE, assert_books, balance, buy, fund, order, ordinary, pay, step};
use crate::flash::Market;

pub(super) fn keyed(client: &Client, key: &str) -> Client {
    client.clone().with_header("idempotency-key", key)
}

#[tokio::test]
async fn a_repeated_purchase_is_one_order() {
    let market = Market::open().await;
    let crowd = market.people(2).await;
    let voucher = ordinary(&market).await;
    let first = buy(&keyed(&crowd[0], "k"), voucher).await;
    assert_eq!(buy(&keyed(&crowd[0], "k"), voucher).await, first);
    assert_ne!(buy(&keyed(&crowd[0], "l"), voucher).await, first);
    assert_ne!(
        buy(&keyed(&crowd[1], "k"), voucher).await,
        first,
        "a key is its sender's own"
    );
    let other = keyed(&crowd[0], "k").post("/api/voucher-order/4711").await;
    assert_eq!(
        (other.status.as_u16(), other.code()),
        (409, "idempotency_mismatch".into())
    );
}

#[tokio::test]
async fn many_at_once_with_one_key_have_one_effect_and_one_answer() {
    for market in Market::on_both().await {
        let buyer = market.people(1).await.remove(0);
        let voucher = ordinary(&market).await;
        let named = keyed(&buyer, "rush");
        let path = format!("/api/voucher-order/{voucher}");
        let answers = join_all((0..20).map(|_| named.post(&path))).await;
        let mut orders = Vec::new();
        for answer in &answers {
            match answer.status.as_u16() {
                200 => orders.push(answer.data()),
                _ => {
                    assert_eq!(
                        (answer.status.as_u16(), answer.code()),
                        (409, "in_progress".into())
                    );
                    assert!(!answer.header("retry-after").is_empty());
                }
            }
        }
        orders.dedup();
        assert_eq!(orders.len(), 1);
        let mine = buyer.get("/api/voucher-order/of/me").await.data();
        assert_eq!(mine["list"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn refusals_are_kept_too() {
    let market = Market::open().await;
    let buyer = market.people(1).await.remove(0);
    let id = buy(&buyer, ordinary(&market).await).await;
    let named = keyed(&buyer, "p");
    let refused = pay(&named, &id, BALANCE).await;
    assert_eq!(refused.code(), "balance_too_small");
    fund(&market.app, &buyer, 5_000).await;
    let again = pay(&named, &id, BALANCE).await;
    assert_eq!(again.text, refused.text);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(order(&buyer, &id).await["status"], 1);
    let paid = pay(&keyed(&buyer, "q"), &id, BALANCE).await;
    assert_eq!(paid.data(), json!({ "status": 2 }));
    let again = pay(&keyed(&buyer, "q"), &id, BALANCE).await;
    assert_eq!(again.text, paid.text, "not that it is paid already");
    assert_eq!(balance(&buyer).await, 500);
    assert_books(&market.app).await;
}

#[tokio::test]
async fn cancelling_and_refunding_are_named_too() {
    let market = Market::open().await;
    let buyer = market.people(1).await.remove(0);
    let voucher = ordinary(&market).await;
    for what in ["cancel", "refund"] {
        let id = buy(&buyer, voucher).await;
        if what == "refund" {
            pay(&buyer, &id, 3).await.data();
        }
        let named = keyed(&buyer, what);
        let (first, again) = (step(&named, &id, what).await, step(&named, &id, what).await);
        assert_eq!((first.data(), &again.text), (json!(null), &first.text));
        assert_eq!(step(&buyer, &id, what).await.code(), "order_status");
    }
    let long = keyed(&buyer, &"k".repeat(65));
    assert_eq!(step(&long, "1", "cancel").await.status, 400);
}
