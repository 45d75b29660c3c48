//! One claim at a time: the reply to each kind of caller.

use serde_json::json;
use testkit::{Client, TestApp, wait_until};

use super::{Market, PATIENCE, claim, people, sale_state, wall_clock, win};

async fn status_of(client: &Client, order: &str) -> i64 {
    let found = client.get(&format!("/api/voucher-order/{order}")).await;
    found.data()["status"].as_i64().unwrap()
}

#[tokio::test]
async fn a_claimed_unit_becomes_an_order_of_its_buyer() {
    for market in Market::on_both().await {
        let voucher = market.sell(10).await;
        let buyer = market.people(1).await.remove(0);
        let order = win(&buyer, voucher).await;
        // From the grant on it is there, on its way or recorded.
        assert!([0, 1].contains(&status_of(&buyer, &order).await));
        wait_until("the order is recorded", PATIENCE, async || {
            status_of(&buyer, &order).await == 1
        })
        .await;
        let path = format!("/api/voucher-order/{order}");
        let recorded = buyer.get(&path).await.data();
        assert_eq!(recorded["id"], order.as_str());
        assert_eq!(recorded["voucherId"], voucher);
        assert_eq!(recorded["shopId"], market.shop);
        assert_eq!(recorded["shopName"], "茶餐厅");
        assert_eq!(recorded["title"], "100元代金券");
        assert_eq!(recorded["payValue"], 8000);
        assert!(recorded["payDeadlineMs"].as_i64().is_some());
        assert!(recorded.get("redeemCode").is_none());
        let mine = buyer.get("/api/voucher-order/of/me").await.data();
        assert_eq!(mine, json!({ "list": [recorded] }));
        let state = sale_state(&buyer, voucher).await;
        assert_eq!(state["orderId"], order.as_str());
        assert_eq!(state["stock"], 9);
        let other = market.people(2).await.remove(1);
        assert_eq!(other.get(&path).await.code(), "order_not_found");
    }
}

#[tokio::test]
async fn both_paths_lead_to_the_same_gate() {
    let market = Market::open().await;
    let voucher = market.sell(2).await;
    let buyer = market.people(1).await.remove(0);
    let path = format!("/api/vouchers/seckill/claim/{voucher}");
    let order = buyer.post(&path).await.data();
    let again = claim(&buyer, voucher).await;
    assert_eq!(again.json()["code"], "already_bought");
    assert_eq!(again.json()["data"], order);
}

#[tokio::test]
async fn every_refusal_is_a_200_with_its_own_code() {
    let market = Market::open().await;
    let crowd = market.people(2).await;
    let (first, second) = (&crowd[0], &crowd[1]);
    let voucher = market.sell(1).await;
    let order = win(first, voucher).await;
    let again = claim(first, voucher).await;
    assert_eq!(again.status, 200);
    assert_eq!(
        again.json(),
        json!({ "success": false, "errorMsg": "不能重复下单", "code": "already_bought", "data": order }),
    );
    let late = claim(second, voucher).await;
    assert_eq!(
        (late.status.as_u16(), late.json()),
        (
            200,
            json!({ "success": false, "errorMsg": "库存不足", "code": "sold_out" })
        ),
    );
    let mut sale = market.sale(1);
    sale["beginTime"] = wall_clock(1_800).into();
    let early = market.publish(&sale).await;
    assert_eq!(claim(second, early).await.code(), "not_started");
    sale["beginTime"] = wall_clock(-3_600).into();
    sale["endTime"] = wall_clock(-1_800).into();
    let over = market.publish(&sale).await;
    assert_eq!(claim(second, over).await.code(), "ended");
    for nothing in [0, -1, 123_456, i64::MAX] {
        assert_eq!(claim(second, nothing).await.code(), "voucher_not_found");
    }
    let body = json!({ "shopId": market.shop, "title": "券", "payValue": 1, "actualValue": 2 });
    let ordinary = market.merchant.post_json("/api/voucher", &body).await;
    let ordinary = ordinary.data().as_i64().unwrap();
    assert_eq!(claim(second, ordinary).await.code(), "voucher_not_found");
    let visitor = claim(&market.app.visitor(), voucher).await;
    assert_eq!(
        (visitor.status.as_u16(), visitor.code().as_str()),
        (401, "not_signed_in")
    );
    let path = "/api/voucher-order/seckill/abc";
    assert_eq!(second.post(path).await.status, 400);
}

