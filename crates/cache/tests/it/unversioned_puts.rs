//! Values without a version that a writer puts into the cache: stronger than what came before, weaker than what comes after.

use std::sync::{Mutex, mpsc};

use futures_util::poll;
use redis_two_level_cache::{Cache, Loaded, NoLoader, PutError, PutOutcome};
use serde::{Deserialize, Serialize, Serializer};
use testkit::{Redis, unique_prefix, wait_until};
use tokio::sync::oneshot;

use crate::{TEST_TIMEOUT, ask, builder_with, key, subscribed};

type Texts = NoLoader<u64, Text, std::io::Error>;

/// A text. Encoding one that says [`GATED`] waits at the gate, so that a put stands between its two steps.
#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Text(String);

const GATED: &str = "gated";

/// Where the encoding of a gated text tells that it has begun, and what it waits for. One test uses it at a time.
static GATE: Mutex<Option<(oneshot::Sender<()>, mpsc::Receiver<()>)>> = Mutex::new(None);
static GATE_USERS: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let gate = (self.0 == GATED).then(|| GATE.lock().unwrap().take());
        if let Some((began, go_on)) = gate.flatten() {
            began.send(()).unwrap();
            go_on.recv_timeout(TEST_TIMEOUT).unwrap();
        }
        self.0.serialize(serializer)
    }
}

fn value(text: &str) -> Text {
    Text(text.to_owned())
}

async fn node(url: &str, prefix: &str) -> Cache<Texts> {
    subscribed(builder_with(url, prefix, Texts::new()).await).await
}

async fn two(redis: &Redis) -> (Cache<Texts>, Cache<Texts>, String) {
    let prefix = unique_prefix();
    let one = node(&redis.url(), &prefix).await;
    let other = node(&redis.url(), &prefix).await;
    (one, other, prefix)
}

/// Reads key 1; a load gives `loaded`.
async fn read(cache: &Cache<Texts>, loaded: &str) -> String {
    let loaded = value(loaded);
    let found = cache.get_with(&1, async move || Ok(loaded)).await;
    found.unwrap().unwrap().0.clone()
}

/// Waits until memory answers, and returns its answer.
async fn settle(cache: &Cache<Texts>) -> String {
    let mut text = String::new();
    wait_until("the entry to be in memory", TEST_TIMEOUT, async || {
        let before = cache.stats().l1_hits;
        text = read(cache, "loaded again").await;
        cache.stats().l1_hits > before
    })
    .await;
    text
}

#[tokio::test]
async fn a_put_value_is_in_both_levels_and_reaches_every_process_without_a_load() {
    let redis = Redis::shared().await;
    let (one, other, _) = two(redis).await;
    assert_eq!(read(&one, "old").await, "old");
    for cache in [&one, &other] {
        assert_eq!(settle(cache).await, "old");
    }
    let put = one.put(&1, value("put")).await.unwrap();
    assert_eq!(put, PutOutcome::Stored);
    assert_eq!(read(&one, "loaded again").await, "put");
    wait_until("the other process", TEST_TIMEOUT, async || {
        read(&other, "loaded again").await == "put"
    })
    .await;
    for cache in [&one, &other] {
        assert_eq!(settle(cache).await, "put");
    }
    assert_eq!((one.stats().loads, other.stats().loads), (1, 0));

    other.put(&1, value("put again")).await.unwrap();
    wait_until("the first process", TEST_TIMEOUT, async || {
        read(&one, "loaded again").await == "put again"
    })
    .await;
    assert_eq!((one.stats().loads, other.stats().loads), (1, 0));
}

/// The report of the first step usually comes before the value is in memory; one that comes later costs a read of Redis.
#[tokio::test]
async fn a_process_reads_what_it_has_put_from_memory() {
    let redis = Redis::shared().await;
    let (one, _, _) = two(redis).await;
    for id in 0..100 {
        one.put(&id, value("put")).await.unwrap();
        assert_eq!(one.get(&id).await.unwrap(), Some(value("put").into()));
    }
    assert!(one.stats().l1_hits > 0, "{:?}", one.stats());
}

