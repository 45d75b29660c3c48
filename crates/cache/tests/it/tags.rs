//! Tags: one invalidation for all keys under a name, in both levels and every process.

use redis_two_level_cache::{Cache, CacheError, LoadedRows, Loader, NoLoader, PutOutcome};
use testkit::{Redis, RedisCluster, unique_prefix, wait_until};

use crate::{
    TEST_TIMEOUT, ask, builder, builder_with, key, kill_subscriptions,
    store::{Down, Row, Store},
    subscribed,
};

type Texts = NoLoader<u64, String, std::io::Error>;

async fn node(url: &str, prefix: &str) -> Cache<Texts> {
    subscribed(builder_with(url, prefix, Texts::new()).await).await
}

/// Reads a key under these tags; a load gives `text`.
async fn read(cache: &Cache<Texts>, id: u64, tags: &[&str], text: &str) -> String {
    let text = text.to_owned();
    let found = cache.get_tagged(&id, tags.to_vec(), async move || Ok(text));
    found.await.unwrap().as_deref().unwrap().clone()
}

/// Reads until memory answers.
async fn settle(cache: &Cache<Texts>, id: u64, tags: &[&str]) {
    wait_until("the entry to be in memory", TEST_TIMEOUT, async || {
        let before = cache.stats().l1_hits;
        read(cache, id, tags, "not loaded again").await;
        cache.stats().l1_hits > before
    })
    .await;
}

#[tokio::test]
async fn an_invalidated_tag_voids_its_keys_in_every_process_and_no_others() {
    let redis = Redis::shared().await;
    let cluster = RedisCluster::shared().await;
    for url in [redis.url(), cluster.url()] {
        let prefix = unique_prefix();
        let (one, other) = (node(&url, &prefix).await, node(&url, &prefix).await);
        for (id, tags) in [(1, &["a"][..]), (2, &["a", "b"]), (3, &["b"]), (4, &[])] {
            assert_eq!(read(&one, id, tags, "old").await, "old");
            for cache in [&one, &other] {
                assert_eq!(read(cache, id, tags, "not loaded").await, "old");
                settle(cache, id, tags).await;
            }
        }
        one.invalidate_tag("a").await.unwrap();
        for (id, tags, expected) in [
            (1, &["a"][..], "new"),
            (2, &["a", "b"], "new"),
            (3, &["b"], "old"),
            (4, &[], "old"),
        ] {
            assert_eq!(read(&one, id, tags, "new").await, expected, "{id}");
            wait_until("the other process", TEST_TIMEOUT, async || {
                read(&other, id, tags, "not loaded").await == expected
            })
            .await;
        }
    }
}

#[tokio::test]
async fn a_load_that_began_before_the_invalidation_is_void() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let url = redis.url();
    let (one, other) = (node(&url, &prefix).await, node(&url, &prefix).await);
    let invalidating = other.clone();
    let load = async move || {
        invalidating.invalidate_tag("a").await.unwrap();
        Ok("old".to_owned())
    };
    let early = one.get_tagged(&1, ["a"], load).await.unwrap();
    assert_eq!(
        early.as_deref().unwrap(),
        "old",
        "it was current when asked for"
    );
    for cache in [&one, &other] {
        assert_eq!(cache.get_if_present(&1).await, None);
    }
    assert_eq!(read(&other, 1, &["a"], "new").await, "new");
    assert_eq!(read(&one, 1, &["a"], "not loaded").await, "new");
}

#[tokio::test]
async fn a_reader_after_the_invalidation_does_not_join_the_load_before_it() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let cache = node(&redis.url(), &prefix).await;
    let (started, mut is_started) = tokio::sync::watch::channel(false);
    let (finish, mut is_finished) = tokio::sync::watch::channel(false);
    let early = tokio::spawn({
        let cache = cache.clone();
        async move {
            let load = async move || {
                started.send_replace(true);
                is_finished.wait_for(|it| *it).await.unwrap();
                Ok("old".to_owned())
            };
            cache.get_tagged(&1, ["a"], load).await.unwrap()
        }
    });
    is_started.wait_for(|it| *it).await.unwrap();
    cache.invalidate_tag("a").await.unwrap();
    let late = tokio::spawn({
        let cache = cache.clone();
        async move { read(&cache, 1, &["a"], "new").await }
    });
    // The late reader waits for the lease of the early load, which is not what it joins.
    wait_until("the late reader to wait", TEST_TIMEOUT, async || {
        cache.stats().lease_waits == 1
    })
    .await;
    finish.send_replace(true);
    assert_eq!(early.await.unwrap().as_deref().unwrap(), "old");
    assert_eq!(late.await.unwrap(), "new");
}

#[tokio::test]
async fn an_invalidation_that_is_not_heard_is_noticed() {
    let (redis, prefix) = (Redis::start().await, unique_prefix());
    let url = redis.url();
    let (one, other) = (node(&url, &prefix).await, node(&url, &prefix).await);
    read(&one, 1, &["a"], "old").await;
    settle(&one, 1, &["a"]).await;
    assert_eq!(kill_subscriptions(&redis).await, 2);
    other.invalidate_tag("a").await.unwrap();
    wait_until("the loss to be noticed", TEST_TIMEOUT, async || {
        one.stats().gaps > 0
    })
    .await;
    assert_eq!(read(&one, 1, &["a"], "new").await, "new");
}

#[tokio::test]
async fn a_version_that_redis_has_lost_brings_nothing_back() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let url = redis.url();
    let one = node(&url, &prefix).await;
    read(&one, 1, &["a"], "old").await;
    one.invalidate_tag("a").await.unwrap();
    read(&one, 2, &["a"], "makes another version").await;
    let version = format!("{prefix}cache-tag:{{row:a}}");
    assert_eq!(
        ask::<i64>(redis, &["DEL", &version]).await,
        1,
        "it is evicted"
    );
    let other = node(&url, &prefix).await;
    for cache in [&one, &other] {
        assert_eq!(cache.get_if_present(&1).await, None);
    }
    assert_eq!(read(&other, 1, &["a"], "new").await, "new");
}

