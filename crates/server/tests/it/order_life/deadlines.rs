//! Orders that are not paid in time.

use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{TestApp, wait_until};

use super::{
    CANCELLED, UNPAID, assert_books, assert_pieces, buy, claimed, hasty, notices_of, order,
    ordinary, pay, wait_for_status,
};
use crate::flash::{Market, PATIENCE, claim};

#[tokio::test]
async fn an_unpaid_order_is_cancelled_and_its_unit_sold_within_a_second() {
    for builder in [hasty(3), hasty(3).on_mariadb()] {
        let market = Market::on(builder.spawn().await).await;
        let crowd = market.people(2).await;
        let voucher = market.sell(1).await;
        let id = claimed(&crowd[0], voucher).await;
        let deadline_ms = order(&crowd[0], &id).await["payDeadlineMs"]
            .as_i64()
            .unwrap();
        // A client keeps claiming, so that the sold-out flag is set all the time.
        wait_until("another buyer gets the unit", PATIENCE, async || {
            claim(&crowd[1], voucher).await.json()["success"] == true
        })
        .await;
        // A second by itself. A shared machine may take several, and the repair of a missed return takes a minute.
        let late_ms = jiff::Timestamp::now().as_millisecond() - deadline_ms;
        assert!(
            (0..10_000).contains(&late_ms),
            "{late_ms} ms after the deadline"
        );
        assert_eq!(order(&crowd[0], &id).await["status"], CANCELLED);
        assert_eq!(notices_of(&crowd[0]).await, ["order_expired"]);
        assert_eq!(pay(&crowd[0], &id, 2).await.code(), "order_status");
        assert_pieces(&market.app, voucher).await;
        assert_books(&market.app).await;
    }
}

#[tokio::test]
async fn orders_that_expired_while_the_server_was_down_are_cancelled_at_the_next_start() {
    let market = Market::on(hasty(2).spawn().await).await;
    let buyer = market.people(1).await.remove(0);
    let id = buy(&buyer, ordinary(&market).await).await;
    let next = market.app.beside();
    let Market { app, .. } = market;
    app.stop().await;
    let next = next
        .setting("order.pay_deadline_secs", 2)
        .setting("order.remind_secs", 0)
        .spawn()
        .await;
    let buyer = buyer.at(next.url());
    wait_for_status(&buyer, &id, CANCELLED).await;
}

#[tokio::test]
async fn an_order_whose_time_is_nearly_over_is_reminded_of_once() {
    let app = TestApp::builder()
        .setting("order.pay_deadline_secs", 600)
        .setting("order.remind_secs", 599)
        .spawn()
        .await;
    let market = Market::on(app).await;
    let buyer = market.people(1).await.remove(0);
    let id = buy(&buyer, ordinary(&market).await).await;
    wait_until("a reminder", PATIENCE, async || {
        !notices_of(&buyer).await.is_empty()
    })
    .await;
    // The next round of reminders comes after five seconds.
    let since = Instant::now();
    wait_until("another round", PATIENCE, async || {
        since.elapsed() > Duration::from_secs(6)
    })
    .await;
    assert_eq!(notices_of(&buyer).await, ["order_expiring"]);
    assert_eq!(order(&buyer, &id).await["status"], UNPAID);
    let list = buyer.get("/api/notices").await.data();
    assert_eq!(list["list"][0]["orderId"], json!(id));
}
