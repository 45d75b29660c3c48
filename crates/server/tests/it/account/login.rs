//! Signing in: the ways in, and every way to be refused.

use std::time::Duration;

use app::account;
use domain::{Contact, Phone, Role, UserId};
use reqwest::Method;
use serde_json::json;
use testkit::{Client, FaultProxy, Redis, TestApp};

use super::{PHONE, demo_code, login, next_code, other_than, patient, send_code};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_new_number_gets_an_account_and_a_session() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    let token = login(&visitor, PHONE, &code).await.data();

    let me = visitor
        .with_token(token.as_str().unwrap())
        .get("/api/user/me")
        .await
        .data();
    let nick_name = me["nickName"].as_str().unwrap();
    assert!(
        nick_name.starts_with("user_") && nick_name.len() == 15,
        "{nick_name}"
    );
    assert_eq!(me["icon"], "");
    assert_eq!(me["roles"], json!(["user"]));
}

#[tokio::test]
async fn the_same_person_comes_back_however_the_number_is_spelled() {
    let app = patient().spawn().await;
    let first = app.sign_in(PHONE).await.get("/api/user/me").await.data();
    let visitor = app.visitor();
    let code = next_code(&visitor, "+86 139-0000-0001").await;
    let token = login(&visitor, " 86 13900000001", &code).await.data();
    let second = visitor.with_token(token.as_str().unwrap());
    assert_eq!(first["id"], second.get("/api/user/me").await.data()["id"]);
}

#[tokio::test]
async fn a_mailbox_signs_in_like_a_phone() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let mailbox = json!({ "email": "li@Example.com" });
    let code = visitor.post_json("/api/user/code", &mailbox).await.data()["demoCode"].clone();
    let body = json!({ "email": "li@example.com", "code": code });
    let token = visitor.post_json("/api/user/login", &body).await.data();
    let me = visitor
        .with_token(token.as_str().unwrap())
        .get("/api/user/me")
        .await;
    assert_eq!(me.status, 200);
}

#[tokio::test]
async fn a_code_can_be_requested_by_query_form_and_json() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let form = (
        "application/x-www-form-urlencoded",
        b"phone=13900000002".to_vec(),
    );
    let answers = [
        // The original's pages begin every query with an ampersand.
        visitor.post("/api/user/code?&phone=13900000001").await,
        visitor
            .send(Method::POST, "/api/user/code", Some(form))
            .await,
        visitor
            .post_json(
                "/api/user/code",
                &json!({ "phone": "13900000003", "extra": 1 }),
            )
            .await,
    ];
    for answer in answers {
        assert_eq!(answer.data()["demoCode"].as_str().map(str::len), Some(6));
        assert_eq!(answer.data()["retryAfterSecs"], 60);
    }
}

#[tokio::test]
async fn what_is_no_number_or_mailbox_is_refused_in_both_languages() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let english = visitor.clone().with_header("accept-language", "en");
    let refused = send_code(&visitor, "12345").await.json();
    assert_eq!(refused["code"], "phone_invalid");
    assert_eq!(refused["errorMsg"], "手机号格式错误");
    assert_eq!(send_code(&visitor, "").await.code(), "phone_invalid");
    let refused = english.post("/api/user/code?email=nobody").await.json();
    assert_eq!(refused["code"], "email_invalid");
    assert_eq!(
        refused["errorMsg"],
        "That doesn't look like an email address"
    );
}

#[tokio::test]
async fn nothing_to_send_a_code_to_is_malformed() {
    let app = TestApp::spawn().await;
    let answer = app.visitor().post("/api/user/code").await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.code(), "malformed");
    assert!(answer.json()["fields"]["phone"].is_string());
}

#[tokio::test]
async fn a_wrong_code_is_refused_and_the_right_one_still_works() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    assert_eq!(
        login(&visitor, PHONE, &other_than(&code)).await.code(),
        "code_wrong"
    );
    assert!(login(&visitor, PHONE, &code).await.data().is_string());
}

#[tokio::test]
async fn a_code_works_once() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    assert!(login(&visitor, PHONE, &code).await.data().is_string());
    assert_eq!(login(&visitor, PHONE, &code).await.code(), "code_expired");
}

#[tokio::test]
async fn a_code_belongs_to_its_number() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    assert_eq!(
        login(&visitor, "13900000002", &code).await.code(),
        "code_expired"
    );
}

