//! Values that the closures of their readers load.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use redis_two_level_cache::{Builder, Cache, CacheError, CacheMode, Loaded, NoLoader};
use testkit::{Redis, unique_prefix, wait_until};
use tokio::{sync::watch, task::JoinSet};

use crate::{TEST_TIMEOUT, ask, builder, link, store::Store, subscribed};

type Texts = NoLoader<u64, String, std::io::Error>;

async fn texts(redis: &Redis, prefix: &str) -> Builder<Texts> {
    Cache::builder("row", link(&redis.url()).await, Texts::new())
        .prefix(prefix)
        .early_refresh(0.0)
        .l2_timeout(Duration::from_secs(5))
        .loader_soft_timeout(Duration::from_secs(20))
        .hard_timeout(Duration::from_secs(20))
}

async fn build(builder: Builder<Texts>) -> Cache<Texts> {
    let cache = builder.build().unwrap();
    wait_until("the subscription of the cache", TEST_TIMEOUT, async || {
        cache.stats().subscribed
    })
    .await;
    cache
}

/// Reads key 1; a load counts itself and gives this text.
async fn text(cache: &Cache<Texts>, calls: &Arc<AtomicUsize>, text: &'static str) -> String {
    let calls = calls.clone();
    let load = async move || {
        calls.fetch_add(1, Ordering::SeqCst);
        Ok(text.to_owned())
    };
    let found = cache.get_with(&1, load).await.unwrap();
    found.as_deref().unwrap().clone()
}

#[tokio::test]
async fn a_thousand_readers_of_two_processes_call_one_closure() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let nodes = [
        build(texts(redis, &prefix).await).await,
        build(texts(redis, &prefix).await).await,
    ];
    let (calls, gate) = (Arc::new(AtomicUsize::new(0)), watch::Sender::new(false));
    let mut readers = JoinSet::new();
    for reader in 0..1000 {
        let (cache, calls) = (nodes[reader % 2].clone(), calls.clone());
        let mut opened = gate.subscribe();
        readers.spawn(async move {
            let load = async move || {
                calls.fetch_add(1, Ordering::SeqCst);
                opened.wait_for(|is_open| *is_open).await.unwrap();
                Ok(Some("loaded".to_owned()))
            };
            cache.get_with(&1, load).await.unwrap()
        });
    }
    wait_until("both processes to be at it", TEST_TIMEOUT, async || {
        nodes[0].stats().lease_waits + nodes[1].stats().lease_waits > 0
    })
    .await;
    gate.send_replace(true);
    let found = readers.join_all().await;
    assert!(found.iter().all(|it| it.as_deref().unwrap() == "loaded"));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn without_a_closure_only_what_is_cached_is_found() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let cache = build(texts(redis, &prefix).await).await;
    let outcome = cache.get(&1).await;
    assert!(matches!(outcome, Err(CacheError::NoLoader)), "{outcome:?}");
    let calls = Arc::default();
    assert_eq!(text(&cache, &calls, "one").await, "one");
    assert_eq!(cache.get(&1).await.unwrap().as_deref().unwrap(), "one");
}

#[tokio::test]
async fn a_closure_is_called_although_a_read_without_one_came_first() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let cache = build(texts(redis, &prefix).await).await;
    let calls = Arc::default();
    // Both on this thread: the second read joins the load of the first.
    let (without, with) = tokio::join!(cache.get(&1), text(&cache, &calls, "one"));
    assert!(matches!(without, Err(CacheError::NoLoader)), "{without:?}");
    assert_eq!(with, "one");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_error_of_a_closure_is_the_error_of_the_read_and_is_not_kept() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let cache = build(texts(redis, &prefix).await).await;
    let failing = async || Err::<String, _>(std::io::Error::other("down"));
    let outcome = cache.get_with(&1, failing).await;
    assert!(matches!(outcome, Err(CacheError::Loader(_))), "{outcome:?}");
    assert_eq!(text(&cache, &Arc::default(), "one").await, "one");
}

#[tokio::test]
async fn a_value_loaded_before_an_invalidation_is_not_stored_after_it() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let cache = build(texts(redis, &prefix).await).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let invalidating = cache.clone();
    let load = async move || {
        // The row was read; it changes before the closure returns.
        invalidating.invalidate(&1).await.unwrap();
        Ok("old".to_owned())
    };
    let found = cache.get_with(&1, load).await.unwrap();
    assert_eq!(found.as_deref().unwrap(), "old");
    assert_eq!(cache.stats().refused_fills, 1);
    assert_eq!(text(&cache, &calls, "new").await, "new");
}

#[tokio::test]
async fn after_a_flush_the_next_caller_loads_and_nothing_does_before() {
    let (redis, prefix) = (Redis::start().await, unique_prefix());
    let cache = build(texts(&redis, &prefix).await).await;
    let calls = Arc::default();
    text(&cache, &calls, "one").await;
    redis.flush().await;
    wait_until("the flush to be noticed", TEST_TIMEOUT, async || {
        cache.get_if_present(&1).await.is_none()
    })
    .await;
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    assert_eq!(cache.stats().load_errors, 0, "no reload was tried");
    assert_eq!(text(&cache, &calls, "two").await, "two");
}

