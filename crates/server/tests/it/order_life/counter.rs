//! At the counter: a code works once, for the merchant of its shop.

use domain::Role;
use futures_util::future::join_all;
use serde_json::json;

use super::{
    ALIPAY, REFUNDED, USED, assert_books, buy, notices_of, order, ordinary, pay, redeem, step,
    wait_for_status,
};
use crate::flash::Market;
use crate::shops::{ADMIN, RIVAL, sign_in};

async fn paid_code(market: &Market) -> (testkit::Client, String, String) {
    let buyer = market.people(1).await.remove(0);
    let id = buy(&buyer, ordinary(market).await).await;
    pay(&buyer, &id, ALIPAY).await.data();
    let code = order(&buyer, &id).await["redeemCode"].clone();
    (buyer, id, code.as_str().unwrap().to_owned())
}

#[tokio::test]
async fn the_shops_merchant_redeems_a_code_once() {
    for market in Market::on_both().await {
        let (buyer, id, code) = paid_code(&market).await;
        let rival = sign_in(&market.app, RIVAL, Role::Merchant).await;
        assert_eq!(redeem(&buyer, &code).await.status, 403);
        assert_eq!(redeem(&rival, &code).await.code(), "redeem_wrong_shop");
        for unknown in ["", "1", "0000 0000 0000 0000", "钥匙"] {
            let refused = redeem(&market.merchant, unknown).await;
            assert_eq!(refused.code(), "redeem_code_unknown", "{unknown}");
        }
        let used = redeem(&market.merchant, &code).await.data();
        assert_eq!(
            used,
            json!({ "orderId": id, "title": "50元代金券", "actualValue": 5000 })
        );
        let again = redeem(&market.merchant, &code).await;
        assert_eq!(again.code(), "redeem_used");
        let mine = order(&buyer, &id).await;
        assert_eq!(mine["status"], USED);
        assert!(mine["redeemCode"].is_null() && mine["redeemQr"].is_null());
        assert_eq!(step(&buyer, &id, "refund").await.code(), "order_status");
        assert_eq!(notices_of(&buyer).await, ["order_paid", "order_redeemed"]);
        assert_books(&market.app).await;
    }
}

#[tokio::test]
async fn a_refunded_code_is_worth_nothing_and_an_admin_may_redeem_any() {
    let market = Market::open().await;
    let (buyer, id, code) = paid_code(&market).await;
    step(&buyer, &id, "refund").await.data();
    assert_eq!(
        redeem(&market.merchant, &code).await.code(),
        "redeem_refunded"
    );
    wait_for_status(&buyer, &id, REFUNDED).await;
    assert_eq!(
        redeem(&market.merchant, &code).await.code(),
        "redeem_refunded"
    );
    let (_, id, code) = paid_code(&market).await;
    let admin = sign_in(&market.app, ADMIN, Role::Admin).await;
    assert_eq!(redeem(&admin, &code).await.data()["orderId"], id);
    assert_books(&market.app).await;
}

#[tokio::test]
async fn of_two_scanners_at_once_one_succeeds() {
    for market in Market::on_both().await {
        for _ in 0..10 {
            let (_, _, code) = paid_code(&market).await;
            let scans = join_all((0..4).map(|_| redeem(&market.merchant, &code))).await;
            let used = scans.iter().filter(|scan| scan.json()["success"] == true);
            assert_eq!(used.count(), 1);
        }
        assert_books(&market.app).await;
    }
}
