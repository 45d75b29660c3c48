//! The locks against real servers of every shape, against their absence, and against a model of the protocol.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails it like the test itself"
)]

mod cancel;
mod chaos;
mod examples;
mod given;
mod holders;
mod jobs;
mod kinds;
mod loss;
mod lost_reply;
mod model;
mod multi;
mod mutex;
mod processes;
mod readme;
mod reentrant;
mod renewals;
mod shapes;
mod wake;

use std::time::Duration;

use link::{Link, Options as LinkOptions, Target};
use redis_locks::{Locks, Options};
use testkit::{Redis, unique_prefix, wait_until};

/// Long enough for a busy machine, short enough to notice what hangs.
const TEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeouts short enough to wait for, long enough for a busy machine.
async fn link(url: &str) -> Link {
    let options = LinkOptions {
        connect_timeout: Duration::from_millis(500),
        response_timeout: Duration::from_millis(500),
        heartbeat: Duration::from_millis(200),
        ..LinkOptions::default()
    };
    let target = Target::parse(url).unwrap();
    Link::connect(&target, options).await.unwrap()
}

/// Locks of a process of their own, under this prefix.
async fn locks(url: &str, prefix: &str) -> Locks {
    let options = Options {
        prefix: prefix.to_owned(),
        ..Options::default()
    };
    Locks::with_options(link(url).await, options)
}

/// Locks on the server of this test process, under a prefix of their own, which comes along.
async fn shared_locks() -> (Locks, String) {
    let prefix = unique_prefix();
    (locks(&Redis::shared().await.url(), &prefix).await, prefix)
}

async fn ask<T: redis::FromRedisValue>(redis: &Redis, words: &[&str]) -> T {
    let mut cmd = redis::Cmd::new();
    for word in words {
        cmd.arg(word);
    }
    cmd.query_async(&mut redis.connection().await)
        .await
        .unwrap()
}

/// The key of a mutex.
fn key(prefix: &str, name: &str) -> String {
    format!("{prefix}{{mutex:{name}}}")
}

async fn pttl(redis: &Redis, key: &str) -> i64 {
    ask(redis, &["PTTL", key]).await
}

/// Less than after which anything is gone by itself.
const BEFORE_EXPIRY: Duration = Duration::from_secs(3);

async fn wait_until_free(redis: &Redis, key: &str) {
    wait_until("the key to be gone", BEFORE_EXPIRY, async || {
        pttl(redis, key).await == -2
    })
    .await;
}
