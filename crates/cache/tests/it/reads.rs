//! The plain paths: where a value comes from, and what it costs.

use redis_two_level_cache::{Cache, CacheMode, Loader};
use testkit::{Redis, unique_prefix, wait_until};

use crate::{
    TEST_TIMEOUT, ask, builder, key, link, read, settle, shared_cache,
    store::{Down, Row, Store},
    subscribed, text, two_nodes, wait_until_subscribed,
};

#[tokio::test]
async fn a_hit_in_memory_sends_no_command() {
    let redis = Redis::shared().await;
    let link = link(&redis.url()).await;
    let cache = Cache::builder("row", link.clone(), Store::with_one());
    let cache = subscribed(cache.prefix(unique_prefix()).early_refresh(0.0)).await;
    settle(&cache, 1).await;
    // The last message about the key may still be on its way, and costs one more read.
    cache.get(&1).await.unwrap();
    let (trips, hits) = (link.round_trips(), cache.stats().l1_hits);
    for _ in 0..1000 {
        assert_eq!(text(&cache, 1).await, "one");
    }
    assert_eq!(link.round_trips(), trips);
    assert_eq!(cache.stats().l1_hits - hits, 1000);
    assert_eq!(cache.stats().loads, 1);
}

#[tokio::test]
async fn a_second_process_finds_the_value_in_redis() {
    let (redis, store) = (Redis::shared().await, Store::with_one());
    let (one, other) = two_nodes(redis, &unique_prefix(), &store).await;
    assert_eq!(text(&one, 1).await, "one");
    assert_eq!(text(&other, 1).await, "one");
    assert_eq!(store.calls(), 1);
    assert_eq!(other.stats().l2_hits, 1);
}

#[tokio::test]
async fn an_absent_row_is_loaded_once() {
    let store = Store::new();
    let cache = shared_cache(&store).await;
    for _ in 0..10 {
        assert_eq!(cache.get(&7).await.unwrap(), None);
    }
    assert_eq!(store.calls(), 1);
}

#[tokio::test]
async fn what_is_present_is_read_without_the_loader() {
    let (redis, store) = (Redis::shared().await, Store::with_one());
    let (one, other) = two_nodes(redis, &unique_prefix(), &store).await;
    assert_eq!(one.get_if_present(&1).await, None);
    assert_eq!(store.calls(), 0);
    other.get_many(&[1, 7]).await.unwrap();
    for _ in 0..2 {
        let present = one.get_if_present(&1).await.expect("Redis holds it");
        assert_eq!(present.unwrap().text, "one");
    }
    assert_eq!(
        one.get_if_present(&7).await,
        Some(None),
        "known to be absent"
    );
    assert_eq!(store.calls(), 1);
    let stats = one.stats();
    assert_eq!((stats.l2_hits, stats.l1_hits), (2, 1));
}

#[tokio::test]
async fn a_new_row_is_seen_after_its_invalidation() {
    let store = Store::new();
    let cache = shared_cache(&store).await;
    assert_eq!(cache.get(&7).await.unwrap(), None);
    let version = store.write(7, "seven");
    cache.invalidate_older(&7, version).await.unwrap();
    assert_eq!(text(&cache, 7).await, "seven");
}

#[tokio::test]
async fn a_batch_costs_one_round_trip_to_read_and_one_call_of_the_loader() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    store.write_many(0..100);
    let (one, _) = two_nodes(redis, &prefix, &store).await;
    let ids: Vec<u64> = (0..120).rev().collect();
    let rows = one.get_many(&ids).await.unwrap();
    for (id, row) in ids.iter().zip(rows) {
        assert_eq!(row.as_deref(), store.row(*id).as_ref());
    }
    assert_eq!((store.calls(), store.keys()), (1, 120));

    let link = link(&redis.url()).await;
    let another = Cache::builder("row", link.clone(), store.clone());
    let another = subscribed(another.prefix(prefix).early_refresh(0.0)).await;
    let trips = link.round_trips();
    another.get_many(&ids).await.unwrap();
    assert_eq!(link.round_trips() - trips, 1);
    assert_eq!(store.calls(), 1);
}

#[tokio::test]
async fn a_batch_and_a_single_read_share_a_load() {
    let store = Store::with_one();
    store.write(2, "two");
    let cache = shared_cache(&store).await;
    store.gate.shut();
    let single = read(&cache, 1);
    store.gate.wait_for(1).await;
    let batch = tokio::spawn({
        let cache = cache.clone();
        async move { cache.get_many(&[1, 2]).await.unwrap() }
    });
    store.gate.wait_for(2).await;
    store.gate.reopen();
    assert_eq!(single.await.unwrap().unwrap().text, "one");
    assert_eq!(batch.await.unwrap()[0].as_ref().unwrap().text, "one");
    assert_eq!((store.calls(), store.keys()), (2, 2));
}

