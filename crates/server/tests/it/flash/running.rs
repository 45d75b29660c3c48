//! The flash sales of all shops on one list.

use domain::Role;
use serde_json::{Value, json};
use testkit::{MariaDb, Redis, TestApp, unique_prefix};

use super::{Market, wall_clock, win};
use crate::shops::{MERCHANT, new_shop, open_shop, sign_in};

const RUNNING: &str = "/api/voucher/seckill/running";

async fn page(app: &TestApp, query: &str) -> Vec<Value> {
    let listed = app.visitor().get(&format!("{RUNNING}{query}")).await;
    listed.data().as_array().expect("a list").clone()
}

fn ids(sales: &[Value]) -> Vec<i64> {
    let id = |sale: &Value| sale["id"].as_i64().unwrap();
    sales.iter().map(id).collect()
}

impl Market {
    /// A sale that begins and ends so many seconds from now.
    async fn sell_from_to(&self, begin_secs: i64, end_secs: i64) -> i64 {
        let mut sale = self.sale(5);
        sale["beginTime"] = wall_clock(begin_secs).into();
        sale["endTime"] = wall_clock(end_secs).into();
        self.publish(&sale).await
    }
}

#[tokio::test]
async fn a_visitor_sees_open_sales_by_their_end_and_then_those_that_begin_soon() {
    for market in Market::on_both().await {
        let long = market.sell_from_to(-60, 7_200).await;
        let far = market.sell_from_to(90_000, 99_000).await;
        let tomorrow = market.sell_from_to(80_000, 99_000).await;
        let soon = market.sell_from_to(3_600, 99_000).await;
        let short = market.sell_from_to(-60, 3_600).await;
        let listed = ids(&page(&market.app, "").await);
        assert_eq!(listed, [short, long, soon, tomorrow]);
        assert!(!listed.contains(&far));
        let off = format!("/api/voucher/{short}/status");
        market
            .merchant
            .put_json(&off, &json!({ "status": 2 }))
            .await
            .data();
        let listed = ids(&page(&market.app, "").await);
        assert_eq!(
            listed,
            [long, soon, tomorrow],
            "off the shelf, off the list"
        );
        for absent in [short, 404] {
            let refused = market
                .app
                .visitor()
                .get(&format!("/api/voucher/{absent}"))
                .await;
            assert_eq!(refused.code(), "voucher_not_found");
        }
    }
}

#[tokio::test]
async fn a_sale_is_shown_as_on_its_shelf_with_its_shop_and_all_its_pieces() {
    for market in Market::on_both().await {
        let voucher = market.sell(7).await;
        win(&market.people(1).await[0], voucher).await;
        let mut sale = page(&market.app, "").await.remove(0);
        let shelf = format!("/api/voucher/list/{}", market.shop);
        let mut on_shelf = market.app.visitor().get(&shelf).await.data()[0].take();
        for shown in [&mut sale, &mut on_shelf] {
            assert!(shown["nowMs"].take().is_i64());
        }
        assert_eq!(on_shelf["stock"], 6);
        on_shelf["shopName"] = "茶餐厅".into();
        assert_eq!(
            (&sale["initial"], &sale["limitPerUser"]),
            (&json!(7), &json!(1))
        );
        assert_eq!(sale, on_shelf);
        let by_id = format!("/api/voucher/{voucher}");
        let mut alone = market.app.visitor().get(&by_id).await.data();
        assert!(alone["nowMs"].take().is_i64());
        assert_eq!(alone, on_shelf);
        let change = json!({ "id": market.shop, "images": "/imgs/a.webp,/imgs/b.webp" });
        market.merchant.put_json("/api/shop", &change).await.data();
        let sale = page(&market.app, "").await.remove(0);
        assert_eq!(sale["shopImage"], "/imgs/a.webp");
    }
}

#[tokio::test]
async fn pages_follow_each_other_and_end() {
    let market = Market::open().await;
    let mut published = Vec::new();
    for n in 0..12 {
        published.push(market.sell_from_to(-60, 3_600 + n).await);
    }
    for first in ["", "?current=1", "?current=0", "?current=-3", "?&current=1"] {
        assert_eq!(ids(&page(&market.app, first).await), published[..10]);
    }
    let second = page(&market.app, "?current=2").await;
    assert_eq!(ids(&second), published[10..]);
    for beyond in ["?current=3", "?current=9223372036854775807"] {
        assert!(page(&market.app, beyond).await.is_empty());
    }
}

#[tokio::test]
async fn without_redis_stock_is_that_of_sql() {
    let redis = Redis::start().await;
    let app = TestApp::builder()
        .redis_url(redis.url())
        .setting("redis.response_timeout_ms", 500)
        .setting("redis.connect_timeout_ms", 500);
    let market = Market::on(app.spawn().await).await;
    let voucher = market.sell(5).await;
    redis.stop_hard();
    let listed = page(&market.app, "").await;
    assert_eq!(
        (&listed[0]["id"], &listed[0]["stock"]),
        (&json!(voucher), &json!(5))
    );
    assert_eq!(listed[0]["shopName"], "茶餐厅");
}

/// The queries for sales and shops that the server runs while a client reads the list.
async fn queries(mariadb: &MariaDb, app: &TestApp) -> (usize, Vec<String>) {
    mariadb.execute("TRUNCATE mysql.general_log").await;
    let listed = page(app, "").await.len();
    // The names that only the list quotes: workers look for sales, too.
    let sql = "SELECT argument FROM mysql.general_log WHERE command_type IN ('Execute', 'Query') \
        AND argument NOT LIKE '%general_log%' AND (argument LIKE 'SELECT%`tb_seckill_voucher`%' \
        OR argument LIKE 'SELECT%`tb_shop`%')";
    let log = mariadb.execute(sql).await;
    (listed, log.lines().map(str::to_owned).collect())
}

#[tokio::test]
async fn a_page_costs_three_queries_and_a_look_per_gate_however_full_it_is() {
    let (redis, mariadb) = (Redis::start().await, MariaDb::start().await);
    mariadb
        .execute("SET GLOBAL log_output = 'TABLE', GLOBAL general_log = 1")
        .await;
    let (database, prefix) = (mariadb.create_database().await, unique_prefix());
    let app = TestApp::builder()
        .sql_url(database.url())
        .redis_url(redis.url())
        .setting("redis.prefix", &prefix);
    let mut market = Market::on(app.spawn().await).await;
    market.sell(5).await;
    let (listed, few) = queries(&mariadb, &market.app).await;
    assert_eq!(listed, 1);
    assert!(few.len() <= 3, "{few:#?}");
    for n in 0..9 {
        market.shop = open_shop(&market.merchant, &new_shop(&format!("面馆{n}"))).await;
        market.sell(5).await;
    }
    let before = redis.commands().await;
    let (listed, many) = queries(&mariadb, &market.app).await;
    assert_eq!(listed, 10);
    assert!(many.len() <= 3, "{many:#?}");
    let spent = redis.commands().await.since(&before);
    assert!(spent.of("HMGET") <= 10, "{spent:?}");
    // Gates that are gone are not asked for one by one in SQL.
    redis.flush().await;
    market.merchant = sign_in(&market.app, MERCHANT, Role::Merchant).await;
    market.sell(5).await;
    let (listed, flushed) = queries(&mariadb, &market.app).await;
    assert_eq!(listed, 10);
    assert!(flushed.len() <= 3, "{flushed:#?}");
}
