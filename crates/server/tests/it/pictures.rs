//! Pictures end to end: sent, shown, used, deleted, cleared away; and what is refused on the way.

mod bucket;
mod form;
mod hidden;
mod hostile;
mod serving;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use storage::uploads;
use testkit::{Client, TestApp};

pub(crate) use bucket::on_bucket;
pub(crate) use form::send;

const PHONE: &str = "13900000001";
const OTHER_PHONE: &str = "13900000002";

/// 48 × 32, with a word in it that it must be turned.
const PHOTO: &[u8] = include_bytes!("../../../pictures/tests/it/files/turned.jpg");

async fn upload(me: &Client) -> String {
    let answer = send(me, PHOTO).await;
    answer.data().as_str().unwrap().to_owned()
}

fn file_of(app: &TestApp, name: &str) -> std::path::PathBuf {
    app.data_dir()
        .join("imgs")
        .join(name.trim_start_matches('/'))
}

#[track_caller]
fn files_in(folder: &std::path::Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let count = |path: std::path::PathBuf| match path.is_dir() {
        true => files_in(&path),
        false => 1,
    };
    entries.map(|entry| count(entry.unwrap().path())).sum()
}

async fn delete(me: &Client, name: &str) -> testkit::HttpReply {
    me.delete(&format!("/api/upload/blog/delete?name={name}"))
        .await
}

#[tokio::test]
async fn a_picture_is_named_by_us_and_shown_under_imgs() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let name = upload(&me).await;
    let parts: Vec<&str> = name.split('/').collect();
    let ["", "blogs", first, second, file] = parts[..] else {
        panic!("{name}");
    };
    assert!(first.parse::<u8>().unwrap() < 16 && second.parse::<u8>().unwrap() < 16);
    assert!(file.ends_with(".jpg") && file.len() == 40, "{file}");
    let shown = app.visitor().get(&format!("/imgs{name}")).await;
    assert_eq!(
        (shown.status.as_u16(), shown.header("content-type")),
        (200, "image/jpeg")
    );
    assert_ne!(upload(&me).await, name);
}

#[tokio::test]
async fn only_the_signed_in_send_and_delete() {
    let app = TestApp::spawn().await;
    assert_eq!(send(&app.visitor(), PHOTO).await.status, 401);
    let name = upload(&app.sign_in(PHONE).await).await;
    assert_eq!(delete(&app.visitor(), &name).await.status, 401);
    let other = app.sign_in(OTHER_PHONE).await;
    assert_eq!(delete(&other, &name).await.code(), "picture_not_yours");
    assert!(file_of(&app, &name).exists());
}

#[tokio::test]
async fn a_picture_is_deleted_by_either_name_and_either_method() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    for (prefix, by_get) in [("", true), ("/imgs", true), ("", false), ("/imgs", false)] {
        let name = upload(&me).await;
        let path = format!("/api/upload/blog/delete?name={prefix}{name}");
        let answer = match by_get {
            true => me.get(&path).await,
            false => me.delete(&path).await,
        };
        assert_eq!(answer.data(), Value::Null);
        assert_eq!(files_in(&app.data_dir().join("imgs")), 0);
        assert_eq!(app.visitor().get(&format!("/imgs{name}")).await.status, 404);
        assert_eq!(delete(&me, &name).await.code(), "bad_file_name");
    }
}

/// The original's: it deleted whatever the path led to.
#[tokio::test]
async fn no_name_leads_out_of_the_folder() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let database = app.data_dir().join("victim.db");
    std::fs::write(&database, "rows").unwrap();
    let name = upload(&me).await;
    let long = "/blogs".repeat(1_000);
    for bad in [
        "",
        "/",
        "victim.db",
        "/imgs/../victim.db",
        "/blogs/../../victim.db",
        "/blogs/3/9/../../../../victim.db",
        "%2Fblogs%2F..%2F..%2Fvictim.db",
        "/blogs%00",
        "..%5Cvictim.db",
        &format!("{name}/../x"),
        &format!("/imgs/imgs{name}"),
        &name.replace(".jpg", "_s.jpg"),
        &long,
    ] {
        assert_eq!(delete(&me, bad).await.code(), "bad_file_name", "{bad}");
    }
    assert!(database.exists() && file_of(&app, &name).exists());
    let missing = me.delete("/api/upload/blog/delete").await;
    assert_eq!(
        (missing.status.as_u16(), missing.code().as_str()),
        (400, "malformed")
    );
}

