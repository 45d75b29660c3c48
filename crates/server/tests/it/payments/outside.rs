//! Refunds that are made in Alipay's own console: the order follows the money, or stops until an admin has decided.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Client, wait_until};

use super::{ALIPAY_KEY, callback, callback_with, number_in, payments_of, tell, with_alipay};
use crate::flash::{Market, PATIENCE, claim};
use crate::order_life::{
    ALIPAY, PAID, REFUNDED, UNPAID, USED, assert_books, assert_pieces, buy, claimed, notices_of,
    order, ordinary, pay, redeem, step,
};
use crate::shops::{ADMIN, sign_in};

const REFUNDING: i64 = 5;
const OUTSIDE: &str = "/api/console/outside-refunds";

/// A site that is paid through Alipay, and a user who has begun to pay.
struct Scene {
    market: Market,
    buyer: Client,
    order: String,
    /// What Alipay knows the payment by.
    number: String,
    yuan: &'static str,
}

impl Scene {
    async fn with_ordinary() -> Self {
        let market = Market::on(with_alipay().spawn().await).await;
        let buyer = market.people(1).await.remove(0);
        let order = buy(&buyer, ordinary(&market).await).await;
        Self::of(market, buyer, order, "45.00").await
    }

    async fn of(market: Market, buyer: Client, order: String, yuan: &'static str) -> Self {
        let paying = pay(&buyer, &order, ALIPAY).await.data();
        let number = number_in(paying["redirect"].as_str().unwrap());
        Self {
            market,
            buyer,
            order,
            number,
            yuan,
        }
    }

    async fn paid(self) -> Self {
        let paid = callback(&self.number, "R1", self.yuan, ALIPAY_KEY);
        assert_eq!(tell(&self.market.app, paid).await, "success");
        assert_eq!(self.status().await, PAID);
        self
    }

    /// Alipay says that so much went back in all.
    async fn refund(&self, yuan: &str) {
        let status = match yuan == self.yuan {
            true => "TRADE_CLOSED",
            false => "TRADE_SUCCESS",
        };
        let others = [
            ("trade_status", status),
            ("refund_fee", yuan),
            ("gmt_refund", "2026-07-01 12:30:00.000"),
            ("out_biz_no", "20260701console"),
        ];
        let body = callback_with(&self.number, "R1", self.yuan, ALIPAY_KEY, &others);
        assert_eq!(tell(&self.market.app, body).await, "success");
    }

    async fn status(&self) -> Value {
        order(&self.buyer, &self.order).await["status"].clone()
    }

    async fn admin(&self) -> Client {
        sign_in(&self.market.app, ADMIN, Role::Admin).await
    }

    async fn payments(&self) -> Vec<String> {
        payments_of(&self.market, &self.buyer, &self.order).await
    }
}

