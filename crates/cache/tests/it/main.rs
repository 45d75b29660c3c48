//! The cache against real servers of every shape, against their absence, and against a model of what may be read.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails it like the test itself"
)]

mod bloom;
mod closures;
mod codecs;
mod coherence;
mod compression;
mod decisions;
mod examples;
mod expiry;
mod history;
mod hub;
mod outage;
mod own_fills;
mod processes;
mod puts;
mod races;
mod reads;
mod shapes;
mod store;
mod tags;
mod unversioned_puts;

use std::{sync::Arc, time::Duration};

use link::{Link, Options, Target};
use redis_two_level_cache::{Builder, Cache, Loader};
use testkit::{Redis, unique_prefix, wait_until};
use tokio::task::JoinHandle;

use crate::store::{Row, Store};

/// Long enough for a busy machine, short enough to notice what hangs.
const TEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeouts short enough to wait for, long enough for a busy machine.
async fn link(url: &str) -> Link {
    let options = Options {
        connect_timeout: Duration::from_millis(500),
        response_timeout: Duration::from_secs(2),
        heartbeat: Duration::from_millis(200),
        ..Options::default()
    };
    let target = Target::parse(url).unwrap();
    Link::connect(&target, options).await.unwrap()
}

/// A cache of this store, as a process of its own would have it, yet to be built. Redis and the loader get all the time
/// that a busy machine may need: where time counts, the test says otherwise.
async fn builder(url: &str, prefix: &str, store: &Store) -> Builder<Store> {
    builder_with(url, prefix, store.clone()).await
}

async fn builder_with<L: Loader>(url: &str, prefix: &str, loader: L) -> Builder<L> {
    Cache::builder("row", link(url).await, loader)
        .prefix(prefix)
        .early_refresh(0.0)
        .l2_timeout(Duration::from_secs(5))
        .loader_soft_timeout(Duration::from_secs(20))
        .hard_timeout(Duration::from_secs(20))
}

/// A cache on the server of this test process, under a prefix of its own, with its subscription up.
async fn shared_cache(store: &Store) -> Cache<Store> {
    let redis = Redis::shared().await;
    subscribed(builder(&redis.url(), &unique_prefix(), store).await).await
}

/// Two nodes over the same rows, each with a gate of its own.
async fn two_nodes(redis: &Redis, prefix: &str, store: &Store) -> (Cache<Store>, Cache<Store>) {
    let one = subscribed(builder(&redis.url(), prefix, store).await).await;
    let other = subscribed(builder(&redis.url(), prefix, &store.other_node()).await).await;
    (one, other)
}

async fn subscribed<L: Loader>(builder: Builder<L>) -> Cache<L> {
    let cache = builder.build().unwrap();
    wait_until_subscribed(&cache).await;
    cache
}

async fn wait_until_subscribed<L: Loader>(cache: &Cache<L>) {
    wait_until("the subscription of the cache", TEST_TIMEOUT, async || {
        cache.stats().subscribed
    })
    .await;
}

async fn text(cache: &Cache<Store>, id: u64) -> String {
    let row = cache.get(&id).await.unwrap().unwrap();
    row.text.clone()
}

/// A read in the background.
fn read(cache: &Cache<Store>, id: u64) -> JoinHandle<Option<Arc<Row>>> {
    let cache = cache.clone();
    tokio::spawn(async move { cache.get(&id).await.unwrap() })
}

/// Reads until the answer comes from memory: the report of a fill makes every process but its author read once more from
/// Redis.
async fn settle(cache: &Cache<Store>, id: u64) {
    wait_until("the entry to settle in memory", TEST_TIMEOUT, async || {
        let before = cache.stats().l1_hits;
        cache.get(&id).await.unwrap();
        cache.stats().l1_hits > before
    })
    .await;
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

/// The key of a value.
fn key(prefix: &str, id: u64) -> String {
    format!("{prefix}cache:{{row:{id}}}")
}

/// Closes the connections that bring messages about keys, and says how many there were.
async fn kill_subscriptions(redis: &Redis) -> usize {
    let clients: String = ask(redis, &["CLIENT", "LIST"]).await;
    let tracks = |word: &str| word.starts_with("flags=") && word.ends_with("tB");
    let subscribers = (clients.lines()).filter(|line| line.split(' ').any(tracks));
    let ids = subscribers.map(|line| line.split([' ', '=']).nth(1).unwrap());
    let ids: Vec<&str> = ids.collect();
    for id in &ids {
        let _: i64 = ask(redis, &["CLIENT", "KILL", "ID", id]).await;
    }
    ids.len()
}
