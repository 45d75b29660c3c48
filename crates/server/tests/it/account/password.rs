//! Passwords: off until the site allows them, then another way in with the limits of codes.

use std::collections::BTreeMap;
use std::time::Duration;

use app::account;
use domain::{Contact, PasswordHash, Phone, UserId};
use futures_util::{StreamExt as _, stream};
use reqwest::Method;
use serde_json::{Value, json};
use storage::users;
use testkit::{Client, FaultProxy, HttpReply, Redis, TestApp, TestAppBuilder};

use super::{PHONE, address, behind_a_proxy, demo_code, login, next_code, patient};
use crate::adopted::execute;

const PASSWORD: &str = "正确的马 battery staple";
const OTHER: &str = "another password";
const WRONG: &str = "wrong password";

const SECOND: Duration = Duration::from_secs(1);

/// A site that allows passwords, of which one address may try as many as a test needs.
fn allowing(builder: TestAppBuilder) -> TestAppBuilder {
    builder
        .setting("password.enabled", true)
        .setting("password.per_address_per_hour", 1_000_000)
}

async fn sign_in(client: &Client, phone: &str, password: &str) -> HttpReply {
    let body = json!({ "phone": phone, "password": password });
    client.post_json("/api/user/login", &body).await
}

async fn set(client: &Client, body: Value) -> HttpReply {
    client.put_json("/api/user/password", &body).await
}

async fn remove(client: &Client, body: Value) -> HttpReply {
    let body = ("application/json", body.to_string().into_bytes());
    let path = "/api/user/password";
    client.send(Method::DELETE, path, Some(body)).await
}

async fn is_set(client: &Client) -> bool {
    let password = client.get("/api/user/password").await.data();
    password["isSet"].as_bool().unwrap()
}

/// Somebody with [`PASSWORD`].
async fn with_password(app: &TestApp, phone: &str) -> Client {
    let user = app.sign_in(phone).await;
    assert_eq!(
        set(&user, json!({ "password": PASSWORD })).await.status,
        200
    );
    assert!(is_set(&user).await);
    user
}

fn contact(phone: &str) -> Contact {
    Phone::parse(phone).unwrap().into()
}

async fn id_of(user: &Client) -> UserId {
    let me = user.get("/api/user/me").await.data();
    UserId::new(me["id"].as_i64().unwrap())
}

fn is_in(reply: &HttpReply) -> bool {
    reply.json()["success"] == true
}

#[tokio::test]
async fn passwords_are_off_until_the_site_allows_them() {
    let app = TestApp::spawn().await;
    let user = app.sign_in(PHONE).await;
    let site = app.visitor().get("/api/site").await.data();
    assert_eq!(site["passwords"], false);
    let refusals = [
        set(&user, json!({ "password": PASSWORD })).await,
        remove(&user, json!({ "oldPassword": PASSWORD })).await,
        user.get("/api/user/password").await,
        sign_in(&app.visitor(), PHONE, PASSWORD).await,
    ];
    for refusal in refusals {
        assert_eq!(refusal.code(), "password_login_off");
    }
    let allowing = allowing(app.beside()).spawn().await;
    let site = allowing.visitor().get("/api/site").await.data();
    assert_eq!(site["passwords"], true);
}

#[tokio::test]
async fn a_password_signs_in_on_both_listeners_and_both_databases() {
    for builder in [patient(), patient().on_mariadb()] {
        let app = allowing(builder).spawn().await;
        let user = app.sign_in(PHONE).await;
        assert!(!is_set(&user).await);
        set(&user, json!({ "password": PASSWORD })).await.data();
        assert!(is_set(&user).await);

        let visitor = app.visitor();
        let token = sign_in(&visitor, " +86 139-0000-0001", PASSWORD)
            .await
            .data();
        let again = visitor.with_token(token.as_str().unwrap());
        assert_eq!(id_of(&again).await, id_of(&user).await);
        let original = Client::new(app.original_url());
        let body = json!({ "phone": PHONE, "password": PASSWORD });
        let token = original.post_json("/user/login", &body).await.data();
        let original = original.with_token(token.as_str().unwrap());
        assert_eq!(original.get("/user/me").await.status, 200);
        // A page that sends every field of its form.
        let whole_form = json!({ "phone": PHONE, "code": "", "password": PASSWORD });
        let visitor = app.visitor();
        assert!(is_in(
            &visitor.post_json("/api/user/login", &whole_form).await
        ));
        // A code goes on working.
        let code = next_code(&app.visitor(), PHONE).await;
        assert!(is_in(&login(&app.visitor(), PHONE, &code).await));
    }
}

