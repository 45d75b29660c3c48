//! Vouchers over HTTP: published by those who may, checked, and listed as shops show them.

use domain::Role;
use serde_json::{Value, json};

use crate::flash::{Market, claim, wall_clock, win};
use crate::shops::{ADMIN, RIVAL, USER, new_shop, open_shop, sign_in};

fn ordinary(shop: i64) -> Value {
    json!({ "shopId": shop, "title": "50元代金券", "payValue": 4750, "actualValue": 5000 })
}

async fn shelf(market: &Market, shop: i64) -> Vec<Value> {
    let path = format!("/api/voucher/list/{shop}");
    let listed = market.app.visitor().get(&path).await.data();
    listed.as_array().unwrap().clone()
}

#[tokio::test]
async fn a_shelf_shows_both_kinds_by_id_with_live_stock() {
    for market in Market::on_both().await {
        let published = market
            .merchant
            .post_json("/api/voucher", &ordinary(market.shop))
            .await;
        let first = published.data().as_i64().unwrap();
        let second = market.sell(7).await;
        let buyer = market.people(1).await.remove(0);
        win(&buyer, second).await;
        let shelf = shelf(&market, market.shop).await;
        assert_eq!(
            shelf[0],
            json!({
                "id": first, "shopId": market.shop, "title": "50元代金券",
                "payValue": 4750, "actualValue": 5000, "type": 0,
            })
        );
        let sale = &shelf[1];
        assert_eq!(
            (&sale["id"], &sale["type"], &sale["stock"]),
            (&json!(second), &json!(1), &json!(6))
        );
        let sent = market.sale(7);
        let day = |value: &Value| value.as_str().unwrap()[..10].to_owned();
        assert_eq!(day(&sale["beginTime"]), day(&sent["beginTime"]));
        let (begin, end, now) = (&sale["beginAtMs"], &sale["endAtMs"], &sale["nowMs"]);
        assert!(begin.as_i64() < now.as_i64() && now.as_i64() < end.as_i64());
        assert_eq!(shelf.len(), 2);
    }
}

#[tokio::test]
async fn an_unknown_shop_has_an_empty_shelf() {
    let market = Market::open().await;
    for shop in [0, -5, 123_456, i64::MAX] {
        assert!(shelf(&market, shop).await.is_empty());
    }
}

#[tokio::test]
async fn only_the_owner_and_admins_publish() {
    let market = Market::open().await;
    let rival = sign_in(&market.app, RIVAL, Role::Merchant).await;
    let admin = sign_in(&market.app, ADMIN, Role::Admin).await;
    let user = sign_in(&market.app, USER, Role::User).await;
    let sale = market.sale(5);
    for (path, body) in [
        ("/api/voucher", ordinary(market.shop)),
        ("/api/voucher/seckill", sale),
    ] {
        let visitor = market.app.visitor().post_json(path, &body).await;
        assert_eq!(visitor.status, 401);
        for other_client in [&rival, &user] {
            let refused = other_client.post_json(path, &body).await;
            assert_eq!(
                (refused.status.as_u16(), refused.code().as_str()),
                (403, "forbidden")
            );
        }
        assert!(admin.post_json(path, &body).await.data().is_i64());
        let own = open_shop(&rival, &new_shop("面馆")).await;
        let mut own_body = body.clone();
        own_body["shopId"] = own.into();
        assert!(rival.post_json(path, &own_body).await.data().is_i64());
        let mut nowhere = body;
        nowhere["shopId"] = 123_456.into();
        let refused = market.merchant.post_json(path, &nowhere).await;
        assert_eq!(refused.code(), "shop_not_found");
    }
    assert_eq!(shelf(&market, market.shop).await.len(), 2);
}

#[tokio::test]
async fn what_cannot_be_sold_is_refused_with_its_own_code() {
    let market = Market::open().await;
    let cases = [
        ("title", json!(" "), "voucher_title_invalid"),
        (
            "subTitle",
            json!("券".repeat(256)),
            "voucher_sub_title_invalid",
        ),
        ("rules", json!("券".repeat(1_025)), "voucher_rules_invalid"),
        ("payValue", json!(10_001), "voucher_price_invalid"),
        ("payValue", json!(0), "voucher_price_invalid"),
        ("actualValue", json!(0), "voucher_value_invalid"),
        ("stock", json!(0), "voucher_stock_invalid"),
        ("stock", json!(10_000_001), "voucher_stock_invalid"),
        (
            "endTime",
            json!(wall_clock(-3_700)),
            "voucher_window_invalid",
        ),
        ("limitPerUser", json!(0), "voucher_limit_invalid"),
        ("limitPerUser", json!(100), "voucher_limit_invalid"),
        ("spread", json!(0), "voucher_spread_invalid"),
        ("spread", json!(5), "voucher_spread_invalid"),
    ];
    for (field, value, code) in cases {
        let mut sale = market.sale(5);
        sale[field] = value;
        let refused = market
            .merchant
            .post_json("/api/voucher/seckill", &sale)
            .await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (200, code),
            "{field}"
        );
    }
    for (field, value) in [
        ("beginTime", json!("tomorrow")),
        ("stock", json!(-1)),
        ("stock", json!("many")),
        ("shopId", Value::Null),
    ] {
        let mut sale = market.sale(5);
        sale[field] = value;
        let refused = market
            .merchant
            .post_json("/api/voucher/seckill", &sale)
            .await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (400, "malformed"),
            "{field}"
        );
    }
    assert!(shelf(&market, market.shop).await.is_empty());
}

#[tokio::test]
async fn a_published_sale_can_be_claimed_at_once_everywhere() {
    let market = Market::open().await;
    let other = market.app.beside().spawn().await;
    let crowd = market.people(20).await;
    for (round, person) in crowd.iter().enumerate() {
        let voucher = market.sell(1).await;
        let there = person.clone().at(other.url());
        let buyer = if round % 2 == 0 { person } else { &there };
        win(buyer, voucher).await;
        assert_eq!(
            claim(&crowd[(round + 1) % 20], voucher).await.code(),
            "sold_out"
        );
    }
}

#[tokio::test]
async fn what_only_the_site_may_say_cannot_be_bound() {
    let market = Market::open().await;
    let mut sale = market.sale(5);
    for (name, value) in [
        ("id", 77),
        ("status", 2),
        ("type", 0),
        ("epoch", 9),
        ("initialStock", 1),
    ] {
        sale[name] = value.into();
    }
    let voucher = market.publish(&sale).await;
    assert_ne!(voucher, 77);
    let shelf = shelf(&market, market.shop).await;
    assert_eq!(
        (&shelf[0]["type"], &shelf[0]["stock"]),
        (&json!(1), &json!(5))
    );
}
