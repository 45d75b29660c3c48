//! A site that was tried out becomes a real one: without its demo people, and without anybody's session of before.

use app::demo_purge::{self, OpenOrders, PurgeError};
use domain::UserId;
use reqwest::Method;
use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection, Statement};
use serde_json::json;
use storage::{accounts, users};
use testkit::{Client, HttpReply, TestApp, TestAppBuilder};

use crate::notes::{draft, picture};
use crate::process::{Home, Site, only_line};
use crate::seed::{self, PRODUCTION};

const REAL: &str = "13911112222";

/// Columns that name something of the demo data by its id, in tables that a purge empties of it.
const REFERENCES: &[(&str, &str)] = &[
    ("tb_user", "id"),
    ("tb_user_info", "user_id"),
    ("tb_profile_shown", "user_id"),
    ("tb_account_deletion", "user_id"),
    ("tb_shop", "id"),
    ("tb_shop", "owner_id"),
    ("tb_shop_gram", "shop_id"),
    ("tb_search_gram", "row_id"),
    ("tb_voucher", "id"),
    ("tb_voucher", "shop_id"),
    ("tb_seckill_voucher", "voucher_id"),
    ("tb_voucher_order", "id"),
    ("tb_voucher_order_archive", "id"),
    ("tb_blog", "id"),
    ("tb_blog", "user_id"),
    ("tb_blog", "shop_id"),
    ("tb_blog_like", "blog_id"),
    ("tb_blog_like", "user_id"),
    ("tb_blog_comments", "id"),
    ("tb_blog_comments", "blog_id"),
    ("tb_blog_comments", "user_id"),
    ("tb_blog_comment_like", "comment_id"),
    ("tb_blog_comment_like", "user_id"),
    ("tb_blog_comment_report", "comment_id"),
    ("tb_blog_comment_report", "user_id"),
    ("tb_follow", "user_id"),
    ("tb_follow", "follow_user_id"),
    ("tb_block", "user_id"),
    ("tb_block", "blocked_user_id"),
    ("tb_favourite", "user_id"),
    ("tb_favourite", "shop_id"),
    ("tb_favourite_list", "user_id"),
    ("tb_blog_draft", "user_id"),
    ("tb_blog_favourite", "user_id"),
    ("tb_blog_favourite", "blog_id"),
    ("tb_sign", "user_id"),
    ("tb_notice", "user_id"),
    ("tb_write_key", "user_id"),
    ("tb_notice_mute", "user_id"),
    ("tb_blog_report", "blog_id"),
    ("tb_blog_report", "user_id"),
    ("tb_phone_proof", "user_id"),
    ("tb_blog_mention", "blog_id"),
    ("tb_blog_mention", "user_id"),
    ("tb_blog_comment_mention", "comment_id"),
    ("tb_blog_comment_mention", "blog_id"),
    ("tb_blog_comment_mention", "user_id"),
    ("tb_blog_topic", "blog_id"),
    ("tb_blog_dish", "shop_id"),
    ("tb_blog_dish", "blog_id"),
    ("tb_blog_dish", "user_id"),
    ("tb_shop_dish", "shop_id"),
];

async fn raw(app: &TestApp) -> DatabaseConnection {
    Database::connect(app.sql_url()).await.unwrap()
}

