//! Mentions over HTTP: whom a text names is a link, and they are told once.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Client, HttpReply, TestApp, wait_until};

use crate::notes::{ADMIN, AUTHOR, READER, RELAYED, draft, id_of, picture, read, site, sites};
use crate::shops::sign_in;

const THIRD: &str = "13900000014";

async fn call_oneself(me: &Client, name: &str) -> i64 {
    let renamed = me
        .put_json("/api/user/info", &json!({ "nickName": name }))
        .await;
    assert_eq!(renamed.json()["success"], true, "{renamed:?}");
    id_of(me).await.get()
}

/// A note with this content that names these people.
async fn publish(app: &TestApp, me: &Client, content: &str, people: &[i64]) -> HttpReply {
    let mut note = draft(&picture(app, me).await);
    note["content"] = json!(content);
    note["mentions"] = json!(people);
    me.post_json("/api/blog", &note).await
}

async fn edit(me: &Client, note: i64, content: &str, people: &[i64]) -> HttpReply {
    let now = read(me, note).await;
    let change = json!({
        "title": now["title"], "content": content, "images": now["images"],
        "edits": now["edits"], "mentions": people,
    });
    me.put_json(&format!("/api/blog/{note}"), &change).await
}

async fn say(me: &Client, note: i64, content: &str, people: &[i64]) -> HttpReply {
    let body = json!({ "blogId": note, "content": content, "mentions": people });
    me.post_json("/api/blog-comments", &body).await
}

async fn notices(me: &Client) -> Vec<Value> {
    let page = me.get("/api/notices").await.data();
    page["list"].as_array().expect("a list").clone()
}

fn number(reply: &HttpReply) -> i64 {
    reply.data().as_i64().expect("an id")
}

async fn settled(app: &TestApp) {
    wait_until("the outbox is empty", RELAYED, || async {
        let backlog = storage::outbox::backlog(app.core().db(), jiff::Timestamp::now())
            .await
            .unwrap();
        backlog.count == 0
    })
    .await;
}

/// The kinds of all notices, after every effect is done.
async fn kinds(app: &TestApp, me: &Client) -> Vec<String> {
    settled(app).await;
    let kind = |notice: &Value| notice["kind"].as_str().unwrap().to_owned();
    notices(me).await.iter().map(kind).collect()
}

#[tokio::test]
async fn a_mention_is_of_a_person_whatever_they_are_called_later() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let (ann, bob) = (app.sign_in(READER).await, app.sign_in(THIRD).await);
        let of_ann = call_oneself(&ann, "小满").await;
        let of_bob = call_oneself(&bob, "小满 天星").await;
        let content = "和@小满 天星 去，还有@小满";
        let note = number(&publish(&app, &me, content, &[of_ann, of_bob, of_ann]).await);
        let expected = json!([
            { "userId": of_bob, "name": "小满 天星" },
            { "userId": of_ann, "name": "小满" },
        ]);
        let seen = read(&app.visitor(), note).await;
        assert_eq!(
            (&seen["content"], &seen["mentions"]),
            (&json!(content), &expected)
        );
        call_oneself(&ann, "阿安").await;
        edit(&me, note, "@小满 来", &[of_ann]).await.data();
        let seen = read(&app.visitor(), note).await;
        assert_eq!(
            seen["mentions"],
            json!([{ "userId": of_ann, "name": "小满" }])
        );
        let comment = number(&say(&me, note, "@阿安 来", &[of_ann]).await);
        let path = format!("/api/blog-comments/{note}");
        let threads = app.visitor().get(&path).await.data();
        assert_eq!(threads[0]["id"], comment);
        assert_eq!(
            threads[0]["mentions"],
            json!([{ "userId": of_ann, "name": "阿安" }])
        );
    }
}

#[tokio::test]
async fn who_is_not_there_or_not_named_stays_a_text() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let (ann, bob) = (app.sign_in(READER).await, app.sign_in(THIRD).await);
    let of_ann = call_oneself(&ann, "小满").await;
    let of_bob = call_oneself(&bob, "阿福").await;
    let note = number(&publish(&app, &me, "@小满 @没有这人", &[of_bob, 999_999]).await);
    assert_eq!(read(&me, note).await.get("mentions"), None);
    let plain = number(&publish(&app, &me, "@小满", &[]).await);
    assert_eq!(read(&me, plain).await.get("mentions"), None);
    assert_eq!(kinds(&app, &ann).await, [""; 0]);

    let many: Vec<i64> = (1..=11).collect();
    assert_eq!(
        publish(&app, &me, "x", &many).await.code(),
        "note_mentions_too_many"
    );
    assert_eq!(
        edit(&me, note, "x", &many).await.code(),
        "note_mentions_too_many"
    );
    let six = &many[..6];
    assert_eq!(
        say(&me, note, "x", six).await.code(),
        "comment_mentions_too_many"
    );
    assert_eq!(publish(&app, &me, "@小满", &[of_ann; 11]).await.status, 200);
    assert_eq!(edit(&bob, note, "x", &[of_ann]).await.code(), "forbidden");
}

