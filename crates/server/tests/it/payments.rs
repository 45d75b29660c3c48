//! Payments over HTTP: the page that plays the cashier, and callbacks in Alipay's words under Alipay's signature.

mod credit;
mod outside;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::json;
use storage::audit;
use testkit::{Client, HttpReply, TestApp, TestAppBuilder, wait_until};

use crate::flash::{Market, PATIENCE, claim};
use crate::order_life::{
    ALIPAY, CANCELLED, PAID, UNPAID, assert_books, assert_pieces, buy, claimed, hasty, notices_of,
    order, ordinary, pay, step, wait_for_status,
};

const FORM: &str = "application/x-www-form-urlencoded";

pub(crate) const ALIPAY_KEY: &str = include_str!("../../../pay/tests/keys/alipay.pkcs8.pem");
const STRANGER_KEY: &str = include_str!("../../../pay/tests/keys/stranger.pkcs8.pem");
const KEYS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../pay/tests/keys");

const APP_ID: &str = "2021000116677777";
const SELLER_ID: &str = "2088102146225135";

const WECHAT: i64 = 3;

/// The path of the cashier's page for an order.
pub(crate) async fn cashier(client: &Client, order: &str) -> String {
    cashier_of(client, order, ALIPAY).await
}

async fn cashier_of(client: &Client, order: &str, pay_type: i64) -> String {
    let path = format!("/api/voucher-order/{order}/pay");
    let input = json!({ "payType": pay_type, "cashier": true });
    let paying = client.post_json(&path, &input).await.data();
    assert_eq!(paying["status"], UNPAID);
    let redirect = paying["redirect"].as_str().unwrap();
    let place = redirect.find("/cashier/").unwrap();
    redirect[place..].to_owned()
}

pub(crate) async fn press(client: &Client, page: &str, act: &str) -> HttpReply {
    let body = format!("act={act}").into_bytes();
    client.send(Method::POST, page, Some((FORM, body))).await
}

#[tokio::test]
async fn the_cashiers_page_pays_and_fails() {
    let market = Market::open().await;
    let buyer = market.people(1).await.remove(0);
    let voucher = ordinary(&market).await;
    let id = buy(&buyer, voucher).await;
    let page = cashier(&buyer, &id).await;
    let shown = market.app.visitor().get(&page).await;
    assert_eq!(shown.status, 200);
    assert!(shown.text.contains("¥45.00") && shown.text.contains("50元代金券"));
    assert!(!shown.text.contains("<script"));
    let failed = press(&buyer, &page, "fail").await;
    assert_eq!(
        (failed.status.as_u16(), failed.header("location")),
        (303, page.as_str())
    );
    assert_eq!(order(&buyer, &id).await["status"], UNPAID);
    assert_eq!(press(&buyer, &page, "pay").await.code(), "payment_closed");
    let page = cashier(&buyer, &id).await;
    assert_eq!(press(&buyer, &page, "pay").await.status, 303);
    assert_eq!(order(&buyer, &id).await["status"], PAID);
    assert_eq!(
        press(&buyer, &page, "pay").await.status,
        303,
        "paying again is paying once"
    );
    assert_books(&market.app).await;
    for forged in ["/cashier/1?x=1", "/cashier/999", &format!("{page}0")] {
        assert_eq!(
            buyer.get(forged).await.code(),
            "payment_not_found",
            "{forged}"
        );
    }
    assert_eq!(press(&buyer, &page, "steal").await.status, 400);
}

#[tokio::test]
async fn who_turns_to_another_way_of_paying_pays_in_that_one() {
    for market in Market::on_both().await {
        let buyer = market.people(1).await.remove(0);
        let id = buy(&buyer, ordinary(&market).await).await;
        let alipay = cashier_of(&buyer, &id, ALIPAY).await;
        let wechat = cashier_of(&buyer, &id, WECHAT).await;
        assert!(buyer.get(&alipay).await.text.contains("支付宝"));
        assert!(buyer.get(&wechat).await.text.contains("微信支付"));
        assert_eq!(press(&buyer, &wechat, "pay").await.status, 303);
        let paid = order(&buyer, &id).await;
        assert_eq!(
            (&paid["status"], &paid["payType"]),
            (&json!(PAID), &json!(WECHAT))
        );

        assert_eq!(press(&buyer, &alipay, "pay").await.status, 303);
        assert_eq!(notices_of(&buyer).await, ["order_paid", "payment_returned"]);
        wait_until("the first payment is back", PATIENCE, async || {
            payments_of(&market, &buyer, &id).await == ["Refunded", "Paid"]
        })
        .await;
        assert_eq!(order(&buyer, &id).await["payType"], WECHAT);
        assert_books(&market.app).await;
    }
}

