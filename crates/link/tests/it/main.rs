//! The link against real servers of every shape, and against their absence.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails it like the test itself"
)]

mod blocking;
mod cluster;
mod given;
mod outage;
mod pushes;
mod sentinel;
mod shapes;
mod target;

use std::time::{Duration, Instant};

use redis_link::{Link, LinkError, Options, Target};

/// Long enough for a busy machine, short enough to notice what hangs.
const TEST_TIMEOUT: Duration = Duration::from_secs(30);

fn target(url: &str) -> Target {
    Target::parse(url).unwrap()
}

/// Timeouts short enough to wait for, long enough for a busy machine.
fn options() -> Options {
    Options {
        connect_timeout: Duration::from_millis(500),
        response_timeout: Duration::from_millis(500),
        heartbeat: Duration::from_millis(200),
        ..Options::default()
    }
}

/// A busy machine may need more than one attempt.
async fn connect(url: &str) -> Link {
    connect_with(url, options()).await
}

async fn connect_with(url: &str, options: Options) -> Link {
    let target = target(url);
    let connect = async || Link::connect(&target, options.clone()).await.ok();
    testkit::wait_for("a link", TEST_TIMEOUT, connect).await
}

async fn set(link: &Link, key: &str, value: &str) -> Result<(), LinkError> {
    link.run(redis::cmd("SET").arg(key).arg(value)).await
}

async fn get(link: &Link, key: &str) -> Result<Option<String>, LinkError> {
    link.run(redis::cmd("GET").arg(key)).await
}

async fn incr(link: &Link, key: &str) -> Result<i64, LinkError> {
    link.run(redis::cmd("INCR").arg(key)).await
}

async fn wait_until_working(link: &Link, key: &str) -> Duration {
    let since = Instant::now();
    testkit::wait_until("the link to work", TEST_TIMEOUT, async || {
        incr(link, key).await.is_ok()
    })
    .await;
    since.elapsed()
}