#[tokio::test]
async fn an_edit_tells_whom_it_adds_and_nobody_twice() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let (ann, bob) = (app.sign_in(READER).await, app.sign_in(THIRD).await);
        let (of_me, of_ann) = (
            call_oneself(&me, "我").await,
            call_oneself(&ann, "小满").await,
        );
        let of_bob = call_oneself(&bob, "阿福").await;
        let note = number(&publish(&app, &me, "@小满 @我", &[of_ann, of_me]).await);
        assert_eq!(kinds(&app, &ann).await, ["mentioned"]);
        assert_eq!(kinds(&app, &me).await, [""; 0], "oneself");
        let told = notices(&ann).await.remove(0);
        let event = &told["event"];
        assert_eq!(
            (&event["userId"], &event["blogId"]),
            (&json!(of_me), &json!(note))
        );
        let read_all = json!({ "lastId": told["id"] });
        ann.post_json("/api/notices/read", &read_all).await.data();

        edit(&me, note, "@小满 @阿福", &[of_ann, of_bob])
            .await
            .data();
        assert_eq!(kinds(&app, &bob).await, ["mentioned"]);
        assert_eq!(kinds(&app, &ann).await, ["mentioned"]);
        assert_eq!(notices(&ann).await[0]["isRead"], true, "nothing new");
        edit(&me, note, "@小满", &[of_ann]).await.data();
        assert_eq!(kinds(&app, &bob).await, [""; 0], "taken back unread");
        edit(&me, note, "谁也没有", &[]).await.data();
        edit(&me, note, "@小满", &[of_ann]).await.data();
        settled(&app).await;
        assert_eq!(
            ann.get("/api/notices").await.data()["unread"],
            0,
            "told once"
        );
    }
}

#[tokio::test]
async fn whom_a_comment_concerns_anyway_has_one_notice_of_it() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let (ann, bob) = (app.sign_in(READER).await, app.sign_in(THIRD).await);
    let (of_me, of_ann) = (
        call_oneself(&me, "我").await,
        call_oneself(&ann, "小满").await,
    );
    let note = number(&publish(&app, &me, "好吃", &[]).await);
    let said = number(&say(&bob, note, "@我 @小满 去吗", &[of_me, of_ann]).await);
    assert_eq!(kinds(&app, &me).await, ["note_commented"]);
    assert_eq!(kinds(&app, &ann).await, ["mentioned"]);
    assert_eq!(notices(&ann).await[0]["event"]["content"], "@我 @小满 去吗");
    bob.delete(&format!("/api/blog-comments/{said}"))
        .await
        .data();
    assert_eq!(kinds(&app, &me).await, [""; 0]);
    assert_eq!(kinds(&app, &ann).await, [""; 0]);

    let settings = me.get("/api/notices/settings").await.data();
    assert_eq!(settings["mentions"], true);
    let mut wanted = settings.clone();
    wanted["comments"] = json!(false);
    me.put_json("/api/notices/settings", &wanted).await.data();
    say(&bob, note, "@我 看看", &[of_me]).await.data();
    assert_eq!(kinds(&app, &me).await, ["mentioned"], "comments are off");
    wanted["mentions"] = json!(false);
    me.put_json("/api/notices/settings", &wanted).await.data();
    let other = number(&publish(&app, &me, "又去", &[]).await);
    say(&bob, other, "@我 看看", &[of_me]).await.data();
    assert_eq!(kinds(&app, &me).await.len(), 1);
    wanted.as_object_mut().unwrap().remove("mentions");
    let of_old_page = me.put_json("/api/notices/settings", &wanted).await.data();
    assert_eq!(of_old_page["mentions"], true);
}

#[tokio::test]
async fn what_is_hidden_mentions_nobody() {
    let app = site().await;
    let (me, ann) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let admin = sign_in(&app, ADMIN, Role::Admin).await;
    let of_ann = call_oneself(&ann, "小满").await;
    let note = number(&publish(&app, &me, "@小满", &[of_ann]).await);
    assert_eq!(kinds(&app, &ann).await, ["mentioned"]);
    let hide = format!("/api/console/notes/{note}/hide");
    admin.post(&hide).await.data();
    assert_eq!(kinds(&app, &ann).await, [""; 0]);
    let page = ann.get("/api/notices").await.data();
    assert_eq!(page["unread"], 0, "it does not count for ever");
    me.delete(&format!("/api/blog/{note}")).await;
}

#[tokio::test]
async fn a_request_that_is_sent_again_makes_one_note_and_one_notice() {
    let app = site().await;
    let (me, ann) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let of_ann = call_oneself(&ann, "小满").await;
    let note = number(&publish(&app, &me, "好吃", &[]).await);
    let body = json!({ "blogId": note, "content": "@小满", "mentions": [of_ann] });
    let named = me.clone().with_header("idempotency-key", "once");
    let first = named.post_json("/api/blog-comments", &body).await;
    assert_eq!(
        number(&named.post_json("/api/blog-comments", &body).await),
        number(&first)
    );
    let of_nobody = json!({ "blogId": note, "content": "@小满" });
    let other = named.post_json("/api/blog-comments", &of_nobody).await;
    assert_eq!(other.code(), "idempotency_mismatch");
    assert_eq!(kinds(&app, &ann).await, ["mentioned"]);
    assert_eq!(notices(&ann).await[0]["event"]["people"], 1);
}
