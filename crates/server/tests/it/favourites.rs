//! Favourite shops over HTTP: kept in lists, moved, removed, shown as gone, and nobody else's business.

use domain::favourite::{LIST_NAME_MAX_CHARS, LISTS_MAX};
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::shops::{FOOD, HERE, USER, add_shops, shop_row, sites};

const FRIEND: &str = "13900000005";

async fn furnished() -> [TestApp; 2] {
    let sites = sites().await;
    for app in &sites {
        let row = |id| shop_row(id, FOOD, HERE);
        add_shops(app, &[row(1), row(2), row(3)]).await;
    }
    sites
}

async fn save(me: &Client, shop: i64, list: Value) -> Value {
    let path = format!("/api/favourite/shop/{shop}");
    me.put_json(&path, &json!({ "listId": list })).await.json()
}

/// The ids of the shops in a list.
async fn kept(me: &Client, list: &Value) -> Vec<i64> {
    let page = me.get(&format!("/api/favourite?list={list}")).await.data();
    let rows = page["list"].as_array().unwrap();
    let id = |row: &Value| row["shopId"].as_i64().unwrap();
    rows.iter().map(id).collect()
}

#[tokio::test]
async fn shops_are_kept_in_lists_moved_and_removed() {
    for app in furnished().await {
        let me = app.sign_in(USER).await;
        let done = json!({ "success": true });
        assert_eq!(save(&me, 1, json!(0)).await, done);
        let bare = me.put_json("/api/favourite/shop/2", &json!({})).await;
        assert_eq!(bare.json(), done);
        let name = json!({ "name": " 周末 " });
        let weekend = me.post_json("/api/favourite/list", &name).await.data();
        assert_eq!(save(&me, 1, weekend.clone()).await, done);
        assert_eq!(kept(&me, &json!(0)).await, [2]);
        assert_eq!(kept(&me, &weekend).await, [1]);
        let lists = me.get("/api/favourite/list").await.data();
        let expected = json!([
            { "id": 0, "shops": 1 }, { "id": weekend, "name": "周末", "shops": 1 },
        ]);
        assert_eq!(lists, expected);
        let of = me.get("/api/favourite/shop/1").await.data();
        assert_eq!(of, json!({ "listId": weekend }));
        let page = me.get("/api/favourite").await.data();
        assert_eq!(page["list"][0]["shop"]["name"], "店铺2");

        let path = format!("/api/favourite/list/{weekend}");
        let renamed = me.put_json(&path, &json!({ "name": "约会" })).await;
        assert_eq!(renamed.json(), done);
        assert_eq!(me.delete(&path).await.json(), done);
        assert_eq!(kept(&me, &json!(0)).await, [2, 1]);
        for _ in 0..2 {
            assert_eq!(me.delete("/api/favourite/shop/1").await.json(), done);
        }
        assert_eq!(me.get("/api/favourite/shop/1").await.data(), json!({}));
        let friend = app.sign_in(FRIEND).await;
        assert!(kept(&friend, &json!(0)).await.is_empty());
    }
}

#[tokio::test]
async fn a_shop_that_is_gone_stays_in_its_list_without_its_facts() {
    for app in furnished().await {
        let me = app.sign_in(USER).await;
        save(&me, 3, json!(0)).await;
        let delete = "DELETE FROM tb_shop WHERE id = 3".to_owned();
        crate::adopted::execute(app.sql_url(), &[delete]).await;
        let page = me.get("/api/favourite").await.data();
        assert_eq!(page["list"][0]["shopId"], 3);
        assert_eq!(page["list"][0].get("shop"), None);
        assert_eq!(me.delete("/api/favourite/shop/3").await.status, 200);
    }
}

#[tokio::test]
async fn every_refusal_has_its_own_code() {
    let [app, _] = furnished().await;
    let me = app.sign_in(USER).await;
    let code = |reply: Value| reply["code"].as_str().unwrap_or("done").to_owned();
    assert_eq!(code(save(&me, 99, json!(0)).await), "shop_not_found");
    assert_eq!(
        code(save(&me, 1, json!(99)).await),
        "favourite_list_not_found"
    );
    let create = async |name: &str| {
        let made = me
            .post_json("/api/favourite/list", &json!({ "name": name }))
            .await;
        made.json()
    };
    let long = "面".repeat(LIST_NAME_MAX_CHARS + 1);
    for name in ["", " ", long.as_str()] {
        assert_eq!(code(create(name).await), "favourite_list_name_invalid");
    }
    let first = create("0").await["data"].clone();
    for number in 1..LISTS_MAX {
        assert_eq!(code(create(&number.to_string()).await), "done");
    }
    assert_eq!(code(create("one more").await), "favourite_list_limit");
    assert_eq!(create("0").await["data"], first, "it is there already");
    let path = format!("/api/favourite/list/{first}");
    let taken = me.put_json(&path, &json!({ "name": "1" })).await;
    assert_eq!(taken.code(), "favourite_list_name_taken");
    for path in ["/api/favourite/list/0", "/api/favourite/list/99"] {
        assert_eq!(me.delete(path).await.code(), "favourite_list_not_found");
    }
    for path in [
        "/api/favourite",
        "/api/favourite/list",
        "/api/favourite/shop/1",
    ] {
        assert_eq!(app.visitor().get(path).await.status, 401);
    }
}
