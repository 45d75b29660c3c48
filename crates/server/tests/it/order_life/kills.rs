//! kill -9 in the middle of every step and of the relay: afterwards an order is where it was or where it was going, and
//! what is left to do is done by the next process.

use serde_json::{Value, json};
use storage::accounts::{TrialBalance, trial_balance};
use storage::{Db, DbOptions};
use testkit::{Client, MariaDb, Redis, Tandian, TestApp, wait_until};

use crate::flash::{Market, PATIENCE};

use super::{claimed, fund, order};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tandian");

/// A place to die, what is asked meanwhile, and where the order may be afterwards.
struct Death {
    point: &'static str,
    /// Whether the order is paid before.
    is_paid: bool,
    step: fn(&str) -> (String, Value),
    may_be: &'static [i64],
}

fn pay(order: &str) -> (String, Value) {
    (format!("{order}/pay"), json!({ "payType": 1 }))
}

fn pay_at_sandbox(order: &str) -> (String, Value) {
    (format!("{order}/pay"), json!({ "payType": 2 }))
}

fn cancel(order: &str) -> (String, Value) {
    (format!("{order}/cancel"), json!({}))
}

fn refund(order: &str) -> (String, Value) {
    (format!("{order}/refund"), json!({}))
}

const DEATHS: &[Death] = &[
    Death {
        point: "before_balance_payment",
        is_paid: false,
        step: pay,
        may_be: &[1],
    },
    Death {
        point: "after_balance_payment",
        is_paid: false,
        step: pay,
        may_be: &[2],
    },
    // The sandbox has taken the money: the next process asks it, and hears that.
    Death {
        point: "before_money_is_taken",
        is_paid: false,
        step: pay_at_sandbox,
        may_be: &[2],
    },
    Death {
        point: "after_money_is_taken",
        is_paid: false,
        step: pay_at_sandbox,
        may_be: &[2],
    },
    Death {
        point: "before_cancel",
        is_paid: false,
        step: cancel,
        may_be: &[1],
    },
    Death {
        point: "after_cancel",
        is_paid: false,
        step: cancel,
        may_be: &[4],
    },
    Death {
        point: "in_the_middle_of_a_return",
        is_paid: false,
        step: cancel,
        may_be: &[4],
    },
    Death {
        point: "between_effect_and_its_end",
        is_paid: false,
        step: cancel,
        may_be: &[4],
    },
    Death {
        point: "before_refund",
        is_paid: true,
        step: refund,
        may_be: &[2],
    },
    Death {
        point: "after_refund",
        is_paid: true,
        step: refund,
        may_be: &[6],
    },
    Death {
        point: "between_refund_and_its_record",
        is_paid: true,
        step: refund,
        may_be: &[6],
    },
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_finishes_by_itself_wherever_its_process_was_killed() {
    let (database, redis) = (
        MariaDb::shared().await.create_database().await,
        Redis::shared().await.url(),
    );
    let builder = TestApp::builder()
        .sql_url(database.url())
        .setting("payment.ask_after_secs", 1);
    let market = Market::on(builder.spawn().await).await;
    let site = Tandian::new(
        PROGRAM,
        &["serve"],
        &[
            ("database.url", database.url().to_owned()),
            ("redis.url", redis),
            ("redis.prefix", market.app.prefix().to_owned()),
            ("payment.ask_after_secs", "1".to_owned()),
        ],
    );
    let buyer = market.people(1).await.remove(0);
    fund(&market.app, &buyer, 1_000_000).await;
    let mut stage = Vec::new();
    for death in DEATHS {
        let voucher = market.sell(1).await;
        let id = claimed(&buyer, voucher).await;
        if death.is_paid {
            super::pay(&buyer, &id, 2).await.data();
        }
        stage.push((death, id, voucher));
    }
    let Market { app, .. } = market;
    app.stop().await;
    let buyer = buyer.at(site.url());
    for (death, id, voucher) in stage {
        die_at(&site, &buyer, death, &id, voucher).await;
    }
    let db = Db::connect(&DbOptions::new(database.url())).await.unwrap();
    wait_until("the books add up", PATIENCE, async || {
        let zeroes = TrialBalance {
            total_cents: 0,
            wrong_balances: 0,
            escrow_excess_cents: 0,
        };
        trial_balance(&db).await.unwrap() == zeroes
    })
    .await;
    db.close().await.unwrap();
}

async fn die_at(site: &Tandian, buyer: &Client, death: &Death, id: &str, voucher: i64) {
    site.start_with(&[("TANDIAN_FAIL_POINT", death.point)]);
    site.wait_until_ready().await;
    let (path, body) = (death.step)(id);
    let path = format!("/api/voucher-order/{path}");
    let body = ("application/json", body.to_string().into_bytes());
    // Whether an answer comes depends on where it dies.
    let _ = buyer
        .try_send(reqwest::Method::POST, &path, Some(body))
        .await;
    wait_until(death.point, PATIENCE, async || site.take_end().is_some()).await;
    site.start();
    site.wait_until_ready().await;
    wait_until(death.point, PATIENCE, async || {
        let status = order(buyer, id).await["status"].as_i64().unwrap();
        death.may_be.contains(&status)
    })
    .await;
    let is_over = death.may_be.iter().any(|status| [4, 6].contains(status));
    wait_until("the gate knows of it", PATIENCE, async || {
        let path = format!("/api/voucher/seckill/{voucher}");
        let sale = buyer.get(&path).await.data();
        sale["stock"] == i64::from(is_over)
    })
    .await;
    site.kill();
}
