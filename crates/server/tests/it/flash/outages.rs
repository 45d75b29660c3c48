//! What people see when Redis is away, flushed or started anew, when SQL is full, and when servers are away.

use std::time::Duration;

use serde_json::json;
use storage::orders;
use testkit::{MariaDb, Redis, SmallDisk, TestApp, wait_until};

use super::{Market, PATIENCE, claim, people, sale_state, win};

/// Twice what MariaDB takes at first.
const DISK_KIB: u32 = 160 * 1024;

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

#[tokio::test]
async fn a_mariadb_that_is_full_for_a_while_loses_no_order_and_gives_none_up() {
    let Some(disk) = SmallDisk::mount(DISK_KIB) else {
        return;
    };
    let mariadb = MariaDb::start_on(disk.path()).await;
    let database = mariadb.create_database().await;
    let app = TestApp::builder().sql_url(database.url()).spawn().await;
    let market = Market::on(app).await;
    let (count, sale) = (400, market.sell(1_000).await);
    let people = market.people(count).await;
    let (first, others) = people.split_at(1);
    win(&first[0], sale).await;
    market.wait_for_orders(sale, 1).await;

    disk.fill();
    let mut granted = 1;
    for person in others {
        // Claims may be refused when it is known that orders cannot be kept.
        granted += usize::from(claim(person, sale).await.json()["success"] == true);
    }
    let visitor = market.app.visitor();
    wait_until("readiness says so", PATIENCE, async || {
        visitor.get("/readyz").await.status == 503
    })
    .await;
    // Some have failed alone by now, and the database recovers in the middle of a pass.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let kept = market.holdings(sale).await.len();
    assert!(kept < granted, "{kept} of {granted}: it was not full");
    disk.free();

    market.wait_for_orders(sale, granted).await;
    let dead = orders::list_dead_lettered(market.app.core().db(), None, 10).await;
    assert_eq!(dead.unwrap(), []);
    wait_until("it is ready again", PATIENCE, async || {
        visitor.get("/readyz").await.status == 200
    })
    .await;
    for person in others {
        claim(person, sale).await;
    }
    market.wait_for_orders(sale, count as usize).await;
}
