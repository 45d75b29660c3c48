//! Blocking people over HTTP: what is refused, what is no longer seen, and what nobody is told.

use serde_json::{Value, json};
use testkit::{Client, TestApp, wait_until};

use crate::notes::{
    AUTHOR, READER, RELAYED, SHOP, draft, id_of, ids, like, picture, publish, site, sites,
};

const THIRD: &str = "13900000014";

/// Who blocks, who is blocked, and somebody else.
async fn people(app: &TestApp) -> [Client; 3] {
    let me = app.sign_in(AUTHOR).await;
    [me, app.sign_in(READER).await, app.sign_in(THIRD).await]
}

async fn path_of(person: &Client) -> String {
    format!("/api/block/{}", id_of(person).await)
}

async fn block(me: &Client, person: &Client) {
    let blocked = me.put_json(&path_of(person).await, &json!({})).await;
    assert_eq!(blocked.json(), json!({ "success": true }));
}

async fn follow(me: &Client, person: &Client) -> Value {
    let path = format!("/api/follow/{}/true", id_of(person).await);
    me.put_json(&path, &json!({})).await.json()
}

async fn say(me: &Client, body: Value) -> Value {
    me.post_json("/api/blog-comments", &body).await.json()
}

async fn settled(app: &TestApp) {
    wait_until("the outbox is empty", RELAYED, || async {
        let backlog = storage::outbox::backlog(app.core().db(), jiff::Timestamp::now());
        backlog.await.unwrap().count == 0
    })
    .await;
}

/// The lists that readers share are filtered by what a cache says, which is invalidated by the outbox at the latest.
async fn hot_becomes(me: &Client, notes: &[i64]) {
    wait_until("the hot list follows", RELAYED, || async {
        ids(me, "/api/blog/hot").await == notes
    })
    .await;
}

#[tokio::test]
async fn who_is_blocked_neither_follows_nor_comments_and_is_told_neutrally() {
    for app in sites().await {
        let [me, pest, other] = people(&app).await;
        let done = json!({ "success": true });
        assert_eq!(follow(&pest, &me).await, done);
        assert_eq!(follow(&me, &pest).await, done);
        let note = publish(&app, &me).await;
        block(&me, &pest).await;
        let followed = async |by: &Client, whom: &Client| {
            let path = format!("/api/follow/or/not/{}", id_of(whom).await);
            by.get(&path).await.data()
        };
        assert_eq!(followed(&pest, &me).await, json!(false));
        assert_eq!(followed(&me, &pest).await, json!(false));
        let refused = follow(&pest, &me).await;
        assert_eq!(refused["code"], "interaction_refused");
        assert_eq!(refused["errorMsg"], "无法与对方互动");
        let comment = json!({ "blogId": note, "content": "真的吗" });
        let refused = say(&pest, comment.clone()).await;
        assert_eq!(refused["code"], "interaction_refused");
        assert_eq!(say(&other, comment.clone()).await["success"], true);
        assert_eq!(follow(&me, &pest).await["code"], "person_blocked");
        for _ in 0..2 {
            assert_eq!(me.delete(&path_of(&pest).await).await.json(), done);
        }
        assert_eq!(say(&pest, comment).await["success"], true);
        assert_eq!(follow(&pest, &me).await, done);
    }
}

#[tokio::test]
async fn the_reader_no_longer_sees_what_a_blocked_person_wrote_and_everybody_else_does() {
    for app in sites().await {
        let [me, pest, other] = people(&app).await;
        let theirs = publish(&app, &pest).await;
        let kept = publish(&app, &other).await;
        for by in [&pest, &other] {
            let said = say(by, json!({ "blogId": kept, "content": "真的吗" })).await;
            assert_eq!(said["success"], true);
        }
        settled(&app).await;
        let near = "/api/blog/hot?x=120.149993&y=30.334229";
        let of_shop = format!("/api/blog/of/shop?id={SHOP}");
        let lists = ["/api/blog/hot", near, of_shop.as_str()];
        for path in lists {
            assert!(ids(&me, path).await.contains(&theirs), "{path}");
        }
        let found = async |by: &Client| {
            let page = by.get("/api/search/notes?q=好吃").await.data();
            let rows = page["list"].as_array().unwrap().clone();
            rows.iter().any(|note| note["id"] == theirs)
        };
        let comments = async |by: &Client| {
            let threads = by.get(&format!("/api/blog-comments/{kept}")).await.data();
            threads.as_array().map_or(0, Vec::len)
        };
        assert!(found(&me).await);
        block(&me, &pest).await;
        hot_becomes(&me, &[kept]).await;
        for path in lists {
            assert_eq!(ids(&me, path).await, [kept], "{path}");
            for by in [&other, &pest, &app.visitor()] {
                assert!(ids(by, path).await.contains(&theirs), "{path}");
            }
        }
        assert!(!found(&me).await && found(&other).await);
        assert_eq!(comments(&me).await, 1);
        assert_eq!((comments(&other).await, comments(&pest).await), (2, 2));
        me.delete(&path_of(&pest).await).await.data();
        hot_becomes(&me, &[kept, theirs]).await;
        for path in lists {
            assert!(ids(&me, path).await.contains(&theirs), "{path}");
        }
        assert_eq!((found(&me).await, comments(&me).await), (true, 2));
    }
}

