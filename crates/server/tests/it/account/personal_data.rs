//! A person's own data over HTTP: the export, and the end of an account.

use std::time::Duration;

use app::account::{ErasureReport, erase_due};
use domain::{PayType, Phone, UserId};
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, HttpReply, Redis, TestApp, TestAppBuilder, wait_for, wait_until};

use super::{PHONE, login, next_code, other_than, patient};
use crate::notes::{furnish, id_of, publish};
use crate::order_life::fund;

const OTHER: &str = "13900000002";
const LIMIT: Duration = Duration::from_secs(20);

const EXPORT: &str = "/api/user/export";
const DELETION: &str = "/api/user/deletion";

/// A site that erases at once what is asked for.
fn hasty() -> TestAppBuilder {
    patient()
        .setting("account.deletion_grace_days", 0)
        .setting("account.deletion_settle_secs", 0)
}

/// A code to the account's own number, as soon as one may be sent.
async fn confirmation(client: &Client) -> String {
    wait_for("a confirmation code", LIMIT, async || {
        let sent = client.post("/api/user/confirmation").await.json();
        sent["data"]["demoCode"].as_str().map(str::to_owned)
    })
    .await
}

async fn sign_in_again(app: &TestApp, phone: &str) -> Client {
    let visitor = app.visitor();
    let code = next_code(&visitor, phone).await;
    let token = login(&visitor, phone, &code).await.data();
    visitor.with_token(token.as_str().unwrap())
}

async fn request(client: &Client) -> HttpReply {
    let code = confirmation(client).await;
    client.post_json(DELETION, &json!({ "code": code })).await
}

async fn erase(app: &TestApp, after: SignedDuration) -> ErasureReport {
    let now = Timestamp::now() + after;
    erase_due(app.core(), now).await.unwrap()
}

async fn obstacles(client: &Client) -> Value {
    client.get(DELETION).await.data()["obstacles"].clone()
}

/// Somebody who wrote, liked, followed, commented and checked in, on a note of another.
async fn live(app: &TestApp, me: &Client, author: &Client) -> i64 {
    let note = publish(app, author).await;
    publish(app, me).await;
    let like = format!("/api/blog/like/{note}");
    me.send(Method::PUT, &like, None).await.data();
    let words = json!({ "blogId": note, "content": "同意" });
    me.post_json("/api/blog-comments", &words).await.data();
    let follow = format!("/api/follow/{}/true", id_of(author).await);
    me.send(Method::PUT, &follow, None).await.data();
    me.post("/api/user/sign").await.data();
    note
}

#[tokio::test]
async fn an_export_has_what_a_person_did_and_nothing_of_others() {
    for builder in [patient(), patient().on_mariadb()] {
        let app = builder
            .setting("account.exports_per_user_per_day", 1)
            .spawn()
            .await;
        furnish(&app).await;
        let (me, other) = (app.sign_in(PHONE).await, app.sign_in(OTHER).await);
        let note = live(&app, &me, &other).await;
        let reply = me.post_json(EXPORT, &json!({})).await;
        assert_eq!(reply.header("cache-control"), "no-store");
        let data = reply.data();
        assert_eq!(data["userId"], id_of(&me).await.get());
        let tables = &data["tables"];
        assert_eq!(tables["tb_user"][0]["phone"], PHONE);
        assert_eq!(tables["tb_blog"].as_array().unwrap().len(), 1);
        assert_eq!(tables["tb_blog_like"][0]["blog_id"], note);
        assert_eq!(tables["tb_blog_comments"][0]["content"], "同意");
        assert_eq!(tables["tb_sign"].as_array().unwrap().len(), 1);
        assert_eq!(tables["tb_voucher_order"], json!([]));
        assert!(!reply.text.contains(OTHER), "{}", reply.text);
        let second = me.post_json(EXPORT, &json!({})).await;
        assert_eq!(
            (second.status.as_u16(), second.code()),
            (429, "too_many".to_owned())
        );
    }
}

