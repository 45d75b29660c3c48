//! The program itself: roles in processes of their own, orders by way of a broker, and the command line.

use domain::{Phone, ShopTypeId};
use jiff::Timestamp;
use serde_json::{Value, json};
use storage::bulk::{self, ShopTypeRow};
use storage::{Db, DbOptions, users};
use testkit::{Client, MariaDb, RabbitMq, Redis, TestApp, unique_prefix, wait_until};

use super::{Market, PATIENCE, claim, wall_clock, win};
use crate::process::{Home, Site, only_line};
use crate::shops::{FOOD, MERCHANT, new_shop, open_shop};

const BUYER: &str = "13900000009";

/// Signs in through the front door of a process.
async fn sign_in(site: &Site, phone: &str) -> Client {
    let visitor = Client::new(format!("http://{}", site.addr));
    let sent = visitor.post(&format!("/api/user/code?phone={phone}")).await;
    let body = json!({ "phone": phone, "code": sent.data()["demoCode"] });
    let token = visitor.post_json("/api/user/login", &body).await.data();
    visitor.with_token(token.as_str().unwrap())
}

fn sale(shop: i64, stock: u32) -> Value {
    json!({
        "shopId": shop, "title": "券", "payValue": 1, "actualValue": 2, "stock": stock,
        "beginTime": wall_clock(-60), "endTime": wall_clock(600),
    })
}