#[tokio::test]
async fn warming_up_loads_in_batches_and_only_what_is_missing() {
    let store = Store::new();
    store.write_many(0..1200);
    let cache = shared_cache(&store).await;
    assert_eq!(cache.warm_up(0..1300).await.unwrap(), 1200);
    assert_eq!((store.calls(), store.keys()), (26, 1300));
    assert_eq!(cache.warm_up(0..1300).await.unwrap(), 1200);
    assert_eq!(store.calls(), 26);
}

#[tokio::test]
async fn after_a_flush_the_keys_in_memory_are_loaded_again_in_batches() {
    let redis = Redis::start().await;
    let store = Store::new();
    store.write_many(0..1200);
    let cache = subscribed(builder(&redis.url(), "", &store).await).await;
    cache.warm_up(0..1200).await.unwrap();
    for id in 0..1200 {
        settle(&cache, id).await;
    }
    let before = (store.calls(), store.keys());
    redis.flush().await;
    wait_until(
        "the bounded number of keys to be loaded",
        TEST_TIMEOUT,
        async || store.keys() >= before.1 + 1000,
    )
    .await;
    assert_eq!(
        (store.calls(), store.keys()),
        (before.0 + 20, before.1 + 1000)
    );
}

#[tokio::test]
async fn right_after_it_is_built_a_pass_through_cache_loads_a_key_once() {
    let (redis, store) = (Redis::shared().await, Store::with_one());
    let cache = builder(&redis.url(), &unique_prefix(), &store).await;
    let cache = cache.mode(CacheMode::PassThrough).build().unwrap();
    assert!(!cache.stats().subscribed);
    store.gate.shut();
    let first = read(&cache, 1);
    store.gate.wait_for(1).await;
    wait_until_subscribed(&cache).await;
    let second = read(&cache, 1);
    wait_until("the second load", TEST_TIMEOUT, async || {
        cache.stats().lease_waits == 1 || store.calls() == 2
    })
    .await;
    store.gate.reopen();
    assert_eq!(first.await.unwrap().unwrap().text, "one");
    assert_eq!(second.await.unwrap().unwrap().text, "one");
    assert_eq!(store.calls(), 1);
}

/// The same rows after their shape has changed.
struct Renumbered(Store);

impl Loader for Renumbered {
    type Key = u64;
    type Value = Row;
    type Error = Down;
    const SCHEMA: u16 = 1;

    async fn load(&self, key: &u64) -> Result<Option<Row>, Down> {
        self.0.load(key).await
    }
}

#[tokio::test]
async fn an_entry_of_another_schema_is_a_miss_and_is_replaced() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let old = builder(&redis.url(), &prefix, &store)
        .await
        .build()
        .unwrap();
    assert_eq!(text(&old, 1).await, "one");
    let link = link(&redis.url()).await;
    let new = Cache::builder("row", link, Renumbered(store.clone()));
    let new = new.prefix(prefix).build().unwrap();
    assert_eq!(new.get(&1).await.unwrap().unwrap().text, "one");
    assert_eq!((store.calls(), new.stats().fills), (2, 1));
}

#[tokio::test]
async fn bytes_that_are_no_entry_are_a_miss_and_are_replaced() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    store.write_many(0..6);
    let cache = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    let header = "\u{2}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    // The release before wrote values by position; this is a whole row of it.
    let of_format_1 = format!("\u{1}{}\0\u{3}old", &header[1..]);
    let absent_with_value = format!("\u{2}\u{1}{}x", &header[2..]);
    let junk = [
        "",
        "junk",
        header,
        &format!("{header}junk"),
        &of_format_1,
        &absent_with_value,
    ];
    for (id, junk) in (0..).zip(junk) {
        let _: () = ask(redis, &["SET", &key(&prefix, id), junk, "PX", "60000"]).await;
        assert_eq!(text(&cache, id).await, format!("row {id}"), "{junk:?}");
        let left_ms: i64 = ask(redis, &["PTTL", &key(&prefix, id)]).await;
        assert!(left_ms > 60_000, "{junk:?}");
    }
    assert_eq!(cache.stats().decode_errors, 3, "of the present format");
}