#[tokio::test]
async fn what_is_put_as_absent_is_absent_without_a_load() {
    let redis = Redis::shared().await;
    let (one, other, _) = two(redis).await;
    read(&one, "old").await;
    let put = one.put(&1, Loaded::absent()).await.unwrap();
    assert_eq!(put, PutOutcome::Stored);
    for cache in [&one, &other] {
        let found = cache.get_with(&1, async || Ok(value("loaded again"))).await;
        assert_eq!(found.unwrap(), None);
    }
}

#[tokio::test]
async fn a_load_that_began_before_a_put_does_not_replace_it() {
    let redis = Redis::shared().await;
    for is_same_process in [false, true] {
        let (one, other, _) = two(redis).await;
        let (began, has_begun) = oneshot::channel();
        let (go_on, goes_on) = oneshot::channel();
        let reader = one.clone();
        let early = tokio::spawn(async move {
            let load = async move || {
                began.send(()).unwrap();
                goes_on.await.unwrap();
                Ok(value("old"))
            };
            reader.get_with(&1, load).await.unwrap().unwrap().0.clone()
        });
        has_begun.await.unwrap();
        let writer = if is_same_process { &one } else { &other };
        let put = writer.put(&1, value("put")).await.unwrap();
        assert_eq!(put, PutOutcome::Stored);
        go_on.send(()).unwrap();
        assert_eq!(early.await.unwrap(), "old");
        assert_eq!(one.stats().refused_fills, 1);
        for cache in [&one, &other] {
            assert_eq!(read(cache, "loaded again").await, "put");
        }
    }
}

#[tokio::test]
async fn an_invalidation_after_a_put_removes_it_everywhere() {
    let redis = Redis::shared().await;
    let (one, other, prefix) = two(redis).await;
    one.put(&1, value("put")).await.unwrap();
    assert_eq!(settle(&one).await, "put");
    other.invalidate(&1).await.unwrap();
    assert!(!ask::<bool>(redis, &["EXISTS", &key(&prefix, 1)]).await);
    wait_until("the change to be seen", TEST_TIMEOUT, async || {
        read(&one, "changed").await == "changed"
    })
    .await;
    one.put(&1, value("put")).await.unwrap();
    other.invalidate_older(&1, 7).await.unwrap();
    assert!(!ask::<bool>(redis, &["EXISTS", &key(&prefix, 1)]).await);
}

