//! A number that may have been given to somebody else: whose account it is, is asked, and the answer is kept.

use std::time::Duration;

use domain::{Contact, Email, PasswordHash, UserId};
use jiff::{Timestamp, ToSpan as _};
use serde_json::{Value, json};
use storage::{phone_proofs, users};
use testkit::{Client, HttpReply, TestApp, TestAppBuilder, wait_for};

use super::{PHONE, login, next_code, roomy};
use crate::notes::id_of;

const LOGIN: &str = "/api/user/login";
const EMAIL: &str = "ann@example.com";
const PASSWORD: &str = "correct horse battery";
const LIMIT: Duration = Duration::from_secs(20);

fn builders() -> [TestAppBuilder; 2] {
    [roomy(), roomy().on_mariadb()]
}

/// An account whose number was last proven so many hours ago.
async fn unproven_for(app: &TestApp, person: &Client, hours: i64) -> UserId {
    let id = id_of(person).await;
    let then = Timestamp::now() - hours.hours();
    phone_proofs::record(app.core().db(), id, then)
        .await
        .unwrap();
    id
}

/// As long as the site's default.
const LONG_HOURS: i64 = 90 * 24 + 1;

async fn by_code(app: &TestApp) -> HttpReply {
    let visitor = app.visitor();
    let code = next_code(&visitor, PHONE).await;
    login(&visitor, PHONE, &code).await
}

/// The question, which must be asked.
async fn question(app: &TestApp) -> Value {
    let asked = by_code(app).await;
    assert_eq!(asked.code(), "number_in_question");
    asked.json()["data"].clone()
}

async fn answer(app: &TestApp, claim: &str, ticket: &Value) -> HttpReply {
    let body = json!({ "phone": PHONE, "claim": claim, "ticket": ticket });
    app.visitor().post_json(LOGIN, &body).await
}

fn session(app: &TestApp, reply: &HttpReply) -> Client {
    app.visitor().with_token(reply.data().as_str().unwrap())
}

async fn bind_email(app: &TestApp, person: &Client) {
    let sql = format!(
        "UPDATE tb_user SET email = '{EMAIL}' WHERE id = {}",
        id_of(person).await
    );
    crate::adopted::execute(app.sql_url(), &[sql]).await;
}

async fn code_to_email(client: &Client) -> String {
    wait_for("a code", LIMIT, async || {
        let to = json!({ "email": EMAIL });
        let sent = client.post_json("/api/user/code", &to).await.json();
        sent["data"]["demoCode"].as_str().map(str::to_owned)
    })
    .await
}

#[tokio::test]
async fn a_number_that_is_in_use_opens_its_account_unasked() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        let id = id_of(&me).await;
        // Accounts from before the site kept proofs count from its first question.
        assert_eq!(id_of(&session(&app, &by_code(&app).await)).await, id);
        unproven_for(&app, &me, LONG_HOURS - 2).await;
        assert_eq!(id_of(&session(&app, &by_code(&app).await)).await, id);
        let proven = phone_proofs::get(app.core().db(), id)
            .await
            .unwrap()
            .unwrap();
        assert!(proven > Timestamp::now() - 1.hour(), "{proven}");
    }
}

#[tokio::test]
async fn a_site_may_never_ask() {
    let app = roomy()
        .setting("account.recycled_after_days", 0)
        .spawn()
        .await;
    let me = app.sign_in(PHONE).await;
    let id = unproven_for(&app, &me, 10 * LONG_HOURS).await;
    assert_eq!(id_of(&session(&app, &by_code(&app).await)).await, id);
}

#[tokio::test]
async fn the_owner_of_an_account_without_another_proof_says_so() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        let id = unproven_for(&app, &me, LONG_HOURS).await;
        let asked = question(&app).await;
        assert_eq!(asked["proofs"], json!([]));
        let name = me.get("/api/user/me").await.data()["nickName"].clone();
        let shown = asked["nickName"].as_str().unwrap();
        assert!(
            shown.ends_with('*') && shown.chars().count() == 2,
            "{shown}"
        );
        assert!(!asked.to_string().contains(name.as_str().unwrap()));
        let again = answer(&app, "mine", &asked["ticket"]).await;
        assert_eq!(id_of(&session(&app, &again)).await, id);
        // The number is proven from now on.
        assert_eq!(id_of(&session(&app, &by_code(&app).await)).await, id);
        let used = answer(&app, "mine", &asked["ticket"]).await;
        assert_eq!(used.code(), "ticket_expired");
    }
}

