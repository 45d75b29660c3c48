//! Memory of one process after a change by another, with and without the invalidation of it.

use std::time::Duration;

use testkit::{FaultProxy, Redis, unique_prefix, wait_until};

use crate::{
    TEST_TIMEOUT, ask, builder, settle, store::Store, subscribed, text, two_nodes,
    wait_until_subscribed,
};

#[tokio::test]
async fn a_change_invalidates_the_memory_of_other_processes() {
    let (redis, store) = (Redis::shared().await, Store::with_one());
    let (one, other) = two_nodes(redis, &unique_prefix(), &store).await;
    settle(&other, 1).await;
    store.write(1, "changed");
    one.invalidate(&1).await.unwrap();
    wait_until("the change to be seen", TEST_TIMEOUT, async || {
        text(&other, 1).await == "changed"
    })
    .await;
}

#[tokio::test]
async fn a_change_during_a_lost_subscription_is_seen_after_it() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let proxy = FaultProxy::start(redis.addr()).await;
    let far = format!("redis://{}", proxy.addr());
    let far = subscribed(builder(&far, &prefix, &store).await).await;
    let near = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    settle(&far, 1).await;
    proxy.cut().await;
    wait_until("the gap to be noticed", TEST_TIMEOUT, async || {
        !far.stats().subscribed
    })
    .await;
    store.write(1, "changed");
    near.invalidate(&1).await.unwrap();
    // Not from memory, and Redis cannot be asked: so from the loader.
    assert_eq!(text(&far, 1).await, "changed");
    proxy.pass().await;
    wait_until_subscribed(&far).await;
    assert_eq!(text(&far, 1).await, "changed");
    assert_eq!(far.stats().gaps, 1);
}

#[tokio::test]
async fn a_silently_dead_subscription_is_detected() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let proxy = FaultProxy::start(redis.addr()).await;
    let far = builder(&format!("redis://{}", proxy.addr()), &prefix, &store).await;
    let far = subscribed(far.l2_timeout(Duration::from_millis(100))).await;
    let near = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    settle(&far, 1).await;
    proxy.black_hole().await;
    store.write(1, "changed");
    near.invalidate(&1).await.unwrap();
    wait_until("the change to be seen", TEST_TIMEOUT, async || {
        text(&far, 1).await == "changed"
    })
    .await;
}

#[tokio::test]
async fn a_flushed_redis_is_filled_again_and_nothing_old_is_served() {
    let (redis, store) = (Redis::start().await, Store::with_one());
    let (one, other) = two_nodes(&redis, &unique_prefix(), &store).await;
    settle(&one, 1).await;
    settle(&other, 1).await;
    store.write(1, "changed");
    let _: () = ask(&redis, &["FLUSHALL"]).await;
    for node in [&one, &other] {
        wait_until("the change to be seen", TEST_TIMEOUT, async || {
            text(node, 1).await == "changed"
        })
        .await;
    }
    assert_eq!(store.calls(), 2);
}

#[tokio::test]
async fn an_evicted_entry_leaves_memory_too() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let cache = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    settle(&cache, 1).await;
    store.write(1, "changed");
    let _: i64 = ask(redis, &["DEL", &crate::key(&prefix, 1)]).await;
    wait_until("the change to be seen", TEST_TIMEOUT, async || {
        text(&cache, 1).await == "changed"
    })
    .await;
}

#[tokio::test]
async fn a_key_that_does_not_parse_only_invalidates_all_of_memory() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let cache = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    settle(&cache, 1).await;
    let before = cache.stats().l2_hits;
    let strange = format!("{prefix}cache:{{row:not a number}}");
    let _: () = ask(redis, &["SET", &strange, "x", "PX", "1000"]).await;
    wait_until("the memory to be doubted", TEST_TIMEOUT, async || {
        assert_eq!(text(&cache, 1).await, "one");
        cache.stats().l2_hits > before
    })
    .await;
    assert_eq!(store.calls(), 1);
}