/// The block goes to one process, and the list is read from the other, which had it in memory.
#[tokio::test]
async fn a_block_is_seen_by_every_process() {
    let app = site().await;
    let second = app.beside().spawn().await;
    let [me, pest, _] = people(&app).await;
    let theirs = publish(&app, &pest).await;
    settled(&app).await;
    let there = me.clone().at(second.url());
    assert_eq!(ids(&there, "/api/blog/hot").await, [theirs]);
    block(&me, &pest).await;
    wait_until("the other process knows", RELAYED, || async {
        ids(&there, "/api/blog/hot").await.is_empty()
    })
    .await;
}

#[tokio::test]
async fn pages_of_the_hot_list_stay_full_for_who_blocks() {
    let app = site().await;
    let [me, pest, other] = people(&app).await;
    let mut kept = Vec::new();
    for _ in 0..12 {
        publish(&app, &pest).await;
        kept.insert(0, publish(&app, &other).await);
    }
    settled(&app).await;
    block(&me, &pest).await;
    hot_becomes(&me, &kept[..10]).await;
    let mut seen = ids(&me, "/api/blog/hot?current=1").await;
    assert_eq!(seen.len(), 10);
    seen.extend(ids(&me, "/api/blog/hot?current=2").await);
    assert_eq!(seen, kept);
}

#[tokio::test]
async fn what_a_blocked_person_does_is_no_notice() {
    let app = site().await;
    let [me, pest, other] = people(&app).await;
    let note = publish(&app, &me).await;
    block(&me, &pest).await;
    like(&pest, note).await;
    settled(&app).await;
    let notices = async || me.get("/api/notices").await.data();
    let none = notices().await;
    assert_eq!((&none["list"], &none["unread"]), (&json!([]), &json!(0)));
    like(&other, note).await;
    settled(&app).await;
    let one = notices().await;
    let event = &one["list"][0]["event"];
    assert_eq!(one["unread"], 1);
    assert_eq!(event["userId"], id_of(&other).await.get());
    assert_eq!(event["people"], 1);
}

#[tokio::test]
async fn the_list_of_blocked_people_is_ones_own() {
    let app = site().await;
    let [me, pest, other] = people(&app).await;
    for person in [&pest, &other] {
        block(&me, person).await;
    }
    let list = async |by: &Client| by.get("/api/block").await.data()["list"].clone();
    let mine = list(&me).await;
    assert_eq!(mine[0]["userId"], id_of(&other).await.get());
    let person = pest.get("/api/user/me").await.data();
    assert_eq!(mine[1]["user"]["nickName"], person["nickName"]);
    assert_eq!(list(&pest).await, json!([]));
    assert_eq!(me.get(&path_of(&pest).await).await.data(), json!(true));
    assert_eq!(pest.get(&path_of(&me).await).await.data(), json!(false));
}

#[tokio::test]
async fn what_cannot_be_blocked_is_refused() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let refused = async |path: String| me.put_json(&path, &json!({})).await.code();
    assert_eq!(refused(path_of(&me).await).await, "self_block");
    assert_eq!(refused("/api/block/404".to_owned()).await, "user_not_found");
    for path in ["/api/block", "/api/block/1"] {
        assert_eq!(app.visitor().get(path).await.status, 401);
    }
}

#[tokio::test]
async fn topics_and_dishes_are_without_blocked_people_too() {
    for app in sites().await {
        let [me, pest, other] = people(&app).await;
        let mut note = draft(&picture(&app, &pest).await);
        note["content"] = json!("#西湖夜宵# 好吃");
        note["dishes"] = json!(["拌面"]);
        let note = pest.post_json("/api/blog", &note).await.data();
        block(&me, &pest).await;
        for (reader, expected) in [(&me, json!([])), (&other, json!([note]))] {
            let topic = reader.get("/api/blog/of/topic?name=西湖夜宵").await.data();
            let list = topic["list"].as_array().unwrap().iter();
            let found: Vec<Value> = list.map(|note| note["id"].clone()).collect();
            assert_eq!(json!(found), expected);
            let of_dish = format!("/api/blog/of/shop?id={SHOP}&dish=拌面");
            assert_eq!(json!(ids(reader, &of_dish).await), expected);
        }
    }
}
