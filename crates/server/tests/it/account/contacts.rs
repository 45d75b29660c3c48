//! The phone number and the e-mail address of an account over HTTP: binding, changing and removing them, and what both codes
//! guard.

use std::time::Duration;

use app::account;
use domain::{Contact, Email, Phone};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, HttpReply, Redis, TestApp, TestAppBuilder, wait_for, wait_until};

use super::{PHONE, login, next_code, other_than, roomy};
use crate::notes::id_of;

const CONTACTS: &str = "/api/user/contacts";
const PERMIT: &str = "/api/user/contacts/permit";
const NEW_PHONE: &str = "13900000003";
const OTHER: &str = "13900000002";
const EMAIL: &str = "ann@example.com";
const LIMIT: Duration = Duration::from_secs(20);

fn builders() -> [TestAppBuilder; 2] {
    [roomy(), roomy().on_mariadb()]
}

/// A code to a present contact, as soon as one may be sent.
async fn confirmation(client: &Client, kind: &str) -> String {
    let path = format!("/api/user/confirmation{kind}");
    wait_for("a confirmation code", LIMIT, async || {
        let sent = client.post(&path).await.json();
        sent["data"]["demoCode"].as_str().map(str::to_owned)
    })
    .await
}

async fn permit(client: &Client) -> String {
    let code = confirmation(client, "").await;
    let permit = client.post_json(PERMIT, &json!({ "code": code })).await;
    permit.data()["ticket"].as_str().unwrap().to_owned()
}

/// A code to a contact that may be anybody's, as soon as one may be sent.
async fn code_to(client: &Client, contact: &Value) -> String {
    wait_for("a code", LIMIT, async || {
        let sent = client.post_json("/api/user/code", contact).await.json();
        sent["data"]["demoCode"].as_str().map(str::to_owned)
    })
    .await
}

fn request(contact: &Value, ticket: &str, code: &str) -> Value {
    let mut body = contact.clone();
    body["ticket"] = ticket.into();
    body["code"] = code.into();
    body
}

/// Both codes and the change.
async fn set(client: &Client, contact: &Value) -> HttpReply {
    let ticket = permit(client).await;
    let code = code_to(client, contact).await;
    let body = request(contact, &ticket, &code);
    client.put_json(CONTACTS, &body).await
}

async fn remove(client: &Client, kind: &str) -> HttpReply {
    let ticket = permit(client).await;
    delete(client, &json!({ "kind": kind, "ticket": ticket })).await
}

async fn delete(client: &Client, body: &Value) -> HttpReply {
    let body = ("application/json", body.to_string().into_bytes());
    client.send(Method::DELETE, CONTACTS, Some(body)).await
}

async fn contacts(client: &Client) -> Value {
    client.get(CONTACTS).await.data()
}

async fn sign_in(app: &TestApp, contact: &Value) -> Client {
    let visitor = app.visitor();
    let mut body = contact.clone();
    body["code"] = code_to(&visitor, contact).await.into();
    let token = visitor.post_json("/api/user/login", &body).await.data();
    visitor.with_token(token.as_str().unwrap())
}

fn email() -> Value {
    json!({ "email": EMAIL })
}

fn phone(number: &str) -> Value {
    json!({ "phone": number })
}

#[tokio::test]
async fn an_account_is_reached_by_both_contacts() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        let there = sign_in(&app, &phone(PHONE)).await;
        assert_eq!(contacts(&me).await, json!({ "phone": "139****0001" }));
        set(&me, &email()).await.data();
        let both = json!({ "phone": "139****0001", "email": "a***@example.com" });
        assert_eq!(contacts(&me).await, both);
        assert_eq!(
            contacts(&there).await,
            both,
            "a contact more ends no session"
        );

        let by_email = sign_in(&app, &email()).await;
        assert_eq!(id_of(&by_email).await, id_of(&me).await);
        let notices = me.get("/api/notices").await.data();
        assert_eq!(notices["list"][0]["kind"], "contact_changed", "{notices}");
        // The code may go to either, and confirms by either.
        let code = confirmation(&by_email, "?kind=email").await;
        let code = json!({ "code": code });
        assert!(
            by_email.post_json(PERMIT, &code).await.data()["ticket"].is_string(),
            "by the address"
        );
    }
}

