//! A row that changes while it is loaded: readers that started before the change may get the old value, later ones never.

use redis_two_level_cache::CacheMode;
use testkit::{Redis, unique_prefix, wait_until};

use crate::{
    TEST_TIMEOUT, ask, builder, key, kill_subscriptions, read, shared_cache, store::Store,
    subscribed, text, two_nodes, wait_until_subscribed,
};

#[tokio::test]
async fn a_value_read_before_an_invalidation_is_not_stored_after_it() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (one, other) = two_nodes(redis, &prefix, &store).await;
    store.gate.shut();
    let early = read(&one, 1);
    store.gate.wait_for(1).await;
    store.write(1, "changed");
    other.invalidate(&1).await.unwrap();
    store.gate.reopen();
    assert_eq!(early.await.unwrap().unwrap().text, "one");

    assert_eq!(one.stats().refused_fills, 1);
    let stored: bool = ask(redis, &["EXISTS", &key(&prefix, 1)]).await;
    assert!(!stored);
    assert_eq!(text(&one, 1).await, "changed");
    assert_eq!(text(&other, 1).await, "changed");
}

#[tokio::test]
async fn it_is_not_kept_in_memory_either_if_the_invalidation_is_lost() {
    let (redis, prefix, store) = (Redis::start().await, unique_prefix(), Store::with_one());
    let (one, other) = two_nodes(&redis, &prefix, &store).await;
    store.gate.shut();
    let early = read(&one, 1);
    store.gate.wait_for(1).await;
    assert_eq!(kill_subscriptions(&redis).await, 2);
    store.write(1, "changed");
    other.invalidate(&1).await.unwrap();
    store.gate.reopen();
    assert_eq!(early.await.unwrap().unwrap().text, "one");
    assert_eq!(text(&one, 1).await, "changed");
    assert_eq!(text(&other, 1).await, "changed");
}

#[tokio::test]
async fn a_reader_after_an_invalidation_does_not_join_the_load_before_it() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (one, other) = two_nodes(redis, &prefix, &store).await;
    store.gate.shut();
    let early = read(&one, 1);
    store.gate.wait_for(1).await;
    store.write(1, "changed");
    other.invalidate(&1).await.unwrap();
    // The other node's message lets go of the load, although there was no value to delete.
    wait_until("the load to be let go of", TEST_TIMEOUT, async || {
        one.stats().in_flight_loads == 0
    })
    .await;
    let late = read(&one, 1);
    store.gate.wait_for(2).await;
    store.gate.reopen();
    assert_eq!(early.await.unwrap().unwrap().text, "one");
    assert_eq!(late.await.unwrap().unwrap().text, "changed");
}

/// The load that began before the subscription was up may have missed it, and its lease is gone.
#[tokio::test]
async fn a_reader_after_the_subscription_came_up_does_not_get_what_changed_before() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let other = subscribed(builder(&redis.url(), &prefix, &store.other_node()).await).await;
    let cache = builder(&redis.url(), &prefix, &store).await;
    let cache = cache.mode(CacheMode::PassThrough).build().unwrap();
    store.gate.shut();
    let first = read(&cache, 1);
    store.gate.wait_for(1).await;
    store.write(1, "changed");
    other.invalidate(&1).await.unwrap();
    wait_until_subscribed(&cache).await;
    let second = read(&cache, 1);
    store.gate.wait_for(2).await;
    store.gate.reopen();
    assert_eq!(first.await.unwrap().unwrap().text, "one");
    assert_eq!(second.await.unwrap().unwrap().text, "changed");
}

#[tokio::test]
async fn a_process_reads_its_own_writes() {
    let store = Store::with_one();
    let cache = shared_cache(&store).await;
    for round in 0..50 {
        let written = format!("round {round}");
        let version = store.write(1, &written);
        match round % 2 {
            0 => cache.invalidate(&1).await.unwrap(),
            _ => cache.invalidate_older(&1, version).await.unwrap(),
        }
        assert_eq!(text(&cache, 1).await, written);
        assert_eq!(text(&cache, 1).await, written);
    }
}

#[tokio::test]
async fn a_row_older_than_announced_is_not_stored() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let cache = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    // A lagging replica: the announced version is one that the loader has not got yet.
    cache.invalidate_older(&1, 1).await.unwrap();
    assert_eq!(text(&cache, 1).await, "one");
    assert_eq!(text(&cache, 1).await, "one");
    assert_eq!((store.calls(), cache.stats().refused_fills), (2, 2));
    store.write(1, "changed");
    assert_eq!(text(&cache, 1).await, "changed");
    assert_eq!(cache.stats().fills, 1);
}

#[tokio::test]
async fn a_late_invalidation_keeps_the_newer_value() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let cache = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    let version = store.write(1, "changed");
    cache.invalidate_older(&1, version).await.unwrap();
    assert_eq!(text(&cache, 1).await, "changed");
    cache.invalidate_older(&1, version).await.unwrap();
    cache.invalidate_older(&1, version - 1).await.unwrap();
    assert_eq!(text(&cache, 1).await, "changed");
    assert_eq!(store.calls(), 1);
}

#[tokio::test]
async fn versions_compare_as_numbers_however_large() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    let cache = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    for (stored, announced, stays) in [
        (255, 256, false),
        (256, 255, true),
        (u64::MAX - 2, u64::MAX - 1, false),
        (u64::MAX - 1, u64::MAX - 2, true),
        (1 << 53, (1 << 53) + 1, false),
        (0, 0, true),
    ] {
        store.write_version(1, "x", stored);
        cache.invalidate(&1).await.unwrap();
        let _: i64 = ask(redis, &["DEL", &format!("{}:t", key(&prefix, 1))]).await;
        cache.get(&1).await.unwrap();
        cache.invalidate_older(&1, announced).await.unwrap();
        let is_there: bool = ask(redis, &["EXISTS", &key(&prefix, 1)]).await;
        assert_eq!(is_there, stays, "{stored} {announced}");
    }
}