#[tokio::test]
async fn a_mailbox_has_a_password_like_a_phone() {
    let app = allowing(TestApp::builder()).spawn().await;
    let visitor = app.visitor();
    let mailbox = json!({ "email": "li@example.com" });
    let code = visitor.post_json("/api/user/code", &mailbox).await.data()["demoCode"].clone();
    let body = json!({ "email": "li@example.com", "code": code });
    let token = visitor.post_json("/api/user/login", &body).await.data();
    let user = app.visitor().with_token(token.as_str().unwrap());
    assert!(is_in(&set(&user, json!({ "password": PASSWORD })).await));
    let body = json!({ "email": "li@Example.com", "password": PASSWORD });
    assert!(is_in(&visitor.post_json("/api/user/login", &body).await));
}

#[tokio::test]
async fn whatever_is_wrong_gets_the_same_words_and_makes_nobody() {
    let app = allowing(TestApp::builder()).spawn().await;
    let blocked = with_password(&app, "13900000002").await;
    account::block(app.core(), None, id_of(&blocked).await)
        .await
        .unwrap();
    with_password(&app, PHONE).await;
    app.sign_in("13900000003").await;

    let visitor = app.visitor();
    let answers = [
        ("wrong", sign_in(&visitor, PHONE, WRONG).await),
        ("blocked", sign_in(&visitor, "13900000002", PASSWORD).await),
        ("none", sign_in(&visitor, "13900000003", PASSWORD).await),
        ("unknown", sign_in(&visitor, "13900000004", PASSWORD).await),
        ("too short", sign_in(&visitor, PHONE, "123456").await),
        ("empty", sign_in(&visitor, PHONE, "").await),
        (
            "too long",
            sign_in(&visitor, PHONE, &"a".repeat(10_000)).await,
        ),
    ];
    for (what, answer) in &answers {
        assert_eq!(answer.text, answers[0].1.text, "{what}");
        assert_eq!(answer.code(), "password_wrong", "{what}");
        assert_eq!(answer.headers.get("set-cookie"), None, "{what}");
    }
    let unknown = account::find_by_contact(app.core(), &contact("13900000004")).await;
    assert_eq!(unknown.unwrap(), None);
    let nothing = json!({ "phone": PHONE });
    let nothing = visitor.post_json("/api/user/login", &nothing).await;
    assert_eq!(nothing.code(), "malformed");
}

#[tokio::test]
async fn the_passwords_of_the_original_are_not_believed() {
    for builder in [TestApp::builder(), TestApp::builder().on_mariadb()] {
        let app = allowing(builder).spawn().await;
        let user = app.sign_in(PHONE).await;
        // `salt@md5(password + salt)`, as its `PasswordEncoder` makes it of "password" and an empty salt.
        for stored in [
            "'abcdefghij0123456789@5f4dcc3b5aa765d61d8327deb882cf99'",
            "'password'",
        ] {
            let update = format!("UPDATE tb_user SET password = {stored} WHERE phone = '{PHONE}'");
            execute(app.sql_url(), &[update]).await;
            let refused = sign_in(&app.visitor(), PHONE, "password").await;
            assert_eq!(refused.code(), "password_wrong", "{stored}");
            assert!(!is_set(&user).await);
        }
        // It counts as none, so the first password of this site needs no old one.
        assert!(is_in(&set(&user, json!({ "password": PASSWORD })).await));
        assert!(is_in(&sign_in(&app.visitor(), PHONE, PASSWORD).await));
    }
}

#[tokio::test]
async fn a_password_has_8_to_128_characters_and_no_control_characters() {
    let app = allowing(TestApp::builder()).spawn().await;
    let user = app.sign_in(PHONE).await;
    for password in ["", "1234567", "12345678\n", &"密".repeat(129)] {
        let refused = set(&user, json!({ "password": password })).await;
        assert_eq!(refused.code(), "password_invalid", "{password:.12}");
    }
    assert!(!is_set(&user).await);
    let longest = "密".repeat(128);
    assert!(is_in(&set(&user, json!({ "password": longest })).await));
    assert!(is_in(&sign_in(&app.visitor(), PHONE, &longest).await));
    let stranger = set(&app.visitor(), json!({ "password": PASSWORD })).await;
    assert_eq!(stranger.status, 401);
}

fn tally(answers: &[HttpReply]) -> BTreeMap<String, usize> {
    let mut tally = BTreeMap::new();
    for answer in answers {
        let code = answer.json()["code"].as_str().unwrap_or("ok").to_owned();
        *tally.entry(code).or_default() += 1;
    }
    tally
}