#[tokio::test]
async fn an_export_takes_a_code_when_the_sign_in_is_old() {
    let app = patient()
        .setting("account.recent_sign_in_secs", 0)
        .spawn()
        .await;
    let me = app.sign_in(PHONE).await;
    let without = me.post_json(EXPORT, &json!({})).await;
    assert_eq!(without.code(), "confirmation_needed");
    let code = confirmation(&me).await;
    for wrong in [other_than(&code), "no code".to_owned()] {
        let refused = me.post_json(EXPORT, &json!({ "code": wrong })).await;
        assert_eq!(refused.code(), "code_wrong");
    }
    let with = json!({ "code": code });
    assert_eq!(
        me.post_json(EXPORT, &with).await.data()["tables"]["tb_user"][0]["phone"],
        PHONE
    );
    let again = me.post_json(EXPORT, &with).await;
    assert_eq!(again.code(), "code_expired", "a code confirms once");
    let visitor = app.visitor().post_json(EXPORT, &json!({})).await;
    assert_eq!(visitor.code(), "not_signed_in");
}

#[tokio::test]
async fn a_deleted_account_is_gone_and_its_number_opens_a_new_one() {
    for builder in [hasty(), hasty().on_mariadb()] {
        let app = builder.spawn().await;
        furnish(&app).await;
        let (me, other) = (app.sign_in(PHONE).await, app.sign_in(OTHER).await);
        let note = live(&app, &me, &other).await;
        let id = id_of(&me).await;
        assert_eq!(obstacles(&me).await, json!([]));
        request(&me).await.data();
        assert_eq!(me.get("/api/user/me").await.status, 401, "signed out");

        let report = erase(&app, SignedDuration::ZERO).await;
        let once = ErasureReport {
            closed: 1,
            reopened: 0,
            erased: 1,
        };
        assert_eq!(report, once);
        assert_eq!(
            erase(&app, SignedDuration::ZERO).await,
            ErasureReport::default()
        );
        let visitor = app.visitor();
        for page in [format!("/api/user/{id}"), format!("/api/user/info/{id}")] {
            assert_eq!(visitor.get(&page).await.data(), Value::Null, "{page}");
        }
        let of_user = format!("/api/blog/of/user?id={id}");
        assert_eq!(visitor.get(&of_user).await.data(), json!([]));
        wait_until("the note counts no like of nobody", LIMIT, || async {
            let shown = other.get(&format!("/api/blog/{note}")).await.data();
            shown["liked"] == 0 && shown["comments"] == 0
        })
        .await;
        wait_until("nothing of the account is in Redis", LIMIT, || async {
            keys_of(&app, id).await.is_empty()
        })
        .await;
        let again = sign_in_again(&app, PHONE).await;
        assert_ne!(id_of(&again).await, id);
        let mine = again.get("/api/blog/of/me").await.data();
        assert_eq!(mine, json!([]));
    }
}

/// Keys that name the account and do not end within a day.
async fn keys_of(app: &TestApp, id: UserId) -> Vec<String> {
    let prefix = app.prefix();
    let mut connection = Redis::shared().await.connection().await;
    let mut found = Vec::new();
    for family in [
        format!("sign:{id}:*"),
        format!("login:sessions:{id}"),
        format!("follows:{{{id}}}"),
        format!("feed:{{{id}}}"),
        format!("blog:likes-of:{{{id}}}"),
        format!("login:{{*{PHONE}*}}:devices"),
    ] {
        let mut list = redis::cmd("KEYS");
        list.arg(format!("{prefix}{family}"));
        let keys: Vec<String> = list.query_async(&mut connection).await.unwrap();
        found.extend(keys);
    }
    found
}

