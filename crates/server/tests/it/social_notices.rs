//! Notices about likes, comments, replies and follows, over HTTP: grouped, told once, and as wanted.

use serde_json::{Value, json};
use testkit::{Client, TestApp, wait_until};

use crate::notes::{AUTHOR, READER, RELAYED, id_of, like, publish, site, sites};

const THIRD: &str = "13900000014";

async fn notices(me: &Client) -> Vec<Value> {
    let page = me.get("/api/notices").await.data();
    page["list"].as_array().expect("a list").clone()
}

async fn unread(me: &Client) -> Value {
    me.get("/api/notices?size=1").await.data()["unread"].clone()
}

/// Waits until the first notice is of this kind and is about so many people.
async fn told(me: &Client, kind: &str, people: u32) -> Value {
    wait_until(&format!("{kind} by {people}"), RELAYED, || async {
        let first = notices(me).await.into_iter().next().unwrap_or_default();
        first["kind"] == kind && first["event"]["people"] == people
    })
    .await;
    notices(me).await.remove(0)
}

async fn read_all(me: &Client) {
    let newest = notices(me).await[0]["id"].clone();
    let done = me
        .post_json("/api/notices/read", &json!({ "lastId": newest }))
        .await;
    assert_eq!(done.data()["unread"], 0);
}

async fn say(me: &Client, body: Value) -> i64 {
    let said = me.post_json("/api/blog-comments", &body).await;
    said.data().as_i64().expect("the id of the comment")
}

/// Every effect is done.
async fn settled(app: &TestApp) {
    wait_until("the outbox is empty", RELAYED, || async {
        let backlog = storage::outbox::backlog(app.core().db(), jiff::Timestamp::now())
            .await
            .unwrap();
        backlog.count == 0
    })
    .await;
}

#[tokio::test]
async fn likes_are_one_notice_that_names_the_newest_and_counts_the_rest() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let (ann, bob) = (app.sign_in(READER).await, app.sign_in(THIRD).await);
        let note = publish(&app, &me).await;
        like(&me, note).await;
        like(&ann, note).await;
        let first = told(&me, "note_liked", 1).await;
        like(&bob, note).await;
        let both = told(&me, "note_liked", 2).await;
        assert_eq!(both["id"], first["id"], "an unread one grows");
        let event = &both["event"];
        assert_eq!(event["userId"], id_of(&bob).await.get());
        assert_eq!(
            (&event["blogId"], &event["blogTitle"]),
            (&json!(note), &json!("好吃"))
        );
        // The count is that of the likes: the event may still be on its way.
        settled(&app).await;
        assert_eq!(unread(&me).await, 1);
        read_all(&me).await;
        like(&bob, note).await;
        told(&me, "note_liked", 1).await;
        like(&bob, note).await;
        told(&me, "note_liked", 2).await;
        settled(&app).await;
        assert_eq!(unread(&me).await, 0, "taken back and given again");
        assert_eq!(notices(&me).await.len(), 1);
        assert_eq!(notices(&ann).await.len(), 0, "only the author is told");
    }
}

#[tokio::test]
async fn a_comment_is_told_to_the_author_and_a_reply_to_whom_it_answers() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let (ann, bob) = (app.sign_in(READER).await, app.sign_in(THIRD).await);
        let note = publish(&app, &me).await;
        let first = say(&ann, json!({"blogId": note, "content": "真的吗"})).await;
        let commented = told(&me, "note_commented", 1).await;
        assert_eq!(commented["event"]["content"], "真的吗");
        say(
            &me,
            json!({"blogId": note, "content": "真的", "parentId": first, "answerId": first}),
        )
        .await;
        let answered = told(&ann, "comment_answered", 1).await;
        assert_eq!(answered["event"]["content"], "真的");
        let reply = say(
            &bob,
            json!({"blogId": note, "content": "我也去", "parentId": first}),
        )
        .await;
        told(&me, "note_commented", 2).await;
        told(&ann, "comment_answered", 2).await;
        settled(&app).await;
        assert_eq!(
            unread(&me).await,
            1,
            "nobody is told what they did themselves"
        );
        bob.delete(&format!("/api/blog-comments/{reply}"))
            .await
            .data();
        told(&ann, "comment_answered", 1).await;
        ann.delete(&format!("/api/blog-comments/{first}"))
            .await
            .data();
        settled(&app).await;
        for reader in [&me, &ann] {
            assert_eq!(
                notices(reader).await,
                [] as [Value; 0],
                "nothing broken is left"
            );
            assert_eq!(unread(reader).await, 0);
        }
    }
}

#[tokio::test]
async fn a_deleted_note_leaves_no_notice_and_a_follow_makes_one() {
    for app in sites().await {
        let (me, ann) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let note = publish(&app, &me).await;
        like(&ann, note).await;
        told(&me, "note_liked", 1).await;
        me.delete(&format!("/api/blog/{note}")).await.data();
        settled(&app).await;
        assert_eq!((notices(&me).await.len(), unread(&me).await), (0, json!(0)));
        let author = id_of(&me).await;
        let set = async |on: bool| {
            let path = format!("/api/follow/{author}/{on}");
            ann.put_json(&path, &json!({})).await.data();
        };
        set(true).await;
        let followed = told(&me, "followed", 1).await;
        assert_eq!(followed["event"]["userId"], id_of(&ann).await.get());
        read_all(&me).await;
        set(false).await;
        set(true).await;
        settled(&app).await;
        assert_eq!(unread(&me).await, 0);
    }
}

#[tokio::test]
async fn each_kind_is_switched_off_by_itself() {
    let app = site().await;
    let (me, ann) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let settings = "/api/notices/settings";
    let all = json!({"likes": true, "comments": true, "replies": true, "follows": true, "mentions": true});
    assert_eq!(me.get(settings).await.data(), all);
    assert_eq!(app.visitor().get(settings).await.status, 401);
    assert_eq!(
        me.put_json(settings, &json!({"likes": false})).await.status,
        400
    );
    let mut wanted = all.clone();
    wanted["likes"] = json!(false);
    me.put_json(settings, &wanted).await.data();
    assert_eq!(me.get(settings).await.data(), wanted);
    assert_eq!(ann.get(settings).await.data(), all, "they are one's own");
    let note = publish(&app, &me).await;
    like(&ann, note).await;
    settled(&app).await;
    assert_eq!(notices(&me).await.len(), 0);
    say(&ann, json!({"blogId": note, "content": "真的吗"})).await;
    told(&me, "note_commented", 1).await;
}
