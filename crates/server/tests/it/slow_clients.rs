//! Clients that take their time: half a body, a reply nobody reads, too many connections, too many open pages. Whatever
//! they do, they are ended, and nobody else waits for them.

mod slowloris;

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::Value;
use testkit::{Redis, TestApp};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::flash::Market;

/// What should be quick may take this long on a busy machine.
const SOON: Duration = Duration::from_secs(60);

/// Routes that the description does not name.
const UNDESCRIBED: [(&str, &str); 8] = [
    ("POST", "/api/payment/notify/sandbox"),
    ("POST", "/cashier/1"),
    ("GET", "/"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/docs"),
    ("GET", "/imgs/none.jpg"),
    ("PUT", "/nothing/here"),
];

/// Beginnings of bodies: of a type that some handler reads.
const BEGINNINGS: [(&str, &str); 3] = [
    ("application/json", "{"),
    ("application/x-www-form-urlencoded", "a"),
    (
        "multipart/form-data; boundary=x",
        "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\nab",
    ),
];

/// Every route of the site, with something in place of its parameters.
async fn routes(app: &TestApp) -> Vec<(String, String)> {
    let description: Value = app.visitor().get("/openapi.json").await.json();
    let mut routes = Vec::new();
    for (path, operations) in description["paths"].as_object().unwrap() {
        let parts = path.split('/');
        let filled = parts.map(|part| if part.starts_with('{') { "1" } else { part });
        let path = filled.collect::<Vec<_>>().join("/");
        for method in operations.as_object().unwrap().keys() {
            routes.push((method.to_uppercase(), path.clone()));
        }
    }
    let undescribed = UNDESCRIBED.map(|(method, path)| (method.to_owned(), path.to_owned()));
    routes.extend(undescribed);
    routes
}

/// Sends a head and the beginning of a body, then nothing more.
async fn begin(address: SocketAddr, method: &str, path: &str, token: &str) -> Vec<TcpStream> {
    let mut begun = Vec::new();
    for (media, beginning) in BEGINNINGS {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\ncontent-type: {media}\r\n\
             content-length: 1000\r\n\r\n{beginning}"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        begun.push(stream);
    }
    begun
}

/// Whether the server says something, or hangs up, within the limit.
async fn is_ended(mut stream: TcpStream) -> bool {
    let mut reply = [0; 12];
    let read = tokio::time::timeout(SOON, stream.read(&mut reply)).await;
    read.is_ok()
}

#[tokio::test]
async fn half_a_body_is_ended_on_every_route() {
    let app = TestApp::builder()
        .setting("http.stall_secs", 1)
        // Far beyond the limit of this test: the body's own limit must end it.
        .setting("http.request_timeout_secs", 300)
        .setting("http.shutdown_grace_secs", 300)
        .spawn()
        .await;
    let person = app.sign_in("13900000001").await;
    let routes = routes(&app).await;
    assert!(routes.len() > 60, "{} routes", routes.len());
    let (address, token) = (app.address(), person.token());
    let asking = routes.iter().map(|(method, path)| async move {
        let begun = begin(address, method, path, token).await;
        let ended = join_all(begun.into_iter().map(is_ended)).await;
        (format!("{method} {path}"), ended.iter().all(|ended| *ended))
    });
    let answers = join_all(asking).await;
    let held: Vec<_> = answers.iter().filter(|(_, is_ended)| !is_ended).collect();
    assert!(held.is_empty(), "held for ever: {held:?}");
}

#[tokio::test]
async fn a_request_that_waits_for_its_body_holds_no_admission_slot() {
    let app = TestApp::builder()
        .setting("http.max_in_flight", 2)
        .setting("http.stall_secs", 300)
        .setting("http.request_timeout_secs", 300)
        .setting("http.shutdown_grace_secs", 300)
        .spawn()
        .await;
    let mut waiting = Vec::new();
    for _ in 0..16 {
        let notify = "/api/payment/notify/sandbox";
        // One at a time, so that none finds the house full while the one before it looks for its body.
        waiting.extend(begin(app.address(), "POST", notify, "").await);
        let visitor = app.visitor();
        testkit::wait_until("the places are free", SOON, async || {
            visitor.get("/api/site").await.status == 200
        })
        .await;
    }
    let mut last = waiting.pop().unwrap();
    last.write_all(&[b'x'; 1_000]).await.unwrap();
    let mut reply = [0; 12];
    last.read_exact(&mut reply).await.unwrap();
    assert_eq!(&reply, b"HTTP/1.1 200", "a body that comes late is read");
}

#[tokio::test]
async fn concurrent_readiness_probes_check_the_services_once() {
    let redis = Redis::start().await;
    let app = TestApp::builder().redis_url(redis.url()).spawn().await;
    let before = redis.commands().await;
    let visitor = app.visitor();
    let asking = (0..500).map(|_| visitor.get("/readyz"));
    let answers = join_all(asking).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    let pings = redis.commands().await.since(&before).of("ping");
    // One a second, and what connections say to each other.
    assert!(pings < 250, "{pings} for 500 questions");
}

#[tokio::test]
async fn an_address_has_its_share_of_open_pages() {
    let app = TestApp::builder()
        .setting("http.max_streams_per_address", 3)
        .setting("http.trusted_proxies", "127.0.0.1")
        .spawn()
        .await;
    let market = Market::on(app).await;
    let sale = market.sell(3).await;
    let url = format!("{}/api/voucher/seckill/{sale}/events", market.app.url());
    let watch = async |address: &str| {
        let asked = reqwest::Client::new().get(&url);
        asked
            .header("x-forwarded-for", address)
            .send()
            .await
            .unwrap()
    };
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(watch("192.0.2.1").await);
    }
    assert!(open.iter().all(|page| page.status() == 200));
    let refused = watch("192.0.2.1").await;
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(watch("192.0.2.2").await.status(), 200);
    drop(open);
    testkit::wait_until("places are given back", SOON, async || {
        watch("192.0.2.1").await.status() == 200
    })
    .await;
}
