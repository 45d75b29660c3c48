//! Changing a sale while it runs: every server follows, and what was sold stays sold.

use app::Progress;
use app::rebuild::{self, RebuildTarget};
use domain::Role;
use sea_orm::{ConnectionTrait as _, Database};
use serde_json::{Value, json};
use storage::bulk::Surplus;
use testkit::{Client, TestApp, wait_until};

use super::{Market, PATIENCE, claim, people, sale_state, wall_clock, win};
use crate::shops::{ADMIN, RIVAL, USER, sign_in};

async fn change(client: &Client, voucher: i64, change: Value) -> testkit::HttpReply {
    let path = format!("/api/voucher/seckill/{voucher}");
    client.put_json(&path, &change).await
}

async fn set_status(client: &Client, voucher: i64, status: i64) -> testkit::HttpReply {
    let path = format!("/api/voucher/{voucher}/status");
    client.put_json(&path, &json!({ "status": status })).await
}

#[tokio::test]
async fn off_the_shelf_is_over_on_both_servers_and_back_on_it_goes_on() {
    for market in Market::on_both().await {
        let other = market.app.beside().spawn().await;
        let voucher = market.sell(10).await;
        let crowd = market.people(4).await;
        let there = |person: &Client| person.clone().at(other.url());
        win(&crowd[0], voucher).await;
        win(&there(&crowd[1]), voucher).await;
        assert_eq!(
            set_status(&market.merchant, voucher, 2).await.json()["success"],
            true
        );
        for person in [crowd[2].clone(), there(&crowd[3])] {
            assert_eq!(claim(&person, voucher).await.code(), "ended");
            assert_eq!(sale_state(&person, voucher).await["state"], "ended");
        }
        let shelf = format!("/api/voucher/list/{}", market.shop);
        assert_eq!(crowd[0].get(&shelf).await.data(), json!([]));
        // A user who bought before still gets their order.
        assert_eq!(claim(&crowd[0], voucher).await.code(), "already_bought");
        assert_eq!(
            set_status(&market.merchant, voucher, 1).await.json()["success"],
            true
        );
        // The server that changed it does so at once, unless Redis did not answer in time: then the outbox changes the gate.
        for late in [crowd[2].clone(), there(&crowd[3])] {
            wait_until("the server sells again", PATIENCE, async || {
                claim(&late, voucher).await.json()["success"] == true
            })
            .await;
        }
        market.wait_for_orders(voucher, 4).await;
    }
}

#[tokio::test]
async fn more_units_are_for_sale_at_once_and_fewer_are_not() {
    for market in Market::on_both().await {
        let voucher = market.sell(2).await;
        let crowd = market.people(6).await;
        win(&crowd[0], voucher).await;
        win(&crowd[1], voucher).await;
        assert_eq!(claim(&crowd[2], voucher).await.code(), "sold_out");
        let more = change(&market.merchant, voucher, json!({ "stock": 5 })).await;
        assert_eq!(more.json(), json!({ "success": true }));
        assert_eq!(sale_state(&crowd[2], voucher).await["stock"], 3);
        wait_until("there are units again", PATIENCE, async || {
            claim(&crowd[2], voucher).await.json()["success"] == true
        })
        .await;
        let below = change(&market.merchant, voucher, json!({ "stock": 2 })).await;
        assert_eq!(below.code(), "stock_sold");
        assert_eq!(
            sale_state(&crowd[2], voucher).await["stock"],
            2,
            "nothing was taken"
        );
        let fewer = change(&market.merchant, voucher, json!({ "stock": 4 })).await;
        assert_eq!(fewer.json(), json!({ "success": true }));
        win(&crowd[3], voucher).await;
        assert_eq!(claim(&crowd[4], voucher).await.code(), "sold_out");
        market.wait_for_orders(voucher, 4).await;
    }
}

#[tokio::test]
async fn a_moved_window_opens_and_closes_the_sale() {
    let market = Market::open().await;
    let mut sale = market.sale(5);
    sale["beginTime"] = wall_clock(1_800).into();
    let voucher = market.publish(&sale).await;
    let crowd = market.people(2).await;
    assert_eq!(claim(&crowd[0], voucher).await.code(), "not_started");
    assert_eq!(sale_state(&crowd[0], voucher).await["state"], "waiting");
    let opened = change(
        &market.merchant,
        voucher,
        json!({ "beginTime": wall_clock(-60) }),
    )
    .await;
    assert_eq!(opened.json()["success"], true);
    wait_until("the sale is open", PATIENCE, async || {
        claim(&crowd[0], voucher).await.json()["success"] == true
    })
    .await;
    let closed = json!({ "endTime": wall_clock(-1) });
    assert_eq!(
        change(&market.merchant, voucher, closed).await.json()["success"],
        true
    );
    assert_eq!(claim(&crowd[1], voucher).await.code(), "ended");
    let backwards = json!({ "beginTime": wall_clock(60), "endTime": wall_clock(30) });
    let refused = change(&market.merchant, voucher, backwards).await;
    assert_eq!(refused.code(), "voucher_window_invalid");
    let odd = change(&market.merchant, voucher, json!({ "endTime": "tonight" })).await;
    assert_eq!(odd.status, 400);
}

