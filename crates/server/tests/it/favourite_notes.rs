//! Favourite notes over HTTP: kept, removed, shown as gone, and nobody else's business.

use serde_json::{Value, json};
use testkit::Client;

use crate::notes::{AUTHOR, READER, publish, site, sites};

async fn save(me: &Client, note: i64) -> Value {
    let path = format!("/api/favourite/note/{note}");
    me.put_json(&path, &json!({})).await.json()
}

async fn kept(me: &Client) -> Vec<Value> {
    let page = me.get("/api/favourite/note").await.data();
    page["list"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn notes_are_kept_newest_first_and_removed() {
    for app in sites().await {
        let (author, me) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let first = publish(&app, &author).await;
        let second = publish(&app, &author).await;
        let done = json!({ "success": true });
        for note in [first, second, first] {
            assert_eq!(save(&me, note).await, done);
        }
        let list = kept(&me).await;
        let ids: Vec<&Value> = list.iter().map(|saved| &saved["noteId"]).collect();
        assert_eq!(ids, [&json!(second), &json!(first)]);
        let as_read = me.get(&format!("/api/blog/{first}")).await.data();
        assert_eq!(list[1]["note"], as_read, "as its own page has it");
        let path = format!("/api/favourite/note/{first}");
        assert_eq!(me.get(&path).await.data(), json!(true));
        assert_eq!(author.get(&path).await.data(), json!(false));
        assert!(kept(&author).await.is_empty());
        for _ in 0..2 {
            assert_eq!(me.delete(&path).await.json(), done);
        }
        assert_eq!(me.get(&path).await.data(), json!(false));
        assert_eq!(kept(&me).await.len(), 1);
    }
}

#[tokio::test]
async fn a_note_that_is_gone_is_listed_without_its_text_until_it_is_removed() {
    for app in sites().await {
        let (author, me) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let note = publish(&app, &author).await;
        save(&me, note).await;
        author.delete(&format!("/api/blog/{note}")).await.data();
        let list = kept(&me).await;
        assert_eq!(list[0]["noteId"], note);
        assert_eq!(list[0].get("note"), None);
        let removed = me.delete(&format!("/api/favourite/note/{note}")).await;
        assert_eq!(removed.json(), json!({ "success": true }));
        assert!(kept(&me).await.is_empty());
    }
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused_and_a_visitor_is_sent_away() {
    let app = site().await;
    let me = app.sign_in(READER).await;
    assert_eq!(save(&me, 404).await["code"], "note_not_found");
    for path in ["/api/favourite/note", "/api/favourite/note/1"] {
        assert_eq!(app.visitor().get(path).await.status, 401);
    }
    let refused = me.get("/api/favourite/note?cursor=x").await;
    assert_eq!(refused.status, 400);
}
