//! What a process has filled itself stays in its memory, and leaves it with the next change.

use link::{Link, Options, Target};
use redis_two_level_cache::Cache;
use testkit::{Redis, unique_prefix, wait_until};

use crate::{
    TEST_TIMEOUT, ask, builder, link, read, shared_cache, store::Store, subscribed, text, two_nodes,
};

const KEYS: u64 = 500;
/// A key that no test fills otherwise.
const MARKER: u64 = 9999;

/// Returns when the cache has applied every report of writes before this call: they come in order, on one connection.
async fn wait_for_reports(cache: &Cache<Store>, other: &Cache<Store>, store: &Store) {
    let written = format!("marker {}", store.write(MARKER, "marker"));
    other.invalidate(&MARKER).await.unwrap();
    text(cache, MARKER).await;
    store.write(MARKER, &written);
    other.invalidate(&MARKER).await.unwrap();
    wait_until("the marker to be reported", TEST_TIMEOUT, async || {
        text(cache, MARKER).await == written
    })
    .await;
}

#[tokio::test]
async fn five_hundred_keys_are_missed_once_and_then_read_from_memory() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    store.write_many(0..KEYS);
    let link = link(&redis.url()).await;
    let cache = Cache::builder("row", link.clone(), store.clone());
    let cache = subscribed(cache.prefix(&prefix).early_refresh(0.0)).await;
    let other = subscribed(builder(&redis.url(), &prefix, &store.other_node()).await).await;
    for id in 0..KEYS {
        assert_eq!(text(&cache, id).await, format!("row {id}"));
    }
    let first = cache.stats();
    assert_eq!(
        (first.misses, first.fills, first.l2_hits, first.l1_hits),
        (KEYS, KEYS, 0, 0)
    );
    wait_for_reports(&cache, &other, &store).await;

    let (before, trips) = (cache.stats(), link.round_trips());
    for id in 0..KEYS {
        assert_eq!(text(&cache, id).await, format!("row {id}"));
    }
    let after = cache.stats();
    assert_eq!(after.l1_hits - before.l1_hits, KEYS);
    assert_eq!(after.l2_hits - before.l2_hits, 0);
    assert_eq!(link.round_trips() - trips, 0);
}

#[tokio::test]
async fn a_batch_is_read_from_memory_the_second_time() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    store.write_many(0..KEYS);
    let (cache, other) = two_nodes(redis, &prefix, &store).await;
    let ids: Vec<u64> = (0..KEYS).collect();
    cache.get_many(&ids).await.unwrap();
    wait_for_reports(&cache, &other, &store).await;
    let before = cache.stats();
    cache.get_many(&ids).await.unwrap();
    let after = cache.stats();
    assert_eq!(
        (
            after.l1_hits - before.l1_hits,
            after.l2_hits - before.l2_hits
        ),
        (KEYS, 0)
    );
}

/// A node that writes nothing but what the test makes it write: beats would be paused too, and what comes behind them.
async fn node_without_beats(redis: &Redis, prefix: &str, store: &Store) -> Cache<Store> {
    let options = Options {
        heartbeat: 2 * TEST_TIMEOUT,
        response_timeout: TEST_TIMEOUT,
        ..Options::default()
    };
    let target = Target::parse(&redis.url()).unwrap();
    let link = Link::connect(&target, options).await.unwrap();
    let node = Cache::builder("row", link, store.clone()).prefix(prefix);
    let node = node.early_refresh(0.0).l2_timeout(TEST_TIMEOUT);
    let node = node
        .hard_timeout(TEST_TIMEOUT)
        .loader_soft_timeout(TEST_TIMEOUT);
    subscribed(node.tombstone_ttl(2 * TEST_TIMEOUT)).await
}

/// How many clients wait for the server to accept writes again.
async fn paused_clients(redis: &Redis) -> usize {
    let clients: String = ask(redis, &["CLIENT", "LIST"]).await;
    let is_paused = |word: &str| {
        word.strip_prefix("flags=")
            .is_some_and(|it| it.contains('b'))
    };
    let clients = clients.lines();
    clients
        .filter(|line| line.split(' ').any(is_paused))
        .count()
}

/// Redis reports the writes of one turn of its event loop together, each key once: here those of a fill and of the
/// invalidation after it.
#[tokio::test]
async fn an_invalidation_in_the_same_turn_as_a_fill_removes_what_was_filled() {
    let (redis, prefix, store) = (Redis::start().await, unique_prefix(), Store::with_one());
    let one = node_without_beats(&redis, &prefix, &store).await;
    let other = node_without_beats(&redis, &prefix, &store.other_node()).await;
    // Makes the server know the scripts: otherwise it answers, and is sent them in a later turn.
    one.get(&2).await.unwrap();
    other.invalidate(&2).await.unwrap();
    store.gate.shut();
    let early = read(&one, 1);
    store.gate.wait_for(1).await;
    store.write(1, "changed");

    let _: () = ask(&redis, &["CLIENT", "PAUSE", "60000", "WRITE"]).await;
    store.gate.reopen();
    wait_until("the fill to be paused", TEST_TIMEOUT, async || {
        paused_clients(&redis).await == 1
    })
    .await;
    let invalidating = other.clone();
    let invalidation = tokio::spawn(async move { invalidating.invalidate(&1).await });
    wait_until("the invalidation to be paused", TEST_TIMEOUT, async || {
        paused_clients(&redis).await == 2
    })
    .await;
    let _: () = ask(&redis, &["CLIENT", "UNPAUSE"]).await;

    assert_eq!(early.await.unwrap().unwrap().text, "one");
    invalidation.await.unwrap().unwrap();
    let stats = one.stats();
    assert_eq!(
        (stats.fills, stats.refused_fills),
        (2, 0),
        "the fill came first"
    );
    // Shorter than the time of an entry in memory.
    wait_until("the change to be seen", TEST_TIMEOUT, async || {
        text(&one, 1).await == "changed"
    })
    .await;
}

#[tokio::test]
async fn an_invalidation_after_each_own_fill_removes_what_was_filled() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let (one, other) = two_nodes(redis, &prefix, &store).await;
    for round in 0..100 {
        let written = format!("round {round}");
        store.write(1, &written);
        other.invalidate(&1).await.unwrap();
        wait_until("the change to be seen", TEST_TIMEOUT, async || {
            text(&one, 1).await == written
        })
        .await;
    }
}

#[tokio::test]
async fn what_was_warmed_up_is_read_from_memory() {
    let store = Store::new();
    store.write_many(0..600);
    let cache = shared_cache(&store).await;
    cache.warm_up(0..600).await.unwrap();
    let before = cache.stats().l1_hits;
    for id in 0..600 {
        cache.get(&id).await.unwrap();
    }
    assert_eq!(cache.stats().l1_hits - before, 600);
    assert_eq!(store.calls(), 12, "one per batch");
}
