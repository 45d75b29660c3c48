//! Notes and comments that are sent with an `Idempotency-Key`: a lost reply makes no second one.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, FaultProxy, Redis, TestApp, wait_until};

use super::{AUTHOR, READER, RELAYED, draft, furnish, ids, picture, read, site, sites};

fn keyed(client: &Client, key: &str) -> Client {
    client.clone().with_header("idempotency-key", key)
}

async fn count(client: &Client) -> usize {
    ids(client, "/api/blog/of/me").await.len()
}

#[tokio::test]
async fn a_note_whose_reply_was_lost_is_not_written_again() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let proxy = FaultProxy::start(app.address().to_string()).await;
        let far = keyed(&me, "draft").at(format!("http://{}", proxy.addr()));
        let note = draft(&picture(&app, &me).await);
        proxy.drop_replies_then_cut(1).await;
        let body = Some(("application/json", note.to_string().into_bytes()));
        far.try_send(Method::POST, "/api/blog", body)
            .await
            .expect_err("the reply never came");
        wait_until("the note is written", RELAYED, || async {
            count(&me).await == 1
        })
        .await;
        proxy.pass().await;
        let again = far.post_json("/api/blog", &note).await.data();
        assert_eq!(ids(&me, "/api/blog/of/me").await, [again.as_i64().unwrap()]);
    }
}

#[tokio::test]
async fn two_clicks_at_once_make_one_note() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let note = draft(&picture(&app, &me).await);
        let named = keyed(&me, "clicks");
        let (one, two) = tokio::join!(
            named.post_json("/api/blog", &note),
            named.post_json("/api/blog", &note)
        );
        assert_eq!(one.data(), two.data());
        assert_eq!(count(&me).await, 1);
    }
}

#[tokio::test]
async fn a_key_outlives_a_restart_and_what_redis_forgets() {
    let redis = Redis::start().await;
    let app = TestApp::builder().redis_url(redis.url()).spawn().await;
    furnish(&app).await;
    let me = app.sign_in(AUTHOR).await;
    let note = draft(&picture(&app, &me).await);
    let id = keyed(&me, "draft")
        .post_json("/api/blog", &note)
        .await
        .data();
    redis.flush().await;
    let after = app.beside().spawn().await;
    app.stop().await;
    let me = keyed(&after.sign_in(AUTHOR).await, "draft");
    assert_eq!(me.post_json("/api/blog", &note).await.data(), id);
    assert_eq!(count(&me).await, 1);
}

#[tokio::test]
async fn a_key_of_another_text_is_refused_and_names_the_note() {
    let app = site().await;
    let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let first = draft(&picture(&app, &me).await);
    let named = keyed(&me, "draft");
    let mut wrong = first.clone();
    wrong["shopId"] = json!(404);
    assert_eq!(
        named.post_json("/api/blog", &wrong).await.code(),
        "shop_not_found"
    );
    let id = named.post_json("/api/blog", &first).await.data();
    let mut changed = first.clone();
    changed["content"] = json!("改过了");
    let refused = named.post_json("/api/blog", &changed).await;
    assert_eq!(refused.code(), "note_already_published");
    assert_eq!(refused.json()["data"], json!({ "id": id }));
    let theirs = draft(&picture(&app, &other).await);
    let theirs = keyed(&other, "draft").post_json("/api/blog", &theirs).await;
    assert_ne!(theirs.data(), id, "a key is its sender's own");
    let as_comment = json!({"blogId": id, "content": "x"});
    let refused = named.post_json("/api/blog-comments", &as_comment).await;
    assert_eq!(refused.code(), "idempotency_mismatch");
    let long = keyed(&me, &"k".repeat(65));
    assert_eq!(long.post_json("/api/blog", &first).await.status, 400);
}

#[tokio::test]
async fn a_repeated_comment_is_one_comment() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let note = super::publish(&app, &me).await;
        let named = keyed(&me, "comment");
        let words = json!({"blogId": note, "content": "真的吗"});
        let (one, two) = tokio::join!(
            named.post_json("/api/blog-comments", &words),
            named.post_json("/api/blog-comments", &words)
        );
        assert_eq!(one.data(), two.data());
        let other: Value = json!({"blogId": note, "content": "是的"});
        let refused = named.post_json("/api/blog-comments", &other).await;
        assert_eq!(refused.code(), "idempotency_mismatch");
        assert_eq!(read(&me, note).await["comments"], 1);
    }
}
