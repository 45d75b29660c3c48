//! Crowds, and what becomes of them when the one who loads goes away, or Redis does.

use std::{
    pin::Pin,
    time::{Duration, Instant},
};

use futures_util::{
    future::{JoinAll, join_all},
    poll,
};

use redis_two_level_cache::{Cache, CacheError, CacheMode};
use testkit::{FaultProxy, Redis, unique_prefix, wait_until};

use crate::{
    TEST_TIMEOUT, ask, builder, read, settle, shared_cache, store::Store, subscribed, text,
    wait_until_subscribed,
};

const CROWD: usize = 10_000;

type Reader = Pin<Box<dyn Future<Output = String> + Send>>;

/// Readers of row 1, each of which has got as far as it can.
async fn readers(cache: &Cache<Store>) -> JoinAll<Reader> {
    let reader = |_| -> Reader {
        let cache = cache.clone();
        Box::pin(async move { text(&cache, 1).await })
    };
    let mut readers = join_all((0..CROWD).map(reader));
    assert!(poll!(&mut readers).is_pending());
    readers
}

#[tokio::test]
async fn one_load_serves_all_readers_although_the_first_is_cancelled() {
    let store = Store::with_one();
    let cache = shared_cache(&store).await;
    store.gate.shut();
    let leader = read(&cache, 1);
    store.gate.wait_for(1).await;
    let readers = readers(&cache).await;
    leader.abort();
    assert!(leader.await.unwrap_err().is_cancelled());
    store.gate.reopen();
    assert!(readers.await.iter().all(|text| text == "one"));
    assert_eq!(store.calls(), 1);
}

#[tokio::test]
async fn one_load_serves_all_readers_although_redis_dies_during_it() {
    let (redis, store) = (Redis::start().await, Store::with_one());
    let cache = subscribed(builder(&redis.url(), &unique_prefix(), &store).await).await;
    store.gate.shut();
    let first = read(&cache, 1);
    store.gate.wait_for(1).await;
    let readers = readers(&cache).await;
    redis.stop_hard();
    store.gate.reopen();
    first.await.unwrap();
    assert!(readers.await.iter().all(|text| text == "one"));
    assert_eq!(store.calls(), 1);
}

#[tokio::test]
async fn without_redis_one_load_serves_all_readers() {
    let (redis, store) = (Redis::start().await, Store::with_one());
    let cache = subscribed(builder(&redis.url(), &unique_prefix(), &store).await).await;
    redis.stop_hard();
    store.gate.shut();
    let readers = readers(&cache).await;
    store.gate.wait_for(1).await;
    store.gate.reopen();
    assert!(readers.await.iter().all(|text| text == "one"));
    assert_eq!((store.calls(), cache.stats().bypasses), (1, 1));
}

#[tokio::test]
async fn a_loader_panic_is_an_error_for_all_readers_and_the_cache_goes_on() {
    let store = Store::with_one();
    let cache = shared_cache(&store).await;
    store.set_panics(true);
    let outcome = cache.get(&1).await;
    assert!(matches!(outcome, Err(CacheError::Abandoned)));
    store.set_panics(false);
    assert_eq!(text(&cache, 1).await, "one");
}

#[tokio::test]
async fn a_process_that_dies_while_loading_is_replaced() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (doomed_store, limit) = (store.other_node(), Duration::from_secs(20));
    doomed_store.gate.shut();
    let url = redis.url();
    let doomed = {
        let prefix = prefix.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let cache = subscribed(builder(&url, &prefix, &doomed_store).await).await;
                drop(read(&cache, 1));
                doomed_store.gate.wait_for(1).await;
            });
            // Ends its tasks where they are, and its connections with them.
            runtime.shutdown_background();
        })
    };
    tokio::task::spawn_blocking(|| doomed.join().unwrap())
        .await
        .unwrap();
    let since = Instant::now();
    let cache = subscribed(
        builder(&redis.url(), &prefix, &store)
            .await
            .hard_timeout(limit),
    )
    .await;
    assert_eq!(text(&cache, 1).await, "one");
    assert!(since.elapsed() < limit / 2);
    assert_eq!(cache.stats().fills, 1);
}

#[tokio::test]
async fn a_lease_is_renewed_while_the_loader_runs() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let cache = builder(&redis.url(), &prefix, &store).await;
    // The lease of a load that may take four seconds lives for two.
    let cache = cache.loader_soft_timeout(Duration::from_secs(4));
    let cache = subscribed(cache.hard_timeout(Duration::from_secs(4))).await;
    store.gate.shut();
    let reader = read(&cache, 1);
    store.gate.wait_for(1).await;
    let lease = format!("{prefix}cache-lease:{{row:1}}");
    let mut least_ms = i64::MAX;
    wait_until("the lease to be renewed", TEST_TIMEOUT, async || {
        let left_ms: i64 = ask(redis, &["PTTL", &lease]).await;
        assert!(left_ms <= 2000, "{left_ms}");
        least_ms = least_ms.min(left_ms);
        left_ms > least_ms
    })
    .await;
    store.gate.reopen();
    reader.await.unwrap();
    assert_eq!(cache.stats().fills, 1);
}

