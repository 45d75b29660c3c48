//! Ratings by aspect and recommended dishes over HTTP: on the note, on the shop and in its lists, and not for pages of the
//! original.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, TestApp, wait_until};

use super::{ADMIN, AUTHOR, READER, RELAYED, SHOP, draft, ids, picture, read, site, sites};
use crate::shops::sign_in;

async fn say(app: &TestApp, me: &Client, ratings: Value, dishes: Value) -> i64 {
    let mut note = draft(&picture(app, me).await);
    note["score"] = json!(4);
    note["ratings"] = ratings;
    note["dishes"] = dishes;
    let id = me.post_json("/api/blog", &note).await.data();
    id.as_i64().unwrap()
}

async fn ratings_of_shop(client: &Client) -> Option<Value> {
    let shop = client.get(&format!("/api/shop/{SHOP}")).await.data();
    shop.get("ratings").cloned()
}

/// How many notes rate the first aspect, once the outbox has invalidated the shop.
async fn ratings_become(client: &Client, count: Option<u64>) {
    wait_until("the ratings of the shop follow", RELAYED, || async {
        let ratings = ratings_of_shop(client).await;
        ratings.and_then(|ratings| ratings["main"]["count"].as_u64()) == count
    })
    .await;
}

async fn dishes_of_shop(client: &Client) -> Value {
    client.get(&format!("/api/shop/{SHOP}/dishes")).await.data()
}

#[tokio::test]
async fn a_note_and_its_shop_show_the_ratings_and_the_dishes() {
    for app in sites().await {
        let (me, other, visitor) = (
            app.sign_in(AUTHOR).await,
            app.sign_in(READER).await,
            app.visitor(),
        );
        assert_eq!(ratings_of_shop(&visitor).await, None);
        assert_eq!(dishes_of_shop(&visitor).await, json!([]));
        let ratings = json!({"main": 5, "service": 3});
        let first = say(&app, &me, ratings.clone(), json!([" 片儿川 ", "Latte"])).await;
        let second = say(&app, &other, json!({"main": 4}), json!(["LATTE"])).await;
        let plain = say(&app, &other, Value::Null, Value::Null).await;

        let note = read(&visitor, first).await;
        assert_eq!(
            (&note["ratings"], &note["dishes"]),
            (&ratings, &json!(["片儿川", "Latte"]))
        );
        let note = read(&visitor, plain).await;
        assert_eq!((note.get("ratings"), note.get("dishes")), (None, None));
        let expected =
            json!({"main": {"score": 45, "count": 2}, "service": {"score": 30, "count": 1}});
        wait_until("the shop has all ratings", RELAYED, || async {
            ratings_of_shop(&visitor).await.as_ref() == Some(&expected)
        })
        .await;
        assert_eq!(
            dishes_of_shop(&visitor).await,
            json!([{"name": "Latte", "people": 2}, {"name": "片儿川", "people": 1}])
        );
        let top = format!("/api/shop/{SHOP}/dishes?size=1");
        assert_eq!(visitor.get(&top).await.data()[0]["name"], "Latte");
        let of_shop = format!("/api/blog/of/shop?id={SHOP}");
        let list = ids(&visitor, &format!("{of_shop}&dish=latte")).await;
        assert_eq!(list, [second, first]);
        let list = ids(&visitor, &format!("{of_shop}&dish=片儿川&current=2")).await;
        assert!(list.is_empty(), "{list:?}");
    }
}

