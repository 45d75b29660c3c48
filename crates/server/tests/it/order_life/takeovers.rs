//! What a process that was killed leaves to the next one: orders to cancel, a purchase half made, a second payment that
//! was lost.

use domain::OrderStatus;
use jiff::Timestamp;
use storage::{Db, orders, outbox, payments};
use testkit::{Client, Redis, wait_until};

use super::keys::keyed;
use super::sites::{Sql, assert_books_at, die_at, open, wait_for_end};
use super::{UNPAID, buy, claimed, me, notices_of, order, ordinary, wait_for_status};
use crate::flash::{Market, PATIENCE, sale_state, win};
use crate::payments::{cashier, press};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_due_is_cancelled_once_wherever_the_runner_was_killed() {
    for sql in Sql::both().await {
        let (market, site) = open(&sql).await;
        let crowd = market.people(2).await;
        let voucher = market.sell(1).await;
        let (owner, id) = (me(&crowd[0]).await, claimed(&crowd[0], voucher).await);
        let Market { app, .. } = market;
        app.stop().await;
        sql.let_time_run_out().await;
        let db = sql.connect().await;
        let status = async || {
            let found = orders::get(&db, owner, id.parse().unwrap()).await;
            found.unwrap().unwrap().status
        };
        for (point, then) in [
            ("before_expiry", OrderStatus::Unpaid),
            ("after_expiry", OrderStatus::Cancelled),
        ] {
            // The runner may die before the site answers anybody.
            site.start_with(&[("TANDIAN_FAIL_POINT", point)]);
            wait_for_end(&site, point).await;
            assert_eq!(status().await, then, "{point}");
        }
        site.start();
        site.wait_until_ready().await;
        let crowd: Vec<Client> = crowd.into_iter().map(|one| one.at(site.url())).collect();
        wait_until("the unit is for sale", PATIENCE, async || {
            sale_state(&crowd[1], voucher).await["stock"] == 1
        })
        .await;
        win(&crowd[1], voucher).await;
        assert_eq!(notices_of(&crowd[0]).await, ["order_expired"]);
        assert_books_at(&sql).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn returns_that_were_cut_off_between_two_calls_are_finished_once() {
    for sql in Sql::both().await {
        let (market, site) = open(&sql).await;
        let mut sale = market.sale(40);
        sale["spread"] = 4.into();
        let voucher = market.publish(&sale).await;
        let crowd = market.people(40).await;
        for person in &crowd {
            win(person, voucher).await;
        }
        market.wait_for_orders(voucher, 40).await;
        let Market { app, .. } = market;
        app.stop().await;
        sql.let_time_run_out().await;
        // Some units are back, and no row of the outbox is done.
        let point = "in_the_middle_of_a_return:3";
        site.start_with(&[("TANDIAN_FAIL_POINT", point)]);
        wait_for_end(&site, point).await;
        site.start();
        site.wait_until_ready().await;
        let visitor = crowd[0].clone().at(site.url());
        wait_until("every unit is for sale", PATIENCE, async || {
            sale_state(&visitor, voucher).await["stock"] == 40
        })
        .await;
        wait_until("the outbox is empty", PATIENCE, async || {
            let db = sql.connect().await;
            let left = outbox::backlog(&db, Timestamp::now()).await.unwrap().count;
            db.close().await.unwrap();
            left == 0
        })
        .await;
        assert_eq!(sale_state(&visitor, voucher).await["stock"], 40);
    }
}

/// A minute passes since the process died that worked on a named request.
async fn end_turns(prefix: &str) {
    let mut connection = Redis::shared().await.connection().await;
    let mut keys = redis::cmd("KEYS");
    keys.arg(format!("{prefix}request:*"));
    let keys: Vec<String> = keys.query_async(&mut connection).await.unwrap();
    assert_eq!(keys.len(), 1, "{keys:?}");
    let mut past = redis::cmd("HSET");
    past.arg(&keys[0]).arg("until").arg(1);
    let () = past.query_async(&mut connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purchase_whose_process_was_killed_is_one_order_under_its_name() {
    for sql in Sql::both().await {
        let (market, site) = open(&sql).await;
        let buyer = market.people(1).await.remove(0);
        let voucher = ordinary(&market).await;
        let prefix = market.app.prefix().to_owned();
        market.app.stop().await;
        let named = keyed(&buyer.at(site.url()), "k");
        let path = format!("/api/voucher-order/{voucher}");
        die_at(&site, "after_purchase", async || {
            let asked = named.try_send(reqwest::Method::POST, &path, None);
            assert!(asked.await.is_err(), "nobody was left to answer");
        })
        .await;
        site.start();
        site.wait_until_ready().await;
        assert_eq!(named.post(&path).await.code(), "in_progress");
        end_turns(&prefix).await;
        let id = buy(&named, voucher).await;
        assert_eq!(order(&named, &id).await["status"], UNPAID);
        let mine = named.get("/api/voucher-order/of/me").await.data();
        assert_eq!(mine["list"].as_array().unwrap().len(), 1);
    }
}

async fn states(db: &Db, buyer: &Client, id: &str) -> Vec<String> {
    let (owner, order) = (me(buyer).await, id.parse().unwrap());
    let listed = payments::list_of_order(db, owner, order).await.unwrap();
    let state = |payment: &payments::Payment| format!("{:?}", payment.state);
    listed.iter().map(state).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_payment_goes_back_though_the_process_died_between_the_callbacks() {
    let sql = Sql::sqlite();
    let (market, site) = open(&sql).await;
    let buyer = market.people(1).await.remove(0);
    let id = buy(&buyer, ordinary(&market).await).await;
    market.app.stop().await;
    let buyer = buyer.at(site.url());
    let mut page = String::new();
    die_at(&site, "after_money_is_taken", async || {
        page = cashier(&buyer, &id).await;
        let form = (
            "application/x-www-form-urlencoded",
            b"act=pay_twice".to_vec(),
        );
        let pressed = buyer.try_send(reqwest::Method::POST, &page, Some(form));
        assert!(pressed.await.is_err(), "nobody was left to answer");
    })
    .await;
    let db = sql.connect().await;
    site.start();
    site.wait_until_ready().await;
    wait_for_status(&buyer, &id, super::PAID).await;
    assert_eq!(states(&db, &buyer, &id).await, ["Paid"]);
    // What was not acknowledged comes again.
    assert_eq!(press(&buyer, &page, "pay_twice").await.status, 303);
    wait_until("the second payment is back", PATIENCE, async || {
        states(&db, &buyer, &id).await == ["Paid", "Refunded"]
    })
    .await;
    assert_eq!(notices_of(&buyer).await, ["order_paid", "payment_returned"]);
    assert_books_at(&sql).await;
}
