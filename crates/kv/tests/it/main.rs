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
mod site_signals;
mod visits;

use std::time::Duration;

use kv::Kv;
use link::{Link, Options, Target};
use testkit::{Redis, RedisCluster, unique_prefix};

const PATIENCE: Duration = Duration::from_secs(30);

/// A standalone server and a cluster, where the engine has one: what holds on one must hold on the other.
async fn urls() -> Vec<String> {
    let mut urls = vec![Redis::shared().await.url()];
    if RedisCluster::is_supported() {
        urls.push(RedisCluster::shared().await.url());
    }
    urls
}

/// A fresh corner of each.
async fn both() -> Vec<Kv> {
    let mut both = Vec::new();
    for url in urls().await {
        both.push(at(&url).await);
    }
    both
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