#[tokio::test]
async fn what_is_edited_hidden_and_deleted_counts_everywhere_as_it_is() {
    let app = site().await;
    let beside = app.beside().spawn().await;
    let (me, far) = (app.sign_in(AUTHOR).await, beside.visitor());
    let admin = sign_in(&app, ADMIN, domain::Role::Admin).await;
    let note = say(&app, &me, json!({"main": 5}), json!(["片儿川"])).await;
    assert_eq!(ratings_of_shop(&far).await.unwrap()["main"]["score"], 50);
    let images = read(&me, note).await["images"].clone();
    let mut edit = json!({"title": "改过", "content": "新的", "images": images, "score": 2, "edits": 0,
        "ratings": {"main": 2}, "dishes": ["拌面"]});
    let path = format!("/api/blog/{note}");
    me.put_json(&path, &edit).await.data();
    assert_eq!(read(&me, note).await["dishes"], json!(["拌面"]));
    wait_until("the other node has the new mean", RELAYED, || async {
        ratings_of_shop(&far).await.unwrap()["main"]["score"] == 20
    })
    .await;
    assert_eq!(
        dishes_of_shop(&far).await,
        json!([{"name": "拌面", "people": 1}])
    );
    me.put_json(&path, &edit).await.data();
    assert_eq!(read(&me, note).await["edits"], 1, "a lost reply");

    let hide = format!("/api/console/notes/{note}/hide");
    admin.post_json(&hide, &json!({})).await.data();
    ratings_become(&me, None).await;
    assert_eq!(dishes_of_shop(&me).await, json!([]));
    let restore = format!("/api/console/notes/{note}/restore");
    admin.post_json(&restore, &json!({})).await.data();
    ratings_become(&me, Some(1)).await;

    // An edit that says nothing of them takes them back, as it does the stars.
    edit["edits"] = json!(1);
    edit["ratings"] = Value::Null;
    edit["dishes"] = Value::Null;
    me.put_json(&path, &edit).await.data();
    ratings_become(&me, None).await;
    assert_eq!(dishes_of_shop(&me).await, json!([]));
    me.send(Method::DELETE, &path, None).await.data();
    assert_eq!(dishes_of_shop(&me).await, json!([]));
}

#[tokio::test]
async fn what_is_no_rating_and_no_dish_is_refused_with_its_reason() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let images = picture(&app, &me).await;
    let six = json!(["一", "二", "三", "四", "五", "六"]);
    let cases = [
        ("ratings", json!({"main": 0}), "note_ratings_invalid"),
        ("ratings", json!({"service": 6}), "note_ratings_invalid"),
        ("dishes", six, "note_dishes_invalid"),
        ("dishes", json!([""]), "note_dishes_invalid"),
        ("dishes", json!(["🔥"]), "note_dishes_invalid"),
        ("dishes", json!(["面".repeat(21)]), "note_dishes_invalid"),
        ("dishes", json!(["<b></b>"]), "note_dishes_invalid"),
        ("score", Value::Null, "note_ratings_invalid"),
    ];
    for (field, value, code) in cases {
        let mut wrong = draft(&images);
        wrong["score"] = json!(4);
        wrong["ratings"] = json!({"main": 4});
        wrong[field] = value.clone();
        let refused = me.post_json("/api/blog", &wrong).await;
        assert_eq!(refused.code(), code, "{field} {value}");
    }
    let visitor = app.visitor();
    let of_shop = format!("/api/blog/of/shop?id={SHOP}");
    for wrong in [
        format!("{of_shop}&dish="),
        format!("{of_shop}&dish=面&stars=5"),
        format!("/api/shop/{SHOP}/dishes?size=0"),
        format!("/api/shop/{SHOP}/dishes?size=51"),
    ] {
        let refused = visitor.get(&wrong).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (400, "malformed"),
            "{wrong}"
        );
    }
    assert_eq!(dishes_of_shop(&visitor).await, json!([]), "nothing is left");
    let nowhere = visitor.get("/api/shop/404/dishes").await;
    assert_eq!(nowhere.data(), json!([]));
}

#[tokio::test]
async fn a_key_publishes_an_opinion_once_and_another_one_is_refused() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let mut note = draft(&picture(&app, &me).await);
    note["score"] = json!(4);
    note["ratings"] = json!({"main": 4});
    note["dishes"] = json!(["片儿川"]);
    let me = me.with_header("idempotency-key", "draft");
    let first = me.post_json("/api/blog", &note).await.data();
    let again = me.post_json("/api/blog", &note).await.data();
    assert_eq!(first, again);
    assert_eq!(ratings_of_shop(&me).await.unwrap()["main"]["count"], 1);
    note["dishes"] = json!(["拌面"]);
    let refused = me.post_json("/api/blog", &note).await;
    assert_eq!(refused.code(), "note_already_published");
}
