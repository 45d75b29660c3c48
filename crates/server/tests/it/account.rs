//! Accounts over HTTP: signing in and its limits, sessions, profiles.

mod contacts;
mod limits;
mod login;
mod password;
mod personal_data;
mod profile;
mod recycled;
mod senders;
mod sessions;
mod sms;
mod standing;

use serde_json::{Value, json};
use testkit::{Client, HttpReply, TestApp};

/// The first of a range that no test data uses.
const PHONE: &str = "13900000001";

async fn send_code(client: &Client, phone: &str) -> HttpReply {
    let to = serde_json::json!({ "phone": phone });
    client.post_json("/api/user/code", &to).await
}

/// Asks for a code that must be granted, and reads it from the demo sender's reply.
async fn demo_code(client: &Client, phone: &str) -> String {
    let sent = send_code(client, phone).await;
    sent.data()["demoCode"]
        .as_str()
        .expect("the demo sender shows the code")
        .to_owned()
}

async fn login(client: &Client, phone: &str, code: &str) -> HttpReply {
    client
        .post_json("/api/user/login", &credentials(phone, code))
        .await
}

fn credentials(phone: &str, code: &str) -> Value {
    json!({ "phone": phone, "code": code })
}

/// A code of the right form that is not `code`.
fn other_than(code: &str) -> String {
    let last = if code.ends_with('0') { "1" } else { "0" };
    format!("{}{last}", &code[..code.len() - 1])
}

/// Believes `X-Forwarded-For` of the test itself, so that requests come from many addresses.
fn behind_a_proxy() -> testkit::TestAppBuilder {
    TestApp::builder().setting("http.trusted_proxies", "127.0.0.1")
}

/// Lets a test sign in again and again without waiting a minute.
fn patient() -> testkit::TestAppBuilder {
    TestApp::builder()
        .setting("code.resend_secs", 1)
        .setting("code.per_address_per_hour", 1_000_000)
}

/// Sends one number as many codes as a test needs, from one address.
fn roomy() -> testkit::TestAppBuilder {
    patient()
        .setting("code.length", 8)
        .setting("code.per_day", 100)
        .setting("code.per_day_per_address", 90)
}

/// A code as soon as the last one is old enough.
async fn next_code(client: &Client, phone: &str) -> String {
    let limit = std::time::Duration::from_secs(10);
    testkit::wait_for("another code", limit, async || {
        let sent = send_code(client, phone).await.json();
        sent["data"]["demoCode"].as_str().map(str::to_owned)
    })
    .await
}

/// The `number`th address of the internet.
fn address(number: u32) -> String {
    std::net::Ipv4Addr::from(0x0B00_0000 + number).to_string()
}
