//! Orders over HTTP: found by their owners, listed page by page, and what becomes of those that SQL cannot take.

use domain::{OrderId, Role, UserId, VoucherId};
use jiff::Timestamp;
use serde_json::{Value, json};
use storage::flash_sales::{self, DrainLease, SaleOrder, StockUnit};
use testkit::{Client, wait_until};

use crate::flash::{Market, PATIENCE, claim, sale_state, win};
use crate::shops::{ADMIN, sign_in};

async fn page(client: &Client, query: &str) -> Value {
    let path = format!("/api/voucher-order/of/me?{query}");
    client.get(&path).await.data()
}

fn ids(page: &Value) -> Vec<String> {
    let list = page["list"].as_array().unwrap();
    let id = |order: &Value| order["id"].as_str().unwrap().to_owned();
    list.iter().map(id).collect()
}

#[tokio::test]
async fn my_orders_come_newest_first_page_by_page() {
    for market in Market::on_both().await {
        let buyer = market.people(1).await.remove(0);
        let mut bought = Vec::new();
        for _ in 0..5 {
            let voucher = market.sell(2).await;
            bought.push(win(&buyer, voucher).await);
            market.wait_for_orders(voucher, 1).await;
        }
        bought.reverse();
        let mut seen = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = page(&buyer, &format!("size=2&cursor={cursor}")).await;
            seen.extend(ids(&page));
            match page["cursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(seen, bought);
        assert_eq!(ids(&page(&buyer, "status=1").await), bought);
        assert!(ids(&page(&buyer, "status=2").await).is_empty());
        for size in [-1, 0] {
            assert_eq!(ids(&page(&buyer, &format!("size={size}")).await).len(), 1);
        }
        for bad in ["status=0", "status=7", "cursor=x", "size=x"] {
            let path = format!("/api/voucher-order/of/me?{bad}");
            assert_eq!(buyer.get(&path).await.status, 400, "{bad}");
        }
        let other = market.people(2).await.remove(1);
        assert!(ids(&page(&other, "").await).is_empty());
    }
}

#[tokio::test]
async fn an_unknown_order_is_not_found() {
    let market = Market::open().await;
    let buyer = market.people(1).await.remove(0);
    for id in ["0", "-1", "1", "9223372036854775807"] {
        let found = buyer.get(&format!("/api/voucher-order/{id}")).await;
        assert_eq!(
            (found.status.as_u16(), found.json()),
            (
                200,
                json!({ "success": false, "errorMsg": "订单不存在", "code": "order_not_found" })
            ),
        );
    }
    assert_eq!(buyer.get("/api/voucher-order/abc").await.status, 400);
    let visitor = market.app.visitor();
    assert_eq!(visitor.get("/api/voucher-order/1").await.status, 401);
}

/// Dead-letters an order that the gate granted, as a drain worker does that cannot record it.
async fn dead_letter(market: &Market, order: i64, voucher: i64, user: i64) {
    let db = market.app.core().db();
    let partition = u16::try_from(voucher.rem_euclid(4)).unwrap();
    // A later lease than that of any drainer.
    let lease = DrainLease {
        partition,
        fence: i64::MAX / 2,
    };
    let order = SaleOrder {
        id: OrderId::new(order),
        voucher_id: VoucherId::new(voucher),
        user_id: UserId::new(user),
        slot: 1,
        granted_at: Timestamp::now(),
        key: None,
    };
    flash_sales::take_drain_lease(db, lease)
        .await
        .unwrap()
        .unwrap();
    let dead_lettered =
        flash_sales::dead_letter(db, lease, &order, "a test", StockUnit::Held).await;
    dead_lettered.unwrap().unwrap();
}

#[tokio::test]
async fn a_dead_lettered_order_is_reported_its_unit_returned_and_settled_once() {
    let market = Market::open().await;
    let voucher = market.sell(5).await;
    let crowd = market.people(2).await;
    let (buyer, other) = (&crowd[0], &crowd[1]);
    let me = buyer.get("/api/user/me").await.data()["id"]
        .as_i64()
        .unwrap();
    // An order that never was: as good as one that SQL could not take.
    let lost = 4_711;
    dead_letter(&market, lost, voucher, me).await;
    let path = format!("/api/voucher-order/{lost}");
    assert_eq!(buyer.get(&path).await.code(), "order_failed");
    assert_eq!(other.get(&path).await.code(), "order_not_found");
    let admin = sign_in(&market.app, ADMIN, Role::Admin).await;
    let dead = "/api/console/dead-orders";
    assert_eq!(market.merchant.get(dead).await.status, 403);
    let listed = admin.get(dead).await.data();
    assert_eq!(listed["list"][0]["id"], "4711");
    assert_eq!(listed["list"][0]["state"], "waiting");
    let redrive = format!("{dead}/{lost}/redrive");
    assert_eq!(market.merchant.post(&redrive).await.status, 403);
    let order = admin.post(&redrive).await.data();
    assert_eq!(
        claim(buyer, voucher).await.json()["data"],
        order,
        "the buyer has it"
    );
    assert_eq!(admin.get(dead).await.data()["list"][0]["state"], "redriven");
    assert_eq!(admin.post(&redrive).await.code(), "order_not_found", "once");
    let note = json!({ "note": "a voucher by post" });
    let compensate = format!("{dead}/{lost}/compensate");
    assert_eq!(
        admin.post_json(&compensate, &note).await.code(),
        "order_not_found"
    );
}

#[tokio::test]
async fn admins_who_redrive_and_compensate_at_once_do_one_of_them() {
    let market = Market::open().await;
    let voucher = market.sell(50).await;
    let crowd = market.people(20).await;
    let admin = sign_in(&market.app, ADMIN, Role::Admin).await;
    for (lost, buyer) in (5_000..).zip(&crowd) {
        let me = buyer.get("/api/user/me").await.data()["id"]
            .as_i64()
            .unwrap();
        dead_letter(&market, lost, voucher, me).await;
        let path = |what: &str| format!("/api/console/dead-orders/{lost}/{what}");
        let (redrive, compensate) = (path("redrive"), path("compensate"));
        let note = json!({ "note": "by post" });
        let (redriven, compensated) =
            tokio::join!(admin.post(&redrive), admin.post_json(&compensate, &note));
        let done = [&redriven, &compensated].map(|answer| answer.json()["success"] == true);
        assert_eq!(
            done.iter().filter(|done| **done).count(),
            1,
            "{redriven:?} {compensated:?}"
        );
        let has_order = claim(buyer, voucher).await.json()["success"] == false;
        assert_eq!(has_order, done[0], "{redriven:?} {compensated:?}");
    }
}

#[tokio::test]
async fn the_unit_of_a_dead_lettered_order_is_for_sale_again() {
    let market = Market::open().await;
    let voucher = market.sell(1).await;
    let crowd = market.people(2).await;
    let me = crowd[0].get("/api/user/me").await.data()["id"]
        .as_i64()
        .unwrap();
    // Held back from SQL, so that burying finds it granted and not recorded.
    let engine = market.app.core().flash_sales().engine();
    let lease = DrainLease {
        partition: u16::try_from(voucher.rem_euclid(4)).unwrap(),
        fence: i64::MAX / 2,
    };
    let db = market.app.core().db();
    flash_sales::take_drain_lease(db, lease)
        .await
        .unwrap()
        .unwrap();
    let order: i64 = win(&crowd[0], voucher).await.parse().unwrap();
    assert_eq!(sale_state(&crowd[1], voucher).await["stock"], 0);
    dead_letter(&market, order, voucher, me).await;
    wait_until("the unit is back", PATIENCE, async || {
        sale_state(&crowd[1], voucher).await["stock"] == 1
    })
    .await;
    wait_until("another buyer gets it", PATIENCE, async || {
        claim(&crowd[1], voucher).await.json()["data"].is_string()
    })
    .await;
    assert!(engine.backlog().await.unwrap() >= 1);
}

#[tokio::test]
async fn the_unit_of_a_cancelled_order_is_for_sale_again_on_every_server() {
    for market in Market::on_both().await {
        let other = market.app.beside().spawn().await;
        let voucher = market.sell(1).await;
        let crowd = market.people(2).await;
        let (first, second) = (&crowd[0], crowd[1].clone().at(other.url()));
        let me = first.get("/api/user/me").await.data()["id"].clone();
        let order = win(first, voucher).await;
        assert_eq!(claim(&second, voucher).await.code(), "sold_out");
        market.wait_for_orders(voucher, 1).await;
        let (owner, id) = (UserId::new(me.as_i64().unwrap()), order.parse().unwrap());
        let cancelled = storage::orders::cancel(market.app.core().db(), owner, id).await;
        cancelled.unwrap().unwrap();
        wait_until("another buyer has the unit", PATIENCE, async || {
            claim(&second, voucher).await.json()["data"].is_string()
        })
        .await;
        market.wait_for_orders(voucher, 1).await;
        assert_eq!(
            claim(first, voucher).await.code(),
            "sold_out",
            "the first has none any more"
        );
    }
}
