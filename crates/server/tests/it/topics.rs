//! Topics over HTTP: pages of notes by topic, and suggestions.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::notes::{ADMIN, AUTHOR, draft, picture, read, site, sites};
use crate::shops::sign_in;

async fn publish(app: &TestApp, me: &Client, content: &str) -> i64 {
    let mut note = draft(&picture(app, me).await);
    note["content"] = json!(content);
    me.post_json("/api/blog", &note)
        .await
        .data()
        .as_i64()
        .unwrap()
}

async fn page(client: &Client, name: &str, cursor: Option<&str>) -> Value {
    let mut query = vec![("name", name)];
    query.extend(cursor.map(|cursor| ("cursor", cursor)));
    let query = serde_urlencoded::to_string(query).unwrap();
    client
        .get(&format!("/api/blog/of/topic?{query}"))
        .await
        .data()
}

fn ids(page: &Value) -> Vec<i64> {
    let list = page["list"].as_array().expect("a list");
    list.iter().map(|it| it["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn a_topic_lists_its_notes_newest_first_by_cursor() {
    for app in sites().await {
        let me = app.sign_in(AUTHOR).await;
        let mut notes = Vec::new();
        for place in 0..12 {
            notes.push(publish(&app, &me, &format!("第{place}次 #西湖夜宵#")).await);
        }
        notes.reverse();
        let visitor = app.visitor();
        let first = page(&visitor, "西湖夜宵", None).await;
        assert_eq!(
            (&first["name"], &first["notes"]),
            (&json!("西湖夜宵"), &json!(12))
        );
        assert_eq!(ids(&first), notes[..10]);
        assert_eq!(first["list"][0]["topics"], json!(["西湖夜宵"]));
        let next = page(&visitor, "西湖夜宵", first["cursor"].as_str()).await;
        assert_eq!(
            (ids(&next), next.get("cursor")),
            (notes[10..].to_vec(), None)
        );
        let liked = me
            .put_json(&format!("/api/blog/like/{}", notes[0]), &json!({}))
            .await;
        assert_eq!(liked.status, 200);
        let mine = page(&me, "西湖夜宵", None).await;
        assert_eq!(mine["list"][0]["isLike"], true);
    }
}

#[tokio::test]
async fn what_no_note_has_is_an_empty_list() {
    let app = site().await;
    let visitor = app.visitor();
    for (name, shown) in [
        ("没有人写过", "没有人写过"),
        ("a/b", ""),
        ("", ""),
        ("！", ""),
    ] {
        let found = page(&visitor, name, None).await;
        let expected = json!({ "name": shown, "notes": 0, "list": [] });
        assert_eq!(found, expected, "{name}");
    }
    let wrong = visitor.get("/api/blog/of/topic?name=a&cursor=x").await;
    assert_eq!(wrong.code(), "malformed");
    let found = visitor.get("/api/topic/suggestions?q=").await.data();
    assert_eq!(found, json!([]));
}

#[tokio::test]
async fn topics_follow_their_notes_and_are_suggested_with_counts() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let admin = sign_in(&app, ADMIN, Role::Admin).await;
    let first = publish(&app, &me, "#Citywalk#").await;
    let second = publish(&app, &me, "#citywalk 西湖").await;
    let visitor = app.visitor();
    let suggested = async |typed: &str| {
        let path = format!("/api/topic/suggestions?q={typed}");
        visitor.get(&path).await.data()
    };
    let both = json!([{ "name": "Citywalk", "notes": 2 }]);
    assert_eq!(suggested("CITY").await, both);
    assert_eq!(
        suggested("%EF%BC%81").await,
        json!([]),
        "a mark is no beginning"
    );
    let hide = format!("/api/console/notes/{first}/hide");
    admin.post(&hide).await.data();
    let one = page(&visitor, "citywalk", None).await;
    assert_eq!((ids(&one), &one["notes"]), (vec![second], &json!(1)));
    let now = read(&me, second).await;
    let change = json!({ "title": "t", "content": "没有了", "images": now["images"], "edits": 0 });
    let changed = me.put_json(&format!("/api/blog/{second}"), &change).await;
    assert_eq!(changed.status, 200);
    assert_eq!(page(&visitor, "citywalk", None).await["notes"], 0);
    assert_eq!(read(&me, second).await.get("topics"), None);
    assert_eq!(suggested("c").await, json!([]));
}