/// A put that has taken the lease and has not yet filled, and what lets it go on.
async fn put_between_its_steps(
    cache: &Cache<Texts>,
) -> (
    tokio::task::JoinHandle<Result<PutOutcome, PutError>>,
    mpsc::Sender<()>,
) {
    let (began, has_begun) = oneshot::channel();
    let (go_on, goes_on) = mpsc::channel();
    *GATE.lock().unwrap() = Some((began, goes_on));
    let cache = cache.clone();
    let put = tokio::spawn(async move { cache.put(&1, value(GATED)).await });
    has_begun.await.unwrap();
    (put, go_on)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn what_comes_during_a_put_is_stronger_than_it() {
    let _users = GATE_USERS.lock().await;
    let redis = Redis::shared().await;
    let (one, other, prefix) = two(redis).await;
    read(&one, "old").await;

    let (put, go_on) = put_between_its_steps(&one).await;
    other.invalidate(&1).await.unwrap();
    go_on.send(()).unwrap();
    assert_eq!(put.await.unwrap().unwrap(), PutOutcome::Superseded);
    assert!(!ask::<bool>(redis, &["EXISTS", &key(&prefix, 1)]).await);
    assert_eq!(read(&one, "changed").await, "changed");

    let (put, go_on) = put_between_its_steps(&one).await;
    let later = other.put(&1, value("later")).await.unwrap();
    assert_eq!(later, PutOutcome::Stored);
    go_on.send(()).unwrap();
    assert_eq!(put.await.unwrap().unwrap(), PutOutcome::Superseded);
    for cache in [&one, &other] {
        assert_eq!(read(cache, "loaded again").await, "later");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn readers_during_a_put_wait_for_its_value() {
    let _users = GATE_USERS.lock().await;
    let redis = Redis::shared().await;
    let (one, other, _) = two(redis).await;
    read(&one, "old").await;
    let (put, go_on) = put_between_its_steps(&one).await;
    let reader = other.clone();
    let waiting = tokio::spawn(async move { read(&reader, "loaded again").await });
    wait_until("the reader to wait", TEST_TIMEOUT, async || {
        other.stats().lease_waits == 1
    })
    .await;
    go_on.send(()).unwrap();
    assert_eq!(put.await.unwrap().unwrap(), PutOutcome::Stored);
    assert_eq!(waiting.await.unwrap(), GATED);
    assert_eq!(other.stats().loads, 0);
}

#[tokio::test]
async fn a_cancelled_put_releases_the_lease() {
    let redis = Redis::shared().await;
    let (one, other, prefix) = two(redis).await;
    read(&one, "old").await;
    // Makes the server know the script: otherwise it answers, and is sent it when the put is polled again.
    one.put(&2, value("put")).await.unwrap();
    let lease = key(&prefix, 1).replace("cache:", "cache-lease:");
    {
        let mut put = Box::pin(one.put(&1, value("put")));
        assert!(poll!(&mut put).is_pending());
        wait_until("the lease of the put", TEST_TIMEOUT, async || {
            ask::<bool>(redis, &["EXISTS", &lease]).await
        })
        .await;
        // It does not expire, so only a release removes it.
        assert!(ask::<bool>(redis, &["PERSIST", &lease]).await);
    }
    wait_until("the release", TEST_TIMEOUT, async || {
        !ask::<bool>(redis, &["EXISTS", &lease]).await
    })
    .await;
    for cache in [&one, &other] {
        assert_eq!(read(cache, "changed").await, "changed");
    }
}

#[tokio::test]
async fn a_put_without_redis_is_an_error_and_the_next_reader_loads() {
    let redis = Redis::start().await;
    let (one, _other, _) = two(&redis).await;
    assert_eq!(read(&one, "old").await, "old");
    redis.stop_hard();
    let failed = one.put(&1, value("put")).await;
    assert!(matches!(failed, Err(PutError::Redis(_))), "{failed:?}");
    assert_eq!(read(&one, "changed").await, "changed");
}

#[tokio::test]
async fn a_put_keeps_the_tags_of_its_key() {
    let redis = Redis::shared().await;
    let (one, other, _) = two(redis).await;
    let read_tagged = async |cache: &Cache<Texts>, loaded: &str| {
        let loaded = value(loaded);
        let found = cache.get_tagged(&1, ["a", "b"], async move || Ok(loaded));
        found.await.unwrap().unwrap().0.clone()
    };
    assert_eq!(read_tagged(&one, "old").await, "old");
    for (round, tag) in ["a", "b"].into_iter().enumerate() {
        let put = format!("put {round}");
        // Once over the tagged entry of the read, once under tags that it names itself.
        let outcome = match round {
            0 => one.put(&1, value(&put)).await,
            _ => one.put_tagged(&1, ["b", "a"], value(&put)).await,
        };
        assert_eq!(outcome.unwrap(), PutOutcome::Stored);
        for cache in [&one, &other] {
            wait_until("the put to be seen", TEST_TIMEOUT, async || {
                read_tagged(cache, "loaded again").await == put
            })
            .await;
        }
        other.invalidate_tag(tag).await.unwrap();
        let changed = format!("changed {round}");
        wait_until("the change to be seen", TEST_TIMEOUT, async || {
            read_tagged(&one, &changed).await == changed
        })
        .await;
        assert_eq!(read_tagged(&other, "loaded again").await, changed);
    }
}
