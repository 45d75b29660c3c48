//! Each fault of the proxy, seen from a raw connection to a real Redis behind it.

use std::time::{Duration, Instant};

use testkit::{FaultProxy, Redis, wait_until};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Silence this long counts as no answer; Redis answers in a fraction of it.
const SILENCE: Duration = Duration::from_millis(150);
const LIMIT: Duration = Duration::from_secs(5);

#[tokio::test]
async fn everything_passes_at_first_over_tcp_and_unix() {
    let redis = Redis::start().await;
    let over_tcp = FaultProxy::start(redis.addr()).await;
    let over_unix = FaultProxy::start(redis.socket()).await;
    assert_eq!(
        Client::connect(&over_tcp).await.request("INCR n").await,
        ":1\r\n"
    );
    assert_eq!(
        Client::connect(&over_unix).await.request("INCR n").await,
        ":2\r\n"
    );
}

#[tokio::test]
async fn a_delay_holds_each_reply_back_and_is_not_added_up() {
    const DELAY: Duration = Duration::from_millis(200);
    const REPLIES: u64 = 10;
    let (redis, proxy) = redis_behind_proxy().await;
    let mut client = Client::connect(&proxy).await;
    proxy.delay(DELAY).await;
    let sent_at = Instant::now();
    for sent in 1..=REPLIES {
        client.send("INCR n").await;
        wait_for_increments(&redis, sent).await;
    }
    let mut reply = client.read_reply().await;
    assert!(sent_at.elapsed() >= DELAY);
    while !reply.ends_with(":10\r\n") {
        reply += &client.read_reply().await;
    }
    assert!(sent_at.elapsed() < DELAY * 5, "{:?}", sent_at.elapsed());
}

#[tokio::test]
async fn replies_held_back_are_released_when_traffic_passes_again() {
    let (redis, proxy) = redis_behind_proxy().await;
    let mut client = Client::connect(&proxy).await;
    proxy.delay(Duration::from_secs(3_600)).await;
    client.send("INCR n").await;
    wait_for_increments(&redis, 1).await;
    proxy.pass().await;
    assert_eq!(client.read_reply().await, ":1\r\n");
}

#[tokio::test]
async fn a_cut_closes_open_connections_and_refuses_new_ones_until_traffic_passes() {
    let (_redis, proxy) = redis_behind_proxy().await;
    let mut client = Client::connect(&proxy).await;
    client.request("PING").await;
    assert_eq!(proxy.connections(), 1);
    proxy.cut().await;
    assert_eq!(proxy.connections(), 0);
    assert!(client.is_closed().await);
    assert!(TcpStream::connect(proxy.addr()).await.is_err());
    proxy.pass().await;
    assert_eq!(
        Client::connect(&proxy).await.request("PING").await,
        "+PONG\r\n"
    );
    assert_eq!(proxy.accepted(), 2);
}

#[tokio::test]
async fn a_black_hole_takes_requests_and_the_server_never_sees_them() {
    let (redis, proxy) = redis_behind_proxy().await;
    let mut old = Client::connect(&proxy).await;
    old.request("PING").await;
    proxy.black_hole().await;
    let mut new = Client::connect(&proxy).await;
    old.send("INCR n").await;
    new.send("INCR n").await;
    assert!(old.hears_nothing().await && new.hears_nothing().await);
    assert_eq!(redis.command_count("incr").await, 0);
    assert_eq!(proxy.connections(), 2);
}

#[tokio::test]
async fn a_black_hole_hides_that_the_server_is_gone() {
    let (redis, proxy) = redis_behind_proxy().await;
    let mut old = Client::connect(&proxy).await;
    old.request("PING").await;
    proxy.black_hole().await;
    redis.stop_hard();
    let mut new = Client::connect(&proxy).await;
    assert!(old.hears_nothing().await && new.hears_nothing().await);
    proxy.pass().await;
    assert!(old.is_closed().await && new.is_closed().await);
}

