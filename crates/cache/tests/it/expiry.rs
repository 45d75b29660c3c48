//! Values past their soft expiry, loaders that fail, and how long anybody waits.

use std::{sync::Arc, time::Duration};

use redis_two_level_cache::{Builder, Cache, CacheError, CacheMode};
use testkit::{Redis, unique_prefix, wait_until};

use crate::{TEST_TIMEOUT, ask, builder, key, read, shared_cache, store::Store, subscribed, text};

async fn fresh_builder(store: &Store) -> Builder<Store> {
    builder(&Redis::shared().await.url(), &unique_prefix(), store).await
}

/// A cache whose row 1 has passed its soft expiry. That is brought about by taking time from its key in Redis, so no
/// test waits for it.
async fn stale_cache(store: &Store, mode: CacheMode) -> Cache<Store> {
    stale(store, async |builder| builder.mode(mode)).await
}

async fn stale(
    store: &Store,
    set: impl AsyncFnOnce(Builder<Store>) -> Builder<Store>,
) -> Cache<Store> {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let before = subscribed(builder(&redis.url(), &prefix, store).await).await;
    assert_eq!(text(&before, 1).await, "one");
    // Fifty minutes of grace: with less left than that, it is past its soft expiry.
    let _: i64 = ask(redis, &["PEXPIRE", &key(&prefix, 1), "1000000"]).await;
    let builder = builder(&redis.url(), &prefix, store).await;
    subscribed(set(builder).await).await
}

#[tokio::test]
async fn with_logical_expiry_no_reader_waits_for_an_expired_value() {
    let store = Store::with_one();
    let cache = stale_cache(&store, CacheMode::LogicalExpiry).await;
    store.write(1, "changed");
    store.gate.shut();
    // No load can finish, so a reader that waited for one would wait until the soft timeout.
    let reads = async {
        for _ in 0..1000 {
            assert_eq!(text(&cache, 1).await, "one");
        }
    };
    let in_time = tokio::time::timeout(TEST_TIMEOUT / 3, reads).await;
    in_time.expect("no reader waits for a load");
    store.gate.wait_for(1).await;
    assert_eq!(store.calls(), 2);
    store.gate.reopen();
    wait_until("the new value to be there", TEST_TIMEOUT, async || {
        text(&cache, 1).await == "changed"
    })
    .await;
    assert_eq!(store.calls(), 2);
    assert!(cache.stats().stale_serves >= 1000);
}

#[tokio::test]
async fn with_logical_expiry_no_reader_waits_after_a_flush() {
    let (redis, store) = (Redis::start().await, Store::with_one());
    let builder = builder(&redis.url(), "", &store).await;
    let cache = subscribed(builder.mode(CacheMode::LogicalExpiry)).await;
    assert_eq!(text(&cache, 1).await, "one");
    store.write(1, "changed");
    store.gate.shut();
    // The old value is served for a second only, which a busy machine may take for anything, so there are several flushes.
    wait_until("the old value to be served", TEST_TIMEOUT, async || {
        redis.flush().await;
        store.gate.wait_for(1).await;
        let read = tokio::time::timeout(Duration::from_millis(200), text(&cache, 1));
        read.await.is_ok_and(|text| text == "one")
    })
    .await;
    store.gate.reopen();
    wait_until("the new value to be there", TEST_TIMEOUT, async || {
        text(&cache, 1).await == "changed"
    })
    .await;
}

#[tokio::test]
async fn with_a_mutex_readers_wait_for_the_new_value() {
    let store = Store::with_one();
    let cache = stale_cache(&store, CacheMode::Mutex).await;
    store.write(1, "changed");
    assert_eq!(text(&cache, 1).await, "changed");
    assert_eq!(store.calls(), 2);
}

#[tokio::test]
async fn readers_of_a_slow_load_get_the_old_value() {
    let store = Store::with_one();
    let soft = Duration::from_millis(50);
    let cache = stale(&store, async |builder| builder.loader_soft_timeout(soft)).await;
    store.write(1, "changed");
    store.gate.shut();
    assert_eq!(text(&cache, 1).await, "one");
    store.gate.reopen();
    wait_until(
        "the load to finish in the background",
        TEST_TIMEOUT,
        async || text(&cache, 1).await == "changed",
    )
    .await;
    assert_eq!(store.calls(), 2);
}