#[tokio::test]
async fn tags_survive_a_restart_of_the_process() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let before = node(&redis.url(), &prefix).await;
    read(&before, 1, &["a"], "one").await;
    read(&before, 2, &["b"], "two").await;
    drop(before);
    let after = node(&redis.url(), &prefix).await;
    after.invalidate_tag("a").await.unwrap();
    assert_eq!(read(&after, 1, &["a"], "new").await, "new");
    assert_eq!(read(&after, 2, &["b"], "new").await, "two");
}

#[tokio::test]
async fn a_value_with_too_many_tags_is_not_stored() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let cache = node(&redis.url(), &prefix).await;
    let tags: Vec<String> = (0..33).map(|number| format!("tag {number}")).collect();
    let load = async || Ok("text".to_owned());
    let found: Result<_, CacheError<_>> = cache.get_tagged(&1, tags, load).await;
    assert_eq!(found.unwrap().as_deref().unwrap(), "text");
    let stats = cache.stats();
    assert_eq!((stats.fills, stats.encode_errors), (0, 1));
}

#[tokio::test]
async fn an_invalidation_without_redis_is_an_error_and_counts_for_this_process() {
    let (redis, prefix) = (Redis::start().await, unique_prefix());
    let cache = node(&redis.url(), &prefix).await;
    read(&cache, 1, &["a"], "old").await;
    settle(&cache, 1, &["a"]).await;
    redis.stop_hard();
    assert!(cache.invalidate_tag("a").await.is_err());
    assert_eq!(read(&cache, 1, &["a"], "new").await, "new");
}

#[tokio::test]
async fn a_load_without_redis_does_not_wait_for_tags() {
    let (redis, prefix) = (Redis::start().await, unique_prefix());
    let cache = node(&redis.url(), &prefix).await;
    redis.stop_hard();
    wait_until("the breaker to open", TEST_TIMEOUT, async || {
        read(&cache, 0, &["a"], "text").await;
        cache.invalidate(&0).await.unwrap_err();
        cache.stats().breaker_open
    })
    .await;
    let before = cache.stats().l2_errors;
    for id in 1..=20 {
        assert_eq!(read(&cache, id, &["a"], "text").await, "text");
    }
    // The breaker lets a probe through now and then.
    let errors = cache.stats().l2_errors - before;
    assert!(
        errors < 10,
        "{errors} calls of a Redis that is known to be down"
    );
}

/// Rows of shops: odd ids are of shop 1, even ones of shop 0.
struct Shops(Store);

impl Loader for Shops {
    type Key = u64;
    type Value = Row;
    type Error = Down;

    async fn load(&self, id: &u64) -> Result<Option<Row>, Down> {
        self.0.load(id).await
    }

    async fn load_many(&self, ids: &[u64]) -> Result<LoadedRows<Self>, Down> {
        self.0.load_many(ids).await
    }

    fn version(row: &Row) -> Option<u64> {
        Some(row.version)
    }

    fn tags(&self, id: &u64) -> Vec<String> {
        vec!["all".to_owned(), format!("shop {}", id % 2)]
    }
}

async fn shops(redis: &Redis, prefix: &str, store: &Store) -> Cache<Shops> {
    subscribed(builder_with(&redis.url(), prefix, Shops(store.clone())).await).await
}

#[tokio::test]
async fn keys_are_filled_under_the_tags_of_the_loader() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    store.write_many(1..5);
    let cache = shops(redis, &prefix, &store).await;
    // Alone, and in a batch.
    cache.get(&1).await.unwrap();
    cache.get_many(&[2, 3, 4]).await.unwrap();
    for (tag, loaded) in [("shop 1", 2), ("shop 0", 2), ("all", 4), ("shop 2", 0)] {
        let before = store.keys();
        cache.invalidate_tag(tag).await.unwrap();
        cache.get_many(&[1, 2, 3, 4]).await.unwrap();
        assert_eq!(store.keys() - before, loaded, "{tag}");
    }
}

#[tokio::test]
async fn a_put_of_a_key_with_tags_stores_nothing_and_voids_what_is_older() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let cache = shops(redis, &prefix, &store).await;
    let text = async || cache.get(&1).await.unwrap().unwrap().text.clone();
    assert_eq!(text().await, "one");
    let version = store.write(1, "two");
    let row = Row {
        version,
        text: "put".to_owned(),
    };
    let put = cache.put(&1, row).await.unwrap();
    assert_eq!(put, PutOutcome::Invalidated);
    assert!(!ask::<bool>(redis, &["EXISTS", &key(&prefix, 1)]).await);
    assert_eq!(text().await, "two");
}

#[tokio::test]
async fn a_reload_after_a_flush_keeps_the_tags_that_the_caller_named() {
    let (redis, prefix, store) = (Redis::start().await, unique_prefix(), Store::with_one());
    let cache = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    let text = async || {
        let rows = store.clone();
        let load = async move || rows.load(&1).await;
        let row = cache.get_tagged(&1, ["a"], load).await.unwrap().unwrap();
        row.text.clone()
    };
    assert_eq!(text().await, "one");
    redis.flush().await;
    wait_until("the cache to reload the key", TEST_TIMEOUT, async || {
        cache.stats().fills == 2
    })
    .await;
    assert_eq!(store.calls(), 2);
    store.write(1, "two");
    cache.invalidate_tag("a").await.unwrap();
    assert_eq!(text().await, "two");
}
