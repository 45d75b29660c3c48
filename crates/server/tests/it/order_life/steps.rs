//! Each step taken by itself: what it does, what it refuses, and the notice to its owner.

use serde_json::json;
use testkit::{TestApp, wait_until};

use super::{
    ALIPAY, BALANCE, CANCELLED, PAID, REFUNDED, UNPAID, assert_books, assert_pieces, balance, buy,
    claimed, fund, notices_of, order, ordinary, pay, step, wait_for_status,
};
use crate::flash::{Market, PATIENCE, claim, sale_state, win};

#[tokio::test]
async fn an_ordinary_voucher_is_bought_paid_and_refunded_from_the_balance() {
    for market in Market::on_both().await {
        let buyer = market.people(1).await.remove(0);
        let id = buy(&buyer, ordinary(&market).await).await;
        let bought = order(&buyer, &id).await;
        assert_eq!(
            (&bought["status"], &bought["payValue"]),
            (&json!(UNPAID), &json!(4500))
        );
        assert!(
            bought["redeemCode"].is_null(),
            "nothing to show before it is paid"
        );
        assert_eq!(pay(&buyer, &id, BALANCE).await.code(), "balance_too_small");
        fund(&market.app, &buyer, 5_000).await;
        assert_eq!(
            pay(&buyer, &id, BALANCE).await.data(),
            json!({ "status": PAID })
        );
        assert_eq!(balance(&buyer).await, 500);
        let paid = order(&buyer, &id).await;
        let code = paid["redeemCode"].as_str().unwrap();
        assert_eq!(code.len(), 19, "sixteen digits in groups of four: {code}");
        assert_eq!(code.replace(' ', ""), paid["redeemQr"].as_str().unwrap());
        let again = pay(&buyer, &id, BALANCE).await;
        assert_eq!(again.code(), "order_status");
        assert_eq!(again.json()["data"], json!({ "status": PAID }));
        assert_eq!(step(&buyer, &id, "cancel").await.code(), "order_status");
        step(&buyer, &id, "refund").await.data();
        wait_for_status(&buyer, &id, REFUNDED).await;
        assert_eq!(balance(&buyer).await, 5_000);
        assert!(order(&buyer, &id).await["redeemCode"].is_null());
        assert_eq!(notices_of(&buyer).await, ["order_paid", "order_refunded"]);
        assert_books(&market.app).await;
    }
}

#[tokio::test]
async fn a_buyer_with_too_many_unpaid_orders_pays_or_cancels_before_buying_more() {
    let app = TestApp::builder().setting("order.max_unpaid_per_user", 2);
    let market = Market::on(app.spawn().await).await;
    let voucher = ordinary(&market).await;
    let buyer = market.people(1).await.remove(0);
    let first = buy(&buyer, voucher).await;
    buy(&buyer, voucher).await;
    let path = format!("/api/voucher-order/{voucher}");
    assert_eq!(buyer.post(&path).await.code(), "too_many_unpaid");
    step(&buyer, &first, "cancel").await.data();
    let third = buy(&buyer, voucher).await;
    assert_eq!(buyer.post(&path).await.code(), "too_many_unpaid");
    fund(&market.app, &buyer, 5_000).await;
    pay(&buyer, &third, BALANCE).await.data();
    buy(&buyer, voucher).await;
}

#[tokio::test]
async fn what_is_not_for_sale_is_not_sold() {
    let market = Market::open().await;
    let buyer = market.people(1).await.remove(0);
    let voucher = ordinary(&market).await;
    let buy = async |id: i64| buyer.post(&format!("/api/voucher-order/{id}")).await.code();
    assert_eq!(buy(market.sell(1).await).await, "voucher_is_flash_sale");
    assert_eq!(buy(4_711).await, "voucher_not_found");
    let off = json!({ "status": 2 });
    let path = format!("/api/voucher/{voucher}/status");
    market.merchant.put_json(&path, &off).await.data();
    assert_eq!(buy(voucher).await, "voucher_off_shelf");
}

#[tokio::test]
async fn an_order_of_another_user_takes_no_step() {
    let market = Market::open().await;
    let crowd = market.people(2).await;
    let id = buy(&crowd[0], ordinary(&market).await).await;
    for what in ["cancel", "refund"] {
        assert_eq!(step(&crowd[1], &id, what).await.code(), "order_not_found");
    }
    assert_eq!(pay(&crowd[1], &id, BALANCE).await.code(), "order_not_found");
    assert_eq!(order(&crowd[0], &id).await["status"], UNPAID);
}

