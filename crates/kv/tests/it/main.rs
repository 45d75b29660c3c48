//! Our Redis data against a real Redis, alone and as a cluster.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do its helpers, which the lint takes for ordinary code"
)]

mod check_ins;
mod codes;
mod feeds;
mod follows;
mod geo;
mod hot_notes;
mod idempotency;
mod limits;
mod note_likes;
mod own_likes;
mod passwords;
mod sessions;
mod visits;

use std::time::Duration;

use kv::Kv;
use link::{Link, Options, Target};
use testkit::{Redis, RedisCluster, unique_prefix};

const PATIENCE: Duration = Duration::from_secs(30);

/// Fresh corners of a standalone server and of a cluster: what holds on one must hold on the other.
async fn both() -> [Kv; 2] {
    [
        at(&Redis::shared().await.url()).await,
        at(&RedisCluster::shared().await.url()).await,
    ]
}

async fn at(url: &str) -> Kv {
    with_prefix(url, &unique_prefix()).await
}

async fn with_prefix(url: &str, prefix: &str) -> Kv {
    let target = Target::parse(url).unwrap();
    // A busy machine is slow, not broken.
    let options = Options {
        connect_timeout: PATIENCE,
        response_timeout: PATIENCE,
        ..Options::default()
    };
    let link = Link::connect(&target, options).await.unwrap();
    Kv::new(link, prefix)
}