async fn add_type_and_merchant(url: &str) {
    let db = Db::connect(&DbOptions::new(url)).await.unwrap();
    let row = ShopTypeRow {
        id: ShopTypeId::new(FOOD),
        name: "美食".to_owned(),
        icon: String::new(),
        sort: 1,
        created_at: Timestamp::now(),
    };
    bulk::insert_shop_types(&db, &[row]).await.unwrap();
    // Known before they sign in: a session has the role that it was opened with.
    let merchant = Phone::parse(MERCHANT).unwrap().into();
    let made = users::find_or_create(&db, &merchant, "merchant").await;
    made.unwrap();
    db.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_process_answers_while_another_works() {
    let (home, database) = (Home::new(), MariaDb::shared().await.create_database().await);
    let (redis, prefix) = (Redis::shared().await.url(), unique_prefix());
    let env = [
        ("TANDIAN_DATABASE__URL", database.url()),
        ("TANDIAN_REDIS__URL", &redis),
        ("TANDIAN_REDIS__PREFIX", &prefix),
    ];
    assert!(home.run(&["migrate"], &env).status.success());
    add_type_and_merchant(database.url()).await;
    let worker = home.serve_with(&["serve", "--role", "worker"], &env);
    let web = home.serve_with(&["serve", "--role", "web"], &env);
    let granted = home.run(&["admin", "grant", MERCHANT, "merchant"], &env);
    assert!(granted.status.success(), "{granted:?}");
    let merchant = sign_in(&web, MERCHANT).await;
    let shop = open_shop(&merchant, &new_shop("茶餐厅")).await;
    let published = merchant
        .post_json("/api/voucher/seckill", &sale(shop, 2))
        .await;
    let voucher = published.data().as_i64().unwrap();
    let buyer = sign_in(&web, BUYER).await;
    let order = win(&buyer, voucher).await;
    wait_for_record(&buyer, &order).await;
    // Nobody works: claims go on, and their orders are on their way.
    drop(worker);
    let late = win(&merchant, voucher).await;
    let path = format!("/api/voucher-order/{late}");
    assert_eq!(
        merchant.get(&path).await.data(),
        json!({ "id": late, "status": 0 })
    );
    let _worker = home.serve_with(&["serve", "--role", "worker"], &env);
    wait_for_record(&merchant, &late).await;
}

async fn wait_for_record(client: &Client, order: &str) {
    let path = format!("/api/voucher-order/{order}");
    wait_until("the order is recorded", PATIENCE, async || {
        client.get(&path).await.data()["status"] == 1
    })
    .await;
}

#[test]
fn a_role_without_a_shared_redis_is_one_clear_line() {
    let home = Home::new();
    let line = only_line(&home.run(&["serve", "--role", "worker"], &[]));
    assert!(line.contains("TANDIAN_REDIS__URL"), "{line}");
}

#[tokio::test]
async fn another_number_of_partitions_is_one_clear_line() {
    let home = Home::new();
    home.serve().stop();
    let env = [("TANDIAN_FLASH__PARTITIONS", "3")];
    let line = only_line(&home.run(&["serve"], &env));
    assert!(line.contains("began with 4 partitions"), "{line}");
    let report = home.run(&["doctor"], &env);
    let report = String::from_utf8(report.stdout).unwrap();
    assert!(
        report.contains("set TANDIAN_FLASH__PARTITIONS=4"),
        "{report}"
    );
}

#[tokio::test]
async fn orders_by_way_of_rabbitmq_all_arrive() {
    let rabbit = RabbitMq::shared().await;
    let app = TestApp::builder()
        .setting("flash.transport", "rabbitmq")
        .setting("flash.rabbitmq.url", rabbit.url());
    let market = Market::on(app.spawn().await).await;
    let voucher = market.sell(20).await;
    let crowd = market.people(25).await;
    let claims = crowd.iter().map(|person| claim(person, voucher));
    futures_util::future::join_all(claims).await;
    market.wait_for_orders(voucher, 20).await;
    let queues = rabbit.control(&["list_queues", "name"]).await;
    let ours = format!("{}tandian.orders.", market.app.prefix());
    assert!(queues.contains(&ours), "{queues}");
}

/// The sales of a table that `tandian reconcile` printed.
fn sales_of(table: &str) -> Vec<i64> {
    let lines = table.lines().skip(1);
    let first = lines.filter_map(|line| line.split_whitespace().next()?.parse().ok());
    first.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demo_site_has_a_sale_that_can_be_claimed() {
    let home = Home::new();
    assert!(home.run(&["seed"], &[]).status.success());
    let site = home.serve();
    let table = String::from_utf8(home.run(&["reconcile"], &[]).stdout).unwrap();
    let visitor = sign_in(&site, "13800000001").await;
    let mut states = Vec::new();
    for sale in sales_of(&table) {
        let state = super::sale_state(&visitor, sale).await["state"].clone();
        if state == "open" {
            win(&visitor, sale).await;
        }
        states.push(state);
    }
    assert!(states.contains(&json!("open")), "{states:?}");
    assert!(states.contains(&json!("waiting")), "{states:?}");
}

/// Commands report and repair a damaged gate, beside a running server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reconcile_tells_what_is_wrong_and_repairs_what_is_safe() {
    let home = Home::new();
    assert!(home.run(&["seed"], &[]).status.success());
    let asleep = home.run(&["reconcile", "--repair"], &[]);
    assert!(asleep.status.success(), "{asleep:?}");
    let table = String::from_utf8(asleep.stdout).unwrap();
    assert!(table.starts_with("        SALE "), "{table}");
    let sale = *sales_of(&table).first().expect("demo data has sales");
    let _site = home.serve();
    let socket = home.folder.path().join("data/redis.sock");
    let client = redis::Client::open(format!("redis+unix://{}", socket.display())).unwrap();
    let mut redis = client.get_multiplexed_async_connection().await.unwrap();
    let key = format!("seckill:{{{}}}:sale:{sale}", sale.rem_euclid(4));
    let number = sale.to_string();
    // A gate belongs to the Redis that it was loaded on: the site's first round loads it on the one that serves.
    wait_until("the gate is loaded", PATIENCE, async || {
        let reported = home.run(&["reconcile", &number], &[]).stdout;
        String::from_utf8(reported).unwrap().contains("in order")
    })
    .await;
    let mut reported = None;
    // The site's first round, which begins with the site, may repair it before the check; the second comes much later.
    for _ in 0..2 {
        let left: i64 = redis::cmd("HINCRBY")
            .arg((&key, "stock", -1))
            .query_async(&mut redis)
            .await
            .unwrap();
        assert!(left >= 0);
        reported = home.run(&["reconcile", &number], &[]).status.code();
        if reported == Some(1) {
            break;
        }
    }
    assert_eq!(reported, Some(1));
    let repaired = home.run(&["reconcile", "--repair", &number], &[]);
    assert_eq!(repaired.status.code(), Some(0), "{repaired:?}");
    let again = home.run(&["reconcile", &number], &[]);
    let again = String::from_utf8(again.stdout).unwrap();
    assert!(again.contains("in order"), "{again}");
    // An order that only the gate knows is for a person to decide about.
    let partition = sale.rem_euclid(4);
    let held = [
        "HSET",
        &format!("seckill:{{{partition}}}:buyers:{sale}"),
        "77",
        "1:7777:",
    ];
    let taken = ["HINCRBY", &key, "stock", "-1"];
    for command in [held.as_slice(), &taken] {
        let () = redis::Cmd::new()
            .arg(command)
            .query_async(&mut redis)
            .await
            .unwrap();
    }
    let safe = home.run(&["reconcile", "--repair", &number], &[]);
    assert_eq!(safe.status.code(), Some(1), "{safe:?}");
    let alone = home.run(&["reconcile", "--with-orphans", &number], &[]);
    assert_eq!(
        alone.status.code(),
        Some(2),
        "only with --repair: {alone:?}"
    );
    let sent = home.run(&["reconcile", "--repair", "--with-orphans", &number], &[]);
    assert_eq!(sent.status.code(), Some(0), "{sent:?}");
    let again = home.run(&["reconcile", &number], &[]);
    let again = String::from_utf8(again.stdout).unwrap();
    assert!(again.contains("in order"), "{again}");
    let unknown = home.run(&["reconcile", "987654321"], &[]);
    let unknown = String::from_utf8(unknown.stdout).unwrap();
    assert!(unknown.contains("there is no such sale"), "{unknown}");
    let rebuilt = home.run(&["rebuild", "flash"], &[]);
    assert!(rebuilt.status.success(), "{rebuilt:?}");
}