#[tokio::test]
async fn until_the_day_comes_a_person_signs_in_and_keeps_the_account() {
    let app = patient().spawn().await;
    let me = app.sign_in(PHONE).await;
    let id = id_of(&me).await;
    let due = request(&me).await.data()["dueAtMs"].as_i64().unwrap();
    let week = Timestamp::now() + SignedDuration::from_hours(7 * 24);
    assert!((week.as_millisecond() - due).abs() < 120_000, "{due}");
    assert_eq!(
        erase(&app, SignedDuration::ZERO).await,
        ErasureReport::default()
    );

    let again = sign_in_again(&app, PHONE).await;
    assert_eq!(id_of(&again).await, id);
    assert_eq!(again.get(DELETION).await.data()["dueAtMs"], due);
    again.delete(DELETION).await.data();
    assert_eq!(again.get(DELETION).await.data().get("dueAtMs"), None);
    again.delete(DELETION).await.data();
    let late = erase(&app, SignedDuration::from_hours(30 * 24)).await;
    assert_eq!(late, ErasureReport::default());
    assert_eq!(id_of(&again).await, id);
}

#[tokio::test]
async fn an_account_with_open_money_is_refused_with_a_list() {
    let app = patient().spawn().await;
    let me = app.sign_in(PHONE).await;
    fund(&app, &me, 1_250).await;
    let balance = json!([{ "kind": "balance", "count": 1_250 }]);
    assert_eq!(obstacles(&me).await, balance);
    let code = confirmation(&me).await;
    let with = json!({ "code": code });
    let refused = me.post_json(DELETION, &with).await;
    assert_eq!(refused.code(), "account_not_settled");
    // The refusal took no code.
    assert!(me.post_json(EXPORT, &with).await.data()["tables"].is_object());
}

#[tokio::test]
async fn a_wrong_code_deletes_nothing() {
    let app = hasty().spawn().await;
    let me = app.sign_in(PHONE).await;
    let code = confirmation(&me).await;
    let wrong = json!({ "code": other_than(&code) });
    assert_eq!(me.post_json(DELETION, &wrong).await.code(), "code_wrong");
    assert_eq!(me.post_json(DELETION, &json!({})).await.status, 400);
    assert_eq!(
        erase(&app, SignedDuration::ZERO).await,
        ErasureReport::default()
    );
    assert_eq!(me.get("/api/user/me").await.status, 200);
}

#[tokio::test]
async fn nobody_signs_in_to_an_account_that_is_being_deleted() {
    let app = patient()
        .setting("account.deletion_grace_days", 0)
        .spawn()
        .await;
    let me = app.sign_in(PHONE).await;
    request(&me).await.data();
    // In the meantime the person signs in again, and the day comes.
    let again = sign_in_again(&app, PHONE).await;
    let closed = erase(&app, SignedDuration::ZERO).await;
    assert_eq!((closed.closed, closed.erased), (1, 0));
    wait_until("the session has ended", LIMIT, || async {
        again.get("/api/user/me").await.status == 401
    })
    .await;
    let visitor = app.visitor();
    let code = next_code(&visitor, PHONE).await;
    assert_eq!(
        login(&visitor, PHONE, &code).await.code(),
        "account_closing"
    );
    // Money comes after all: the account is open again, and says why.
    fund_closed(&app).await;
    let reopened = erase(&app, SignedDuration::from_hours(1)).await;
    assert_eq!((reopened.reopened, reopened.erased), (1, 0));
    let again = sign_in_again(&app, PHONE).await;
    let notices = again.get("/api/notices").await.data();
    assert_eq!(notices["list"][0]["kind"], "account_kept", "{notices}");
}

async fn fund_closed(app: &TestApp) {
    let phone = Phone::parse(PHONE).unwrap().into();
    let user = storage::users::find_by_contact(app.core().db(), &phone).await;
    let id = user.unwrap().unwrap().id;
    let by = PayType::Balance;
    let funded = storage::payments::top_up(app.core().db(), id, 100, by, "test", "late");
    funded.await.unwrap();
}