#[tokio::test]
async fn of_500_wrong_guesses_from_everywhere_five_are_compared_and_known_browsers_stay_in() {
    let app = allowing(behind_a_proxy()).spawn().await;
    let second = allowing(app.beside().setting("http.trusted_proxies", "127.0.0.1"));
    let second = second.spawn().await;
    let user = app.sign_in(PHONE).await;
    assert!(is_in(&set(&user, json!({ "password": PASSWORD })).await));
    let signed_in = sign_in(&app.visitor(), PHONE, PASSWORD).await;
    let cookies = signed_in.headers.get_all("set-cookie").iter();
    let cookies = cookies.map(|cookie| cookie.to_str().unwrap());
    let device = cookies
        .filter_map(|cookie| cookie.split(';').next())
        .find(|cookie| cookie.starts_with("tandian_device="));
    let known = app.visitor().with_header("cookie", device.unwrap());

    for (phone, last) in [(PHONE, PASSWORD), ("13900000009", WRONG)] {
        let guesses = (0..500u32).map(|number| {
            let base = if number % 2 == 0 { &app } else { &second };
            let client = base.visitor();
            let client = client.with_header("x-forwarded-for", &address(number));
            async move { sign_in(&client, phone, WRONG).await }
        });
        let answers: Vec<HttpReply> = stream::iter(guesses).buffer_unordered(32).collect().await;
        let expected = [("password_wrong", 4), ("login_locked", 496)];
        let expected: BTreeMap<String, usize> = expected
            .map(|(code, count)| (code.to_owned(), count))
            .into();
        assert_eq!(tally(&answers), expected, "{phone}");
        // The right one is not compared either: a lock tells nothing.
        let stranger = sign_in(&app.visitor(), phone, last).await;
        assert_eq!(stranger.code(), "login_locked");
        let wait_secs = stranger.json()["data"]["retryAfterSecs"].as_u64().unwrap();
        assert!((1..=600).contains(&wait_secs), "{wait_secs}");
    }
    assert!(is_in(&sign_in(&known, PHONE, PASSWORD).await));
}

#[tokio::test]
async fn a_lock_of_passwords_leaves_codes_and_sessions_alone() {
    let app = allowing(patient()).spawn().await;
    let user = with_password(&app, PHONE).await;
    for _ in 0..5 {
        sign_in(&app.visitor(), PHONE, WRONG).await;
    }
    let locked = sign_in(&app.visitor(), PHONE, PASSWORD).await;
    assert_eq!(locked.code(), "login_locked");
    assert_eq!(user.get("/api/user/me").await.status, 200);
    let change = json!({ "password": OTHER, "oldPassword": PASSWORD });
    assert!(is_in(&set(&user, change).await));
    let code = next_code(&app.visitor(), PHONE).await;
    assert!(is_in(&login(&app.visitor(), PHONE, &code).await));
}

#[tokio::test]
async fn one_address_tries_its_passwords_over_all_accounts() {
    let app = TestApp::builder().setting("password.enabled", true);
    let app = app
        .setting("password.per_address_per_hour", 3)
        .spawn()
        .await;
    let mut answers = Vec::new();
    for number in 10..20 {
        let phone = format!("139000000{number}");
        answers.push(sign_in(&app.visitor(), &phone, WRONG).await);
    }
    let expected = [("password_wrong", 3), ("too_many", 7)];
    let expected: BTreeMap<String, usize> = expected
        .map(|(code, count)| (code.to_owned(), count))
        .into();
    assert_eq!(tally(&answers), expected);
}

#[tokio::test]
async fn right_passwords_use_up_no_tries() {
    let app = allowing(TestApp::builder()).spawn().await;
    with_password(&app, PHONE).await;
    for _ in 0..3 {
        for _ in 0..4 {
            let refused = sign_in(&app.visitor(), PHONE, WRONG).await;
            assert_eq!(refused.code(), "password_wrong");
        }
        assert!(is_in(&sign_in(&app.visitor(), PHONE, PASSWORD).await));
    }
}