#[tokio::test]
async fn a_changed_number_signs_in_and_the_former_one_does_not() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        let id = id_of(&me).await;
        let elsewhere = sign_in(&app, &phone(PHONE)).await;
        set(&me, &phone(NEW_PHONE)).await.data();
        assert_eq!(contacts(&me).await, json!({ "phone": "139****0003" }));
        wait_until("other sessions end", LIMIT, async || {
            elsewhere.get("/api/user/me").await.status == 401
        })
        .await;
        assert_eq!(id_of(&sign_in(&app, &phone(NEW_PHONE)).await).await, id);
        let stranger = sign_in(&app, &phone(PHONE)).await;
        assert_ne!(id_of(&stranger).await, id, "a new account");
    }
}

#[tokio::test]
async fn one_of_two_is_removed_and_the_last_one_stays() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    assert_eq!(remove(&me, "phone").await.code(), "last_contact");
    set(&me, &email()).await.data();
    remove(&me, "phone").await.data();
    assert_eq!(contacts(&me).await, json!({ "email": "a***@example.com" }));
    // A repetition after a lost reply.
    let used = json!({ "kind": "phone", "ticket": "0".repeat(40) });
    delete(&me, &used).await.data();
    assert_eq!(remove(&me, "email").await.code(), "last_contact");
    let by_email = sign_in(&app, &email()).await;
    assert_eq!(id_of(&by_email).await, id_of(&me).await);
}

/// A reply that got lost is repeated with what is used up.
#[tokio::test]
async fn a_change_that_is_repeated_is_made_once() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    let ticket = permit(&me).await;
    let code = code_to(&me, &email()).await;
    let body = request(&email(), &ticket, &code);
    me.put_json(CONTACTS, &body).await.data();
    me.put_json(CONTACTS, &body).await.data();
    let notices = me.get("/api/notices").await.data();
    assert_eq!(notices["list"].as_array().unwrap().len(), 1);
    // Used up for any other contact.
    let code = code_to(&me, &phone(NEW_PHONE)).await;
    let other = request(&phone(NEW_PHONE), &ticket, &code);
    let refused = me.put_json(CONTACTS, &other).await;
    assert_eq!(refused.code(), "confirmation_needed");
}

#[tokio::test]
async fn whose_a_contact_is_hears_only_who_holds_it() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        let other = app.sign_in(OTHER).await;
        let ticket = permit(&me).await;
        for number in [OTHER, NEW_PHONE] {
            let guessed = request(&phone(number), &ticket, "123456");
            let refused = me.put_json(CONTACTS, &guessed).await;
            assert_eq!(refused.code(), "code_expired", "{number}");
        }
        for number in [OTHER, NEW_PHONE] {
            let code = code_to(&me, &phone(number)).await;
            let wrong = request(&phone(number), &ticket, &other_than(&code));
            let refused = me.put_json(CONTACTS, &wrong).await;
            assert_eq!(refused.code(), "code_wrong", "{number}");
        }
        let code = next_code(&me, OTHER).await;
        let proven = request(&phone(OTHER), &ticket, &code);
        let taken = me.put_json(CONTACTS, &proven).await;
        assert_eq!(taken.code(), "contact_taken");
        assert_eq!(contacts(&me).await, json!({ "phone": "139****0001" }));
        assert_eq!(contacts(&other).await, json!({ "phone": "139****0002" }));
        // The refusal took no permission.
        let code = next_code(&me, NEW_PHONE).await;
        let free = request(&phone(NEW_PHONE), &ticket, &code);
        me.put_json(CONTACTS, &free).await.data();
    }
}