#[tokio::test]
async fn a_failed_load_serves_the_old_value_and_delays_the_next_call() {
    for mode in [
        CacheMode::PassThrough,
        CacheMode::Mutex,
        CacheMode::LogicalExpiry,
    ] {
        let store = Store::with_one();
        let cache = stale_cache(&store, mode).await;
        store.set_down(true);
        assert_eq!(text(&cache, 1).await, "one");
        wait_until("the load to have failed", TEST_TIMEOUT, async || {
            cache.stats().load_errors == 1
        })
        .await;
        let calls = store.calls();
        for _ in 0..100 {
            assert_eq!(text(&cache, 1).await, "one");
        }
        assert!(store.calls() <= calls + 1, "{mode:?}");
        store.set_down(false);
        store.write(1, "changed");
        wait_until("the loader to be tried again", TEST_TIMEOUT, async || {
            text(&cache, 1).await == "changed"
        })
        .await;
    }
}

#[tokio::test]
async fn an_invalidated_value_is_no_fallback_for_the_loader() {
    let store = Store::with_one();
    let cache = stale_cache(&store, CacheMode::LogicalExpiry).await;
    assert_eq!(text(&cache, 1).await, "one");
    cache.invalidate(&1).await.unwrap();
    store.set_down(true);
    let outcome = cache.get(&1).await;
    assert!(matches!(outcome, Err(CacheError::Loader(_))), "{outcome:?}");
}

#[tokio::test]
async fn without_an_old_value_all_readers_get_the_error_and_the_next_one_retries() {
    let store = Store::with_one();
    let cache = shared_cache(&store).await;
    store.set_down(true);
    store.gate.shut();
    let readers: Vec<_> = (0..10)
        .map(|_| {
            let cache = cache.clone();
            tokio::spawn(async move { cache.get(&1).await })
        })
        .collect();
    store.gate.wait_for(1).await;
    store.gate.reopen();
    for reader in readers {
        let outcome = reader.await.unwrap();
        assert!(matches!(outcome, Err(CacheError::Loader(_))));
    }
    store.set_down(false);
    assert_eq!(text(&cache, 1).await, "one");
}

#[tokio::test]
async fn a_load_that_hangs_is_dropped_at_the_hard_timeout() {
    let store = Store::with_one();
    let limit = Duration::from_millis(200);
    let cache = fresh_builder(&store).await.loader_soft_timeout(limit);
    let cache = subscribed(cache.hard_timeout(limit)).await;
    store.gate.shut();
    let outcome = tokio::time::timeout(TEST_TIMEOUT, cache.get(&1)).await;
    let outcome = outcome.expect("the wait is bounded");
    assert!(matches!(outcome, Err(CacheError::TimedOut(after)) if after == limit));
    store.gate.reopen();
    assert_eq!(text(&cache, 1).await, "one");
}

#[tokio::test]
async fn a_value_is_refreshed_before_it_expires_and_no_reader_waits() {
    let store = Store::with_one();
    // So eager that the first reader draws the lot.
    let cache = fresh_builder(&store).await.early_refresh(1e12);
    let cache = subscribed(cache).await;
    store.gate.shut();
    let first = read(&cache, 1);
    store.gate.wait_for(1).await;
    // Time passes at the gate, so that the load took some.
    tokio::time::sleep(Duration::from_millis(5)).await;
    store.gate.reopen();
    first.await.unwrap();
    store.write(1, "changed");
    store.gate.shut();
    // No load can finish.
    wait_until("the refresh to begin", TEST_TIMEOUT, async || {
        assert_eq!(text(&cache, 1).await, "one");
        store.calls() == 2
    })
    .await;
    assert_eq!(text(&cache, 1).await, "one");
    store.gate.reopen();
    wait_until("the refresh to be seen", TEST_TIMEOUT, async || {
        text(&cache, 1).await == "changed"
    })
    .await;
}

#[tokio::test]
async fn entries_written_together_do_not_expire_together() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    store.write_many(0..50);
    let cache = subscribed(builder(&redis.url(), &prefix, &store).await.jitter(0.5)).await;
    cache.warm_up(0..50).await.unwrap();
    let mut lives = Vec::new();
    for id in 0..50 {
        let left_ms: i64 = ask(redis, &["PTTL", &key(&prefix, id)]).await;
        lives.push(left_ms / 1000);
    }
    // Ten minutes of freshness, up to half of it taken away, and fifty minutes of grace.
    assert!(
        lives.iter().all(|life| (3290..=3600).contains(life)),
        "{lives:?}"
    );
    lives.sort_unstable();
    assert!(lives[49] - lives[0] > 60, "{lives:?}");
}

#[tokio::test]
async fn readers_share_one_value_and_not_copies_of_it() {
    let cache = shared_cache(&Store::with_one()).await;
    crate::settle(&cache, 1).await;
    let (one, other) = (cache.get(&1).await.unwrap(), cache.get(&1).await.unwrap());
    assert!(Arc::ptr_eq(&one.unwrap(), &other.unwrap()));
}
