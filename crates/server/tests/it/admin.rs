//! `tandian admin …`, beside a running server and without one.

use std::time::Duration;

use testkit::{Client, wait_until};

use crate::process::{Home, only_line};

const PHONE: &str = "13900000001";

const OTHER: &str = "13900000002";
const THIRD: &str = "13900000003";

/// A second is promised; the rest is for a busy machine.
const SOON: Duration = Duration::from_secs(30);

async fn sign_in(url: String, phone: &str) -> Client {
    let visitor = Client::new(url);
    let sent = visitor.post(&format!("/api/user/code?phone={phone}")).await;
    let code = sent.data()["demoCode"].clone();
    let body = serde_json::json!({ "phone": phone, "code": code });
    let token = visitor.post_json("/api/user/login", &body).await.data();
    visitor.with_token(token.as_str().unwrap())
}

#[tokio::test]
async fn a_person_is_signed_out_and_blocked_beside_a_running_server() {
    let home = Home::new();
    let site = home.serve();
    let url = format!("http://{}", site.addr);
    for (command, outcome) in [
        (["admin", "sign-out", PHONE].as_slice(), "signed out"),
        (&["admin", "grant", OTHER, "merchant"], "merchant"),
        (&["admin", "block", THIRD], "blocked"),
    ] {
        let phone = command[2];
        let person = sign_in(url.clone(), phone).await;
        assert_eq!(person.get("/api/user/me").await.status, 200);
        let output = home.run(command, &[]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}");
        assert!(said.contains(outcome) && !said.contains(phone), "{said}");
        wait_until("the session has ended", SOON, || async {
            person.get("/api/user/me").await.status == 401
        })
        .await;
    }
    let output = home.run(&["admin", "unblock", THIRD], &[]);
    assert!(output.status.success(), "{output:?}");
}

/// As of an account whose number went to somebody else.
#[tokio::test]
async fn an_account_without_a_contact_is_named_by_its_number() {
    let home = Home::new();
    let site = home.serve();
    let person = sign_in(format!("http://{}", site.addr), PHONE).await;
    let me = person.get("/api/user/me").await.data();
    let name = format!("user:{}", me["id"]);
    for (command, outcome) in [("block", "blocked"), ("unblock", "may sign in")] {
        let output = home.run(&["admin", command, &name], &[]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains(&name) && said.contains(outcome), "{said}");
    }
    wait_until("the session has ended", SOON, || async {
        person.get("/api/user/me").await.status == 401
    })
    .await;
    let unknown = home.run(&["admin", "block", "user:999999"], &[]);
    let line = only_line(&unknown);
    assert!(line.contains("check the number"), "{line}");
    for wrong in ["user:", "user:x", "user:1.5"] {
        let output = home.run(&["admin", "block", wrong], &[]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

#[test]
fn a_user_who_never_signed_in_gets_no_role_but_one_clear_line() {
    let home = Home::new();
    assert!(home.run(&["migrate"], &[]).status.success());
    for contact in [PHONE, "li@example.com"] {
        let output = home.run(&["admin", "grant", contact, "admin"], &[]);
        let line = only_line(&output);
        assert!(line.contains("sign in once"), "{line}");
        assert!(!line.contains(contact), "{line}");
        let output = home.run(&["admin", "block", contact], &[]);
        let line = only_line(&output);
        assert!(line.contains("nobody has signed in"), "{line}");
        assert!(!line.contains(contact), "{line}");
    }
}

#[test]
fn a_contact_or_role_that_is_none_is_refused_before_anything_is_opened() {
    let home = Home::new();
    for args in [["12345", "admin"], [PHONE, "root"]] {
        let output = home.run(&["admin", "grant", args[0], args[1]], &[]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
    assert!(!home.folder.path().join("data").exists());
}
