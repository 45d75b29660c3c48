//! Caches that share one push connection.

use redis_two_level_cache::{Cache, CacheHub};
use testkit::{Redis, unique_prefix, wait_until};

use crate::{
    TEST_TIMEOUT, ask, kill_subscriptions, link, settle, store::Store, text, wait_until_subscribed,
};

async fn built(hub: &CacheHub, name: &str, store: &Store) -> Cache<Store> {
    let cache = hub.builder(name, store.clone()).early_refresh(0.0);
    let cache = cache.build().unwrap();
    wait_until_subscribed(&cache).await;
    cache
}

async fn push_connections(redis: &Redis) -> usize {
    let clients: String = ask(redis, &["CLIENT", "LIST"]).await;
    let tracks = |word: &str| word.starts_with("flags=") && word.ends_with("tB");
    let lines = clients.lines();
    lines.filter(|line| line.split(' ').any(tracks)).count()
}

#[tokio::test]
async fn five_caches_of_a_hub_share_one_connection_and_hear_their_own_keys() {
    let (redis, prefix) = (Redis::start().await, unique_prefix());
    let hub = CacheHub::new(link(&redis.url()).await, prefix.as_str());
    let elsewhere = CacheHub::new(link(&redis.url()).await, prefix.as_str());
    let mut pairs = Vec::new();
    for name in ["a", "b", "c", "d", "e"] {
        let store = Store::with_one();
        let here = built(&hub, name, &store).await;
        let there = built(&elsewhere, name, &store.other_node()).await;
        settle(&here, 1).await;
        pairs.push((store, here, there));
    }
    assert_eq!(push_connections(&redis).await, 2, "one per hub");
    for changed in 0..pairs.len() {
        let (store, here, there) = &pairs[changed];
        let before: Vec<u64> = pairs.iter().map(|(_, it, _)| it.stats().l1_hits).collect();
        store.write(1, "changed");
        there.invalidate(&1).await.unwrap();
        wait_until("the change", TEST_TIMEOUT, async || {
            text(here, 1).await == "changed"
        })
        .await;
        for (number, (_, other, _)) in pairs.iter().enumerate() {
            if number != changed {
                other.get(&1).await.unwrap();
                assert_eq!(other.stats().l1_hits, before[number] + 1, "not its key");
            }
        }
    }
}

#[tokio::test]
async fn a_cache_that_joins_a_connected_hub_is_subscribed_at_once() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let hub = CacheHub::new(link(&redis.url()).await, prefix.as_str());
    built(&hub, "first", &Store::with_one()).await;
    let store = Store::with_one();
    let second = hub.builder("second", store).build().unwrap();
    assert!(second.stats().subscribed);
}

#[tokio::test]
async fn all_caches_distrust_memory_when_the_shared_connection_is_lost() {
    let (redis, prefix) = (Redis::start().await, unique_prefix());
    let hub = CacheHub::new(link(&redis.url()).await, prefix.as_str());
    let (a, b) = (Store::with_one(), Store::with_one());
    let caches = [built(&hub, "a", &a).await, built(&hub, "b", &b).await];
    for cache in &caches {
        settle(cache, 1).await;
    }
    assert_eq!(kill_subscriptions(&redis).await, 1);
    for (name, store) in [("a", &a), ("b", &b)] {
        store.write(1, "changed");
        let key = format!("{prefix}cache:{{{name}:1}}");
        let _: i64 = ask(&redis, &["DEL", &key]).await;
    }
    for cache in &caches {
        wait_until("the loss to be noticed", TEST_TIMEOUT, async || {
            cache.stats().gaps == 1
        })
        .await;
        assert_eq!(text(cache, 1).await, "changed");
        wait_until_subscribed(cache).await;
    }
}

#[tokio::test]
async fn the_connection_ends_with_the_last_cache_and_not_before() {
    let (redis, prefix) = (Redis::start().await, unique_prefix());
    let hub = CacheHub::new(link(&redis.url()).await, prefix.as_str());
    let one = built(&hub, "a", &Store::with_one()).await;
    let other = built(&hub, "b", &Store::with_one()).await;
    drop((hub, one));
    assert!(other.stats().subscribed);
    assert_eq!(push_connections(&redis).await, 1);
    drop(other);
    wait_until("the connection to end", TEST_TIMEOUT, async || {
        push_connections(&redis).await == 0
    })
    .await;
}
