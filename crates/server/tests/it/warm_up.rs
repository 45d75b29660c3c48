//! A process is ready when its caches are warm, or when warming them up takes too long.

use domain::{NoteId, ShopId, UserId};
use jiff::Timestamp;
use storage::bulk::{self, NoteRow};
use testkit::{Redis, TestApp, wait_until};

use crate::flash::{Market, PATIENCE};
use crate::shops::{FOOD, HERE, add_types, shop_row};

const SHOPS: i64 = 700;
const WARM: i64 = 600;
/// Not among the oldest, and the subject of a new note.
const WRITTEN_ABOUT: i64 = SHOPS;

async fn with_shops() -> TestApp {
    let app = TestApp::spawn().await;
    add_types(&app).await;
    let db = app.core().db();
    let shops: Vec<_> = (1..=SHOPS).map(|id| shop_row(id, FOOD, HERE)).collect();
    bulk::insert_shops(db, &shops).await.unwrap();
    let note = NoteRow {
        id: NoteId::new(1),
        shop_id: ShopId::new(WRITTEN_ABOUT),
        user_id: UserId::new(1),
        title: "好吃".to_owned(),
        images: String::new(),
        content: "好吃".to_owned(),
        score: None,
        opinion: Default::default(),
        created_at: Timestamp::now(),
    };
    bulk::insert_notes(db, &[note]).await.unwrap();
    app
}

#[tokio::test]
async fn a_process_that_says_it_is_ready_has_the_shops_in_use_in_memory() {
    let first = with_shops().await;
    let ready = first
        .beside()
        .setting("cache.warm_up_shops", WARM)
        .spawn()
        .await;
    let visitor = ready.visitor();
    assert_eq!(visitor.get("/readyz").await.status, 200);
    let shops = ready.core().shops();
    let warm = shops.stats();
    assert_eq!(
        warm.loads,
        WARM.unsigned_abs(),
        "as many as the setting says"
    );
    for id in (1..100).chain([WRITTEN_ABOUT]) {
        assert_eq!(visitor.get(&format!("/api/shop/{id}")).await.status, 200);
    }
    let read = shops.stats();
    assert_eq!(read.loads, warm.loads, "none of them is loaded again");
    // On a busy machine the notifications of a process' own writes may arrive late; then Redis has the value.
    assert!(read.l1_hits - warm.l1_hits > 50, "{read:?}");
}

#[tokio::test]
async fn without_a_warm_up_nothing_is_loaded_before_it_is_read() {
    let first = with_shops().await;
    let cold = first.beside().setting("cache.warm_up_shops", 0);
    let cold = cold.spawn().await;
    assert_eq!(cold.visitor().get("/readyz").await.status, 200);
    assert_eq!(cold.core().shops().stats().loads, 0);
}

#[tokio::test]
async fn a_gate_that_cannot_be_loaded_delays_readiness_no_longer_than_the_setting_says() {
    let market = Market::open().await;
    let sale = market.sell(10).await;
    // Another Redis has no gate, and a gate is loaded behind a barrier that only a drain worker passes.
    let empty = Redis::start().await;
    let alone = market
        .app
        .beside()
        .redis_url(empty.url())
        .without_workers()
        .setting("cache.warm_up_shops", WARM)
        .setting("cache.warm_up_ms", 100)
        .spawn()
        .await;
    let visitor = alone.visitor();
    wait_until("the process to be ready without", PATIENCE, async || {
        visitor.get("/readyz").await.status == 200
    })
    .await;
    let page = visitor.get(&format!("/api/voucher/seckill/{sale}")).await;
    assert_eq!(page.status, 200, "it serves");
}