/// A link on a foreign page makes a browser send the cookie along.
#[tokio::test]
async fn a_foreign_page_cannot_delete_by_a_link() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let name = upload(&me).await;
    let path = format!("/api/upload/blog/delete?name={name}");
    let cookie = format!("tandian_session={}", me.token());
    let browser = app.visitor().with_header("cookie", &cookie);
    assert_eq!(browser.get(&path).await.code(), "foreign_session");
    let foreign = browser.clone().with_header("sec-fetch-site", "cross-site");
    assert_eq!(foreign.get(&path).await.code(), "foreign_session");
    assert!(file_of(&app, &name).exists());
    let ours = browser.with_header("sec-fetch-site", "same-origin");
    assert_eq!(ours.get(&path).await.data(), Value::Null);
}

#[tokio::test]
async fn a_picture_that_a_person_shows_is_not_deleted_until_another_is_shown() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let (name, next) = (upload(&me).await, upload(&me).await);
    let show = async |address: &str| {
        let icon = json!({ "icon": address });
        assert_eq!(
            me.put_json("/api/user/info", &icon).await.data(),
            Value::Null
        );
    };
    show(&format!("/imgs{name}")).await;
    show(&format!("/imgs{name}")).await;
    assert_eq!(delete(&me, &name).await.code(), "picture_in_use");
    clean(&app).await;
    assert!(file_of(&app, &name).exists());
    assert!(!file_of(&app, &next).exists());
    show("").await;
    assert_eq!(delete(&me, &name).await.data(), Value::Null);
}

/// Clears away as the worker does, with every unused picture old enough.
async fn clean(app: &TestApp) -> u64 {
    let later = Timestamp::now() + SignedDuration::from_hours(1);
    app::pictures::clean(app.core(), later).await.unwrap()
}

#[tokio::test]
async fn pictures_unused_for_a_day_are_deleted() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let name = upload(&me).await;
    let a_day_ago = Timestamp::now() - SignedDuration::from_hours(24);
    assert_eq!(
        app::pictures::clean(app.core(), a_day_ago).await.unwrap(),
        0
    );
    assert!(file_of(&app, &name).exists());
    assert_eq!(clean(&app).await, 1);
    assert_eq!(files_in(&app.data_dir().join("imgs")), 0);
    assert_eq!(delete(&me, &name).await.code(), "bad_file_name");
    assert_eq!(clean(&app).await, 0);
}

/// A process that dies between the row and the files leaves the rest to the worker.
#[tokio::test]
async fn a_deletion_that_was_cut_off_is_finished_by_the_clean_up() {
    let app = TestApp::spawn().await;
    let me = app.sign_in(PHONE).await;
    let name = upload(&me).await;
    let id = me.get("/api/user/me").await.data()["id"].as_i64().unwrap();
    let user = domain::UserId::new(id);
    let removed = uploads::remove(app.core().db(), user, &name).await;
    removed.unwrap().unwrap();
    assert!(file_of(&app, &name).exists());
    let a_day_ago = Timestamp::now() - SignedDuration::from_hours(24);
    assert_eq!(
        app::pictures::clean(app.core(), a_day_ago).await.unwrap(),
        1
    );
    assert!(!file_of(&app, &name).exists());
}

#[tokio::test]
async fn a_person_keeps_no_more_than_the_site_allows() {
    let builder = TestApp::builder().setting("pictures.max_per_user", 2);
    let app = builder.spawn().await;
    let me = app.sign_in(PHONE).await;
    let name = upload(&me).await;
    upload(&me).await;
    assert_eq!(send(&me, PHOTO).await.code(), "too_many_pictures");
    let other = app.sign_in(OTHER_PHONE).await;
    upload(&other).await;
    assert_eq!(delete(&me, &name).await.data(), Value::Null);
    upload(&me).await;
}

#[tokio::test]
async fn a_person_sends_no_more_in_an_hour_than_the_site_allows() {
    let builder = TestApp::builder().setting("pictures.uploads_per_user_per_hour", 2);
    let app = builder.spawn().await;
    let me = app.sign_in(PHONE).await;
    upload(&me).await;
    upload(&me).await;
    let refused = send(&me, PHOTO).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (429, "too_many")
    );
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 1_000);
    upload(&app.sign_in(OTHER_PHONE).await).await;
}