#[tokio::test]
async fn a_password_alone_is_refused_with_words() {
    let app = TestApp::spawn().await;
    let body = json!({ "phone": PHONE, "password": "secret" });
    let answer = app.visitor().post_json("/api/user/login", &body).await;
    assert_eq!(answer.json()["errorMsg"], "密码登录未开启");
}

#[tokio::test]
async fn texts_that_cannot_be_codes_cost_no_try() {
    let app = TestApp::spawn().await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    for text in ["", "1", "abc", "12345678901234567890"] {
        assert_eq!(
            login(&visitor, PHONE, text).await.code(),
            "code_wrong",
            "{text}"
        );
        assert_eq!(
            login(&visitor, PHONE, text).await.code(),
            "code_wrong",
            "{text}"
        );
    }
    assert!(login(&visitor, PHONE, &code).await.data().is_string());
}

#[tokio::test]
async fn codes_may_have_letters_and_are_typed_in_any_case() {
    let app = TestApp::builder()
        .setting("code.letters", true)
        .setting("code.length", 8)
        .spawn()
        .await;
    let visitor = app.visitor();
    let code = demo_code(&visitor, PHONE).await;
    assert_eq!(code.len(), 8);
    assert!(
        login(&visitor, PHONE, &code.to_lowercase())
            .await
            .data()
            .is_string()
    );
}

#[tokio::test]
async fn a_blocked_person_is_out_at_once_and_stays_outside() {
    let app = patient().spawn().await;
    let second = app.beside().spawn().await;
    let user = app.sign_in(PHONE).await;
    let there = user.clone().at(second.url());
    assert_eq!(there.get("/api/user/me").await.status, 200);
    let id = id_of(&user).await;
    account::block(app.core(), None, id).await.unwrap().unwrap();
    assert_eq!(user.get("/api/user/me").await.status, 401);
    testkit::wait_until("the other server knows", SECOND, async || {
        there.get("/api/user/me").await.status == 401
    })
    .await;

    let visitor = app.visitor();
    let code = next_code(&visitor, PHONE).await;
    assert_eq!(login(&visitor, PHONE, &code).await.code(), "user_blocked");
    let unblocked = account::unblock(app.core(), None, id).await.unwrap();
    assert!(unblocked.is_some());
    let code = next_code(&visitor, PHONE).await;
    assert!(login(&visitor, PHONE, &code).await.data().is_string());
}

/// Between "may this person come in" and "here is your token" lie several steps; the block comes amid them.
#[tokio::test]
async fn a_block_or_a_demotion_catches_up_with_a_login_that_is_under_way() {
    for is_blocked in [true, false] {
        let redis = Redis::start().await;
        let proxy = FaultProxy::start(redis.addr()).await;
        let app = patient().redis_url(redis.url()).spawn().await;
        let slow_url = format!("redis://{}", proxy.addr());
        let slow = app.beside().redis_url(slow_url).spawn().await;
        let contact = Contact::from(Phone::parse(PHONE).unwrap());
        let id = id_of(&app.sign_in(PHONE).await).await;
        let granted = account::grant_role(app.core(), &contact, Role::Admin).await;
        granted.unwrap().unwrap();

        let code = next_code(&app.visitor(), PHONE).await;
        proxy.delay(Duration::from_millis(300)).await;
        let visitor = slow.visitor();
        let under_way = tokio::spawn(async move { login(&visitor, PHONE, &code).await });
        let mut connection = redis.connection().await;
        let code_key = format!("{}login:{{{PHONE}}}:codes", app.prefix());
        testkit::wait_until("the code is taken", 10 * SECOND, async || {
            let asked = redis::cmd("EXISTS").arg(&code_key).clone();
            asked.query_async(&mut connection).await == Ok(0)
        })
        .await;
        if is_blocked {
            account::block(app.core(), None, id).await.unwrap();
        } else {
            let demoted = account::grant_role(app.core(), &contact, Role::User).await;
            demoted.unwrap();
        }

        let answer = under_way.await.unwrap();
        if is_blocked {
            assert_eq!(answer.code(), "user_blocked");
            let left = app.core().kv().list_sessions(id).await.unwrap();
            assert!(left.is_empty(), "{left:?}");
        } else {
            let token = answer.data();
            let user = app.visitor().with_token(token.as_str().unwrap());
            let me = user.get("/api/user/me").await.data();
            assert_eq!(me["roles"], json!(["user"]));
        }
    }
}

async fn id_of(user: &Client) -> UserId {
    let me = user.get("/api/user/me").await.data();
    UserId::new(me["id"].as_i64().unwrap())
}
