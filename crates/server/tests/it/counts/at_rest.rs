//! What a process that does everything sends to Redis and to SQL while nobody uses it.
//!
//! Only upper bounds of what timers send: a busy machine makes timers late, never early. A heartbeat that is late is asked
//! for by a `PING` of each push connection, so those have a bound of their own.

use std::time::Duration;

use testkit::{MariaDb, Redis, TestApp, wait_until};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use super::ledger::Ledger;

/// The drain worker of each of the four partitions waits in a long read when there is nothing else to do.
const PARTITIONS: usize = 4;

/// Invalidations of caches, those of sessions, and sales that are over.
const PUSH_CONNECTIONS: f64 = 3.0;

/// Heartbeats 2.2, the look at idle partitions 1, renewed leases 0.6, servers after a failover 0.2, long reads 0.3.
const MOST_PER_SEC: f64 = 5.0;

/// Looks at the outbox and at deadlines 1 each; payments, reminders, sales, figures a few tenths.
const MOST_STATEMENTS_PER_SEC: f64 = 3.5;

const WATCHED: Duration = Duration::from_secs(20);

/// Much longer than a process takes to come to rest.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_site_at_rest_sends_few_commands() {
    let redis = Redis::start().await;
    let app = TestApp::builder().redis_url(redis.url()).spawn().await;
    let mut monitor = Monitor::of(&redis).await;
    monitor.wait_until_drains_are_idle().await;
    let (since, sent) = (Instant::now(), monitor.sent_within(WATCHED).await);
    let pings = sent.iter().filter(|it| it.contains("\"PING\"")).count();
    let per_sec = (sent.len() - pings) as f64 / since.elapsed().as_secs_f64();
    assert!(per_sec <= MOST_PER_SEC, "{per_sec}: {sent:#?}");
    // Without beats each of them sends two every second.
    let most_pings = PUSH_CONNECTIONS * since.elapsed().as_secs_f64();
    assert!((pings as f64) < most_pings, "{pings}: {sent:#?}");
    app.stop().await;
}

#[tokio::test]
async fn a_site_at_rest_sends_few_statements() {
    let (redis, mariadb) = (Redis::start().await, MariaDb::start().await);
    let database = mariadb.create_database().await;
    let app = TestApp::builder().redis_url(redis.url());
    let app = app.sql_url(database.url()).spawn().await;
    let mut monitor = Monitor::of(&redis).await;
    monitor.wait_until_drains_are_idle().await;
    let mut ledger = Ledger::of(&redis, &mariadb).await;
    ledger.open().await;
    let since = Instant::now();
    tokio::time::sleep(WATCHED).await;
    let sent = ledger.close().await.statements;
    let per_sec = sent.len() as f64 / since.elapsed().as_secs_f64();
    assert!(per_sec <= MOST_STATEMENTS_PER_SEC, "{per_sec}: {sent:#?}");
    app.stop().await;
}

#[tokio::test]
async fn all_caches_hear_of_writes_on_one_connection() {
    let redis = Redis::start().await;
    let app = TestApp::builder().redis_url(redis.url()).spawn().await;
    app.wait_until_listening().await;
    wait_until("caches are listened for", PATIENCE, async || {
        app.core().shops().stats().subscribed
    })
    .await;
    // Any other would have come by then: all of them are opened at once.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut connection = redis.connection().await;
    let list = redis::cmd("CLIENT").arg("LIST").to_owned();
    let clients: String = list.query_async(&mut connection).await.unwrap();
    let is_tracking = |word: &str| word.starts_with("flags=") && word.ends_with("tB");
    let lines = clients.lines();
    let tracking = lines.filter(|line| line.split(' ').any(is_tracking));
    // The other one is of sessions.
    assert_eq!(tracking.count(), 2, "{clients}");
    app.stop().await;
}

struct Monitor(BufReader<TcpStream>);

impl Monitor {
    async fn of(redis: &Redis) -> Self {
        let stream = TcpStream::connect(redis.addr()).await.unwrap();
        let mut monitor = BufReader::new(stream);
        monitor.write_all(b"MONITOR\r\n").await.unwrap();
        Self(monitor)
    }

    async fn line_until(&mut self, end: Instant) -> Option<String> {
        let mut line = String::new();
        let read = timeout_at(end, self.0.read_line(&mut line)).await.ok()?;
        assert!(read.unwrap() > 0, "Redis goes on reporting");
        Some(line)
    }

    async fn wait_until_drains_are_idle(&mut self) {
        let end = Instant::now() + PATIENCE;
        let mut idle = 0;
        while idle < PARTITIONS {
            let line = self.line_until(end).await;
            let line = line.expect("every drain worker comes to rest");
            let is_long_read = line.contains("\"XREADGROUP\"") && line.contains("\"60000\"");
            idle += usize::from(is_long_read);
        }
    }

    /// Commands that came over the wire.
    async fn sent_within(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut sent = Vec::new();
        while let Some(line) = self.line_until(end).await {
            if !line.contains(" lua] ") {
                sent.push(line.trim_end().to_owned());
            }
        }
        sent
    }
}