#[tokio::test]
async fn with_pass_through_no_process_waits_for_another() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let slow_store = store.other_node();
    let mode =
        |builder: redis_two_level_cache::Builder<Store>| builder.mode(CacheMode::PassThrough);
    let slow = subscribed(mode(builder(&redis.url(), &prefix, &slow_store).await)).await;
    let quick = subscribed(mode(builder(&redis.url(), &prefix, &store).await)).await;
    slow_store.gate.shut();
    let waiting = read(&slow, 1);
    slow_store.gate.wait_for(1).await;
    assert_eq!(text(&quick, 1).await, "one");
    slow_store.gate.reopen();
    waiting.await.unwrap();
    assert_eq!(
        (store.calls(), quick.stats().fills, slow.stats().fills),
        (2, 0, 1)
    );
}

#[tokio::test]
async fn with_a_mutex_other_processes_wait_and_do_not_load() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (slow, quick) = crate::two_nodes(redis, &prefix, &store).await;
    store.gate.shut();
    let first = read(&slow, 1);
    store.gate.wait_for(1).await;
    let second = read(&quick, 1);
    wait_until("the other to wait", TEST_TIMEOUT, async || {
        quick.stats().lease_waits == 1
    })
    .await;
    store.gate.reopen();
    assert_eq!(first.await.unwrap(), second.await.unwrap());
    assert_eq!((store.calls(), quick.stats().loads), (1, 0));
}

#[tokio::test]
async fn a_stalled_redis_opens_the_breaker_until_it_recovers() {
    let (redis, store) = (Redis::shared().await, Store::new());
    store.write_many(0..100);
    let proxy = FaultProxy::start(redis.addr()).await;
    let url = format!("redis://{}", proxy.addr());
    let builder = builder(&url, &unique_prefix(), &store).await;
    let cache = subscribed(builder.l2_timeout(Duration::from_millis(100))).await;
    settle(&cache, 0).await;
    proxy.black_hole().await;
    for id in 1..=3 {
        assert_eq!(text(&cache, id).await, format!("row {id}"));
    }
    assert!(cache.stats().breaker_open);
    // Each of these would cost the timeout if it were tried.
    let (errors, since) = (cache.stats().l2_errors, Instant::now());
    for id in 4..100 {
        assert_eq!(text(&cache, id).await, format!("row {id}"));
    }
    let probes = cache.stats().l2_errors - errors;
    assert!(
        u128::from(probes) <= 1 + since.elapsed().as_millis() / 500,
        "{probes} probes"
    );
    proxy.pass().await;
    wait_until_subscribed(&cache).await;
    wait_until("redis to be used again", TEST_TIMEOUT, async || {
        cache.get(&200).await.unwrap();
        !cache.stats().breaker_open
    })
    .await;
}

#[tokio::test]
async fn loads_are_bounded_whatever_their_keys() {
    let (redis, store) = (Redis::start().await, Store::new());
    store.write_many(0..50);
    let builder = builder(&redis.url(), &unique_prefix(), &store).await;
    let cache = subscribed(builder.max_parallel_loads(4)).await;
    redis.stop_hard();
    store.gate.shut();
    let readers: Vec<_> = (0..50).map(|id| read(&cache, id)).collect();
    store.gate.wait_for(4).await;
    wait_until("all to have asked", TEST_TIMEOUT, async || {
        cache.stats().bypasses == 50
    })
    .await;
    assert_eq!(store.calls(), 4);
    store.gate.reopen();
    for reader in readers {
        assert!(reader.await.unwrap().is_some());
    }
    assert_eq!(store.calls(), 50);
}

#[tokio::test]
async fn with_redis_and_the_loader_down_the_last_known_value_is_served() {
    let (redis, store) = (Redis::start().await, Store::with_one());
    let cache = subscribed(builder(&redis.url(), &unique_prefix(), &store).await).await;
    settle(&cache, 1).await;
    redis.stop_hard();
    store.set_down(true);
    wait_until("the gap to be noticed", TEST_TIMEOUT, async || {
        !cache.stats().subscribed
    })
    .await;
    assert_eq!(text(&cache, 1).await, "one");
    assert!(cache.stats().stale_serves > 0);
}

#[tokio::test]
async fn a_failed_invalidation_is_an_error_and_still_holds_in_this_process() {
    let (redis, store) = (Redis::start().await, Store::with_one());
    let cache = subscribed(builder(&redis.url(), &unique_prefix(), &store).await).await;
    settle(&cache, 1).await;
    redis.stop_hard();
    store.write(1, "changed");
    assert!(cache.invalidate(&1).await.is_err());
    assert_eq!(text(&cache, 1).await, "changed");
    redis.start_again().await;
    wait_until_subscribed(&cache).await;
    // Redis still has the old value; that is why it must be repeated.
    wait_until("the invalidation to be taken", TEST_TIMEOUT, async || {
        cache.invalidate(&1).await.is_ok()
    })
    .await;
    assert_eq!(text(&cache, 1).await, "changed");
}
