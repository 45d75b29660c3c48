//! The search over HTTP: shops, notes and people, on both databases, with Redis and without it.

mod city;
mod filters;
mod hot_words;

use reqwest::Method;
use serde_json::{Value, json};
use storage::bulk::ShopRow;
use testkit::{Client, TestApp};

use crate::notes::{ADMIN, AUTHOR, draft, id_of, picture};
use crate::shops::{FOOD, HERE, KTV, add_shops, add_types, ids, shop_row, sign_in};

/// Some fifteen metres north for each step.
fn north(steps: u32) -> (f64, f64) {
    (HERE.0, HERE.1 + f64::from(steps) * 0.000_14)
}

fn named(id: i64, name: &str, place: (f64, f64)) -> ShopRow {
    let mut row = shop_row(id, FOOD, place);
    row.name = name.to_owned();
    row
}

async fn sites() -> [TestApp; 2] {
    let on_mariadb = TestApp::builder().on_mariadb().spawn().await;
    let sites = [TestApp::spawn().await, on_mariadb];
    for app in &sites {
        add_types(app).await;
    }
    sites
}

fn query(path: &str, parameters: &[(&str, &str)]) -> String {
    let parameters = serde_urlencoded::to_string(parameters).unwrap();
    format!("/api/search/{path}?{parameters}")
}

/// Around the place where everybody is.
fn around(q: &str) -> Vec<(&str, &str)> {
    vec![("q", q), ("x", "120.149993"), ("y", "30.334229")]
}

async fn page(
    client: &Client,
    path: &str,
    parameters: &[(&str, &str)],
) -> (Vec<i64>, Option<String>) {
    let data = client.get(&query(path, parameters)).await.data();
    let cursor = data["cursor"].as_str().map(str::to_owned);
    (ids(data["list"].as_array().unwrap()), cursor)
}

async fn first(client: &Client, path: &str, parameters: &[(&str, &str)]) -> Vec<i64> {
    page(client, path, parameters).await.0
}

/// All pages, which must end.
async fn all(client: &Client, path: &str, parameters: &[(&str, &str)]) -> Vec<i64> {
    let (mut found, mut cursor) = page(client, path, parameters).await;
    for _ in 0..300 {
        let Some(at) = cursor else {
            return found;
        };
        let mut next = parameters.to_vec();
        next.push(("cursor", &at));
        let (more, following) = page(client, path, &next).await;
        found.extend(more);
        cursor = following;
    }
    panic!("{parameters:?} has no end");
}

#[tokio::test]
async fn shops_are_found_by_name_area_address_and_kind_the_whole_name_first_and_then_the_nearest() {
    for app in sites().await {
        let mut rows = vec![
            named(1, "老王火锅", north(1)),
            named(2, "火锅", north(30)),
            named(3, "川味火锅（拱墅店）", north(2)),
            named(4, "茶餐厅", north(3)),
        ];
        rows[3].area = Some("火锅街".to_owned());
        rows[3].address = "拱墅区 Ｍoganshan Road 7".to_owned();
        rows.push(ShopRow {
            name: "星聚会".to_owned(),
            ..shop_row(5, KTV, north(4))
        });
        add_shops(&app, &rows).await;
        let visitor = app.visitor();
        let cases: [(&str, &[i64]); 9] = [
            ("火锅", &[2, 1, 3, 4]),
            ("火锅 拱墅", &[3, 4]),
            ("火锅拱墅店", &[3]),
            ("moganshan ROAD", &[4]),
            ("ｋｔｖ", &[5]),
            ("王", &[1]),
            ("锅王", &[]),
            ("%", &[]),
            ("", &[]),
        ];
        for (q, expected) in cases {
            assert_eq!(first(&visitor, "shops", &around(q)).await, expected, "{q}");
        }
        let listed = visitor.get(&query("shops", &around("王"))).await.data();
        let metres = listed["list"][0]["distance"].as_f64().unwrap();
        assert!((10.0..20.0).contains(&metres), "{metres}");
        // Without a place by score, and equals by id; the others' areas and kinds are as far away.
        assert_eq!(
            first(&visitor, "shops", &[("q", "火锅")]).await,
            [2, 1, 3, 4]
        );
        let suggested = visitor
            .get(&query("suggestions", &around("火")))
            .await
            .data();
        assert_eq!(ids(suggested.as_array().unwrap()), [1, 3, 2]);
    }
}