#[tokio::test]
async fn dropped_replies_vanish_while_the_server_acts() {
    let (redis, proxy) = redis_behind_proxy().await;
    let mut client = Client::connect(&proxy).await;
    client.request("PING").await;
    proxy.drop_replies().await;
    client.send("INCR n").await;
    assert!(client.hears_nothing().await);
    assert_eq!(redis.command_count("incr").await, 1);
    assert_eq!(proxy.connections(), 1);
}

#[tokio::test]
async fn a_connection_that_lost_bytes_is_closed_rather_than_resumed() {
    let (_redis, proxy) = redis_behind_proxy().await;
    let mut lost_reply = Client::connect(&proxy).await;
    let mut lost_request = Client::connect(&proxy).await;
    let mut unharmed = Client::connect(&proxy).await;
    unharmed.request("PING").await;
    proxy.drop_replies().await;
    lost_reply.send("PING").await;
    assert!(lost_reply.hears_nothing().await);
    proxy.black_hole().await;
    lost_request.send("PING").await;
    assert!(lost_request.hears_nothing().await);
    proxy.pass().await;
    assert!(lost_reply.is_closed().await && lost_request.is_closed().await);
    assert_eq!(unharmed.request("PING").await, "+PONG\r\n");
}

#[tokio::test]
async fn after_the_counted_replies_are_dropped_everything_is_cut() {
    let (redis, proxy) = redis_behind_proxy().await;
    let mut client = Client::connect(&proxy).await;
    proxy.drop_replies_then_cut(2).await;
    client.send("INCR n").await;
    assert!(client.hears_nothing().await);
    client.send("INCR n").await;
    assert!(client.is_closed().await);
    wait_until("new connections to be refused", LIMIT, async || {
        TcpStream::connect(proxy.addr()).await.is_err()
    })
    .await;
    assert_eq!(redis.command_count("incr").await, 2);
}

#[tokio::test]
async fn a_client_that_leaves_is_no_longer_counted_under_any_fault() {
    let (_redis, proxy) = redis_behind_proxy().await;
    for _ in 0..2 {
        let mut client = Client::connect(&proxy).await;
        client.send("PING").await;
        wait_until("the client to be counted", LIMIT, async || {
            proxy.connections() == 1
        })
        .await;
        drop(client);
        wait_until("the client to be gone", LIMIT, async || {
            proxy.connections() == 0
        })
        .await;
        proxy.black_hole().await;
    }
}

async fn redis_behind_proxy() -> (Redis, FaultProxy) {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    (redis, proxy)
}

async fn wait_for_increments(redis: &Redis, count: u64) {
    wait_until("the request to arrive", LIMIT, async || {
        redis.command_count("incr").await == count
    })
    .await;
}

/// A raw connection that speaks Redis's inline commands.
struct Client(TcpStream);

impl Client {
    async fn connect(proxy: &FaultProxy) -> Self {
        Self(TcpStream::connect(proxy.addr()).await.unwrap())
    }

    async fn request(&mut self, command: &str) -> String {
        self.send(command).await;
        self.read_reply().await
    }

    async fn send(&mut self, command: &str) {
        let line = format!("{command}\r\n");
        self.0.write_all(line.as_bytes()).await.unwrap();
    }

    async fn read_reply(&mut self) -> String {
        let mut reply = [0; 64];
        let read = tokio::time::timeout(LIMIT, self.0.read(&mut reply)).await;
        let bytes = read.expect("an answer within the limit").unwrap();
        String::from_utf8_lossy(&reply[..bytes]).into_owned()
    }

    async fn hears_nothing(&mut self) -> bool {
        let mut reply = [0; 64];
        let read = tokio::time::timeout(SILENCE, self.0.read(&mut reply)).await;
        read.is_err()
    }

    /// Ended or reset, without another byte.
    async fn is_closed(&mut self) -> bool {
        let mut reply = [0; 64];
        let read = tokio::time::timeout(LIMIT, self.0.read(&mut reply)).await;
        let read = read.expect("the end within the limit");
        read.map_or(true, |bytes| bytes == 0)
    }
}
