//! A reader starts a crowd from the page: the site starts this lab, over HTTP, with everything real.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Client, HttpReply, TestApp, wait_until};

/// Starting Redis and MariaDB takes seconds; the rest is for a machine that is busy compiling.
const LIMIT: Duration = Duration::from_secs(170);

async fn site() -> TestApp {
    let program = env!("CARGO_BIN_EXE_lab");
    TestApp::builder()
        .setting("lab.program", program)
        .spawn()
        .await
}

fn crowd(version: &str, buyers: u32, stock: u32) -> Value {
    json!({ "version": version, "buyers": buyers, "stock": stock })
}

async fn start(reader: &Client, crowd: Value) -> HttpReply {
    reader.post_json("/api/lab/crowd", &crowd).await
}

async fn run(reader: &Client) -> Value {
    reader.get("/api/lab/crowd").await.data()["run"].clone()
}

/// Waits for the end of the crowd and returns it.
async fn end_of(reader: &Client) -> Value {
    wait_until("the crowd ends", LIMIT, || async {
        !matches!(
            run(reader).await["state"].as_str(),
            Some("starting" | "running")
        )
    })
    .await;
    run(reader).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_oversells_without_a_lock_and_not_with_the_gate_of_this_site() {
    let site = site().await;
    let reader = site.visitor();
    let offered = reader.get("/api/lab/crowd").await.data();
    assert_eq!(offered["available"], true);

    let begun = start(&reader, crowd("no-lock", 200, 5));
    assert_eq!(begun.await.data()["state"], "starting");
    let wild = end_of(&reader).await;
    assert_eq!(wild["state"], "done", "{wild}");
    assert_eq!(wild["served"], 400, "{wild}");
    let oversold = wild["verdict"]["oversold"].as_u64().unwrap();
    assert!(oversold > 0, "{wild}");

    let begun = start(&reader, crowd("flash-gate", 200, 5));
    assert_eq!(begun.await.status, 200);
    let right = end_of(&reader).await;
    let expected = json!({
        "stock": 5, "sold": 5, "oversold": 0, "duplicates": 0, "lost": 0, "stranded": 0,
    });
    assert_eq!(right["verdict"], expected, "{right}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_crowd_runs_at_a_time_and_can_be_cancelled() {
    let site = site().await;
    let reader = site.visitor();
    let first = start(&reader, crowd("set-nx", 2_000, 50));
    assert_eq!(first.await.status, 200);
    let second = start(&reader, crowd("no-lock", 10, 1));
    assert_eq!(second.await.code(), "lab_crowd_running");

    let cancelled = reader.delete("/api/lab/crowd").await;
    assert_eq!(cancelled.status, 200);
    assert_eq!(end_of(&reader).await["state"], "cancelled");
    let again = start(&reader, crowd("no-lock", 10, 1));
    assert_eq!(again.await.status, 200);
    reader.delete("/api/lab/crowd").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_crowd_is_refused_and_starts_nothing() {
    let site = site().await;
    let reader = site.visitor();
    for (input, code) in [
        (crowd("no-such-version", 10, 1), "lab_version_unknown"),
        (crowd("../../bin/sh", 10, 1), "lab_version_unknown"),
        (crowd("no-lock", 0, 0), "lab_crowd_invalid"),
        (crowd("no-lock", 2_001, 1), "lab_crowd_invalid"),
        (crowd("no-lock", 10, 11), "lab_crowd_invalid"),
        (crowd("no-lock", 10, 0), "lab_crowd_invalid"),
    ] {
        let refused = reader.post_json("/api/lab/crowd", &input).await;
        assert_eq!(refused.code(), code, "{input}");
    }
    let foreign = site
        .visitor()
        .with_header("origin", "https://elsewhere.example");
    let refused = start(&foreign, crowd("no-lock", 10, 1));
    let refused = refused.await;
    assert_eq!(
        (refused.status.as_u16(), refused.code()),
        (403, "foreign_origin".to_owned())
    );
    assert_eq!(run(&reader).await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_starts_a_crowd_from_elsewhere_or_where_it_is_off() {
    let off = TestApp::spawn().await;
    let reader = off.visitor();
    assert_eq!(
        reader.get("/api/lab/crowd").await.data()["available"],
        false
    );
    let refused = start(&reader, crowd("no-lock", 10, 1));
    assert_eq!(refused.await.code(), "lab_crowd_off");

    let program = env!("CARGO_BIN_EXE_lab");
    let behind_proxy = TestApp::builder()
        .setting("lab.program", program)
        .setting("http.trusted_proxies", "127.0.0.1")
        .spawn()
        .await;
    let elsewhere = behind_proxy
        .visitor()
        .with_header("x-forwarded-for", "203.0.113.7");
    let offered = elsewhere.get("/api/lab/crowd").await.data();
    assert_eq!(offered["available"], false);
    for refused in [
        elsewhere
            .post_json("/api/lab/crowd", &crowd("no-lock", 10, 1))
            .await,
        elsewhere.delete("/api/lab/crowd").await,
    ] {
        assert_eq!(refused.code(), "lab_crowd_off");
    }
}

/// A page of another site whose name was made to resolve to this machine: its address is loopback, and its origin is the host
/// that it asks.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_was_rebound_to_this_machine_starts_no_crowd() {
    let site = site().await;
    let rebound = site
        .visitor()
        .with_header("host", "elsewhere.example:8080")
        .with_header("origin", "http://elsewhere.example:8080");
    let offered = rebound.get("/api/lab/crowd").await.data();
    assert_eq!(offered["available"], false);
    for refused in [
        rebound
            .post_json("/api/lab/crowd", &crowd("no-lock", 10, 1))
            .await,
        rebound.delete("/api/lab/crowd").await,
    ] {
        assert_eq!(refused.code(), "lab_crowd_off");
    }
    let local = site.visitor().with_header("host", "localhost:8080");
    let offered = local.get("/api/lab/crowd").await.data();
    assert_eq!(offered["available"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_no_lab_fails_with_its_words() {
    let app = TestApp::builder().setting("lab.program", "/bin/false");
    let app = app.spawn().await;
    let reader = app.visitor();
    let begun = start(&reader, crowd("no-lock", 10, 1));
    assert_eq!(begun.await.status, 200);
    let failed = end_of(&reader).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(failed["error"].as_str().is_some_and(|it| !it.is_empty()));
}