#[tokio::test]
async fn money_that_comes_twice_goes_back_once() {
    for market in Market::on_both().await {
        let buyer = market.people(1).await.remove(0);
        let id = buy(&buyer, ordinary(&market).await).await;
        let page = cashier(&buyer, &id).await;
        assert_eq!(press(&buyer, &page, "pay_twice").await.status, 303);
        assert_eq!(order(&buyer, &id).await["status"], PAID);
        assert_eq!(notices_of(&buyer).await, ["order_paid", "payment_returned"]);
        assert_eq!(press(&buyer, &page, "pay_twice").await.status, 303);
        wait_until("the second payment is back", PATIENCE, async || {
            let payments = payments_of(&market, &buyer, &id).await;
            payments == ["Paid", "Refunded"]
        })
        .await;
        assert_books(&market.app).await;
    }
}

async fn payments_of(market: &Market, buyer: &Client, id: &str) -> Vec<String> {
    let (owner, order) = (crate::order_life::me(buyer).await, id.parse().unwrap());
    let db = market.app.core().db();
    let payments = storage::payments::list_of_order(db, owner, order).await;
    let state = |payment: &storage::payments::Payment| format!("{:?}", payment.state);
    payments.unwrap().iter().map(state).collect()
}

#[tokio::test]
async fn a_payment_that_comes_too_late_is_refunded_and_the_buyer_notified() {
    let market = Market::on(hasty(2).spawn().await).await;
    let buyer = market.people(1).await.remove(0);
    let voucher = market.sell(1).await;
    let id = claimed(&buyer, voucher).await;
    let page = cashier(&buyer, &id).await;
    assert_eq!(press(&buyer, &page, "pay_late").await.status, 303);
    wait_for_status(&buyer, &id, CANCELLED).await;
    wait_until("the money is back", PATIENCE, async || {
        payments_of(&market, &buyer, &id).await == ["Refunded"]
    })
    .await;
    assert_eq!(
        notices_of(&buyer).await,
        ["order_expired", "payment_returned"]
    );
    assert_eq!(order(&buyer, &id).await["status"], CANCELLED);
    wait_until("it can be bought again", PATIENCE, async || {
        claim(&buyer, voucher).await.json()["success"] == true
    })
    .await;
    assert_pieces(&market.app, voucher).await;
    assert_books(&market.app).await;
}

fn with_alipay() -> TestAppBuilder {
    with_alipay_at("http://127.0.0.1:9/gateway.do")
}

/// A site whose users pay through Alipay, or through the server at that address.
pub(crate) fn with_alipay_at(gateway: &str) -> TestAppBuilder {
    TestApp::builder()
        .setting("payment.provider", "alipay")
        .setting("payment.alipay.app_id", APP_ID)
        .setting("payment.alipay.seller_id", SELLER_ID)
        .setting("payment.alipay.gateway", gateway)
        .setting(
            "payment.alipay.app_private_key_file",
            format!("{KEYS}/app.pkcs8.pem"),
        )
        .setting(
            "payment.alipay.alipay_public_key_file",
            format!("{KEYS}/alipay.public.pem"),
        )
}

/// A callback about a payment, signed with this key.
pub(crate) fn callback(number: &str, reference: &str, yuan: &str, key: &str) -> Vec<u8> {
    callback_with(number, reference, yuan, key, &[])
}

