//! Values with a version that a writer puts into the cache: never over what is newer.

use redis_two_level_cache::{PutError, PutOutcome};
use testkit::{Redis, unique_prefix};

use crate::{
    ask, builder, key, read,
    store::{Row, Store},
    subscribed, text, two_nodes,
};

fn row(version: u64, text: &str) -> Row {
    let text = text.to_owned();
    Row { version, text }
}

#[tokio::test]
async fn a_put_value_is_read_by_all_processes_without_a_load() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (one, other) = two_nodes(redis, &prefix, &store).await;
    for cache in [&one, &other] {
        assert_eq!(text(cache, 1).await, "one");
    }
    let calls = store.calls();
    let put = one.put(&1, row(1, "put")).await.unwrap();
    assert_eq!(put, PutOutcome::Stored);
    assert_eq!(text(&one, 1).await, "put", "a process reads its own puts");
    testkit::wait_until("the other process", crate::TEST_TIMEOUT, async || {
        text(&other, 1).await == "put"
    })
    .await;
    assert_eq!(store.calls(), calls);
}

#[tokio::test]
async fn a_put_that_is_older_than_an_invalidation_is_refused() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (one, other) = two_nodes(redis, &prefix, &store).await;
    // Version 1 is committed, and its put is on the way; version 2 is committed and announced before it arrives.
    store.write(1, "two");
    store.write(1, "three");
    other.invalidate_older(&1, 2).await.unwrap();
    let late = one.put(&1, row(1, "two")).await.unwrap();
    assert_eq!(late, PutOutcome::Superseded);
    assert!(!ask::<bool>(redis, &["EXISTS", &key(&prefix, 1)]).await);
    assert_eq!(text(&one, 1).await, "three");
}

#[tokio::test]
async fn of_two_puts_the_newer_stays_in_either_order() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (one, other) = two_nodes(redis, &prefix, &store).await;
    for (id, order) in [(1, [7, 8]), (2, [8, 7])] {
        for version in order {
            let put = one.put(&id, row(version, &version.to_string()));
            put.await.unwrap();
        }
        assert_eq!(text(&other, id).await, "8");
    }
}

#[tokio::test]
async fn a_load_that_began_before_a_put_does_not_replace_it() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (one, other) = two_nodes(redis, &prefix, &store).await;
    store.gate.shut();
    let early = read(&one, 1);
    store.gate.wait_for(1).await;
    other.put(&1, row(1, "put")).await.unwrap();
    store.gate.reopen();
    assert_eq!(early.await.unwrap().unwrap().text, "one");
    assert_eq!(one.stats().refused_fills, 1);
    assert_eq!(text(&one, 1).await, "put");
    assert_eq!(text(&other, 1).await, "put");
}

#[tokio::test]
async fn a_put_survives_a_restart_of_the_process() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let before = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    before.put(&1, row(1, "put")).await.unwrap();
    drop(before);
    let after = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    assert_eq!(text(&after, 1).await, "put");
    assert_eq!(store.calls(), 0);
}

#[tokio::test]
async fn a_put_without_redis_is_an_error() {
    let (redis, prefix, store) = (Redis::start().await, unique_prefix(), Store::with_one());
    let cache = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    redis.stop_hard();
    let failed = cache.put(&1, row(1, "put")).await;
    assert!(matches!(failed, Err(PutError::Redis(_))), "{failed:?}");
}
