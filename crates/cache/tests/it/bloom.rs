//! The filter in front: what it turns away, and that it never turns away what exists.

use std::{convert::Infallible, sync::Arc, time::Duration};

use redis_two_level_cache::{BloomGuard, BloomOptions, Cache, IdSource};
use testkit::{FaultProxy, Redis, RedisCluster, unique_prefix, wait_until};
use tokio::task::JoinSet;

use crate::{TEST_TIMEOUT, ask, builder, link, store::Store, subscribed, text};

/// How many absent ids are tried; the environment may ask for a million.
const PROBES: &str = "REDIS_TWO_LEVEL_CACHE_PROBES";

impl IdSource for Store {
    type Id = u64;
    type Error = Infallible;

    async fn ids_after(&self, last: Option<&u64>, limit: usize) -> Result<Vec<u64>, Infallible> {
        Ok(self.ids_after(last.copied(), limit))
    }
}

async fn guard(url: &str, prefix: &str, store: &Store) -> BloomGuard<u64> {
    let options = BloomOptions {
        prefix: prefix.to_owned(),
        ..BloomOptions::default()
    };
    let guard = BloomGuard::start("row", link(url).await, options, store.clone());
    wait_until_ready(&guard).await;
    guard
}

async fn wait_until_ready(guard: &BloomGuard<u64>) {
    wait_until("the filter to be built", TEST_TIMEOUT, async || {
        guard.is_ready()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn few_random_absent_ids_reach_the_loader() {
    let probes: u64 = std::env::var(PROBES).map_or(20_000, |probes| probes.parse().unwrap());
    let (redis, prefix, store) = (Redis::start().await, unique_prefix(), Store::new());
    store.write_many(0..10_000);
    let guard = guard(&redis.url(), &prefix, &store).await;
    let cache = builder(&redis.url(), &prefix, &store).await.bloom(guard);
    let cache = subscribed(cache).await;
    let mut readers = JoinSet::new();
    for _ in 0..20 {
        let cache = cache.clone();
        readers.spawn(async move {
            for _ in 0..probes / 20 {
                let id = rand::random_range(10_000..u64::MAX);
                assert_eq!(cache.get(&id).await.unwrap(), None);
            }
        });
    }
    readers.join_all().await;
    let share = store.keys() as f64 / probes as f64;
    assert!(share <= 0.01, "{share}");
    // What got through left a negative entry; what did not, left nothing.
    let keys: u64 = ask(&redis, &["DBSIZE"]).await;
    assert!(keys <= probes / 100 + 10, "{keys}");
    for id in (0..10_000).step_by(97) {
        assert_eq!(text(&cache, id).await, format!("row {id}"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_process_rejects_an_announced_id() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    let url = redis.url();
    let one = guard(&url, &prefix, &store).await;
    let others = Arc::new([
        guard(&url, &prefix, &store).await,
        guard(&url, &prefix, &store).await,
    ]);
    let mut writers = JoinSet::new();
    for writer in 0..4_u64 {
        let (one, others) = (one.clone(), others.clone());
        writers.spawn(async move {
            for id in (0..400).map(|number| writer * 1000 + number) {
                one.insert(&id).await.unwrap();
                for other in others.iter() {
                    assert!(other.might_contain(&id).await, "{id}");
                }
            }
        });
    }
    writers.join_all().await;
    let mut absent = 0;
    for id in 10_000..10_500 {
        absent += u64::from(!others[0].might_contain(&id).await);
    }
    assert!(absent > 450, "{absent}");
}

#[tokio::test]
async fn after_a_flush_every_id_passes_until_the_filter_is_rebuilt() {
    let (redis, prefix, store) = (Redis::start().await, unique_prefix(), Store::with_one());
    let (one, other) = (
        guard(&redis.url(), &prefix, &store).await,
        guard(&redis.url(), &prefix, &store).await,
    );
    assert!(!other.might_contain(&5).await);
    store.write(5, "five");
    let _: () = ask(&redis, &["FLUSHALL"]).await;
    assert!(other.might_contain(&5).await);
    store.write(6, "six");
    one.insert(&6).await.unwrap();
    assert!(other.might_contain(&6).await);
    for guard in [&one, &other] {
        wait_until("the filter to be built anew", TEST_TIMEOUT, async || {
            assert!(guard.might_contain(&5).await);
            !guard.might_contain(&7).await
        })
        .await;
    }
}

#[tokio::test]
async fn without_redis_every_id_passes() {
    let (redis, store) = (Redis::shared().await, Store::with_one());
    let proxy = FaultProxy::start(redis.addr()).await;
    let guard = guard(
        &format!("redis://{}", proxy.addr()),
        &unique_prefix(),
        &store,
    )
    .await;
    assert!(!guard.might_contain(&5).await);
    proxy.cut().await;
    assert!(guard.might_contain(&5).await);
    proxy.pass().await;
    wait_until("ids to be turned away again", TEST_TIMEOUT, async || {
        !guard.might_contain(&5).await
    })
    .await;
}

#[tokio::test]
async fn rows_written_without_announcements_pass_after_a_rebuild() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (one, other) = (
        guard(&redis.url(), &prefix, &store).await,
        guard(&redis.url(), &prefix, &store).await,
    );
    store.write_many(0..30_000);
    one.rebuild().await.unwrap();
    for guard in [&one, &other] {
        assert!(guard.might_contain(&29_999).await);
        wait_until("the filter to be built anew", TEST_TIMEOUT, async || {
            !guard.might_contain(&40_000).await
        })
        .await;
        assert!(guard.might_contain(&29_999).await);
    }
}

#[tokio::test]
async fn a_process_too_far_behind_the_log_rebuilds_its_filter() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (one, other) = (
        guard(&redis.url(), &prefix, &store).await,
        guard(&redis.url(), &prefix, &store).await,
    );
    for batch in 0..25_u64 {
        let ids: Vec<u64> = (0..500).map(|number| 100 + batch * 500 + number).collect();
        one.insert_many(&ids).await.unwrap();
    }
    assert!(other.might_contain(&100).await);
    assert!(other.might_contain(&12_599).await);
}

#[tokio::test]
async fn ids_are_announced_on_a_cluster_too() {
    let (url, prefix, store) = (
        RedisCluster::shared().await.url(),
        unique_prefix(),
        Store::new(),
    );
    let (one, other) = (
        guard(&url, &prefix, &store).await,
        guard(&url, &prefix, &store).await,
    );
    assert!(!other.might_contain(&5).await);
    one.insert(&5).await.unwrap();
    assert!(other.might_contain(&5).await);
    let cache = Cache::builder("row", link(&url).await, store.clone()).prefix(&prefix);
    let cache = cache
        .bloom(other)
        .l2_timeout(Duration::from_secs(5))
        .build()
        .unwrap();
    assert_eq!(cache.get(&6).await.unwrap(), None);
    assert_eq!((cache.stats().turned_away, store.calls()), (1, 0));
}
