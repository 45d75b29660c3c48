//! Notes over HTTP: written, read, liked and ranked, on one node and on two, with Redis and without it.

mod drafts;
mod edits;
mod hostile;
mod hot;
mod keyed;
mod likes;
mod likes_model;
mod opinions;
mod outages;
mod publish;
mod restored;
mod visits;

use std::time::Duration;

use domain::UserId;
use serde_json::{Value, json};
use storage::uploads;
use testkit::{Client, TestApp};

use crate::shops::{FOOD, HERE, add_shops, add_types, shop_row};

pub(crate) const AUTHOR: &str = "13900000011";
pub(crate) const READER: &str = "13900000012";
pub(crate) const ADMIN: &str = "13900000013";

/// A shop that everybody writes about.
pub(crate) const SHOP: i64 = 1;

/// The relay looks five times a second; the rest is for a busy machine.
pub(crate) const RELAYED: Duration = Duration::from_secs(10);

pub(crate) async fn furnish(app: &TestApp) {
    add_types(app).await;
    add_shops(app, &[shop_row(SHOP, FOOD, HERE)]).await;
}

pub(crate) async fn site() -> TestApp {
    let app = TestApp::spawn().await;
    furnish(&app).await;
    app
}

/// What holds on one database must hold on the other.
pub(crate) async fn sites() -> [TestApp; 2] {
    let on_mariadb = TestApp::builder().on_mariadb().spawn().await;
    furnish(&on_mariadb).await;
    [site().await, on_mariadb]
}

pub(crate) async fn id_of(me: &Client) -> UserId {
    UserId::new(me.get("/api/user/me").await.data()["id"].as_i64().unwrap())
}

/// A picture of this person that nothing uses yet, as the upload would have answered it.
pub(crate) async fn picture(app: &TestApp, me: &Client) -> String {
    let name = format!(
        "/blogs/3/9/{}.webp",
        testkit::unique_prefix().replace(':', "")
    );
    uploads::record(app.core().db(), id_of(me).await, &name)
        .await
        .unwrap();
    name
}

pub(crate) fn draft(images: &str) -> Value {
    json!({"title": "好吃", "content": "下次<br>再来", "images": images, "shopId": SHOP})
}

pub(crate) async fn publish(app: &TestApp, me: &Client) -> i64 {
    let images = picture(app, me).await;
    let published = me.post_json("/api/blog", &draft(&images)).await;
    published.data().as_i64().expect("the id of the new note")
}

pub(crate) async fn like(me: &Client, note: i64) {
    let liked = me
        .put_json(&format!("/api/blog/like/{note}"), &json!({}))
        .await;
    assert_eq!(liked.json(), json!({"success": true}));
}

pub(crate) async fn read(me: &Client, note: i64) -> Value {
    me.get(&format!("/api/blog/{note}")).await.data()
}

pub(crate) async fn ids(client: &Client, path: &str) -> Vec<i64> {
    let list = client.get(path).await.data();
    let id = |note: &Value| note["id"].as_i64().unwrap();
    list.as_array().expect("a list").iter().map(id).collect()
}
