//! Popular searches: counted without anybody's name, and gone with Redis without harm.

use jiff::Timestamp;
use testkit::{Client, TestApp};

use super::{first, named, north};
use crate::shops::{add_shops, add_types};

async fn hot(client: &Client) -> Vec<String> {
    let words = client.get("/api/search/hot").await.data();
    serde_json::from_value(words).unwrap()
}

async fn count(app: &TestApp, word: &str, times: u32) {
    let day = app.core().rules().zone.date(Timestamp::now());
    for _ in 0..times {
        app.core().kv().count_search(word, day).await.unwrap();
    }
}

async fn searched(app: &TestApp) -> Vec<(String, f64)> {
    let day = app.core().rules().zone.date(Timestamp::now());
    let [today, ..] = app.core().kv().list_searches([day; 3], 50).await.unwrap();
    today
}

#[tokio::test]
async fn words_that_led_to_results_count_once_per_address() {
    let app = TestApp::spawn().await;
    add_types(&app).await;
    add_shops(
        &app,
        &[
            named(1, "老王火锅", north(1)),
            named(2, "13900000001", north(1)),
        ],
    )
    .await;
    let visitor = app.visitor();
    for q in ["火锅", " 火锅 ", "没有这家", "13900000001", "锅"] {
        first(&visitor, "shops", &[("q", q)]).await;
        first(&visitor, "people", &[("q", q)]).await;
        visitor
            .get(&super::query("suggestions", &[("q", "老王")]))
            .await
            .data();
    }
    assert_eq!(searched(&app).await, [("火锅".to_owned(), 1.0)]);
}

#[tokio::test]
async fn what_many_searched_for_is_popular() {
    let app = TestApp::spawn().await;
    for (word, times) in [("火锅", 5), ("咖啡", 3), ("面馆", 2)] {
        count(&app, word, times).await;
    }
    assert_eq!(hot(&app.visitor()).await, ["火锅", "咖啡"]);
}

#[tokio::test]
async fn the_words_of_a_day_are_bounded() {
    let app = TestApp::spawn().await;
    count(&app, "火锅", 2).await;
    for n in 0..2_050 {
        count(&app, &format!("词{n}"), 1).await;
    }
    let day = app.core().rules().zone.date(Timestamp::now());
    let [today, ..] = app
        .core()
        .kv()
        .list_searches([day; 3], 5_000)
        .await
        .unwrap();
    assert_eq!(today.len(), 2_000);
    assert_eq!(today[0].0, "火锅");
}
