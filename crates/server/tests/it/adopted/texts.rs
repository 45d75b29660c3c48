//! Stored texts are harmless in every reply, whoever stored them.

use domain::{Role, VoucherId};
use jiff::Timestamp;
use serde_json::json;
use storage::bulk::{self, VoucherKind, VoucherRow, VoucherStatus};
use testkit::{Client, TestApp};

use super::execute;
use crate::notes::{self, AUTHOR, READER, SHOP, id_of};
use crate::shops::{ADMIN, sign_in};

const HOSTILE: &str = "好<img src=x onerror=alert(1)>吃";
const VOUCHER: i64 = 5;

#[tokio::test]
async fn no_reply_has_markup_of_a_stored_text() {
    for app in notes::sites().await {
        let author = app.sign_in(AUTHOR).await;
        let reader = app.sign_in(READER).await;
        let admin = sign_in(&app, ADMIN, Role::Admin).await;
        let site = furnish(&app, &author, &reader).await;
        execute(app.sql_url(), &statements()).await;
        for path in paths(&site) {
            let reply = admin.get(&path).await;
            assert_eq!(reply.status, 200, "{path}");
            is_harmless(&path, &reply.text);
        }
        for (path, part) in [
            ("/api/voucher-order/of/me", "＜img"),
            ("/api/blog/of/me", "好吃<br>一"),
            ("/api/user/me", "id"),
        ] {
            let reply = author.get(path).await;
            is_harmless(path, &reply.text);
            assert!(reply.text.contains(part), "{path}: {}", reply.text);
        }
    }
}

#[tokio::test]
async fn what_is_shown_of_each_kind_of_text() {
    let app = notes::site().await;
    let (author, reader) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
    let site = furnish(&app, &author, &reader).await;
    execute(app.sql_url(), &statements()).await;
    let note = reader.get(&format!("/api/blog/{}", site.note)).await.data();
    assert_eq!(note["title"], "好吃");
    assert_eq!(note["content"], "好吃<br>一<br>二");
    assert_eq!(note["name"], "好＜img src=x onerror=alert(1)＞吃");
    let info = reader.get(&format!("/api/user/info/{}", site.author)).await;
    assert_eq!(
        info.data()["introduce"],
        "好＜img src=x onerror=alert(1)＞吃\n二"
    );
    let comments = reader
        .get(&format!("/api/blog-comments/{}", site.note))
        .await;
    assert_eq!(comments.data()[0]["content"], "好吃");
}

struct Furnished {
    note: i64,
    comment: i64,
    author: i64,
}

async fn furnish(app: &TestApp, author: &Client, reader: &Client) -> Furnished {
    let note = notes::publish(app, author).await;
    let comment = json!({ "blogId": note, "content": "好" });
    let comment = reader.post_json("/api/blog-comments", &comment).await;
    let comment = comment.data().as_i64().unwrap();
    let reply = json!({ "blogId": note, "parentId": comment, "content": "好" });
    author.post_json("/api/blog-comments", &reply).await.data();
    let report = json!({ "reason": "x" });
    let path = format!("/api/blog-comments/{comment}/report");
    author.post_json(&path, &report).await;
    let introduce = json!({ "introduce": "x" });
    author.put_json("/api/user/info", &introduce).await;
    let voucher = VoucherRow {
        id: VoucherId::new(VOUCHER),
        shop_id: domain::ShopId::new(SHOP),
        title: "券".to_owned(),
        sub_title: None,
        rules: None,
        pay_value_cents: 1,
        actual_value_cents: 2,
        kind: VoucherKind::Ordinary,
        status: VoucherStatus::On,
        created_at: Timestamp::now(),
    };
    let inserted = bulk::insert_vouchers(app.core().db(), &[voucher]).await;
    inserted.unwrap();
    let bought = author.post(&format!("/api/voucher-order/{VOUCHER}")).await;
    assert_eq!(bought.json()["success"], true, "{}", bought.text);
    Furnished {
        note,
        comment,
        author: id_of(author).await.get(),
    }
}

fn statements() -> Vec<String> {
    vec![
        format!("UPDATE tb_user SET nick_name = '{HOSTILE}', icon = '/imgs/{HOSTILE}'"),
        format!("UPDATE tb_user_info SET city = '{HOSTILE}', introduce = '{HOSTILE}<br/>二'"),
        format!(
            "UPDATE tb_shop SET name = '{HOSTILE}', area = '{HOSTILE}', address = '{HOSTILE}', \
             open_hours = '<b>10</b>', images = '{HOSTILE}'"
        ),
        format!("UPDATE tb_shop_type SET name = '<i>美食</i>', icon = '{HOSTILE}'"),
        format!(
            "UPDATE tb_blog SET title = '{HOSTILE}', content = '{HOSTILE}<br/>一<BR />二', images = '{HOSTILE}'"
        ),
        format!("UPDATE tb_blog_comments SET content = '{HOSTILE}<script>alert(2)</script>'"),
        format!("UPDATE tb_blog_comment_report SET reason = '{HOSTILE}'"),
        format!(
            "UPDATE tb_voucher SET title = '{HOSTILE}', sub_title = '{HOSTILE}', \
             rules = '{HOSTILE}<br>二'"
        ),
    ]
}

fn paths(site: &Furnished) -> Vec<String> {
    let Furnished {
        note,
        comment,
        author,
    } = site;
    vec![
        format!("/api/user/{author}"),
        format!("/api/user/info/{author}"),
        "/api/shop-type/list".to_owned(),
        format!("/api/shop/{SHOP}"),
        "/api/shop/of/type?typeId=1".to_owned(),
        "/api/shop/of/type?typeId=1&x=120.149993&y=30.334229".to_owned(),
        "/api/shop/around?x=120.149993&y=30.334229".to_owned(),
        "/api/shop/of/name?name=%E5%BA%97".to_owned(),
        "/api/shop/of/name".to_owned(),
        "/api/blog/hot".to_owned(),
        format!("/api/blog/{note}"),
        format!("/api/blog/likes/{note}"),
        format!("/api/blog/of/shop?id={SHOP}"),
        format!("/api/blog/of/user?id={author}"),
        format!("/api/blog-comments/{note}"),
        format!("/api/blog-comments/{comment}/replies"),
        "/api/console/comments".to_owned(),
        format!("/api/voucher/list/{SHOP}"),
        format!("/api/voucher/{VOUCHER}"),
        "/api/voucher/seckill/running".to_owned(),
        "/api/site".to_owned(),
    ]
}

#[track_caller]
fn is_harmless(path: &str, text: &str) {
    let rest = text.replace("<br>", "");
    assert!(!rest.contains(['<', '>']), "{path}: {text}");
}
