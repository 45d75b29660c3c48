//! One shop, and the list of types.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;
use testkit::TestApp;

use super::{FOOD, HERE, add_shops, add_types, shop_row, site, sites};

/// Long enough for a connection of its own on a busy machine.
const LISTENING: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_shop_has_the_fields_of_the_original_and_absent_ones_are_left_out() {
    for app in sites().await {
        let created: Timestamp = "2026-11-15T16:00:05Z".parse().unwrap();
        let mut full = shop_row(1, FOOD, HERE);
        full.images = "/imgs/shops/a.webp,/imgs/shops/b.webp".to_owned();
        full.area = Some("大关".to_owned());
        full.avg_price_yuan = Some(80);
        full.score = 37;
        full.open_hours = Some("10:00-22:00".to_owned());
        full.phone = Some("0571-0001 2345".to_owned());
        full.created_at = created;
        let mut bare = shop_row(2, FOOD, HERE);
        bare.created_at = created;
        add_shops(&app, &[full, bare]).await;
        let bare = json!({
            "id": 2, "name": "店铺2", "typeId": FOOD, "images": "", "address": "金华路29号",
            "x": HERE.0, "y": HERE.1, "sold": 0, "comments": 0, "score": 0,
            "createTime": "2026-11-16T00:00:05", "updateTime": "2026-11-16T00:00:05",
        });
        let visitor = app.visitor();
        assert_eq!(visitor.get("/api/shop/2").await.data(), bare);
        let mut full = bare;
        let more = json!({
            "id": 1, "name": "店铺1", "images": "/imgs/shops/a.webp,/imgs/shops/b.webp", "area": "大关",
            "avgPrice": 80, "score": 37, "openHours": "10:00-22:00",
            "phone": "0571-0001 2345",
        });
        full.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        assert_eq!(visitor.get("/api/shop/1").await.data(), full);
    }
}

#[tokio::test]
async fn a_shop_that_is_not_there_is_refused_in_the_words_of_the_original() {
    let app = site().await;
    for id in ["1", "0", "-1", "9007199254740993"] {
        let answer = app.visitor().get(&format!("/api/shop/{id}")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (200, "shop_not_found")
        );
        assert_eq!(answer.json()["errorMsg"], "店铺不存在");
    }
    let english = app.visitor().with_header("accept-language", "en");
    assert_eq!(
        english.get("/api/shop/1").await.json()["errorMsg"],
        "Shop not found"
    );
    for id in ["abc", "1.5", "99999999999999999999"] {
        let answer = app.visitor().get(&format!("/api/shop/{id}")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "malformed"),
            "{id}"
        );
    }
}

#[tokio::test]
async fn reading_a_shop_again_reads_neither_redis_nor_sql() {
    let app = site().await;
    add_shops(&app, &[shop_row(1, FOOD, HERE)]).await;
    testkit::wait_until("invalidations arrive", LISTENING, async || {
        app.core().shops().stats().subscribed
    })
    .await;
    let visitor = app.visitor();
    // The word of its own filling comes back to a node once, and costs it what it has just kept.
    testkit::wait_until("the shop is in memory", LISTENING, async || {
        let hits = app.core().shops().stats().l1_hits;
        visitor.get("/api/shop/1").await.data();
        app.core().shops().stats().l1_hits > hits
    })
    .await;
    let before = app.core().shops().stats();
    for _ in 0..100 {
        visitor.get("/api/shop/1").await.data();
    }
    let after = app.core().shops().stats();
    assert_eq!(after.l1_hits - before.l1_hits, 100);
    assert_eq!((after.l2_hits, after.loads), (before.l2_hits, before.loads));
}

#[tokio::test]
async fn types_come_in_the_order_of_the_site() {
    for app in sites().await {
        let types = app.visitor().get("/api/shop-type/list").await.data();
        assert_eq!(
            types,
            json!([
                { "id": 2, "name": "KTV", "icon": "/types/2.png", "sort": 1 },
                { "id": 1, "name": "美食", "icon": "/types/1.png", "sort": 2 },
            ])
        );
    }
}

#[tokio::test]
async fn a_site_without_types_returns_an_empty_list() {
    let app = TestApp::spawn().await;
    assert_eq!(
        app.visitor().get("/api/shop-type/list").await.data(),
        json!([])
    );
    add_types(&app).await;
}

#[tokio::test]
async fn ids_that_never_existed_cost_no_query() {
    let app = site().await;
    add_shops(&app, &[shop_row(1, FOOD, HERE)]).await;
    let mut id = 1_000_000;
    testkit::wait_until("ids are known", LISTENING, async || {
        let turned_away = app.core().shops().stats().turned_away;
        // Another one each time: that there is no such shop is remembered.
        id += 1;
        app.visitor().get(&format!("/api/shop/{id}")).await;
        app.core().shops().stats().turned_away > turned_away
    })
    .await;
    let before = app.core().shops().stats();
    for id in 1_000..1_500 {
        let answer = app.visitor().get(&format!("/api/shop/{id}")).await;
        assert_eq!(answer.code(), "shop_not_found");
    }
    let after = app.core().shops().stats();
    let loads = after.loads - before.loads;
    assert!(loads <= 5, "{loads} of 500 made-up ids reached SQL");
    assert_eq!(app.visitor().get("/api/shop/1").await.data()["id"], 1);
}
