//! Redis flushed under load, and Redis away: shops are read all the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use storage::shops::{self, Principal, ShopChange};
use testkit::{Client, HttpReply, Redis, TestApp, wait_until};
use tokio::task::JoinHandle;

use super::{FOOD, HERE, add_shops, add_types, around, ids, list, shop_row};

/// The promise for a flushed Redis.
const RECOVERED: Duration = Duration::from_secs(2);
/// Redis is found again within half a second and the lease of the outbox soon after.
const CAUGHT_UP: Duration = Duration::from_secs(10);

/// With the limits of the product, not the longer ones of the test bench.
async fn site_on(redis: &Redis) -> TestApp {
    let app = TestApp::builder()
        .setting("redis.response_timeout_ms", 1000)
        .redis_url(redis.url())
        .spawn()
        .await;
    add_types(&app).await;
    let row = |id: i64| shop_row(id, FOOD, (HERE.0, HERE.1 + id as f64 / 1_000.0));
    let rows: Vec<_> = (1..=12).map(row).collect();
    add_shops(&app, &rows).await;
    app
}

/// Asks again and again until stopped; collects every answer.
struct Load {
    stop: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<Vec<HttpReply>>>,
}

impl Load {
    fn start(client: &Client, paths: &[String]) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let ask = |path: &String| {
            let (client, stop, path) = (client.clone(), stop.clone(), path.clone());
            tokio::spawn(async move {
                let mut answers = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    answers.push(client.get(&path).await);
                }
                answers
            })
        };
        let tasks = paths.iter().map(ask).collect();
        Self { stop, tasks }
    }

    async fn stop(self) -> Vec<HttpReply> {
        self.stop.store(true, Ordering::Relaxed);
        let mut answers = Vec::new();
        for task in self.tasks {
            answers.extend(task.await.unwrap());
        }
        answers
    }
}

fn paths() -> Vec<String> {
    let mut paths = vec![
        format!("/api/shop/of/type?{}", around(FOOD, "")),
        format!("/api/shop/of/type?{}", around(FOOD, "&current=2")),
        format!("/api/shop/of/type?{}", around(FOOD, "&sortBy=score")),
    ];
    paths.extend((1..=3).map(|id| format!("/api/shop/{id}")));
    paths
}

async fn name(client: &Client, id: i64) -> Value {
    client.get(&format!("/api/shop/{id}")).await.data()["name"].clone()
}

/// Commits a change as a process does that dies right after it.
async fn rename_and_die(app: &TestApp, id: i64, name: &str) {
    let change = ShopChange {
        name: Some(name.to_owned()),
        ..ShopChange::default()
    };
    let renamed = shops::update(app.core().db(), Principal::Admin, id.into(), &change).await;
    renamed.unwrap().unwrap();
}

#[tokio::test]
async fn a_flushed_redis_under_load_fails_no_request() {
    let redis = Redis::start().await;
    let app = site_on(&redis).await;
    let visitor = app.visitor();
    let first_page = list(&visitor, &around(FOOD, "")).await;
    assert_eq!(ids(&first_page), [1, 2, 3, 4, 5]);
    let load = Load::start(&visitor, &paths());
    for round in 0..3 {
        redis.flush().await;
        let new_name = format!("改名{round}");
        rename_and_die(&app, 2, &new_name).await;
        wait_until("lists and rows are right", RECOVERED, async || {
            let page = list(&visitor, &around(FOOD, "")).await;
            ids(&page) == [1, 2, 3, 4, 5]
                && page[1]["name"] == new_name.as_str()
                && name(&visitor, 2).await == new_name.as_str()
                && app::shops::is_loaded(app.core(), FOOD.into())
                    .await
                    .unwrap()
        })
        .await;
    }
    let answers = load.stop().await;
    assert!(answers.len() > 100, "{} answers are no load", answers.len());
    for answer in answers {
        assert_eq!(answer.status, 200, "{}", answer.text);
        let is_empty_list = answer.data().as_array().is_some_and(Vec::is_empty);
        assert!(!is_empty_list, "a list was taken for empty");
    }
}

#[tokio::test]
async fn without_redis_shops_are_read_from_memory_and_sql() {
    let redis = Redis::start().await;
    let app = site_on(&redis).await;
    let visitor = app.visitor();
    let with_redis = list(&visitor, &around(FOOD, "")).await;
    assert_eq!(name(&visitor, 1).await, "店铺1");
    redis.stop_hard();
    for path in paths() {
        assert_eq!(visitor.get(&path).await.status, 200, "{path}");
    }
    let without = list(&visitor, &around(FOOD, "")).await;
    assert_eq!(ids(&without), ids(&with_redis));
    for (a, b) in with_redis.iter().zip(&without) {
        let (a, b) = (
            a["distance"].as_f64().unwrap(),
            b["distance"].as_f64().unwrap(),
        );
        assert!((a - b).abs() < 1.0, "{a} and {b}");
    }
    assert_eq!(name(&visitor, 12).await, "店铺12", "never read before");
    assert_eq!(visitor.get("/api/shop/999").await.code(), "shop_not_found");
    assert_eq!(
        visitor
            .get("/api/shop-type/list")
            .await
            .data()
            .as_array()
            .unwrap()
            .len(),
        2
    );

    rename_and_die(&app, 1, "没有Redis的时候").await;
    redis.start_again().await;
    wait_until("the change shows", CAUGHT_UP, async || {
        name(&visitor, 1).await == "没有Redis的时候"
    })
    .await;
    assert_eq!(
        ids(&list(&visitor, &around(FOOD, "")).await),
        ids(&with_redis)
    );
}

#[tokio::test]
async fn a_redis_that_does_not_answer_delays_reads_and_fails_none() {
    let redis = Redis::start().await;
    let app = site_on(&redis).await;
    let visitor = app.visitor();
    redis.freeze().await;
    for path in paths() {
        assert_eq!(visitor.get(&path).await.status, 200, "{path}");
    }
    redis.thaw();
}
