//! What people see when Redis is away, flushed or started anew, and when servers are.

use serde_json::json;
use testkit::{Redis, TestApp, wait_until};

use super::{Market, PATIENCE, claim, people, sale_state, win};

/// A Redis that a test may break.
async fn market_on(redis: &Redis) -> Market {
    let app = TestApp::builder()
        .redis_url(redis.url())
        .setting("redis.response_timeout_ms", 500)
        .setting("redis.connect_timeout_ms", 500);
    Market::on(app.spawn().await).await
}

#[tokio::test]
async fn without_redis_a_sale_is_busy_and_shops_are_still_read() {
    let redis = Redis::start().await;
    let market = market_on(&redis).await;
    let voucher = market.sell(5).await;
    let buyer = market.people(1).await.remove(0);
    let shop = format!("/api/shop/{}", market.shop);
    assert_eq!(buyer.get(&shop).await.data()["name"], "茶餐厅");
    redis.stop_hard();
    let busy = claim(&buyer, voucher).await;
    assert_eq!(
        (busy.status.as_u16(), busy.json()),
        (
            503,
            json!({ "success": false, "errorMsg": "秒杀系统繁忙，请稍后重试", "code": "busy" })
        ),
    );
    assert!(busy.header("retry-after").parse::<u32>().unwrap() >= 1);
    let visitor = market.app.visitor();
    assert_eq!(visitor.get(&shop).await.data()["name"], "茶餐厅");
    let shelf = format!("/api/voucher/list/{}", market.shop);
    let listed = visitor.get(&shelf).await.data();
    assert_eq!(listed[0]["stock"], 5, "as SQL has it");
    redis.start_again().await;
    // Redis kept its files, sessions and all.
    wait_until("the sale goes on", PATIENCE, async || {
        claim(&buyer, voucher).await.json()["data"].is_string()
    })
    .await;
    market.wait_for_orders(voucher, 1).await;
}

#[tokio::test]
async fn a_flushed_redis_costs_a_login_and_nothing_else() {
    let redis = Redis::start().await;
    let market = market_on(&redis).await;
    let voucher = market.sell(5).await;
    let crowd = market.people(3).await;
    let mut orders = Vec::new();
    for person in &crowd {
        orders.push(win(person, voucher).await);
    }
    market.wait_for_orders(voucher, 3).await;
    redis.flush().await;
    let crowd = people(&market.app, 6).await;
    for (person, order) in crowd.iter().zip(&orders) {
        let again = claim(person, voucher).await;
        assert_eq!(again.json()["code"], "already_bought");
        assert_eq!(again.json()["data"], order.as_str(), "nobody is forgotten");
    }
    win(&crowd[3], voucher).await;
    win(&crowd[4], voucher).await;
    assert_eq!(claim(&crowd[5], voucher).await.code(), "sold_out");
    market.wait_for_orders(voucher, 5).await;
}

#[tokio::test]
async fn a_new_server_goes_on_where_the_last_one_stopped() {
    let market = Market::open().await;
    let voucher = market.sell(3).await;
    let crowd = market.people(4).await;
    let order = win(&crowd[0], voucher).await;
    let next = market.app.beside().spawn().await;
    let Market { app, .. } = market;
    app.stop().await;
    let there: Vec<_> = crowd
        .into_iter()
        .map(|person| person.at(next.url()))
        .collect();
    let again = claim(&there[0], voucher).await;
    assert_eq!(again.json()["data"], order.as_str());
    win(&there[1], voucher).await;
    win(&there[2], voucher).await;
    assert_eq!(claim(&there[3], voucher).await.code(), "sold_out");
    let path = format!("/api/voucher-order/{order}");
    wait_until("the order is recorded", PATIENCE, async || {
        there[0].get(&path).await.data()["status"] == 1
    })
    .await;
    assert_eq!(sale_state(&there[3], voucher).await["stock"], 0);
}
