//! The life of an order over HTTP: bought, paid, cancelled, out of time, refunded, used. Whatever happens, the books add
//! up to nothing and every unit is somewhere.

mod counter;
mod crowds;
mod deadlines;
mod keys;
mod kills;
mod panics;
mod races;
mod sites;
mod steps;
mod takeovers;

use domain::{PayType, UserId, VoucherId};
use flash::Repair;
use serde_json::{Value, json};
use storage::accounts::{TrialBalance, trial_balance};
use storage::payments;
use testkit::{Client, HttpReply, TestApp, TestAppBuilder, wait_until};

use crate::chaos::record;
use crate::flash::{Market, PATIENCE, win};

pub(crate) const BALANCE: i64 = 1;
pub(crate) const ALIPAY: i64 = 2;

pub(crate) const UNPAID: i64 = 1;
pub(crate) const PAID: i64 = 2;
pub(crate) const USED: i64 = 3;
pub(crate) const CANCELLED: i64 = 4;
pub(crate) const REFUNDED: i64 = 6;

/// What the report of `make chaos` calls these two.
const BOOKS: &str = "the books of all accounts add up to nothing";
const UNITS: &str = "gate and ledger agree about every unit of a sale";

/// A site on which orders have so many seconds.
pub(crate) fn hasty(pay_deadline_secs: u64) -> TestAppBuilder {
    TestApp::builder()
        .setting("order.pay_deadline_secs", pay_deadline_secs)
        .setting("order.remind_secs", 0)
        .setting("payment.ask_after_secs", 1)
}

/// An ordinary voucher on the shelf.
pub(crate) async fn ordinary(market: &Market) -> i64 {
    let voucher = json!({
        "shopId": market.shop, "title": "50元代金券", "payValue": 4500, "actualValue": 5000,
    });
    let published = market.merchant.post_json("/api/voucher", &voucher).await;
    published.data().as_i64().unwrap()
}

pub(crate) async fn buy(client: &Client, voucher: i64) -> String {
    let bought = client.post(&format!("/api/voucher-order/{voucher}")).await;
    bought.data().as_str().unwrap().to_owned()
}

/// A unit of a sale, in SQL.
pub(crate) async fn claimed(client: &Client, voucher: i64) -> String {
    let order = win(client, voucher).await;
    wait_for_status(client, &order, UNPAID).await;
    order
}

pub(crate) async fn step(client: &Client, order: &str, what: &str) -> HttpReply {
    let path = format!("/api/voucher-order/{order}/{what}");
    client.post(&path).await
}

pub(crate) async fn pay(client: &Client, order: &str, pay_type: i64) -> HttpReply {
    let path = format!("/api/voucher-order/{order}/pay");
    let input = json!({ "payType": pay_type });
    client.post_json(&path, &input).await
}

pub(crate) async fn order(client: &Client, order: &str) -> Value {
    let path = format!("/api/voucher-order/{order}");
    client.get(&path).await.data()
}

pub(crate) async fn wait_for_status(client: &Client, id: &str, status: i64) {
    let path = format!("/api/voucher-order/{id}");
    wait_until("the order gets there", PATIENCE, async || {
        // A busy machine may refuse for the moment.
        client.get(&path).await.json()["data"]["status"] == status
    })
    .await;
}

pub(crate) async fn redeem(client: &Client, code: &str) -> HttpReply {
    let path = "/api/voucher-order/redeem";
    client.post_json(path, &json!({ "code": code })).await
}

pub(crate) async fn me(client: &Client) -> UserId {
    let me = client.get("/api/user/me").await.data();
    UserId::new(me["id"].as_i64().unwrap())
}

pub(crate) async fn fund(app: &TestApp, client: &Client, cents: i64) {
    let (user, by) = (me(client).await, PayType::Balance);
    let reference = format!("test_{user}_{cents}");
    let funded = payments::top_up(app.core().db(), user, cents, by, "test", &reference);
    funded.await.unwrap();
}

pub(crate) async fn balance(client: &Client) -> i64 {
    let balance = client.get("/api/user/balance").await.data();
    balance["balance"].as_i64().unwrap()
}

/// The kinds of a user's notices, oldest first.
pub(crate) async fn notices_of(client: &Client) -> Vec<String> {
    let page = client.get("/api/notices?size=50").await.data();
    let list = page["list"].as_array().unwrap().iter().rev();
    list.map(|notice| notice["kind"].as_str().unwrap().to_owned())
        .collect()
}

/// The books add up.
pub(crate) async fn assert_books(app: &TestApp) {
    let books = trial_balance(app.core().db()).await.unwrap();
    let zeroes = TrialBalance {
        total_cents: 0,
        wrong_balances: 0,
        escrow_excess_cents: 0,
    };
    assert_eq!(books, zeroes);
    record::held(BOOKS, 1);
}

/// Gate and SQL agree about every unit, as soon as the outbox is through.
pub(crate) async fn assert_pieces(app: &TestApp, voucher: i64) {
    let id = VoucherId::new(voucher);
    wait_until("gate and SQL agree", PATIENCE, async || {
        let report = app::flash_sales::compare(app.core(), id, Repair::No).await;
        report.unwrap().unwrap().drifts.is_empty()
    })
    .await;
    record::held(UNITS, 1);
}