#[tokio::test]
async fn nothing_changes_without_both_codes() {
    let app = roomy().spawn().await;
    let (me, other) = (app.sign_in(PHONE).await, app.sign_in(OTHER).await);
    let code = confirmation(&me, "").await;
    for wrong in [other_than(&code), "no code".to_owned()] {
        let refused = me.post_json(PERMIT, &json!({ "code": wrong })).await;
        assert_eq!(refused.code(), "code_wrong");
    }
    let permitted = me.post_json(PERMIT, &json!({ "code": code })).await;
    let mine = permitted.data()["ticket"].as_str().unwrap().to_owned();
    let used = me.post_json(PERMIT, &json!({ "code": code })).await;
    assert_eq!(used.code(), "code_expired", "a code confirms once");

    let code = code_to(&me, &email()).await;
    for ticket in ["", "no ticket", &"0".repeat(40)] {
        let refused = me
            .put_json(CONTACTS, &request(&email(), ticket, &code))
            .await;
        assert_eq!(refused.code(), "confirmation_needed", "{ticket}");
    }
    let foreign = request(&email(), &mine, &code);
    let refused = other.put_json(CONTACTS, &foreign).await;
    assert_eq!(refused.code(), "confirmation_needed", "another account's");
    let twin = sign_in(&app, &phone(PHONE)).await;
    let refused = twin.put_json(CONTACTS, &foreign).await;
    assert_eq!(refused.code(), "confirmation_needed", "another session's");
    let removal = json!({ "kind": "phone", "ticket": "0".repeat(40) });
    assert_eq!(delete(&me, &removal).await.code(), "confirmation_needed");
    let missing = me.put_json(CONTACTS, &json!({ "email": EMAIL })).await;
    assert_eq!(missing.status, 400);
    let nobody = app.visitor();
    assert_eq!(nobody.get(CONTACTS).await.code(), "not_signed_in");
    assert_eq!(
        nobody.put_json(CONTACTS, &foreign).await.code(),
        "not_signed_in"
    );
    assert_eq!(contacts(&me).await, json!({ "phone": "139****0001" }));
    // None of the refusals used the code or the ticket up.
    me.put_json(CONTACTS, &foreign).await.data();
}

/// Two tabs begin with the same contacts.
#[tokio::test]
async fn of_two_tabs_that_change_the_number_one_wins() {
    for builder in builders() {
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        let mut bodies = Vec::new();
        for number in [NEW_PHONE, "13900000004"] {
            let ticket = permit(&me).await;
            let code = code_to(&me, &phone(number)).await;
            bodies.push(request(&phone(number), &ticket, &code));
        }
        let (one, two) = tokio::join!(
            me.put_json(CONTACTS, &bodies[0]),
            me.put_json(CONTACTS, &bodies[1])
        );
        let replies = [one.json(), two.json()];
        let won = replies.iter().filter(|reply| reply["success"] == true);
        assert_eq!(won.count(), 1, "{replies:?}");
        let lost = replies.iter().find(|reply| reply["success"] == false);
        assert_eq!(lost.unwrap()["code"], "contact_changed");
    }
}

#[tokio::test]
async fn of_two_accounts_that_bind_one_address_one_has_it() {
    for builder in builders() {
        let app = builder.spawn().await;
        let people = [app.sign_in(PHONE).await, app.sign_in(OTHER).await];
        let mut bodies = Vec::new();
        for person in &people {
            let ticket = permit(person).await;
            bodies.push((person, ticket));
        }
        // A right code takes the others with it, so only one of the two can be right: the address is free or proven once.
        let code = code_to(&people[0], &email()).await;
        let requests = bodies.iter().map(|(person, ticket)| {
            let body = request(&email(), ticket, &code);
            async move { person.put_json(CONTACTS, &body).await.json() }
        });
        let replies = futures_util::future::join_all(requests).await;
        let won = replies.iter().filter(|reply| reply["success"] == true);
        assert_eq!(won.count(), 1, "{replies:?}");
        let of_loser = replies.iter().position(|reply| reply["success"] == false);
        let loser = of_loser.unwrap();
        let code = code_to(&people[loser], &email()).await;
        let late = request(&email(), &bodies[loser].1, &code);
        let refused = people[loser].put_json(CONTACTS, &late).await;
        assert_eq!(refused.code(), "contact_taken");
    }
}

#[tokio::test]
async fn a_blocked_person_changes_nothing() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    let ticket = permit(&me).await;
    let code = code_to(&me, &email()).await;
    let id = id_of(&me).await;
    account::block(app.core(), None, id).await.unwrap();
    let body = request(&email(), &ticket, &code);
    let refused = me.put_json(CONTACTS, &body).await;
    assert_eq!(refused.code(), "not_signed_in");
    let address = Contact::from(Email::parse(EMAIL).unwrap());
    let found = account::find_by_contact(app.core(), &address).await;
    assert_eq!(found.unwrap(), None);
}