#[tokio::test]
async fn a_change_takes_the_old_password_and_ends_all_other_sessions() {
    for builder in [patient(), patient().on_mariadb()] {
        let app = allowing(builder).spawn().await;
        let second = allowing(app.beside()).spawn().await;
        let user = with_password(&app, PHONE).await;
        let token = sign_in(&app.visitor(), PHONE, PASSWORD).await.data();
        let elsewhere = second.visitor().with_token(token.as_str().unwrap());
        assert_eq!(elsewhere.get("/api/user/me").await.status, 200);

        let refused = set(&user, json!({ "password": OTHER })).await;
        assert_eq!(refused.code(), "password_needed");
        let wrong = json!({ "password": OTHER, "oldPassword": WRONG });
        assert_eq!(set(&user, wrong).await.code(), "old_password_wrong");
        assert_eq!(elsewhere.get("/api/user/me").await.status, 200);
        let right = json!({ "password": OTHER, "oldPassword": PASSWORD });
        assert!(is_in(&set(&user, right).await));

        assert_eq!(user.get("/api/user/me").await.status, 200);
        testkit::wait_until("the other session ends", 10 * SECOND, async || {
            elsewhere.get("/api/user/me").await.status == 401
        })
        .await;
        let old = sign_in(&app.visitor(), PHONE, PASSWORD).await;
        assert_eq!(old.code(), "password_wrong");
        assert!(is_in(&sign_in(&app.visitor(), PHONE, OTHER).await));
    }
}

#[tokio::test]
async fn a_removal_takes_the_password_and_ends_all_other_sessions() {
    let app = allowing(TestApp::builder()).spawn().await;
    let user = with_password(&app, PHONE).await;
    let token = sign_in(&app.visitor(), PHONE, PASSWORD).await.data();
    let elsewhere = app.visitor().with_token(token.as_str().unwrap());
    assert_eq!(remove(&user, json!({})).await.code(), "password_needed");
    let wrong = remove(&user, json!({ "oldPassword": WRONG })).await;
    assert_eq!(wrong.code(), "old_password_wrong");
    assert!(is_in(
        &remove(&user, json!({ "oldPassword": PASSWORD })).await
    ));
    assert_eq!(elsewhere.get("/api/user/me").await.status, 401);
    assert!(!is_set(&user).await);
    let gone = sign_in(&app.visitor(), PHONE, PASSWORD).await;
    assert_eq!(gone.code(), "password_wrong");
    assert!(is_in(&remove(&user, json!({})).await), "nothing to remove");
}

#[tokio::test]
async fn wrong_old_passwords_are_counted_until_they_lock() {
    let app = allowing(TestApp::builder()).spawn().await;
    let user = with_password(&app, PHONE).await;
    let wrong = json!({ "password": OTHER, "oldPassword": WRONG });
    for _ in 0..4 {
        assert_eq!(set(&user, wrong.clone()).await.code(), "old_password_wrong");
    }
    assert_eq!(set(&user, wrong).await.code(), "login_locked");
    let right = json!({ "oldPassword": PASSWORD });
    assert_eq!(remove(&user, right).await.code(), "login_locked");
    assert!(is_in(&sign_in(&app.visitor(), PHONE, PASSWORD).await));
}

#[tokio::test]
async fn who_forgot_the_password_sets_another_by_a_code() {
    let app = allowing(patient()).spawn().await;
    let user = with_password(&app, PHONE).await;
    let foreign = demo_code(&app.visitor(), "13900000002").await;
    let refused = set(&user, json!({ "password": OTHER, "code": foreign })).await;
    assert!(["code_expired", "code_wrong"].contains(&&*refused.code()));
    let code = next_code(&user, PHONE).await;
    assert!(is_in(
        &set(&user, json!({ "password": OTHER, "code": code })).await
    ));
    let again = set(&user, json!({ "password": PASSWORD, "code": code })).await;
    assert_eq!(again.code(), "code_expired");
    assert!(is_in(&sign_in(&app.visitor(), PHONE, OTHER).await));
}

#[tokio::test]
async fn a_session_of_long_ago_sets_no_first_password_without_a_code() {
    let app = allowing(patient())
        .setting("account.recent_sign_in_secs", 0)
        .spawn()
        .await;
    let user = app.sign_in(PHONE).await;
    for body in [
        json!({ "password": PASSWORD }),
        json!({ "password": PASSWORD, "oldPassword": PASSWORD }),
    ] {
        assert_eq!(set(&user, body).await.code(), "confirmation_needed");
    }
    let foreign = demo_code(&app.visitor(), "13900000002").await;
    let refused = set(&user, json!({ "password": PASSWORD, "code": foreign })).await;
    assert!(["code_expired", "code_wrong"].contains(&&*refused.code()));
    assert!(!is_set(&user).await);
    let code = next_code(&user, PHONE).await;
    let accepted = set(&user, json!({ "password": PASSWORD, "code": code })).await;
    assert!(is_in(&accepted), "{accepted:?}");
    assert!(is_in(&sign_in(&app.visitor(), PHONE, PASSWORD).await));
}

