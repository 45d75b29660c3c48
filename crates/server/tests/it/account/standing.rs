//! Blocks, roles and the end of a session: whatever was open on its behalf ends with it, on every server.

use std::time::Duration;

use app::account;
use domain::{Contact, Phone, Role};
use reqwest::{Response, StatusCode};
use serde_json::json;
use testkit::{Client, Redis, TestApp};

use super::{PHONE, login, next_code, patient};

/// A second is promised; the rest is for a busy machine.
const SOON: Duration = Duration::from_secs(30);

fn contact() -> Contact {
    Phone::parse(PHONE).unwrap().into()
}

/// Opens the live page of a person.
async fn open_page(app: &TestApp, person: &Client) -> Response {
    let url = format!("{}/api/notices/events", app.url());
    let asked = reqwest::Client::new().get(url);
    let page = asked.header("authorization", person.token()).send().await;
    let page = page.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    page
}

/// Reads until the server ends the page.
async fn wait_for_end(page: &mut Response) {
    let reading = async { while page.chunk().await.unwrap().is_some() {} };
    let ended = tokio::time::timeout(SOON, reading).await;
    ended.expect("the page ends with its session");
}

#[tokio::test]
async fn a_block_ends_sessions_and_open_pages_on_every_server() {
    let app = patient().spawn().await;
    let second = app.beside().spawn().await;
    let person = app.sign_in(PHONE).await;
    let there = person.clone().at(second.url());
    assert_eq!(there.get("/api/user/me").await.status, 200);
    let mut pages = [
        open_page(&app, &person).await,
        open_page(&second, &person).await,
    ];
    let user = account::find_by_contact(app.core(), &contact()).await;
    let id = user.unwrap().unwrap().id;
    account::block(app.core(), None, id).await.unwrap().unwrap();
    for page in &mut pages {
        wait_for_end(page).await;
    }
    assert_eq!(there.get("/api/user/me").await.status, 401);
}

#[tokio::test]
async fn an_open_page_ends_when_its_session_is_signed_out_or_runs_out() {
    let redis = Redis::start().await;
    let app = patient().redis_url(redis.url()).spawn().await;
    let second = app.beside().spawn().await;
    let person = app.sign_in(PHONE).await;
    let mut page = open_page(&second, &person).await;
    person.post("/api/user/logout").await.data();
    wait_for_end(&mut page).await;

    let code = next_code(&app.visitor(), PHONE).await;
    let token = login(&app.visitor(), PHONE, &code).await.data();
    let person = app.visitor().with_token(token.as_str().unwrap());
    let mut page = open_page(&second, &person).await;
    let mut connection = redis.connection().await;
    let pattern = format!("{}login:session:*", app.prefix());
    let mut list = redis::cmd("KEYS");
    let keys: Vec<String> = list
        .arg(pattern)
        .query_async(&mut connection)
        .await
        .unwrap();
    for key in keys {
        let mut expire = redis::cmd("PEXPIRE");
        let expire = expire.arg(key).arg(50);
        let _: i64 = expire.query_async(&mut connection).await.unwrap();
    }
    wait_for_end(&mut page).await;
}

#[tokio::test]
async fn an_open_page_lives_on_while_other_sessions_end() {
    let app = patient().spawn().await;
    let person = app.sign_in(PHONE).await;
    let page = open_page(&app, &person).await;
    let other = app.sign_in("13900000002").await;
    let mut others = open_page(&app, &other).await;
    other.post("/api/user/logout").await.data();
    wait_for_end(&mut others).await;
    let mut page = page;
    let quiet = tokio::time::timeout(Duration::from_millis(300), page.chunk()).await;
    assert!(quiet.is_err(), "{quiet:?}");
}

#[tokio::test]
async fn a_role_ends_the_sessions_that_were_opened_with_another() {
    let app = patient().spawn().await;
    let second = app.beside().spawn().await;
    let person = app.sign_in(PHONE).await;
    let there = person.clone().at(second.url());
    assert_eq!(there.get("/api/user/me").await.status, 200);
    let mut page = open_page(&second, &person).await;
    let granted = account::grant_role(app.core(), &contact(), Role::Merchant).await;
    assert!(granted.unwrap().is_some());
    assert_eq!(person.get("/api/user/me").await.status, 401);
    wait_for_end(&mut page).await;
    assert_eq!(there.get("/api/user/me").await.status, 401);

    let code = next_code(&app.visitor(), PHONE).await;
    let token = login(&app.visitor(), PHONE, &code).await.data();
    let merchant = app.visitor().with_token(token.as_str().unwrap());
    // The same role once more, by hand and by the outbox, ends nothing.
    let again = account::grant_role(app.core(), &contact(), Role::Merchant).await;
    assert!(again.unwrap().is_some());
    let me = merchant.get("/api/user/me").await.data();
    assert_eq!(me["roles"], json!(["user", "merchant"]));
}
