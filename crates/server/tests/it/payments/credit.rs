//! `tandian admin credit`, beside a running server and without one.

use std::process::Output;

use testkit::Client;

use crate::order_life::balance;
use crate::process::{Home, only_line};

const PHONE: &str = "13900000001";

async fn sign_in(url: String) -> Client {
    let visitor = Client::new(url);
    let sent = visitor.post(&format!("/api/user/code?phone={PHONE}")).await;
    let code = sent.data()["demoCode"].clone();
    let body = serde_json::json!({ "phone": PHONE, "code": code });
    let token = visitor.post_json("/api/user/login", &body).await.data();
    visitor.with_token(token.as_str().unwrap())
}

fn credit(home: &Home, args: &[&str]) -> Output {
    home.run(&[&["admin", "credit", PHONE], args].concat(), &[])
}

#[track_caller]
fn said(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn a_credit_is_on_the_balance_at_once_and_once_per_reference() {
    let home = Home::new();
    let site = home.serve();
    let person = sign_in(format!("http://{}", site.addr)).await;
    let before = balance(&person).await;
    for _ in 0..2 {
        let line = said(credit(&home, &["2500", "--reference", "receipt-1"]));
        assert!(line.contains("139****0001"), "{line}");
        assert!(!line.contains(PHONE), "{line}");
        assert!(
            line.contains(&format!("{} cents", before + 2_500)),
            "{line}"
        );
        assert_eq!(balance(&person).await, before + 2_500);
    }
    for nth in 1..=2 {
        said(credit(&home, &["100"]));
        assert_eq!(balance(&person).await, before + 2_500 + nth * 100);
    }
}

#[test]
fn a_user_who_never_signed_in_gets_no_credit_but_one_clear_line() {
    let home = Home::new();
    assert!(home.run(&["migrate"], &[]).status.success());
    let line = only_line(&credit(&home, &["100"]));
    assert!(line.contains("sign in once"), "{line}");
    assert!(!line.contains(PHONE), "{line}");
}

#[test]
fn an_amount_or_reference_that_is_none_is_refused_before_anything_is_opened() {
    let home = Home::new();
    let long = "r".repeat(65);
    for args in [
        &["0"][..],
        &["1.5"],
        &["100000001"],
        &["--", "-100"],
        &["100", "--reference", ""],
        &["100", "--reference", "two words"],
        &["100", "--reference", &long],
    ] {
        let output = credit(&home, args);
        assert_eq!(output.status.code(), Some(2), "{args:?} {output:?}");
    }
    assert!(!home.folder.path().join("data").exists());
}