/// The wish stays, and whoever signs in by the new number can take it back.
#[tokio::test]
async fn an_account_in_its_days_of_grace_changes_its_number() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    let code = confirmation(&me, "").await;
    let wish = json!({ "code": code });
    let asked = me.post_json("/api/user/deletion", &wish).await;
    let due = asked.data()["dueAtMs"].clone();
    let again = sign_in(&app, &phone(PHONE)).await;
    set(&again, &phone(NEW_PHONE)).await.data();
    let by_new = sign_in(&app, &phone(NEW_PHONE)).await;
    assert_eq!(
        by_new.get("/api/user/deletion").await.data()["dueAtMs"],
        due
    );
    by_new.delete("/api/user/deletion").await.data();
}

/// Lets what is stored under these keys run out.
async fn run_out(app: &TestApp, pattern: &str) {
    let mut connection = Redis::shared().await.connection().await;
    let mut list = redis::cmd("KEYS");
    list.arg(format!("{}{pattern}", app.prefix()));
    let keys: Vec<String> = list.query_async(&mut connection).await.unwrap();
    assert!(!keys.is_empty(), "{pattern}");
    for key in keys {
        let mut expire = redis::cmd("PEXPIRE");
        expire.arg(key).arg(1);
        let _: i64 = expire.query_async(&mut connection).await.unwrap();
    }
    wait_until("it is gone", LIMIT, async || {
        let left: Vec<String> = list.query_async(&mut connection).await.unwrap();
        left.is_empty()
    })
    .await;
}

#[tokio::test]
async fn a_code_and_a_permission_end() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    let code = confirmation(&me, "").await;
    run_out(&app, "login:{*}:codes").await;
    let late = me.post_json(PERMIT, &json!({ "code": code })).await;
    assert_eq!(late.code(), "code_expired");
    let ticket = permit(&me).await;
    let code = code_to(&me, &email()).await;
    run_out(&app, "login:ticket:*").await;
    let late = request(&email(), &ticket, &code);
    let late = me.put_json(CONTACTS, &late).await;
    assert_eq!(late.code(), "confirmation_needed");
    let ticket = permit(&me).await;
    run_out(&app, "login:{*}:codes").await;
    let late = request(&email(), &ticket, &code);
    let late = me.put_json(CONTACTS, &late).await;
    assert_eq!(late.code(), "code_expired");
    assert_eq!(contacts(&me).await, json!({ "phone": "139****0001" }));
}

#[tokio::test]
async fn an_operator_gives_an_account_a_contact() {
    let app = roomy().spawn().await;
    let me = app.sign_in(PHONE).await;
    let id = id_of(&me).await;
    let address = Contact::from(Email::parse(EMAIL).unwrap());
    let attached = account::attach_contact(app.core(), id, &address).await;
    attached.unwrap().unwrap().unwrap();
    assert_eq!(id_of(&sign_in(&app, &email()).await).await, id);
    let taken = Contact::from(Phone::parse(OTHER).unwrap());
    app.sign_in(OTHER).await;
    let refused = account::attach_contact(app.core(), id, &taken).await;
    assert!(refused.unwrap().unwrap().is_err());
    assert_eq!(me.get("/api/user/me").await.status, 200);
}

#[tokio::test]
async fn a_forgotten_password_is_proven_by_either_contact() {
    let app = roomy().setting("password.enabled", true).spawn().await;
    let me = app.sign_in(PHONE).await;
    set(&me, &email()).await.data();
    let path = "/api/user/password";
    let first = json!({ "password": "first password" });
    me.put_json(path, &first).await.data();
    for contact in [phone(PHONE), email()] {
        let code = code_to(&me, &contact).await;
        let change = json!({ "password": "second password", "code": code });
        me.put_json(path, &change).await.data();
    }
    let wrong = login(&app.visitor(), PHONE, "123456").await;
    assert!(["code_wrong", "code_expired"].contains(&&*wrong.code()));
}