#[tokio::test]
async fn a_word_opens_no_account_that_can_do_more_than_buy() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        let id = unproven_for(&app, &me, LONG_HOURS).await;
        let sql = format!("UPDATE tb_user SET role = 2 WHERE id = {id}");
        crate::adopted::execute(app.sql_url(), &[sql]).await;
        let asked = question(&app).await;
        assert_eq!(asked["proofs"], json!([]));
        let word = answer(&app, "mine", &asked["ticket"]).await;
        assert_eq!(word.code(), "operator_needed");
    }
}

#[tokio::test]
async fn a_proof_that_the_site_cannot_check_is_not_replaced_by_a_word() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    let id = unproven_for(&app, &me, LONG_HOURS).await;
    let hash = PasswordHash::parse("$argon2id$x").unwrap();
    let set = users::set_password(app.core().db(), id, None, Some(&hash), 0).await;
    set.unwrap();
    let asked = question(&app).await;
    assert_eq!(asked["proofs"], json!([]), "passwords are off on this site");
    let word = answer(&app, "mine", &asked["ticket"]).await;
    assert_eq!(word.code(), "operator_needed");
}

#[tokio::test]
async fn an_address_of_another_account_answers_no_question() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        bind_email(&app, &me).await;
        unproven_for(&app, &me, LONG_HOURS).await;
        let asked = question(&app).await;
        let visitor = app.visitor();
        let other = "bob@example.com";
        let to = json!({ "email": other });
        let sent = visitor.post_json("/api/user/code", &to).await.data();
        let body = json!({
            "email": other, "code": sent["demoCode"], "claim": "mine", "ticket": asked["ticket"],
        });
        let mistaken = visitor.post_json(LOGIN, &body).await;
        assert_eq!(mistaken.code(), "not_that_account");
        let contact = Contact::from(Email::parse(other).unwrap());
        let found = users::find_by_contact(app.core().db(), &contact).await;
        assert_eq!(
            found.unwrap().map(|user| user.id),
            None,
            "no account came of it"
        );
    }
}

#[tokio::test]
async fn who_begins_anew_gets_nothing_of_the_former_account() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        bind_email(&app, &me).await;
        let id = unproven_for(&app, &me, LONG_HOURS).await;
        let asked = question(&app).await;
        let newcomer = session(&app, &answer(&app, "new", &asked["ticket"]).await);
        assert_ne!(id_of(&newcomer).await, id);
        let fresh = newcomer.get("/api/user/contacts").await.data();
        assert_eq!(fresh, json!({ "phone": "139****0001" }));
        let left = me.get("/api/user/contacts").await.data();
        assert_eq!(
            left,
            json!({ "email": "a***@example.com" }),
            "still signed in"
        );
        let notices = me.get("/api/notices").await.data();
        assert_eq!(notices["list"][0]["kind"], "phone_released", "{notices}");
        let number = id_of(&newcomer).await;
        let by_number = session(&app, &by_code(&app).await);
        assert_eq!(id_of(&by_number).await, number, "without a question");
        let used = answer(&app, "new", &asked["ticket"]).await;
        assert_eq!(used.code(), "ticket_expired");
    }
}

#[tokio::test]
async fn an_account_with_an_address_takes_more_than_a_word() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        bind_email(&app, &me).await;
        let id = unproven_for(&app, &me, LONG_HOURS).await;
        let asked = question(&app).await;
        assert_eq!(asked["proofs"], json!(["email"]));
        let word = answer(&app, "mine", &asked["ticket"]).await;
        assert_eq!(word.code(), "confirmation_needed");
        let visitor = app.visitor();
        let code = code_to_email(&visitor).await;
        let body = json!({
            "email": EMAIL, "code": code, "claim": "mine", "ticket": asked["ticket"],
        });
        let proven = visitor.post_json(LOGIN, &body).await;
        assert_eq!(id_of(&session(&app, &proven)).await, id);
        assert_eq!(id_of(&session(&app, &by_code(&app).await)).await, id);
    }
}

