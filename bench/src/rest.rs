//! A site that nobody visits: what it asks of Redis, of the processor and of memory; and what a visitor costs who only
//! keeps a connection open.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, ensure};
use testkit::Redis;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::time::{Instant, timeout_at};

use crate::load::{Crowd, Requests, play};
use crate::market::{Defaults, Market, MarketPlan, MarketRole};
use crate::pairs::Summary;
use crate::process::{MemoryUsage, allow_open_files, cpu_time};
use crate::progress;
use crate::report::{Breakdown, Figure, Findings, Goal};
use crate::settings::REST_SECS;

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "One process does everything on a site with demo data and default settings, and nobody comes: commands that Redis receives \
     (by MONITOR; those inside scripts are not counted), time of the processor and resident memory. Then connections send \
     one request each and stay open.",
);
const NAME: &str = "rest";

/// What a start leaves to do is done by then.
const SETTLE: Duration = Duration::from_secs(5);
/// Below the default of `http.max_connections_per_address`.
const CONNECTIONS: usize = 2_000;
/// Opened before, so that what all of them share is there.
const FIRST_CONNECTIONS: usize = 200;
const OTHER_FILES: u64 = 500;
const PATH: &str = "/api/shop/1";

pub(crate) async fn run() -> Result<Findings> {
    allow_open_files(CONNECTIONS as u64 + OTHER_FILES)?;
    progress::step(NAME, "opening a site");
    let market = Market::open(MarketPlan {
        people: 0,
        role: MarketRole::All,
        defaults: Defaults::Kept,
        ..MarketPlan::default()
    })
    .await?;
    tokio::time::sleep(SETTLE).await;
    let window = Duration::from_secs(REST_SECS.get());
    progress::step(NAME, format!("leaving it alone for {} s", window.as_secs()));
    let pid = market.web.pid();
    let before = cpu_time(pid)?;
    let commands = commands(&market.redis, window).await?;
    let ran = cpu_time(pid)? - before;
    let memory = MemoryUsage::of(pid)?;
    progress::step(NAME, format!("{CONNECTIONS} connections"));
    let address = market.address();
    let kib = tokio::task::spawn_blocking(move || kib_per_connection(address, pid)).await??;
    let secs = window.as_secs_f64();
    let total: u64 = commands.values().sum();
    let figure = |metric: &str, value: f64, goal| {
        let goal = Some(Goal::AtMost(goal));
        Figure::new(NAME, metric, Summary::of([value]), goal)
    };
    let figures = vec![
        figure("Redis commands per second", total as f64 / secs, 5.0),
        figure(
            "time of a core, percent",
            ran.as_secs_f64() / secs * 100.0,
            0.2,
        ),
        figure("resident memory, MiB", memory.resident_mib, 45.0),
        figure("an idle connection, KiB", kib, 12.0),
    ];
    let rows = commands.into_iter();
    let rows = rows.map(|(name, count)| vec![name, format!("{:.2}", count as f64 / secs)]);
    Ok(Findings {
        figures,
        breakdowns: vec![Breakdown {
            title: "Commands at rest",
            head: vec!["command", "per second"],
            rows: rows.collect(),
        }],
        ..Findings::default()
    })
}

/// Commands that clients send within a window, by name.
async fn commands(redis: &Redis, window: Duration) -> Result<BTreeMap<String, u64>> {
    let mut stream = UnixStream::connect(redis.socket()).await?;
    stream.write_all(b"MONITOR\r\n").await?;
    let mut lines = BufReader::new(stream).lines();
    let accepted = lines.next_line().await?;
    ensure!(accepted.as_deref() == Some("+OK"), "MONITOR was refused");
    let until = Instant::now() + window;
    let mut counts = BTreeMap::new();
    while let Ok(line) = timeout_at(until, lines.next_line()).await {
        let Some(line) = line? else { break };
        if let Some(name) = sent_command(&line) {
            *counts.entry(name).or_default() += 1;
        }
    }
    Ok(counts)
}

/// The name in `+1800000000.123456 [0 unix:/path] "GET" "key"`; nothing where a script called it.
fn sent_command(line: &str) -> Option<String> {
    let (head, command) = line.split_once("] \"")?;
    let (name, _) = command.split_once('"')?;
    (!head.ends_with(" lua")).then(|| name.to_lowercase())
}

/// Each of them sends one request, so that both sides have what they need for it.
fn kib_per_connection(address: std::net::SocketAddr, pid: u32) -> Result<f64> {
    let mut crowd = Crowd::open(address, FIRST_CONNECTIONS)?;
    use_all(&mut crowd, FIRST_CONNECTIONS)?;
    let before = MemoryUsage::of(pid)?;
    crowd.grow(CONNECTIONS)?;
    use_all(&mut crowd, CONNECTIONS)?;
    // Whatever a process gives back, it gives back soon.
    std::thread::sleep(SETTLE);
    let after = MemoryUsage::of(pid)?;
    let more = (CONNECTIONS - FIRST_CONNECTIONS) as f64;
    Ok((after.resident_mib - before.resident_mib) * 1024.0 / more)
}

fn use_all(crowd: &mut Crowd, connections: usize) -> Result<()> {
    let requests = Requests::repeat("GET", PATH, None, connections);
    // One after the other, a millisecond apart: people do not come all at once.
    let due: Vec<Duration> = (0..connections as u64).map(Duration::from_millis).collect();
    let replies = play(crowd, &requests, &due)?;
    let refused = replies.iter().find(|it| !it.answer.is_success);
    ensure!(refused.is_none(), "a request was refused: {refused:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_scripts_call_is_not_sent() {
        let sent = r#"+1800000000.123456 [0 unix:/tmp/redis.sock] "XREADGROUP" "GROUP" "g""#;
        assert_eq!(sent_command(sent).as_deref(), Some("xreadgroup"));
        let inside = r#"+1800000000.123456 [0 lua] "GET" "key] \"x""#;
        assert_eq!(sent_command(inside), None);
        assert_eq!(sent_command("+OK"), None);
    }
}
