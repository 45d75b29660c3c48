//! Comments over HTTP: two levels, paged, liked, reported, and hidden by moderators.

use domain::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::notes::{ADMIN, AUTHOR, READER, publish, read, site, sites};
use crate::shops::sign_in;

async fn say(me: &Client, body: Value) -> i64 {
    let said = me.post_json("/api/blog-comments", &body).await;
    said.data().as_i64().expect("the id of the comment")
}

async fn threads(client: &Client, note: i64) -> Vec<Value> {
    let list = client.get(&format!("/api/blog-comments/{note}")).await;
    list.data().as_array().expect("a list").clone()
}

#[tokio::test]
async fn comments_are_read_in_threads_with_their_authors() {
    for app in sites().await {
        let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let note = publish(&app, &me).await;
        let first = say(&other, json!({"blogId": note, "content": "真的吗"})).await;
        // The original's clients say 0 for none.
        let zero = json!({"blogId": note, "content": "不错", "parentId": 0, "answerId": 0});
        let second = say(&me, zero).await;
        let mut replies = Vec::new();
        for n in 0..4 {
            let body = json!({"blogId": note, "content": format!("是 {n}"), "parentId": first});
            replies.push(say(&me, body).await);
        }
        let found = threads(&app.visitor(), note).await;
        assert_eq!(
            (&found[0]["id"], &found[1]["id"]),
            (&json!(second), &json!(first))
        );
        let person = other.get("/api/user/me").await.data();
        assert_eq!(
            (&found[1]["name"], &found[1]["userId"]),
            (&person["nickName"], &person["id"])
        );
        assert_eq!(
            (&found[1]["parentId"], &found[1]["content"]),
            (&json!(0), &json!("真的吗"))
        );
        assert_eq!(found[1]["replyCount"], 4);
        assert_eq!(found[1]["replies"].as_array().map(Vec::len), Some(3));
        assert_eq!(found[1]["replies"][0]["id"], replies[0]);
        assert!(found[1].get("isLike").is_none(), "nobody is signed in");
        let all = me
            .get(&format!("/api/blog-comments/{first}/replies"))
            .await
            .data();
        assert_eq!(all.as_array().map(Vec::len), Some(4));
        assert_eq!(all[3]["parentId"], first);
        assert_eq!(read(&me, note).await["comments"], 6);
    }
}

#[tokio::test]
async fn what_is_no_comment_is_refused_with_its_reason() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let note = publish(&app, &me).await;
    let refused = async |body: Value| me.post_json("/api/blog-comments", &body).await.code();
    for content in ["", "  ", "<b></b>", &"字".repeat(256)] {
        let code = refused(json!({"blogId": note, "content": content})).await;
        assert_eq!(code, "comment_invalid");
    }
    let nowhere = refused(json!({"blogId": 404, "content": "x"})).await;
    assert_eq!(nowhere, "note_not_found");
    let answer = refused(json!({"blogId": note, "content": "x", "answerId": 404})).await;
    assert_eq!(answer, "comment_not_found");
    let missing = app.visitor().get("/api/blog-comments/404").await;
    assert_eq!(missing.code(), "note_not_found");
    let anonymous = app.visitor();
    let body = json!({"blogId": note, "content": "x"});
    assert_eq!(
        anonymous
            .post_json("/api/blog-comments", &body)
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn a_comment_is_liked_and_deleted_by_those_who_may() {
    let app = site().await;
    let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let note = publish(&app, &me).await;
    let comment = say(&other, json!({"blogId": note, "content": "真的吗"})).await;
    let like = format!("/api/blog-comments/like/{comment}");
    for (count, is_liked) in [(1, true), (0, false), (1, true)] {
        me.put_json(&like, &json!({})).await.data();
        let seen = &threads(&me, note).await[0];
        assert_eq!(
            (&seen["liked"], &seen["isLike"]),
            (&json!(count), &json!(is_liked))
        );
        assert_eq!(threads(&other, note).await[0]["isLike"], false);
    }
    let missing = me.put_json("/api/blog-comments/like/404", &json!({})).await;
    assert_eq!(missing.code(), "comment_not_found");
    let path = format!("/api/blog-comments/{comment}");
    assert_eq!(app.visitor().delete(&path).await.status, 401);
    assert_eq!(me.delete(&path).await.status, 403);
    other.delete(&path).await.data();
    assert_eq!(other.delete(&path).await.code(), "comment_not_found");
    assert_eq!(read(&me, note).await["comments"], 0);
}

#[tokio::test]
async fn moderators_see_reports_hide_and_restore_and_nobody_else_does() {
    let app = site().await;
    let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let admin = sign_in(&app, ADMIN, Role::Admin).await;
    let note = publish(&app, &me).await;
    let comment = say(&other, json!({"blogId": note, "content": "加微信"})).await;
    let report = format!("/api/blog-comments/{comment}/report");
    let reason = json!({"reason": "广告".repeat(200)});
    assert_eq!(app.visitor().post_json(&report, &reason).await.status, 401);
    me.post_json(&report, &reason).await.data();
    let missing = me.post_json("/api/blog-comments/404/report", &reason).await;
    assert_eq!(missing.code(), "comment_not_found");

    let queue = "/api/console/comments";
    assert_eq!(app.visitor().get(queue).await.status, 401);
    assert_eq!(me.get(queue).await.status, 403);
    let listed = admin.get(queue).await.data();
    assert_eq!(
        (&listed["list"][0]["id"], &listed["list"][0]["reports"]),
        (&json!(comment), &json!(1))
    );
    assert!(listed.get("cursor").is_none());

    let hide = format!("{queue}/{comment}/hide");
    assert_eq!(me.post(&hide).await.status, 403);
    admin.post(&hide).await.data();
    assert!(threads(&other, note).await.is_empty());
    assert_eq!(read(&me, note).await["comments"], 0);
    assert_eq!(admin.get(queue).await.data()["list"], json!([]));
    let hidden = admin.get(&format!("{queue}?state=hidden")).await.data();
    assert_eq!(hidden["list"][0]["id"], comment);
    admin
        .post(&format!("{queue}/{comment}/restore"))
        .await
        .data();
    assert_eq!(threads(&other, note).await.len(), 1);
    let nothing = admin.post("/api/console/comments/404/hide").await;
    assert_eq!(nothing.code(), "comment_not_found");
}
