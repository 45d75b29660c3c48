//! What claims are measured against: the plain script that decides for one person, as `redis-benchmark` calls it.
//!
//! `redis-benchmark` counts error replies as successes, so the effect is looked at after every run.

use anyhow::{Context, Result, ensure};
use testkit::Redis;
use tokio::process::Command;

/// As many as `redis-benchmark` has by default.
const CLIENTS: &str = "50";
/// So many that a person seldom comes twice.
const PEOPLE: &str = "1000000000";
const STOCK: i64 = 100_000_000;

const SCRIPT: &str = "
if tonumber(redis.call('GET', KEYS[1])) <= 0 then
  return 1
end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
  return 2
end
redis.call('DECR', KEYS[1])
redis.call('SADD', KEYS[2], ARGV[1])
local order = redis.call('INCR', KEYS[3])
redis.call('XADD', KEYS[4], '*', 'user', ARGV[1], 'order', order)
return 0";

const KEYS: [&str; 4] = [
    "{plain}:stock",
    "{plain}:buyers",
    "{plain}:ids",
    "{plain}:orders",
];

/// Where `redis-benchmark` connects to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum By {
    Tcp,
    UnixSocket,
}

/// Calls a second of the plain script, one at a time on each connection.
pub(crate) async fn calls_per_sec(redis: &Redis, by: By, calls: usize) -> Result<f64> {
    let mut connection = redis.connection().await;
    let mut reset = redis::pipe();
    reset.cmd("DEL").arg(&KEYS).ignore();
    reset.cmd("SET").arg(KEYS[0]).arg(STOCK).ignore();
    reset.cmd("SCRIPT").arg("LOAD").arg(SCRIPT);
    let (sha,): (String,) = reset.query_async(&mut connection).await?;
    let mut command = Command::new("redis-benchmark");
    match by {
        By::Tcp => command.args(["-p", &redis.port().to_string()]),
        By::UnixSocket => command.arg("-s").arg(redis.socket()),
    };
    command
        .args([
            "-n",
            &calls.to_string(),
            "-c",
            CLIENTS,
            "-P",
            "1",
            "-r",
            PEOPLE,
        ])
        .args(["--csv", "EVALSHA", &sha, "4"])
        .args(KEYS)
        .arg("__rand_int__");
    let output = command.output().await?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut effect = redis::pipe();
    effect.cmd("GET").arg(KEYS[0]).cmd("XLEN").arg(KEYS[3]);
    effect.cmd("DEL").arg(&KEYS).ignore();
    let (stock, orders): (i64, i64) = effect.query_async(&mut connection).await?;
    let is_right = stock == STOCK - orders && orders > calls as i64 * 99 / 100;
    ensure!(
        is_right,
        "redis-benchmark sold {orders} of {calls}:\n{text}"
    );
    rate(&text).with_context(|| format!("redis-benchmark printed something else: {text}"))
}

/// The second column of the last line.
fn rate(csv: &str) -> Option<f64> {
    let line = csv.lines().last()?;
    let column = line.rsplit("\",\"").nth(6)?;
    column.trim_matches('"').parse().ok()
}
