//! The plain paths: where a value comes from, and what it costs.

use testkit::{Redis, unique_prefix, wait_until};

use crate::{PATIENCE, link, listening, shared_cache, store::Store};

#[tokio::test]
async fn a_value_is_loaded_once_and_then_read_from_memory_without_a_command() {
    let redis = Redis::shared().await;
    let store = Store::with_one();
    let link = link(&redis.url()).await;
    let cache = redis_two_level_cache::Cache::builder("row", link.clone(), store.clone());
    let cache = listening(cache.prefix(unique_prefix())).await;
    assert_eq!(cache.get(&1).await.unwrap().unwrap().text, "one");
    // The message of our own fill makes us read once more from Redis.
    wait_until("the entry to settle in memory", PATIENCE, async || {
        let before = cache.stats().l1_hits;
        cache.get(&1).await.unwrap();
        cache.stats().l1_hits > before
    })
    .await;
    let (trips, hits) = (link.round_trips(), cache.stats().l1_hits);
    for _ in 0..1000 {
        assert_eq!(cache.get(&1).await.unwrap().unwrap().text, "one");
    }
    assert!(cache.stats().l1_hits - hits >= 999);
    assert!(link.round_trips() - trips <= 1);
    assert_eq!(store.calls(), 1);
}

#[tokio::test]
async fn a_row_that_does_not_exist_is_asked_for_once() {
    let store = Store::new();
    let cache = shared_cache(&store).await;
    for _ in 0..10 {
        assert_eq!(cache.get(&7).await.unwrap(), None);
    }
    assert_eq!(store.calls(), 1);
}