#[tokio::test]
async fn pages_of_many_shops_repeat_and_skip_nothing_and_the_nearest_are_first() {
    for app in sites().await {
        // Twice as many as are looked at around the caller, and as one window has.
        let row = |id: i64| {
            named(
                id,
                &format!("火锅{id}"),
                north(u32::try_from(700 - id).unwrap()),
            )
        };
        let rows: Vec<ShopRow> = (1..=650).map(row).collect();
        add_shops(&app, &rows).await;
        let visitor = app.visitor();
        let found = all(&visitor, "shops", &around("火锅")).await;
        let nearest: Vec<i64> = (351..=650).rev().collect();
        assert_eq!(found[..300], nearest);
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (1..=650).collect::<Vec<i64>>());
    }
}

async fn publish(app: &TestApp, author: &Client, title: &str, content: &str) -> i64 {
    let mut note = draft(&picture(app, author).await);
    note["title"] = json!(title);
    note["content"] = json!(content);
    let published = author.post_json("/api/blog", &note).await;
    published.data().as_i64().unwrap()
}

#[tokio::test]
async fn notes_are_found_by_title_and_text_while_they_are_shown() {
    for app in sites().await {
        add_shops(&app, &[shop_row(1, FOOD, HERE)]).await;
        let author = app.sign_in(AUTHOR).await;
        let admin = sign_in(&app, ADMIN, domain::Role::Admin).await;
        let in_text = publish(&app, &author, "周末", "这家火锅<br>Really Good").await;
        let in_title = publish(&app, &author, "火锅探店", "下次再来").await;
        let other = publish(&app, &author, "咖啡", "拿铁").await;
        let visitor = app.visitor();
        let notes = async |q: &str| first(&visitor, "notes", &[("q", q)]).await;
        assert_eq!(notes("火锅").await, [in_title, in_text]);
        assert_eq!(notes("ＧＯＯＤ really").await, [in_text]);
        assert_eq!(notes("br").await, Vec::<i64>::new());
        let liked = author
            .send(Method::PUT, &format!("/api/blog/like/{other}"), None)
            .await;
        liked.data();
        let found = author.get(&query("notes", &[("q", "拿铁")])).await.data();
        assert_eq!(found["list"][0]["isLike"], true);
        assert_eq!(found["list"][0]["liked"], 1);

        let set = async |what: &str| {
            let path = format!("/api/console/notes/{in_title}/{what}");
            admin.post_json(&path, &json!({})).await
        };
        set("hide").await;
        assert_eq!(notes("火锅").await, [in_text]);
        set("restore").await;
        assert_eq!(notes("火锅").await, [in_title, in_text]);
        let gone = author
            .send(Method::DELETE, &format!("/api/blog/{in_text}"), None)
            .await;
        assert_eq!(gone.json()["success"], true);
        assert_eq!(notes("火锅").await, [in_title]);
    }
}

#[tokio::test]
async fn people_are_found_by_name_the_whole_name_first() {
    for app in sites().await {
        let (ann, bob) = (app.sign_in(AUTHOR).await, app.sign_in(ADMIN).await);
        for (client, name) in [(&ann, "可可今天不吃肉"), (&bob, "可可")] {
            let change = json!({ "nickName": name });
            client.put_json("/api/user/info", &change).await.data();
        }
        let (ann_id, bob_id) = (id_of(&ann).await.get(), id_of(&bob).await.get());
        let found = ann.get(&query("people", &[("q", "可可")])).await.data();
        let list = found["list"].as_array().unwrap();
        assert_eq!(ids(list), [bob_id, ann_id]);
        assert_eq!(list[0]["isFollowed"], false);
        assert_eq!(list[0]["nickName"], "可可");
        let visitor = app.visitor();
        assert_eq!(first(&visitor, "people", &[("q", "吃肉")]).await, [ann_id]);
        let guest = visitor.get(&query("people", &[("q", "吃肉")])).await.data();
        assert_eq!(guest["list"][0]["isFollowed"], Value::Null);
    }
}

#[tokio::test]
async fn a_cursor_that_no_page_gave_is_refused() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    for path in ["shops", "notes", "people"] {
        let reply = visitor
            .get(&query(path, &[("q", "面"), ("cursor", "x_1")]))
            .await;
        assert_eq!(reply.json()["code"], "malformed", "{path}");
        let reply = visitor.get(&format!("/api/search/{path}")).await;
        assert_eq!(reply.json()["success"], false, "{path}");
    }
}