#[tokio::test]
async fn changes_while_a_crowd_buys_end_in_exactly_the_last_number() {
    let market = Market::open().await;
    let voucher = market.sell(40).await;
    let crowd = market.people(150).await;
    let buying = async {
        for half in crowd.chunks(30) {
            let claims = half.iter().map(|person| claim(person, voucher));
            futures_util::future::join_all(claims).await;
        }
    };
    let changing = async {
        for stock in [60, 45, 70, 65, 80] {
            let changed = change(&market.merchant, voucher, json!({ "stock": stock })).await;
            let json = changed.json();
            assert!(
                json["success"] == true || json["code"] == "stock_sold",
                "{json}"
            );
        }
        let last = change(&market.merchant, voucher, json!({ "stock": 90 })).await;
        assert_eq!(last.json()["success"], true);
    };
    tokio::join!(buying, changing);
    wait_until(
        "everybody who still wants a unit has asked",
        PATIENCE,
        async || {
            for person in &crowd {
                claim(person, voucher).await;
            }
            sale_state(&crowd[0], voucher).await["stock"] == 0
        },
    )
    .await;
    market.wait_for_orders(voucher, 90).await;
}

#[tokio::test]
async fn only_the_owner_and_admins_change_a_sale_and_see_its_figures() {
    let market = Market::open().await;
    let voucher = market.sell(10).await;
    let rival = sign_in(&market.app, RIVAL, Role::Merchant).await;
    let admin = sign_in(&market.app, ADMIN, Role::Admin).await;
    let user = sign_in(&market.app, USER, Role::User).await;
    let figures = format!("/api/console/sales/{voucher}");
    for other_client in [&rival, &user] {
        assert_eq!(set_status(other_client, voucher, 2).await.status, 403);
        let less = change(other_client, voucher, json!({ "stock": 5 })).await;
        assert_eq!(less.status, 403);
        assert_eq!(other_client.get(&figures).await.status, 403);
    }
    assert_eq!(
        sale_state(&user, voucher).await["stock"],
        10,
        "nothing was withdrawn"
    );
    win(&user, voucher).await;
    market.wait_for_orders(voucher, 1).await;
    for insider in [&market.merchant, &admin] {
        let look = insider.get(&figures).await.data();
        assert_eq!(
            (
                &look["state"],
                &look["stock"],
                &look["initial"],
                &look["orders"],
                &look["drift"]
            ),
            (&json!("open"), &json!(9), &json!(10), &json!(1), &json!(0)),
        );
    }
    assert_eq!(
        change(&admin, voucher, json!({ "stock": 5 })).await.json()["success"],
        true
    );
    assert_eq!(
        set_status(&admin, 123_456, 2).await.code(),
        "voucher_not_found"
    );
    assert_eq!(
        change(&admin, 123_456, json!({ "stock": 5 })).await.code(),
        "voucher_not_found"
    );
    assert_eq!(set_status(&admin, voucher, 3).await.status, 400);
}

#[tokio::test]
async fn an_admin_reconciles_and_it_is_written_down() {
    let market = Market::open().await;
    let voucher = market.sell(3).await;
    for person in people(&market.app, 2).await {
        win(&person, voucher).await;
    }
    let admin = sign_in(&market.app, ADMIN, Role::Admin).await;
    let path = format!("/api/console/sales/{voucher}/reconcile");
    let body = json!({ "repair": true });
    assert_eq!(market.merchant.post_json(&path, &body).await.status, 403);
    let report = admin.post_json(&path, &body).await.data();
    assert_eq!(report, json!({ "drifts": [], "repairs": [] }));
    let nothing = "/api/console/sales/123456/reconcile";
    assert_eq!(
        admin.post_json(nothing, &body).await.code(),
        "voucher_not_found"
    );
    let db = market.app.core().db();
    let subject = format!("voucher:{voucher}");
    let recorded = storage::audit::is_recorded(db, "flash_reconcile", &subject).await;
    assert!(recorded.unwrap());
}

/// As a person at a SQL prompt does: no epoch rises, no outbox row tells anybody.
async fn end_by_hand(market: &Market, voucher: i64, end: &str) {
    let connection = Database::connect(market.app.sql_url()).await.unwrap();
    let sql =
        format!("UPDATE tb_seckill_voucher SET end_time = '{end}' WHERE voucher_id = {voucher}");
    connection.execute_unprepared(&sql).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_sale_that_was_ended_by_sql_ends_within_a_period() {
    for on_mariadb in [false, true] {
        for end in [wall_clock_utc(-1), "2020-01-01 00:00:00".to_owned()] {
            let builder = TestApp::builder().setting("flash.reconcile_secs", 1);
            let builder = match on_mariadb {
                true => builder.on_mariadb(),
                false => builder,
            };
            let market = Market::on(builder.spawn().await).await;
            let voucher = market.sell(10).await;
            let crowd = market.people(2).await;
            win(&crowd[0], voucher).await;
            end_by_hand(&market, voucher, &end).await;
            wait_until("the sale is over", PATIENCE, async || {
                sale_state(&crowd[1], voucher).await["state"] == "ended"
            })
            .await;
            assert_eq!(claim(&crowd[1], voucher).await.code(), "ended");
        }
    }
}

#[tokio::test]
async fn a_rebuild_ends_a_sale_that_was_ended_by_sql_at_once() {
    let builder = TestApp::builder().setting("flash.reconcile_secs", 86_400);
    let market = Market::on(builder.spawn().await).await;
    let voucher = market.sell(10).await;
    let crowd = market.people(2).await;
    win(&crowd[0], voucher).await;
    end_by_hand(&market, voucher, "2020-01-01 00:00:00").await;
    assert_eq!(sale_state(&crowd[1], voucher).await["state"], "open");
    let mut show = |_: Progress| {};
    rebuild::rebuild(
        market.app.core(),
        RebuildTarget::FlashSales,
        Surplus::Keep,
        &mut show,
    )
    .await
    .unwrap();
    assert_eq!(claim(&crowd[1], voucher).await.code(), "ended");
}

/// An instant so many seconds from now, as SQL holds it.
fn wall_clock_utc(secs: i64) -> String {
    let at = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(secs);
    at.strftime("%F %T").to_string()
}
