//! Shops over HTTP: found, read, opened and changed, on one node and on two, with Redis and without it.

mod detail;
mod edit;
mod names;
mod nearby;
mod nodes;
mod outages;

use std::time::Duration;

use app::account;
use app::outbox::LEASE_NAME;
use domain::{Contact, Phone, Role, ShopId, ShopTypeId};
use jiff::Timestamp;
use link::{Link, Options, Target};
use lock::{Guard, Locks};
use serde_json::{Value, json};
use storage::bulk::{self, ShopRow, ShopTypeRow};
use storage::users;
use testkit::{Client, Redis, TestApp};

pub(crate) const FOOD: i64 = 1;
pub(crate) const KTV: i64 = 2;

/// Where every page of the original believes to be.
pub(crate) const HERE: (f64, f64) = (120.149993, 30.334229);

pub(crate) const MERCHANT: &str = "13900000001";
pub(crate) const RIVAL: &str = "13900000002";
pub(crate) const ADMIN: &str = "13900000003";
pub(crate) const USER: &str = "13900000004";

/// What the site promises for a change to show everywhere.
pub(crate) const EVERYWHERE: Duration = Duration::from_secs(1);

pub(crate) async fn add_types(app: &TestApp) {
    let row = |(id, name, sort): (i64, &str, i32)| ShopTypeRow {
        id: ShopTypeId::new(id),
        name: name.to_owned(),
        icon: format!("/types/{id}.png"),
        sort,
        created_at: Timestamp::now(),
    };
    let rows = [(FOOD, "美食", 2), (KTV, "KTV", 1)].map(row);
    bulk::insert_shop_types(app.core().db(), &rows)
        .await
        .unwrap();
}

/// A site with two shop types.
pub(crate) async fn site() -> TestApp {
    let app = TestApp::spawn().await;
    add_types(&app).await;
    app
}

/// What holds on one database must hold on the other.
pub(crate) async fn sites() -> [TestApp; 2] {
    let on_mariadb = TestApp::builder().on_mariadb().spawn().await;
    add_types(&on_mariadb).await;
    [site().await, on_mariadb]
}

pub(crate) fn shop_row(id: i64, type_id: i64, (x, y): (f64, f64)) -> ShopRow {
    ShopRow {
        id: ShopId::new(id),
        name: format!("店铺{id}"),
        type_id: ShopTypeId::new(type_id),
        images: String::new(),
        area: None,
        address: "金华路29号".to_owned(),
        x,
        y,
        avg_price_yuan: None,
        score: 0,
        open_hours: None,
        phone: None,
        owner_id: None,
        created_at: Timestamp::now(),
    }
}

/// Puts rows into SQL, past every running server.
pub(crate) async fn add_shops(app: &TestApp, rows: &[ShopRow]) {
    bulk::insert_shops(app.core().db(), rows).await.unwrap();
    app::shops::rebuild_id_filter(app.core()).await.unwrap();
}

pub(crate) async fn sign_in(app: &TestApp, phone: &str, role: Role) -> Client {
    // Before signing in: a session has the role that it was opened with.
    let contact: Contact = Phone::parse(phone).unwrap().into();
    let made = users::find_or_create(app.core().db(), &contact, "somebody").await;
    made.unwrap();
    grant(app, phone, role).await;
    app.sign_in(phone).await
}

pub(crate) async fn grant(app: &TestApp, phone: &str, role: Role) {
    let contact: Contact = Phone::parse(phone).unwrap().into();
    let granted = account::grant_role(app.core(), &contact, role).await;
    assert!(granted.unwrap().is_some());
}

/// Keeps every site under this prefix from relaying its outbox.
pub(crate) async fn hold_outbox(redis: &Redis, prefix: &str) -> Guard {
    let target = Target::parse(&redis.url()).unwrap();
    let link = Link::connect(&target, Options::default()).await.unwrap();
    let options = lock::Options {
        prefix: format!("{prefix}lock:"),
        ..lock::Options::default()
    };
    let lease = Locks::with_options(link, options).mutex(LEASE_NAME);
    lease.lock().await.unwrap()
}

/// What a merchant says of a new shop near here.
pub(crate) fn new_shop(name: &str) -> Value {
    json!({
        "name": name,
        "typeId": FOOD,
        "address": "金华路29号",
        "x": HERE.0,
        "y": HERE.1,
    })
}

pub(crate) async fn open_shop(merchant: &Client, shop: &Value) -> i64 {
    let opened = merchant.post_json("/api/shop", shop).await;
    opened.data().as_i64().expect("the id of the new shop")
}

pub(crate) async fn list(client: &Client, query: &str) -> Vec<Value> {
    let listed = client.get(&format!("/api/shop/of/type?{query}")).await;
    listed.data().as_array().expect("a list").clone()
}

pub(crate) fn around(type_id: i64, more: &str) -> String {
    let (x, y) = HERE;
    format!("typeId={type_id}&x={x}&y={y}{more}")
}

pub(crate) fn ids(shops: &[Value]) -> Vec<i64> {
    shops
        .iter()
        .map(|shop| shop["id"].as_i64().unwrap())
        .collect()
}

/// All pages of a list, which must end.
pub(crate) async fn all_pages(client: &Client, query: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for page in 1..=300 {
        let shops = list(client, &format!("{query}&current={page}")).await;
        if shops.is_empty() {
            return all;
        }
        all.extend(shops);
    }
    panic!("{query} has no end");
}