#[tokio::test]
async fn a_cancelled_unit_is_for_sale_again_and_its_buyer_may_buy_again() {
    for market in Market::on_both().await {
        let crowd = market.people(2).await;
        let voucher = market.sell(1).await;
        let id = claimed(&crowd[0], voucher).await;
        assert_eq!(claim(&crowd[1], voucher).await.code(), "sold_out");
        step(&crowd[0], &id, "cancel").await.data();
        assert_eq!(step(&crowd[0], &id, "cancel").await.code(), "order_status");
        wait_until("the unit is for sale", PATIENCE, async || {
            claim(&crowd[0], voucher).await.json()["success"] == true
        })
        .await;
        assert_eq!(claim(&crowd[1], voucher).await.code(), "sold_out");
        assert_eq!(order(&crowd[0], &id).await["status"], CANCELLED);
        assert_pieces(&market.app, voucher).await;
    }
}

#[tokio::test]
async fn a_refunded_unit_returns_to_stock_with_the_money() {
    let market = Market::open().await;
    let buyer = market.people(1).await.remove(0);
    let voucher = market.sell(3).await;
    let id = claimed(&buyer, voucher).await;
    assert_eq!(
        pay(&buyer, &id, ALIPAY).await.data(),
        json!({ "status": PAID })
    );
    assert_eq!(sale_state(&buyer, voucher).await["stock"], 2);
    step(&buyer, &id, "refund").await.data();
    wait_for_status(&buyer, &id, REFUNDED).await;
    wait_until("the unit is back", PATIENCE, async || {
        sale_state(&buyer, voucher).await["stock"] == 3
    })
    .await;
    let again = win(&buyer, voucher).await;
    assert_ne!(again, id);
    assert_books(&market.app).await;
    assert_pieces(&market.app, voucher).await;
}

#[tokio::test]
async fn a_malformed_payment_is_400_and_changes_nothing() {
    let market = Market::open().await;
    let buyer = market.people(1).await.remove(0);
    let id = buy(&buyer, ordinary(&market).await).await;
    let path = format!("/api/voucher-order/{id}/pay");
    for bad in [
        json!({}),
        json!({ "payType": 0 }),
        json!({ "payType": "x" }),
    ] {
        assert_eq!(buyer.post_json(&path, &bad).await.status, 400, "{bad}");
    }
    assert_eq!(buyer.post(&path).await.status, 415);
    assert_eq!(market.app.visitor().post(&path).await.status, 401);
    assert_eq!(order(&buyer, &id).await["status"], UNPAID);
}

#[tokio::test]
async fn the_statement_names_each_booking_with_its_order_and_the_balance_after_it() {
    for market in Market::on_both().await {
        let people = market.people(2).await;
        let (buyer, other) = (&people[0], &people[1]);
        let path = "/api/user/balance/entries";
        assert_eq!(buyer.get(path).await.data(), json!({ "list": [] }));
        assert_eq!(market.app.visitor().get(path).await.status, 401);
        fund(&market.app, buyer, 10_000).await;
        let id = buy(buyer, ordinary(&market).await).await;
        pay(buyer, &id, BALANCE).await.data();
        step(buyer, &id, "refund").await.data();
        wait_for_status(buyer, &id, REFUNDED).await;

        let list = buyer.get(path).await.data()["list"].clone();
        let told = list.as_array().unwrap().iter().map(|entry| {
            let cents = |key: &str| entry[key].as_i64().unwrap();
            (
                entry["kind"].clone(),
                cents("amount"),
                cents("balanceAfter"),
            )
        });
        let expected = [
            (json!("refund"), 4_500, 10_000),
            (json!("payment"), -4_500, 5_500),
            (json!("top_up"), 10_000, 10_000),
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
        assert_eq!(list[0]["balanceAfter"], balance(buyer).await);
        assert_eq!(list[1]["order"]["id"], json!(id));
        assert_eq!(list[1]["order"]["title"], "50元代金券");
        assert_eq!(list[1]["order"]["shopId"], market.shop);
        assert!(list[1]["order"]["shopName"].is_string());
        assert_eq!(list[2].get("order"), None);
        assert_eq!(other.get(path).await.data(), json!({ "list": [] }));
        let wrong = buyer.get("/api/user/balance/entries?cursor=x").await;
        assert_eq!(wrong.status, 400);
    }
}

#[tokio::test]
async fn a_long_statement_goes_on_after_its_cursor() {
    let market = Market::open().await;
    let buyer = market.people(1).await.remove(0);
    for cents in 1..=25 {
        fund(&market.app, &buyer, cents).await;
    }
    let first = buyer.get("/api/user/balance/entries").await.data();
    let cursor = first["cursor"].as_str().unwrap();
    let path = format!("/api/user/balance/entries?cursor={cursor}");
    let second = buyer.get(&path).await.data();
    let amounts: Vec<i64> = [&first, &second]
        .iter()
        .flat_map(|page| page["list"].as_array().unwrap())
        .map(|entry| entry["amount"].as_i64().unwrap())
        .collect();
    assert_eq!(amounts, (1..=25).rev().collect::<Vec<_>>());
    assert_eq!(second["list"][0]["balanceAfter"], 1 + 2 + 3 + 4 + 5);
    assert_eq!(second.get("cursor"), None);
}