async fn listed(admin: &Client) -> Vec<Value> {
    let page = admin.get(OUTSIDE).await.data();
    page["list"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_refund_in_the_console_ends_the_order_and_its_unit_is_sold_again() {
    let market = Market::on(with_alipay().spawn().await).await;
    let buyer = market.people(1).await.remove(0);
    let voucher = market.sell(1).await;
    let order = claimed(&buyer, voucher).await;
    let scene = Scene::of(market, buyer, order, "80.00").await.paid().await;
    let admin = scene.admin().await;
    for _ in 0..3 {
        scene.refund("80.00").await;
    }
    assert_eq!(scene.status().await, REFUNDED);
    assert_eq!(
        notices_of(&scene.buyer).await,
        ["order_paid", "order_refunded"]
    );
    assert_eq!(scene.payments().await, ["Refunded"]);
    wait_until("it can be bought again", PATIENCE, async || {
        claim(&scene.buyer, voucher).await.json()["success"] == true
    })
    .await;
    assert!(listed(&admin).await.is_empty());
    assert_pieces(&scene.market.app, voucher).await;
    assert_books(&scene.market.app).await;
}

#[tokio::test]
async fn part_of_the_money_back_stops_the_order_until_the_rest_is() {
    let scene = Scene::with_ordinary().await.paid().await;
    let code = order(&scene.buyer, &scene.order).await["redeemCode"].clone();
    let admin = scene.admin().await;
    for _ in 0..2 {
        scene.refund("20.00").await;
    }
    assert_eq!(scene.status().await, REFUNDING);
    let refused = redeem(&scene.market.merchant, code.as_str().unwrap());
    assert_eq!(refused.await.json()["success"], false);
    let refused = step(&scene.buyer, &scene.order, "refund").await;
    assert_eq!(refused.json()["success"], false);
    let waiting = listed(&admin).await;
    assert_eq!(waiting.len(), 1);
    let (state, refunded) = (&waiting[0]["state"], &waiting[0]["refunded"]);
    assert_eq!((state, refunded), (&json!("held"), &json!(2_000)));
    assert_eq!(notices_of(&admin).await, ["refund_outside"]);
    assert_books(&scene.market.app).await;
    scene.refund("45.00").await;
    assert_eq!(scene.status().await, REFUNDED);
    assert!(listed(&admin).await.is_empty());
    assert_books(&scene.market.app).await;
}

#[tokio::test]
async fn an_admin_lets_the_rest_go_back() {
    let scene = Scene::with_ordinary().await.paid().await;
    let admin = scene.admin().await;
    scene.refund("20.00").await;
    let id = listed(&admin).await[0]["paymentId"].as_i64().unwrap();
    let path = format!("{OUTSIDE}/{id}/settle");
    let note = json!({ "note": "the rest as well" });
    let refused = scene.buyer.post_json(&path, &note).await;
    assert_eq!(refused.status, 403);
    admin.post_json(&path, &note).await.data();
    assert!(listed(&admin).await.is_empty());
    let again = admin.post_json(&path, &note).await;
    assert_eq!(again.code(), "payment_not_found");
    // The gateway does not answer: the rest is retried until it does, or until the console records the refund.
    assert_eq!(scene.status().await, REFUNDING);
    scene.refund("45.00").await;
    assert_eq!(scene.status().await, REFUNDED);
    assert_books(&scene.market.app).await;
}

#[tokio::test]
async fn a_used_order_stays_used_and_an_admin_is_notified() {
    let scene = Scene::with_ordinary().await.paid().await;
    let code = order(&scene.buyer, &scene.order).await["redeemCode"].clone();
    let code = code.as_str().unwrap().to_owned();
    redeem(&scene.market.merchant, &code).await.data();
    let admin = scene.admin().await;
    for _ in 0..2 {
        scene.refund("45.00").await;
    }
    assert_eq!(scene.status().await, USED);
    let waiting = listed(&admin).await;
    assert_eq!((waiting.len(), &waiting[0]["state"]), (1, &json!("used")));
    assert_eq!(notices_of(&admin).await, ["refund_outside"]);
    let path = format!("{OUTSIDE}/{}/settle", waiting[0]["paymentId"]);
    let note = json!({ "note": "the shop pays it back" });
    admin.post_json(&path, &note).await.data();
    assert!(listed(&admin).await.is_empty());
    assert_eq!(scene.status().await, USED);
    assert_books(&scene.market.app).await;
}

/// Callbacks arrive in any order: the one of a payment may arrive after the one of its refund.
#[tokio::test]
async fn a_payment_refunded_before_its_callback_pays_nothing() {
    let scene = Scene::with_ordinary().await;
    scene.refund("45.00").await;
    assert_eq!(scene.status().await, UNPAID);
    assert_eq!(scene.payments().await, ["Refunded"]);
    let paid = callback(&scene.number, "R1", "45.00", ALIPAY_KEY);
    assert_eq!(tell(&scene.market.app, paid).await, "success");
    assert_eq!(scene.status().await, UNPAID);
    assert_books(&scene.market.app).await;
}
