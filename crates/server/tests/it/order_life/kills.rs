//! kill -9 in the middle of every step and of the relay: afterwards an order is where it was or where it was going, and
//! what is left to do is done by the next process.

use serde_json::{Value, json};
use testkit::{Client, Tandian, wait_until};

use super::sites::{Sql, assert_books_at, die_at, open};
use super::{
    ALIPAY, CANCELLED, PAID, REFUNDED, UNPAID, USED, claimed, fund, order, pay, wait_for_status,
};
use crate::flash::{Market, PATIENCE};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    PayFromBalance,
    PayAtSandbox,
    Cancel,
    Refund,
    Redeem,
}

/// A place to die, what is asked meanwhile, and where the order is afterwards.
struct Death {
    point: &'static str,
    ask: Ask,
    then: i64,
}

const fn death(point: &'static str, ask: Ask, then: i64) -> Death {
    Death { point, ask, then }
}

const DEATHS: &[Death] = &[
    death("before_balance_payment", Ask::PayFromBalance, UNPAID),
    death("after_balance_payment", Ask::PayFromBalance, PAID),
    // The sandbox has charged the money: the next process polls it, and learns that.
    death("before_money_is_taken", Ask::PayAtSandbox, PAID),
    death("after_money_is_taken", Ask::PayAtSandbox, PAID),
    death("before_cancel", Ask::Cancel, UNPAID),
    death("after_cancel", Ask::Cancel, CANCELLED),
    death("in_the_middle_of_a_return", Ask::Cancel, CANCELLED),
    death("between_effect_and_its_end", Ask::Cancel, CANCELLED),
    death("before_refund", Ask::Refund, PAID),
    death("after_refund", Ask::Refund, REFUNDED),
    death("between_refund_and_its_record", Ask::Refund, REFUNDED),
    death("before_redeem", Ask::Redeem, PAID),
    death("after_redeem", Ask::Redeem, USED),
];

/// An order to which something will happen.
struct Staged {
    id: String,
    voucher: i64,
    code: Value,
}

impl Staged {
    async fn new(market: &Market, buyer: &Client, ask: Ask) -> Self {
        let voucher = market.sell(1).await;
        let id = claimed(buyer, voucher).await;
        if matches!(ask, Ask::Refund | Ask::Redeem) {
            pay(buyer, &id, ALIPAY).await.data();
        }
        let code = order(buyer, &id).await["redeemCode"].clone();
        Self { id, voucher, code }
    }

    fn request(&self, ask: Ask) -> (String, Value) {
        let step = |what| format!("/api/voucher-order/{}/{what}", self.id);
        match ask {
            Ask::PayFromBalance => (step("pay"), json!({ "payType": 1 })),
            Ask::PayAtSandbox => (step("pay"), json!({ "payType": 2 })),
            Ask::Cancel => (step("cancel"), json!({})),
            Ask::Refund => (step("refund"), json!({})),
            Ask::Redeem => {
                let path = "/api/voucher-order/redeem".to_owned();
                (path, json!({ "code": self.code }))
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_finishes_by_itself_wherever_its_process_was_killed_on_mariadb() {
    die_everywhere(Sql::mariadb().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_finishes_by_itself_wherever_its_process_was_killed_on_sqlite() {
    die_everywhere(Sql::sqlite()).await;
}

async fn die_everywhere(sql: Sql) {
    let (market, site) = open(&sql).await;
    let buyer = market.people(1).await.remove(0);
    fund(&market.app, &buyer, 1_000_000).await;
    let mut stage = Vec::new();
    for death in DEATHS {
        stage.push((death, Staged::new(&market, &buyer, death.ask).await));
    }
    let Market { app, merchant, .. } = market;
    app.stop().await;
    let (buyer, merchant) = (buyer.at(site.url()), merchant.at(site.url()));
    for (death, staged) in stage {
        let asker = match death.ask {
            Ask::Redeem => &merchant,
            _ => &buyer,
        };
        die(&site, asker, death, &staged).await;
        assert_finished(&buyer, death, &staged).await;
        site.kill();
    }
    assert_books_at(&sql).await;
}

async fn die(site: &Tandian, asker: &Client, death: &Death, staged: &Staged) {
    die_at(site, death.point, async || {
        let (path, body) = staged.request(death.ask);
        let body = ("application/json", body.to_string().into_bytes());
        // Whether an answer comes depends on where it dies.
        let _ = asker
            .try_send(reqwest::Method::POST, &path, Some(body))
            .await;
    })
    .await;
    site.start();
    site.wait_until_ready().await;
}

async fn assert_finished(buyer: &Client, death: &Death, staged: &Staged) {
    wait_for_status(buyer, &staged.id, death.then).await;
    let is_over = [CANCELLED, REFUNDED].contains(&death.then);
    let sale = format!("/api/voucher/seckill/{}", staged.voucher);
    wait_until("the gate knows of it", PATIENCE, async || {
        buyer.get(&sale).await.json()["data"]["stock"] == i64::from(is_over)
    })
    .await;
}
