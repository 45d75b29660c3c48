//! Changing a note of one's own: everywhere at once, by the rules of publishing, and never over what was not read.

use serde_json::{Value, json};
use testkit::{Client, HttpReply, wait_until};

use super::{AUTHOR, READER, RELAYED, SHOP, draft, picture, publish, read, site, sites};

async fn edit(me: &Client, note: i64, body: &Value) -> HttpReply {
    me.put_json(&format!("/api/blog/{note}"), body).await
}

fn change(images: &str, edits: u32) -> Value {
    json!({"title": "改过", "content": "新的正文", "images": images, "score": 2, "edits": edits})
}

#[tokio::test]
async fn an_edit_shows_on_every_node_and_in_the_score_of_the_shop() {
    for app in sites().await {
        let beside = app.beside().spawn().await;
        let me = app.sign_in(AUTHOR).await;
        let (one, two) = (picture(&app, &me).await, picture(&app, &me).await);
        let mut first = draft(&one);
        first["score"] = json!(5);
        let note = me.post_json("/api/blog", &first).await.data();
        let note = note.as_i64().unwrap();
        super::like(&me, note).await;
        let far = beside.visitor();
        let before = read(&far, note).await;
        assert_eq!(
            (&before["edits"], before.get("editedAtMs")),
            (&json!(0), None)
        );

        let images = format!("/imgs{one},{two}");
        assert_eq!(
            edit(&me, note, &change(&images, 0)).await.json(),
            json!({"success": true})
        );
        let near = read(&me, note).await;
        assert_eq!(
            (&near["title"], &near["content"]),
            (&json!("改过"), &json!("新的正文"))
        );
        assert_eq!(near["images"], format!("/imgs{one},/imgs{two}"));
        assert_eq!(
            (&near["score"], &near["edits"], &near["liked"]),
            (&json!(2), &json!(1), &json!(1))
        );
        assert!(near["editedAtMs"].as_i64() >= near["createdAtMs"].as_i64());
        assert_eq!(near["createdAtMs"], before["createdAtMs"]);
        wait_until("the other node shows it", RELAYED, || async {
            read(&far, note).await["title"] == "改过"
        })
        .await;
        wait_until("the shop has the new stars", RELAYED, || async {
            far.get(&format!("/api/shop/{SHOP}")).await.data()["score"] == 20
        })
        .await;
    }
}

#[tokio::test]
async fn the_second_of_two_tabs_is_told_and_overwrites_nothing() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let note = publish(&app, &me).await;
    let images = read(&me, note).await["images"].as_str().unwrap().to_owned();
    edit(&me, note, &change(&images, 0)).await.data();
    let mut second = change(&images, 0);
    second["title"] = json!("另一页");
    assert_eq!(edit(&me, note, &second).await.code(), "note_changed");
    assert_eq!(read(&me, note).await["title"], "改过");
    edit(&me, note, &change(&images, 0)).await.data();
    assert_eq!(
        read(&me, note).await["edits"],
        1,
        "a lost reply is asked for again"
    );
    second["edits"] = json!(1);
    edit(&me, note, &second).await.data();
    assert_eq!(read(&me, note).await["title"], "另一页");
}

#[tokio::test]
async fn an_edit_obeys_the_rules_of_publishing() {
    let app = site().await;
    let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let note = publish(&app, &me).await;
    let images = read(&me, note).await["images"].as_str().unwrap().to_owned();
    let theirs = picture(&app, &other).await;
    let cases = [
        ("title", json!("<b></b>"), "note_title_invalid"),
        ("content", json!("字".repeat(2049)), "note_content_invalid"),
        ("images", json!(""), "note_images_invalid"),
        (
            "images",
            json!("https://evil.example/x.png"),
            "note_images_invalid",
        ),
        ("images", json!(theirs), "picture_not_yours"),
        ("score", json!(6), "note_score_invalid"),
    ];
    for (field, value, code) in cases {
        let mut wrong = change(&images, 0);
        wrong[field] = value.clone();
        assert_eq!(
            edit(&me, note, &wrong).await.code(),
            code,
            "{field} {value}"
        );
    }
    let good = change(&images, 0);
    assert_eq!(edit(&other, note, &good).await.status, 403);
    assert_eq!(edit(&app.visitor(), note, &good).await.status, 401);
    assert_eq!(edit(&me, 404, &good).await.code(), "note_not_found");
    assert_eq!(
        read(&me, note).await["title"],
        "好吃",
        "nothing of it was written"
    );
    let mut hostile = good.clone();
    hostile["content"] = json!("好<script>alert(1)</script>");
    edit(&me, note, &hostile).await.data();
    assert_eq!(read(&me, note).await["content"], "好");
}
