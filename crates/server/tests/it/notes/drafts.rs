//! Drafts over HTTP: on every device of their author, and nobody else's business.

use serde_json::{Value, json};
use testkit::Client;

use super::{AUTHOR, READER, SHOP, draft, id_of, ids, picture, site, sites};

fn content(text: &str) -> Value {
    json!({ "title": "", "text": text })
}

async fn save(me: &Client, key: &str, revision: i64, content: &Value) -> Value {
    let path = format!("/api/blog/draft/{key}");
    let body = json!({ "userId": id_of(me).await, "revision": revision, "content": content });
    me.put_json(&path, &body).await.json()
}

async fn list(me: &Client) -> Vec<Value> {
    let listed = me.get("/api/blog/draft").await.data();
    listed.as_array().expect("a list").clone()
}

#[tokio::test]
async fn what_one_device_saves_another_finds_and_publishes_once() {
    for app in sites().await {
        let phone = app.sign_in(AUTHOR).await;
        let desk = phone.clone();
        let image = picture(&app, &phone).await;
        let whole = json!({
            "title": "好面", "text": "第一行\n第二行", "pictures": [image], "shopId": SHOP, "score": 4,
            "ratings": { "main": 5 }, "dishes": ["片儿川"], "mentions": [{ "userId": 3, "name": "小满" }],
        });
        let saved = save(&phone, "k1", 0, &whole).await;
        assert_eq!(saved["data"]["revision"], 1, "{saved}");
        let found = list(&desk).await;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["key"], "k1");
        assert_eq!(found[0]["savedAtMs"], saved["data"]["savedAtMs"]);
        let mut shown = whole.clone();
        let name = image.strip_prefix("/imgs").unwrap_or(&image);
        shown["pictures"] = json!([name]);
        assert_eq!(found[0]["content"], shown);

        let keyed = desk.clone().with_header("idempotency-key", "k1");
        let note = keyed.post_json("/api/blog", &draft(&image)).await.data();
        assert!(list(&phone).await.is_empty());
        let late = save(&phone, "k1", 1, &content("还在写")).await;
        assert_eq!(late["code"], "note_already_published");
        assert_eq!(late["data"]["id"], note);
        assert_eq!(ids(&desk, "/api/blog/of/me").await.len(), 1);
    }
}

#[tokio::test]
async fn two_devices_do_not_overwrite_each_other() {
    let app = site().await;
    let phone = app.sign_in(AUTHOR).await;
    let desk = phone.clone();
    save(&phone, "k1", 0, &content("一")).await;
    assert_eq!(
        save(&phone, "k1", 1, &content("二")).await["data"]["revision"],
        2
    );
    assert_eq!(
        save(&desk, "k1", 1, &content("三")).await["code"],
        "note_draft_changed"
    );
    assert_eq!(list(&desk).await[0]["content"]["text"], "二");
    let done = json!({ "success": true });
    for _ in 0..2 {
        assert_eq!(phone.delete("/api/blog/draft/k1").await.json(), done);
    }
    assert_eq!(
        save(&desk, "k1", 2, &content("三")).await["code"],
        "note_draft_gone"
    );
}

#[tokio::test]
async fn drafts_are_private_bounded_and_named() {
    let app = site().await;
    let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    save(&me, "k1", 0, &content("我的")).await;
    assert!(list(&other).await.is_empty());
    other.delete("/api/blog/draft/k1").await.data();
    assert_eq!(list(&me).await.len(), 1);
    for path in ["/api/blog/draft", "/api/blog/draft/k1"] {
        let visitor = app.visitor();
        let reply = match path {
            "/api/blog/draft" => visitor.get(path).await,
            _ => visitor.delete(path).await,
        };
        assert_eq!(reply.status, 401, "{path}");
    }
    for number in 2..=10 {
        save(&me, &format!("k{number}"), 0, &content("更多")).await;
    }
    assert_eq!(
        save(&me, "k11", 0, &content("太多")).await["code"],
        "note_draft_limit"
    );
    let huge = content(&"字".repeat(10_001));
    assert_eq!(
        save(&me, "k1", 1, &huge).await["code"],
        "note_draft_invalid"
    );
    let foreign = json!({ "title": "", "text": "", "pictures": ["https://evil.example/a.png"] });
    assert_eq!(
        save(&me, "k1", 1, &foreign).await["code"],
        "note_draft_invalid"
    );
    let body = json!({ "userId": id_of(&me).await, "revision": 0, "content": content("") });
    let refused = other.put_json("/api/blog/draft/k12", &body).await;
    assert_eq!(refused.code(), "forbidden", "another tab's person");
    let many: Vec<String> = (0..20_000)
        .map(|n| format!("/blogs/a/b/{n}.webp"))
        .collect();
    let many = json!({ "title": "", "text": "", "pictures": many });
    assert_eq!(
        save(&me, "k1", 1, &many).await["code"],
        "note_draft_invalid"
    );
    for key in ["%20", "%E9%92%A5", &"k".repeat(65)] {
        let path = format!("/api/blog/draft/{key}");
        assert_eq!(me.put_json(&path, &body).await.status, 400, "{key}");
    }
    assert_eq!(list(&me).await.len(), 10);
}
