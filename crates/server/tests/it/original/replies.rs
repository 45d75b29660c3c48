//! Where both listeners answer differently: order ids, levels, the order of lists, the notes' own paths.

use sea_orm::{ConnectionTrait as _, Database};
use serde_json::{Value, json};
use testkit::Client;

use super::shape::{Shape, USER_INFO, check_reply};
use super::{Browser, Town, VISITOR};
use crate::flash::wall_clock;
use crate::notes;

#[tokio::test]
async fn an_order_id_is_a_number_here_and_a_text_on_the_site() {
    let town = Town::build().await;
    let browser = town.browse(VISITOR).await;
    let claim = format!("/voucher-order/seckill/{}", town.sale);
    let won = browser.post(&claim).await;
    check_reply(&won, &Shape::Int);
    let id = won.data().as_i64().unwrap();
    assert!(id > 1 << 53, "{id}");
    let on_site = town.app.visitor().with_token(browser.client().token());
    let again = on_site.post(&format!("/api{claim}")).await;
    assert_eq!(
        (&*again.code(), &again.json()["data"]),
        ("already_bought", &json!(id.to_string()))
    );
    assert!(
        town.author
            .post(&format!("/api{claim}"))
            .await
            .data()
            .is_string()
    );
}

#[tokio::test]
async fn a_level_is_a_flag_here_and_a_number_on_the_site() {
    let town = Town::build().await;
    let sql = Database::connect(town.app.sql_url()).await.unwrap();
    let promote = "UPDATE tb_user_info SET level = 3";
    sql.execute_unprepared(promote).await.unwrap();
    let path = format!("/user/info/{}", town.author_id);
    let info = town.browse(VISITOR).await.get(&path).await;
    check_reply(&info, &USER_INFO);
    assert_eq!(info.data()["level"], true);
    let on_site = town.app.visitor().get(&format!("/api{path}")).await;
    assert_eq!(on_site.data()["level"], 3);
}

fn ids(list: &Value) -> Vec<i64> {
    let notes = list.as_array().unwrap().iter();
    notes.map(|note| note["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn among_equals_rows_come_as_they_were_written() {
    let town = Town::build().await;
    let author = &town.author;
    let mut written = vec![town.note, town.note + 1];
    for _ in 0..3 {
        written.push(notes::publish(&town.app, author).await);
    }
    let browser = town.browse(VISITOR).await;
    notes::like(author, written[3]).await;
    let hot = [written[3], written[0], written[1], written[2], written[4]];
    assert_eq!(ids(&browser.get("/blog/hot?&current=1").await.data()), hot);
    let of_user = format!("/blog/of/user?&id={}&current=1", town.author_id);
    assert_eq!(ids(&browser.get(&of_user).await.data()), written);
    let mine = town.browse_as(&town.author).get("/blog/of/me").await.data();
    assert_eq!(ids(&mine), written);

    let on_site = town.app.visitor().get("/api/blog/hot").await.data();
    let newest = [written[3], written[4], written[2], written[1], written[0]];
    assert_eq!(ids(&on_site), newest);
    // From the ranking as well, which is loaded by now or will be.
    let kv = town.app.core().kv();
    testkit::wait_until(
        "the ranking is loaded",
        crate::flash::PATIENCE,
        async || {
            let first = kv.list_hot(0, 1, domain::TieBreak::Oldest).await;
            first.unwrap().is_some()
        },
    )
    .await;
    assert_eq!(ids(&browser.get("/blog/hot?&current=1").await.data()), hot);
}

#[tokio::test]
async fn a_sale_is_published_by_the_path_of_the_notes() {
    let town = Town::build().await;
    let admin = Browser::open(town.app.original_url(), "");
    let token = town.admin.token();
    let sale = |title: &str| {
        json!({
            "shopId": 1, "title": title, "payValue": 1, "actualValue": 2, "type": 1, "status": 1,
            "stock": 3, "beginTime": wall_clock(-60), "endTime": wall_clock(60),
        })
    };
    let anonymous = admin.post_json("/vouchers/seckill", sale("a")).await;
    assert_eq!(anonymous.status, 401);
    let admin = admin.client().clone().with_token(token);
    let buyer = town.browse(VISITOR).await;
    for (client, path) in [
        (&admin, "/vouchers/seckill"),
        (&admin, "/voucher/seckill"),
        (&town.admin, "/api/vouchers/seckill"),
    ] {
        let published = client.post_json(path, &sale(path)).await;
        check_reply(&published, &Shape::Int);
        let claim = format!("/vouchers/seckill/claim/{}", published.data());
        check_reply(&buyer.post(&claim).await, &Shape::Int);
    }
}

/// As Spring reads it: the `Z` says nothing. A client of the site would mean UTC by it.
#[tokio::test]
async fn a_clock_time_may_end_in_z() {
    let town = Town::build().await;
    let admin = Client::new(town.app.original_url()).with_token(town.admin.token());
    let (begin, end) = (wall_clock(-60), wall_clock(60));
    let sale = json!({
        "shopId": 1, "title": "z", "payValue": 1, "actualValue": 2, "stock": 3,
        "beginTime": format!("{begin}Z"), "endTime": format!("{end}Z"),
    });
    let published = admin.post_json("/voucher/seckill", &sale).await.data();
    let listed = admin.get("/voucher/list/1").await.data();
    let listed = listed.as_array().unwrap();
    let listed = listed.iter().find(|it| it["id"] == published).unwrap();
    assert_eq!(listed["beginTime"], begin);
    let refused = town.admin.post_json("/api/voucher/seckill", &sale).await;
    assert_eq!(refused.code(), "malformed");
}
