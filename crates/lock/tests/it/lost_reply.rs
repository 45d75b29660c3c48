//! A reply that is lost changes nothing: requests are repeated, and their outcome is never guessed.

use redis_locks::{Error, Guard, LostReason};
use testkit::{FaultProxy, Redis, unique_prefix, wait_for};

use crate::{TEST_TIMEOUT, ask, key, locks, wait_until_free};

async fn stored_fence(redis: &Redis, key: &str) -> u64 {
    let value = wait_for("the server to grant", TEST_TIMEOUT, async || {
        ask::<Option<String>>(redis, &["GET", key]).await
    })
    .await;
    let (_, fence) = value.split_once(':').unwrap();
    fence.parse().unwrap()
}

/// A lock whose acquisition lost its first reply.
async fn acquire_with_lost_reply(redis: &Redis, proxy: &FaultProxy, prefix: &str) -> (u64, Guard) {
    let locks = locks(&format!("redis://{}", proxy.addr()), prefix).await;
    proxy.drop_replies().await;
    let mutex = locks.mutex("a");
    let waiting = tokio::spawn(async move { mutex.lock().await });
    let fence = stored_fence(redis, &key(prefix, "a")).await;
    proxy.pass().await;
    (fence, waiting.await.unwrap().unwrap())
}

#[tokio::test]
async fn an_acquisition_whose_reply_was_lost_gets_the_same_fence() {
    let redis = Redis::shared().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let prefix = unique_prefix();
    let (fence, guard) = acquire_with_lost_reply(redis, &proxy, &prefix).await;
    assert_eq!(guard.fence().get(), fence);
    let others = locks(&redis.url(), &prefix).await;
    assert!(others.mutex("a").try_lock().await.unwrap().is_none());
    guard.release().await.unwrap();
}

#[tokio::test]
async fn a_release_whose_reply_was_lost_succeeds_even_if_another_holds_the_lock_since() {
    let redis = Redis::shared().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let prefix = unique_prefix();
    let (_, guard) = acquire_with_lost_reply(redis, &proxy, &prefix).await;
    proxy.drop_replies().await;
    let releasing = tokio::spawn(guard.release());
    wait_until_free(redis, &key(&prefix, "a")).await;
    let others = locks(&redis.url(), &prefix).await;
    let _other = others.mutex("a").lock().await.unwrap();
    proxy.pass().await;
    releasing.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_release_of_a_lost_lock_fails_even_if_its_first_reply_was_lost() {
    let redis = Redis::shared().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let prefix = unique_prefix();
    let (_, guard) = acquire_with_lost_reply(redis, &proxy, &prefix).await;
    let _: i64 = ask(redis, &["DEL", &key(&prefix, "a")]).await;
    proxy.drop_replies().await;
    let releasing = tokio::spawn(guard.release());
    wait_for("the server to note the end", TEST_TIMEOUT, async || {
        let pattern = format!("{prefix}*:done:*");
        let keys: Vec<String> = ask(redis, &["KEYS", &pattern]).await;
        keys.into_iter().next()
    })
    .await;
    proxy.pass().await;
    assert!(matches!(
        releasing.await.unwrap(),
        Err(Error::Lost(LostReason::Gone))
    ));
}
