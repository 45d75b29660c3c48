//! `tandian admin grant`, beside a running server and without one.

use std::time::Duration;

use testkit::{Client, wait_until};

use crate::process::{Home, only_line};

const PHONE: &str = "13900000001";

/// What revoking and granting may take to reach another process.
const AT_ONCE: Duration = Duration::from_secs(1);

async fn sign_in(url: String) -> Client {
    let visitor = Client::new(url);
    let sent = visitor.post(&format!("/api/user/code?phone={PHONE}")).await;
    let code = sent.data()["demoCode"].clone();
    let body = serde_json::json!({ "phone": PHONE, "code": code });
    let token = visitor.post_json("/api/user/login", &body).await.data();
    visitor.with_token(token.as_str().unwrap())
}

#[tokio::test]
async fn a_role_granted_beside_a_running_server_shows_in_live_sessions_at_once() {
    let home = Home::new();
    let site = home.serve();
    let person = sign_in(format!("http://{}", site.addr)).await;
    let before = person.get("/api/user/me").await.data();
    assert_eq!(before["roles"], serde_json::json!(["user"]));
    let output = home.run(&["admin", "grant", PHONE, "merchant"], &[]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("139****0001"), "{said}");
    wait_until("the session shows the role", AT_ONCE, || async {
        let me = person.get("/api/user/me").await.data();
        me["roles"] == serde_json::json!(["user", "merchant"])
    })
    .await;
}

#[test]
fn somebody_who_never_signed_in_gets_no_role_but_one_clear_line() {
    let home = Home::new();
    assert!(home.run(&["migrate"], &[]).status.success());
    for contact in [PHONE, "li@example.com"] {
        let output = home.run(&["admin", "grant", contact, "admin"], &[]);
        let line = only_line(&output);
        assert!(line.contains("sign in once"), "{line}");
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