#[tokio::test]
async fn the_same_key_is_the_same_claim_and_names_no_other() {
    let market = Market::open().await;
    let mut sale = market.sale(5);
    sale["limitPerUser"] = 3.into();
    let voucher = market.publish(&sale).await;
    let buyer = market.people(1).await.remove(0);
    let keyed = buyer.clone().with_header("idempotency-key", "click-1");
    let order = win(&keyed, voucher).await;
    assert_eq!(win(&keyed, voucher).await, order, "the same answer again");
    let other_key = buyer.clone().with_header("idempotency-key", "click-2");
    assert_ne!(win(&other_key, voucher).await, order);
    assert_ne!(win(&buyer, voucher).await, order);
    assert_eq!(claim(&buyer, voucher).await.code(), "already_bought");
    assert_eq!(win(&keyed, voucher).await, order);
    let elsewhere = market.sell(1).await;
    let mismatch = claim(&keyed, elsewhere).await;
    assert_eq!(
        (mismatch.status.as_u16(), mismatch.code().as_str()),
        (409, "idempotency_mismatch")
    );
    for bad in ["", &"k".repeat(65), "two words"] {
        let odd = buyer.clone().with_header("idempotency-key", bad);
        assert_eq!(claim(&odd, elsewhere).await.status, 400, "{bad:?}");
    }
}

#[tokio::test]
async fn five_clicks_at_once_are_one_order() {
    let market = Market::open().await;
    let voucher = market.sell(10).await;
    let buyer = market.people(1).await.remove(0);
    let clicks = (0..5).map(|_| claim(&buyer, voucher));
    let answers = futures_util::future::join_all(clicks).await;
    let orders: std::collections::BTreeSet<String> = answers
        .iter()
        .map(|answer| answer.json()["data"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(orders.len(), 1, "{answers:?}");
    market.wait_for_orders(voucher, 1).await;
}

#[tokio::test]
async fn a_buyer_who_claims_too_often_waits() {
    let app = TestApp::builder().setting("flash.claims_per_user_per_minute", 3);
    let market = Market::on(app.spawn().await).await;
    let voucher = market.sell(5).await;
    let crowd = market.people(2).await;
    for _ in 0..3 {
        assert_eq!(claim(&crowd[0], voucher).await.status, 200);
    }
    let refused = claim(&crowd[0], voucher).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (429, "too_many")
    );
    assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
    assert_eq!(claim(&crowd[1], voucher).await.status, 200);
}

#[tokio::test]
async fn an_address_has_a_limit_of_its_own() {
    let app = TestApp::builder().setting("flash.claims_per_address_per_minute", 2);
    let market = Market::on(app.spawn().await).await;
    let voucher = market.sell(5).await;
    let crowd = market.people(3).await;
    let mut statuses = Vec::new();
    for person in &crowd {
        statuses.push(claim(person, voucher).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 429]);
}

#[tokio::test]
async fn a_site_that_requires_tokens_sells_to_clients_that_loaded_the_page() {
    let app = TestApp::builder()
        .setting("flash.claim_token", true)
        .setting(
            "flash.claim_token_secret",
            "0123456789abcdef0123456789abcdef",
        );
    let market = Market::on(app.spawn().await).await;
    let crowd = market.people(2).await;
    let voucher = market.sell(5).await;
    assert_eq!(
        claim(&crowd[0], voucher).await.code(),
        "claim_token_invalid"
    );
    let state = sale_state(&crowd[0], voucher).await;
    let token = state["claimToken"].as_str().expect("the sale is open");
    let stolen = crowd[1].clone().with_header("x-claim-token", token);
    assert_eq!(claim(&stolen, voucher).await.code(), "claim_token_invalid");
    win(
        &crowd[0].clone().with_header("x-claim-token", token),
        voucher,
    )
    .await;
    let mut sale = market.sale(5);
    sale["beginTime"] = wall_clock(1_800).into();
    let early = market.publish(&sale).await;
    assert!(
        sale_state(&crowd[0], early)
            .await
            .get("claimToken")
            .is_none()
    );
    let state = sale_state(&market.app.visitor(), voucher).await;
    assert!(state.get("claimToken").is_none(), "visitors get none");
}

#[tokio::test]
async fn snowflake_ids_are_orders_like_others() {
    let app = TestApp::builder().setting("flash.ids", "snowflake");
    let market = Market::on(app.spawn().await).await;
    let voucher = market.sell(3).await;
    let mut orders = std::collections::BTreeSet::new();
    for person in people(&market.app, 3).await {
        orders.insert(win(&person, voucher).await);
    }
    assert_eq!(orders.len(), 3);
    market.wait_for_orders(voucher, 3).await;
}