/// A callback with other fields, or others' values.
fn callback_with(
    number: &str,
    reference: &str,
    yuan: &str,
    key: &str,
    others: &[(&'static str, &str)],
) -> Vec<u8> {
    let mut fields: BTreeMap<&str, String> = [
        ("app_id", APP_ID),
        ("seller_id", SELLER_ID),
        ("charset", "utf-8"),
        ("notify_time", "2026-07-01 12:00:02"),
        ("out_trade_no", number),
        ("trade_no", reference),
        ("trade_status", "TRADE_SUCCESS"),
        ("total_amount", yuan),
        ("gmt_payment", "2026-07-01 12:00:01"),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .into();
    fields.extend(
        others
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned())),
    );
    let content: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    fields.insert("sign", sign(key, &content.join("&")));
    fields.insert("sign_type", "RSA2".to_owned());
    serde_urlencoded::to_string(&fields).unwrap().into_bytes()
}

fn sign(pem: &str, content: &str) -> String {
    let base64: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let key = RsaKeyPair::from_pkcs8(&BASE64_STANDARD.decode(base64).unwrap()).unwrap();
    let mut signature = vec![0; key.public().modulus_len()];
    let random = SystemRandom::new();
    key.sign(
        &RSA_PKCS1_SHA256,
        &random,
        content.as_bytes(),
        &mut signature,
    )
    .unwrap();
    BASE64_STANDARD.encode(signature)
}

pub(crate) async fn tell(app: &TestApp, body: Vec<u8>) -> String {
    let path = "/api/payment/notify/alipay";
    let visitor = app.visitor();
    let reply = visitor.send(Method::POST, path, Some((FORM, body))).await;
    assert_eq!(reply.status, 200);
    reply.text
}

/// What Alipay knows the payment for an order by.
pub(crate) fn number_in(redirect: &str) -> String {
    let (_, query) = redirect.split_once('?').unwrap();
    let fields: BTreeMap<String, String> = serde_urlencoded::from_str(query).unwrap();
    let content: serde_json::Value = serde_json::from_str(&fields["biz_content"]).unwrap();
    content["out_trade_no"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_signed_callback_confirms_once_and_nothing_else_is_believed() {
    let market = Market::on(with_alipay().spawn().await).await;
    let buyer = market.people(1).await.remove(0);
    let id = buy(&buyer, ordinary(&market).await).await;
    assert_eq!(pay(&buyer, &id, 3).await.code(), "pay_type_unsupported");
    let paying = pay(&buyer, &id, ALIPAY).await.data();
    let redirect = paying["redirect"].as_str().unwrap();
    assert!(redirect.starts_with("http://127.0.0.1:9/gateway.do?"));
    let number = number_in(redirect);
    let app = &market.app;
    let forged = callback(&number, "R1", "45.00", STRANGER_KEY);
    assert_eq!(tell(app, forged).await, "failure");
    let cheap = callback(&number, "R1", "0.01", ALIPAY_KEY);
    assert_eq!(
        tell(app, cheap).await,
        "failure",
        "another amount than was asked for"
    );
    let (_, payment) = number.rsplit_once('_').unwrap();
    let subject = format!("payment:{payment}:R1");
    let kept = audit::is_recorded(app.core().db(), "payment_disputed", &subject).await;
    assert!(kept.unwrap(), "a row for the comparison of the books");
    let stray = callback("nobody", "R2", "1.00", ALIPAY_KEY);
    assert_eq!(tell(app, stray).await, "success");
    let subject = "payment:nobody:R2";
    let kept = audit::is_recorded(app.core().db(), "payment_disputed", subject).await;
    assert!(kept.unwrap(), "money for nothing of ours is kept as well");
    // Another site of the same merchant may have a payment whose number ends alike.
    let (_, end) = number.split_once('_').unwrap();
    for foreign in [
        format!("1_{end}"),
        format!("{number}0"),
        format!("0{number}"),
    ] {
        let foreign = callback(&foreign, "R1", "45.00", ALIPAY_KEY);
        assert_eq!(tell(app, foreign).await, "success");
    }
    assert_eq!(order(&buyer, &id).await["status"], UNPAID);
    let genuine = callback(&number, "R1", "45.00", ALIPAY_KEY);
    for _ in 0..3 {
        assert_eq!(tell(app, genuine.clone()).await, "success");
    }
    assert_eq!(order(&buyer, &id).await["status"], PAID);
    assert_eq!(notices_of(&buyer).await, ["order_paid"]);
    assert_books(app).await;
    let other = app.visitor().post("/api/payment/notify/sandbox").await;
    assert_eq!(other.code(), "no_such_route");
}

#[tokio::test]
async fn a_callback_for_a_cancelled_order_is_kept_in_escrow_until_it_can_go_back() {
    let market = Market::on(with_alipay().spawn().await).await;
    let buyer = market.people(1).await.remove(0);
    let id = buy(&buyer, ordinary(&market).await).await;
    let paying = pay(&buyer, &id, ALIPAY).await.data();
    let number = number_in(paying["redirect"].as_str().unwrap());
    step(&buyer, &id, "cancel").await.data();
    let late = callback(&number, "R2", "45.00", ALIPAY_KEY);
    assert_eq!(tell(&market.app, late.clone()).await, "success");
    assert_eq!(tell(&market.app, late).await, "success");
    assert_eq!(order(&buyer, &id).await["status"], CANCELLED);
    assert_eq!(
        notices_of(&buyer).await,
        ["order_cancelled", "payment_returned"]
    );
    // Nobody answers at the gateway: the money is neither lost nor said to be back.
    assert_eq!(payments_of(&market, &buyer, &id).await, ["Late"]);
    assert_books(&market.app).await;
}