#[tokio::test]
async fn a_restarted_process_finds_what_an_earlier_one_loaded() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let calls = Arc::default();
    let before = build(texts(redis, &prefix).await).await;
    text(&before, &calls, "one").await;
    drop(before);
    let after = build(texts(redis, &prefix).await).await;
    assert_eq!(text(&after, &calls, "never loaded").await, "one");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_stale_value_is_served_at_once_and_one_closure_runs_behind_it() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let hour = Duration::from_secs(3600);
    let before = build(texts(redis, &prefix).await.stale_while_revalidate(hour)).await;
    text(&before, &Arc::default(), "old").await;
    // Less than the window is left, so the soft expiry is over.
    let key = format!("{prefix}cache:{{row:1}}");
    let _: i64 = ask(redis, &["PEXPIRE", &key, "1000000"]).await;
    let cache = build(texts(redis, &prefix).await.stale_while_revalidate(hour)).await;

    let (calls, gate) = (Arc::new(AtomicUsize::new(0)), watch::Sender::new(false));
    for _ in 0..100 {
        let (calls, mut opened) = (calls.clone(), gate.subscribe());
        let load = async move || {
            calls.fetch_add(1, Ordering::SeqCst);
            opened.wait_for(|is_open| *is_open).await.unwrap();
            Ok("new".to_owned())
        };
        let read = tokio::time::timeout(TEST_TIMEOUT / 3, cache.get_with(&1, load));
        let found = read.await.expect("no reader waits for the load");
        assert_eq!(found.unwrap().as_deref().unwrap(), "old");
    }
    gate.send_replace(true);
    wait_until("the new value", TEST_TIMEOUT, async || {
        text(&cache, &calls, "another load").await == "new"
    })
    .await;
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_value_past_the_stale_window_is_not_served() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let cache = texts(redis, &prefix)
        .await
        .soft_ttl(Duration::from_millis(50));
    let cache = cache
        .stale_while_revalidate(Duration::from_millis(50))
        .jitter(0.0);
    let cache = build(cache).await;
    text(&cache, &Arc::default(), "old").await;
    let key = format!("{prefix}cache:{{row:1}}");
    wait_until("the entry to expire", TEST_TIMEOUT, async || {
        !ask::<bool>(redis, &["EXISTS", &key]).await
    })
    .await;
    assert_eq!(text(&cache, &Arc::default(), "new").await, "new");
}

#[tokio::test]
async fn a_value_lives_as_long_as_its_load_says() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let cache = build(texts(redis, &prefix).await.jitter(0.0)).await;
    let secs = Duration::from_secs;
    for (id, ttl, hard_ttl, expected_secs) in [
        (1, None, None, 3600),
        (2, Some(secs(20)), None, 20 + 3000),
        (3, Some(secs(20)), Some(secs(30)), 30),
    ] {
        let load = async move || {
            let mut loaded = Loaded::new("text".to_owned());
            loaded = ttl.map_or(loaded.clone(), |ttl| loaded.ttl(ttl));
            Ok(hard_ttl.map_or(loaded.clone(), |ttl| loaded.hard_ttl(ttl)))
        };
        cache.get_with(&id, load).await.unwrap();
        let key = format!("{prefix}cache:{{row:{id}}}");
        let left_ms: i64 = ask(redis, &["PTTL", &key]).await;
        let range = (expected_secs - 10) * 1000..=expected_secs * 1000;
        assert!(range.contains(&left_ms), "{id}: {left_ms}");
    }
}

#[tokio::test]
async fn a_value_with_a_lifetime_of_zero_is_loaded_every_time() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let cache = build(texts(redis, &prefix).await).await;
    let calls = Arc::new(AtomicUsize::new(0));
    for _ in 0..3 {
        let calls = calls.clone();
        let load = async move || {
            calls.fetch_add(1, Ordering::SeqCst);
            Ok(Loaded::new("text".to_owned()).ttl(Duration::ZERO))
        };
        cache.get_with(&1, load).await.unwrap();
    }
    assert_eq!(calls.load(Ordering::SeqCst), 3);
    assert_eq!(cache.stats().fills, 0);
}

#[tokio::test]
async fn a_loader_and_closures_share_a_cache() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let cache = builder(&redis.url(), &prefix, &store).await;
    let cache = subscribed(cache.mode(CacheMode::PassThrough)).await;
    let row = store.row(1).unwrap();
    cache.get_with(&1, async move || Ok(row)).await.unwrap();
    assert_eq!(cache.get(&1).await.unwrap().unwrap().text, "one");
    assert_eq!(store.calls(), 0);
}