#[tokio::test]
async fn an_account_with_a_password_takes_it() {
    let app = roomy().setting("password.enabled", true).spawn().await;
    let me = app.sign_in(PHONE).await;
    let first = json!({ "password": PASSWORD });
    me.put_json("/api/user/password", &first).await.data();
    let id = unproven_for(&app, &me, LONG_HOURS).await;
    let asked = question(&app).await;
    assert_eq!(asked["proofs"], json!(["password"]));
    let word = answer(&app, "mine", &asked["ticket"]).await;
    assert_eq!(word.code(), "confirmation_needed");
    let body = |password| {
        json!({
            "phone": PHONE, "password": password, "claim": "mine", "ticket": asked["ticket"],
        })
    };
    let visitor = app.visitor();
    let wrong = visitor.post_json(LOGIN, &body("another password")).await;
    assert_eq!(wrong.code(), "password_wrong");
    let proven = visitor.post_json(LOGIN, &body(PASSWORD)).await;
    assert_eq!(id_of(&session(&app, &proven)).await, id);
    assert_eq!(id_of(&session(&app, &by_code(&app).await)).await, id);
}

#[tokio::test]
async fn an_answer_takes_the_ticket_of_this_number() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    unproven_for(&app, &me, LONG_HOURS).await;
    let asked = question(&app).await;
    let visitor = app.visitor();
    let send = async |body: Value| visitor.post_json(LOGIN, &body).await;
    let foreign = json!({ "phone": "13900000002", "claim": "new", "ticket": asked["ticket"] });
    assert_eq!(send(foreign).await.code(), "ticket_expired");
    let guessed = json!({ "phone": PHONE, "claim": "mine", "ticket": "0".repeat(40) });
    assert_eq!(send(guessed).await.code(), "ticket_expired");
    let none = json!({ "phone": PHONE, "claim": "mine" });
    assert_eq!(send(none).await.status, 400);
    let odd = json!({ "phone": PHONE, "claim": "theirs", "ticket": asked["ticket"] });
    assert_eq!(send(odd).await.status, 400);
    let address = json!({ "email": EMAIL, "claim": "new", "ticket": asked["ticket"] });
    assert_eq!(send(address).await.code(), "phone_invalid");
    // It opens nothing else.
    let change = json!({ "email": EMAIL, "ticket": asked["ticket"], "code": "123456" });
    let refused = me.put_json("/api/user/contacts", &change).await;
    assert_eq!(refused.code(), "confirmation_needed");
}

/// A second click, or two tabs with different answers.
#[tokio::test]
async fn of_two_answers_at_once_one_counts() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        let id = unproven_for(&app, &me, LONG_HOURS).await;
        let asked = question(&app).await;
        let ticket = &asked["ticket"];
        let (one, two) = tokio::join!(answer(&app, "new", ticket), answer(&app, "mine", ticket));
        let replies = [one.json(), two.json()];
        let heard = replies.iter().filter(|reply| reply["success"] == true);
        assert_eq!(heard.count(), 1, "{replies:?}");
        let former = users::get(app.core().db(), id).await.unwrap().unwrap();
        assert_eq!(former.phone.is_none(), replies[0]["success"] == true);
    }
}

#[tokio::test]
async fn a_blocked_account_is_not_left_by_beginning_anew() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    let id = unproven_for(&app, &me, LONG_HOURS).await;
    let asked = question(&app).await;
    app::account::block(app.core(), None, id).await.unwrap();
    for claim in ["mine", "new"] {
        let refused = answer(&app, claim, &asked["ticket"]).await;
        assert!(
            ["user_blocked", "ticket_expired"].contains(&&*refused.code()),
            "{refused:?}"
        );
    }
    assert_eq!(by_code(&app).await.code(), "user_blocked");
}

#[tokio::test]
async fn the_question_costs_one_code_and_a_wrong_code_asks_nothing() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    unproven_for(&app, &me, LONG_HOURS).await;
    let visitor = app.visitor();
    let code = next_code(&visitor, PHONE).await;
    let wrong = login(&visitor, PHONE, &super::other_than(&code)).await;
    assert_eq!(wrong.code(), "code_wrong");
    let asked = login(&visitor, PHONE, &code).await;
    assert_eq!(asked.code(), "number_in_question");
    assert_eq!(login(&visitor, PHONE, &code).await.code(), "code_expired");
    let ticket = asked.json()["data"]["ticket"].clone();
    answer(&app, "mine", &ticket).await.data();
}
