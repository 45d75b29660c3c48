//! Redis flushed, and Redis away: notes are read all the same, and views come back by themselves.

use std::time::Duration;

use app::rebuild::{self, RebuildTarget};
use domain::NoteId;
use jiff::Timestamp;
use serde_json::json;
use storage::bulk::{self, LikeRow, Surplus};
use testkit::{Redis, TestApp, wait_until};

use super::{AUTHOR, READER, RELAYED, furnish, id_of, ids, like, publish, read};

async fn site_on(redis: &Redis) -> TestApp {
    let app = TestApp::builder()
        .setting("redis.response_timeout_ms", 1000)
        .redis_url(redis.url())
        .spawn()
        .await;
    furnish(&app).await;
    app
}

#[tokio::test]
async fn a_flushed_redis_forgets_no_like_and_no_rank() {
    let redis = Redis::start().await;
    let app = site_on(&redis).await;
    let me = app.sign_in(AUTHOR).await;
    let (old, new) = (publish(&app, &me).await, publish(&app, &me).await);
    like(&me, old).await;
    assert_eq!(ids(&me, "/api/blog/hot").await, [old, new]);
    for _ in 0..2 {
        redis.flush().await;
        let me = app.sign_in(AUTHOR).await;
        let check = async || {
            assert_eq!(ids(&me, "/api/blog/hot").await, [old, new]);
            assert_eq!(read(&me, old).await["isLike"], true);
            assert_eq!(read(&me, new).await["isLike"], false);
            let likers = me.get(&format!("/api/blog/likes/{old}")).await.data();
            assert_eq!(likers[0]["id"], me.get("/api/user/me").await.data()["id"]);
        };
        check().await;
        wait_until("the views are back", RELAYED, || async {
            let kv = app.core().kv();
            let likes = kv.list_loaded_likes(&[NoteId::new(old)]).await.unwrap();
            kv.list_hot(0, 1, domain::TieBreak::Newest)
                .await
                .unwrap()
                .is_some()
                && likes.len() == 1
        })
        .await;
        check().await;
    }
}

#[tokio::test]
async fn without_redis_lists_come_from_sql_and_what_was_liked_meanwhile_shows_afterwards() {
    let redis = Redis::start().await;
    let app = site_on(&redis).await;
    let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let (old, new) = (publish(&app, &me).await, publish(&app, &me).await);
    like(&me, old).await;
    ids(&me, "/api/blog/hot").await;
    let other_id = id_of(&other).await;
    redis.stop_hard();
    let visitor = app.visitor();
    assert_eq!(ids(&visitor, "/api/blog/hot").await, [old, new]);
    assert_eq!(ids(&visitor, "/api/blog/of/shop?id=1").await, [new, old]);
    assert_eq!(read(&visitor, old).await["liked"], 1);
    let likers = visitor.get(&format!("/api/blog/likes/{old}")).await.data();
    assert_eq!(likers.as_array().map(Vec::len), Some(1));
    for _ in 0..2 {
        let toggled =
            storage::note_likes::toggle(app.core().db(), NoteId::new(new), other_id, None);
        toggled.await.unwrap().unwrap();
    }
    let toggled = storage::note_likes::toggle(app.core().db(), NoteId::new(old), other_id, None);
    toggled.await.unwrap().unwrap();
    redis.start_again().await;
    let limit = RELAYED + Duration::from_secs(20);
    wait_until("the like shows", limit, || async {
        let seen = other.get(&format!("/api/blog/{old}")).await;
        seen.status == 200 && seen.json()["data"]["isLike"] == true
    })
    .await;
    assert_eq!(read(&other, old).await["liked"], json!(2));
    assert_eq!(ids(&other, "/api/blog/hot").await, [old, new]);
}

#[tokio::test]
async fn a_rebuild_brings_counters_and_views_in_line_with_rows_that_came_past_them() {
    let redis = Redis::start().await;
    let app = site_on(&redis).await;
    let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let (old, new) = (publish(&app, &me).await, publish(&app, &me).await);
    wait_until("the views are loaded", RELAYED, || async {
        let first = ids(&me, "/api/blog/hot").await;
        assert_eq!(first, [new, old]);
        let kv = app.core().kv();
        kv.list_hot(0, 1, domain::TieBreak::Newest)
            .await
            .unwrap()
            .is_some()
    })
    .await;
    assert_eq!(read(&other, old).await["isLike"], false, "and it is kept");
    let like = LikeRow {
        note_id: NoteId::new(old),
        user_id: id_of(&other).await,
        created_at: Timestamp::now(),
    };
    bulk::insert_likes(app.core().db(), &[like]).await.unwrap();
    let mut progress_done = 0;
    let mut progress = |step: app::Progress| progress_done = step.done;
    rebuild::rebuild(
        app.core(),
        RebuildTarget::Notes,
        Surplus::Drop,
        &mut progress,
    )
    .await
    .unwrap();
    assert_eq!(progress_done, 2, "notes");
    assert_eq!(ids(&me, "/api/blog/hot").await, [old, new]);
    let seen = read(&other, old).await;
    assert_eq!((&seen["liked"], &seen["isLike"]), (&json!(1), &json!(true)));
}