/// Of two devices that change it at once one does, and the other is told.
#[tokio::test]
async fn of_parallel_changes_one_wins() {
    for builder in [patient(), patient().on_mariadb()] {
        let app = allowing(builder).spawn().await;
        let user = with_password(&app, PHONE).await;
        let changes = (0..4).map(|number| {
            let user = user.clone();
            let change =
                json!({ "password": format!("password {number}"), "oldPassword": PASSWORD });
            async move { set(&user, change).await }
        });
        let answers = futures_util::future::join_all(changes).await;
        let expected = [("ok", 1), ("old_password_wrong", 3)];
        let expected: BTreeMap<String, usize> = expected
            .map(|(code, count)| (code.to_owned(), count))
            .into();
        assert_eq!(tally(&answers), expected);
        let winner = answers.iter().position(is_in).unwrap();
        let winner = format!("password {winner}");
        assert!(is_in(&sign_in(&app.visitor(), PHONE, &winner).await));
    }
}

/// Between the comparison and the token lie several steps; the change comes amid them.
#[tokio::test]
async fn a_change_catches_up_with_a_login_that_is_under_way() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let app = allowing(TestApp::builder())
        .redis_url(redis.url())
        .spawn()
        .await;
    let slow_url = format!("redis://{}", proxy.addr());
    let slow = allowing(app.beside()).redis_url(slow_url).spawn().await;
    let user = with_password(&app, PHONE).await;
    let id = id_of(&user).await;
    let sessions = app.core().kv().list_sessions(id).await.unwrap();
    let known = users::get_password(app.core().db(), id).await.unwrap();

    proxy.delay(Duration::from_millis(300)).await;
    let visitor = slow.visitor();
    let under_way = tokio::spawn(async move { sign_in(&visitor, PHONE, PASSWORD).await });
    let mut connection = redis.connection().await;
    let tries = format!("{}login:{{{PHONE}}}:passwords", app.prefix());
    testkit::wait_until("the try is counted", 10 * SECOND, async || {
        let asked = redis::cmd("EXISTS").arg(&tries).clone();
        asked.query_async(&mut connection).await == Ok(1)
    })
    .await;
    let new = PasswordHash::parse("$argon2id$another").unwrap();
    let kept = sessions[0].number;
    let is_changed = users::set_password(app.core().db(), id, known.as_ref(), Some(&new), kept);
    assert!(is_changed.await.unwrap());

    assert_eq!(under_way.await.unwrap().code(), "password_wrong");
    let left = app.core().kv().list_sessions(id).await.unwrap();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// The process that changed it died before it ended the sessions.
#[tokio::test]
async fn the_outbox_ends_sessions_that_a_change_left() {
    let app = allowing(TestApp::builder()).spawn().await;
    let user = with_password(&app, PHONE).await;
    let id = id_of(&user).await;
    let kept = app.core().kv().list_sessions(id).await.unwrap()[0].number;
    let token = sign_in(&app.visitor(), PHONE, PASSWORD).await.data();
    let elsewhere = app.visitor().with_token(token.as_str().unwrap());
    assert_eq!(elsewhere.get("/api/user/me").await.status, 200);
    let known = users::get_password(app.core().db(), id).await.unwrap();
    let removed = users::set_password(app.core().db(), id, known.as_ref(), None, kept);
    assert!(removed.await.unwrap());
    testkit::wait_until("the outbox ends it", 30 * SECOND, async || {
        elsewhere.get("/api/user/me").await.status == 401
    })
    .await;
    assert_eq!(user.get("/api/user/me").await.status, 200);
}

#[tokio::test]
async fn beyond_the_hashes_at_once_a_sign_in_waits_or_is_told_to_come_back() {
    let app = allowing(behind_a_proxy()).setting("password.max_parallel", 1);
    let app = app.spawn().await;
    with_password(&app, PHONE).await;
    let attempts = (0..200u32).map(|number| {
        let visitor = app.visitor();
        let visitor = visitor.with_header("x-forwarded-for", &address(number));
        let phone = format!("13900001{number:03}");
        async move { sign_in(&visitor, &phone, WRONG).await }
    });
    let answers = futures_util::future::join_all(attempts).await;
    for answer in &answers {
        match answer.status.as_u16() {
            200 => assert_eq!(answer.code(), "password_wrong"),
            503 => assert!(answer.code() == "busy" && answer.header("retry-after") == "1"),
            other => panic!("{other}: {}", answer.text),
        }
    }
    assert!(is_in(&sign_in(&app.visitor(), PHONE, PASSWORD).await));
}