async fn number(connection: &DatabaseConnection, sql: &str) -> i64 {
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

async fn assert_no_demo_rows(app: &TestApp) {
    let connection = raw(app).await;
    for (table, column) in REFERENCES {
        let sql = format!("SELECT COUNT(*) FROM {table} WHERE {column} BETWEEN 1 AND 100000000");
        assert_eq!(number(&connection, &sql).await, 0, "{table}.{column}");
    }
}

/// A real user who interacts with demo data in every way, and a demo user who answers.
async fn mingle(app: &TestApp) -> Client {
    let real = app.sign_in(REAL).await;
    let demo = app.sign_in("13800000001").await;
    let mut words = draft(&picture(app, &real).await);
    words["shopId"] = json!(1);
    let note = real.post_json("/api/blog", &words).await.data();
    let note = note.as_i64().unwrap();
    for client in [&real, &demo] {
        for about in [note, 1] {
            let like = format!("/api/blog/like/{about}");
            client.send(Method::PUT, &like, None).await.data();
            let words = json!({ "blogId": about, "content": "同意" });
            client.post_json("/api/blog-comments", &words).await.data();
        }
    }
    for client in [&real, &demo] {
        let list = json!({ "name": "周末" });
        let list = client.post_json("/api/favourite/list", &list).await.data();
        let into = json!({ "listId": list });
        let saved = client.put_json("/api/favourite/shop/1", &into).await;
        assert!(is_success(&saved), "{saved:?}");
        let saved = client.put_json("/api/favourite/note/1", &json!({})).await;
        assert!(is_success(&saved), "{saved:?}");
    }
    let follow = real.send(Method::PUT, "/api/follow/1/true", None).await;
    follow.data();
    let blocked = real.put_json("/api/block/2", &json!({})).await;
    assert!(is_success(&blocked), "{blocked:?}");
    real
}

fn is_success(answer: &HttpReply) -> bool {
    answer.json()["success"] == true
}

async fn purge(app: &TestApp, orders: OpenOrders) -> Result<u64, PurgeError> {
    demo_purge::purge_demo(app.core(), orders, &mut |_| {}).await
}

async fn assert_purge_leaves_real_people(builder: TestAppBuilder) {
    let app = seed::spawn(builder).await;
    seed::seed(&app, 1).await;
    let real = mingle(&app).await;
    let demo = app.sign_in("13800000002").await;
    assert!(is_success(&demo.get("/api/user/me").await));
    let extent = demo_purge::extent(app.core().db()).await.unwrap();
    assert_eq!((extent.people, extent.shops), (1_000, 300));
    assert_eq!(extent.notes_of_others, 1);

    assert!(purge(&app, OpenOrders::Respect).await.unwrap() > 10_000);

    assert_no_demo_rows(&app).await;
    assert!(!is_success(&demo.get("/api/user/me").await), "signed out");
    assert!(is_success(&real.get("/api/user/me").await));
    let traces = demo_purge::traces(app.core().db()).await.unwrap();
    assert!(traces.are_none(), "{traces:?}");
    let books = accounts::trial_balance(app.core().db()).await.unwrap();
    assert_eq!((books.total_cents, books.wrong_balances), (0, 0));
    assert_eq!(purge(&app, OpenOrders::Respect).await.unwrap(), 0);
    let gone = app.visitor().get("/api/shop/1").await;
    assert!(
        !is_success(&gone),
        "no cache shows a shop that went: {gone:?}"
    );
}

#[tokio::test]
async fn a_purge_takes_what_is_demo_and_leaves_real_people_on_sqlite() {
    assert_purge_leaves_real_people(TestApp::builder()).await;
}

#[tokio::test]
async fn a_purge_takes_what_is_demo_and_leaves_real_people_on_mariadb() {
    assert_purge_leaves_real_people(TestApp::builder().on_mariadb()).await;
}

#[tokio::test]
async fn a_purge_that_was_cut_off_anywhere_is_finished_by_the_next() {
    let app = seed::spawn(TestApp::builder()).await;
    seed::seed(&app, 1).await;
    // Each is cut off a little later than the one before, in the middle of whatever it does then.
    for batches in [1, 8, 16, 24] {
        let mut left = batches;
        let (cut, is_cut) = tokio::sync::oneshot::channel::<()>();
        let mut cut = Some(cut);
        let mut count = |_| {
            left -= 1;
            if left == 0 {
                drop(cut.take());
            }
        };
        let purge = demo_purge::purge_demo(app.core(), OpenOrders::Respect, &mut count);
        tokio::select! {
            biased;
            _ = is_cut => {}
            purged = purge => panic!("it was to be cut off: {purged:?}"),
        }
        let traces = demo_purge::traces(app.core().db()).await.unwrap();
        assert!(!traces.are_none(), "half a purge is still a demo site");
    }
    purge(&app, OpenOrders::Respect).await.unwrap();
    assert_no_demo_rows(&app).await;
}

#[tokio::test]
async fn open_orders_of_real_users_are_kept_unless_forced() {
    let app = seed::spawn(TestApp::builder()).await;
    seed::seed(&app, 1).await;
    let real = app.sign_in(REAL).await;
    let connection = raw(&app).await;
    let ordinary = "SELECT MIN(id) FROM tb_voucher WHERE type = 0";
    let voucher = number(&connection, ordinary).await;
    let bought = real.post(&format!("/api/voucher-order/{voucher}")).await;
    assert!(is_success(&bought), "{bought:?}");
    let refusal = purge(&app, OpenOrders::Respect).await.unwrap_err();
    assert!(
        refusal.to_string().starts_with("1 open order(s)"),
        "{refusal}"
    );
    let people = "SELECT COUNT(*) FROM tb_user";
    assert_eq!(number(&connection, people).await, 1_001, "nothing went");
    purge(&app, OpenOrders::Abandon).await.unwrap();
    let orders = real.get("/api/voucher-order/of/me").await;
    assert!(is_success(&orders), "{orders:?}");
    assert_eq!(
        number(&connection, "SELECT COUNT(*) FROM tb_voucher_order").await,
        1
    );
    assert_no_demo_rows(&app).await;
}

#[tokio::test]
async fn people_who_only_stand_on_reserved_ids_are_never_purged() {
    let app = TestApp::spawn().await;
    app.sign_in(REAL).await;
    let connection = raw(&app).await;
    let odd = "INSERT INTO tb_user (id, phone, nick_name) VALUES (7, '13800000007', 'odd')";
    connection.execute_unprepared(odd).await.unwrap();
    let refusal = purge(&app, OpenOrders::Abandon).await.unwrap_err();
    assert!(matches!(refusal, PurgeError::Strangers(1)), "{refusal}");
    let first = users::get(app.core().db(), UserId::new(1)).await.unwrap();
    assert!(first.is_some());
}

#[test]
fn a_tried_out_site_becomes_production_without_its_demo_people_and_sessions() {
    let home = Home::new();
    let out = home.folder.path().join("tokens");
    let tokens = ["dev", "sessions", "--count", "2", "--out"];
    let args = [tokens.as_slice(), &[out.to_str().unwrap()]].concat();
    assert!(home.run(&args, &[]).status.success());
    let token = std::fs::read_to_string(&out).unwrap();
    let token = token.lines().next().unwrap();
    let site = home.serve();
    let me = |site: &Site| site.get_as(token, "/api/user/me");
    assert!(me(&site).starts_with("HTTP/1.1 200"), "{}", me(&site));
    site.stop();

    let refusal = only_line(&home.run(&["serve"], &PRODUCTION));
    assert!(refusal.contains("2 people of load tests"), "{refusal}");
    assert!(refusal.contains("`tandian demo purge`"), "{refusal}");
    let dry = home.run(&["demo", "purge"], &PRODUCTION);
    let dry = String::from_utf8(dry.stdout).unwrap();
    assert!(dry.contains("2 people of load tests"), "{dry}");
    let refusal = only_line(&home.run(&["serve"], &PRODUCTION));
    assert!(
        refusal.contains("`tandian demo purge`"),
        "a dry run changes nothing"
    );

    let purged = home.run(&["demo", "purge", "--yes"], &PRODUCTION);
    assert!(purged.status.success(), "{purged:?}");
    let site = home.serve_with(&["serve"], &PRODUCTION);
    assert!(site.get("/readyz").starts_with("HTTP/1.1 200"));
    site.stop();
}

#[test]
fn another_environment_ends_all_sessions_and_the_way_back_revives_none() {
    let home = Home::new();
    let site = home.serve();
    let token = site.sign_in("13911112222");
    let is_signed_in = |site: &Site| {
        let answer = site.get_as(&token, "/api/user/me");
        answer.starts_with("HTTP/1.1 200")
    };
    assert!(is_signed_in(&site));
    site.stop();
    let site = home.serve();
    assert!(is_signed_in(&site), "a restart ends no session");
    site.stop();
    let site = home.serve_with(&["serve"], &PRODUCTION);
    assert!(!is_signed_in(&site));
    site.stop();
    let site = home.serve();
    assert!(!is_signed_in(&site), "what has ended stays so");
    site.stop();
}
