//! The lock that its owner may enter again, from any task or process.

use std::time::Duration;

use redis_locks::{Error, Locks, MultiLock, Owner, Term};
use testkit::{Redis, RedisCluster, unique_prefix, wait_until};
use tokio::time::timeout;

use crate::{TEST_TIMEOUT, ask, locks};

/// Two processes under one prefix.
async fn two(url: &str) -> ([Locks; 2], String) {
    let prefix = unique_prefix();
    let both = [locks(url, &prefix).await, locks(url, &prefix).await];
    (both, prefix)
}

async fn an_owner_enters_from_two_processes(url: &str) {
    let ([a, b], _) = two(url).await;
    let owner = Owner::random();
    let outer = a.reentrant_mutex("a", &owner).lock().await.unwrap();
    let passed_on = Owner::new(owner.as_str());
    let inner = b.reentrant_mutex("a", passed_on).lock().await.unwrap();
    assert_eq!(inner.fence(), outer.fence(), "the resource accepts both");
    let other = b.reentrant_mutex("a", "somebody else");
    assert!(other.try_lock().await.unwrap().is_none());
    let fence = outer.fence();
    outer.release().await.unwrap();
    assert!(
        other.try_lock().await.unwrap().is_none(),
        "one entry is left"
    );
    inner.release().await.unwrap();
    let next = other.try_lock().await.unwrap().expect("no entry is left");
    assert!(next.fence() > fence);
    next.release().await.unwrap();
}

#[tokio::test]
async fn an_owner_enters_again_from_another_process() {
    an_owner_enters_from_two_processes(&Redis::shared().await.url()).await;
}

#[tokio::test]
async fn an_owner_enters_again_in_a_cluster() {
    an_owner_enters_from_two_processes(&RedisCluster::shared().await.url()).await;
}

#[tokio::test]
async fn the_owner_and_its_entries_are_visible_in_redis() {
    let redis = Redis::shared().await;
    let ([a, b], prefix) = two(&redis.url()).await;
    let entries = [
        a.reentrant_mutex("a", "order 7").lock().await.unwrap(),
        b.reentrant_mutex("a", "order 7").lock().await.unwrap(),
    ];
    let holders = format!("{prefix}{{reentrant:a}}");
    let lines: Vec<String> = ask(redis, &["ZRANGE", &holders, "0", "-1"]).await;
    assert_eq!(lines.len(), entries.len());
    for line in lines {
        assert!(line.ends_with("x:order 7"), "{line}");
    }
    let seen = b.reentrant_mutex("a", "order 8").holders().await.unwrap();
    assert_eq!(seen.len(), entries.len());
    for holder in seen {
        assert_eq!(holder.owner, Some(Owner::new("order 7")));
        assert_eq!(holder.fence, entries[0].fence());
    }
}

#[tokio::test]
async fn an_owner_enters_past_those_who_wait_and_they_are_woken_by_its_last_release() {
    let redis = Redis::shared().await;
    let ([a, b], prefix) = two(&redis.url()).await;
    let outer = a.reentrant_mutex("a", "me").lock().await.unwrap();
    let waiter = tokio::spawn({
        let mutex = b.reentrant_mutex("a", "you");
        async move { mutex.lock().await.unwrap().fence() }
    });
    let queue = format!("{prefix}{{reentrant:a}}:queue");
    wait_until("a waiter", TEST_TIMEOUT, async || {
        ask::<i64>(redis, &["ZCARD", &queue]).await == 1
    })
    .await;
    let again = b.reentrant_mutex("a", "me");
    let inner = timeout(TEST_TIMEOUT, again.lock());
    let inner = inner.await.expect("it does not queue").unwrap();
    let fence = outer.fence();
    outer.release().await.unwrap();
    assert!(!waiter.is_finished());
    inner.release().await.unwrap();
    assert!(timeout(TEST_TIMEOUT, waiter).await.unwrap().unwrap() > fence);
}

#[tokio::test]
async fn an_entry_that_dies_does_not_take_the_others_along() {
    let redis = Redis::shared().await;
    let ([a, b], _) = two(&redis.url()).await;
    let short = Term::Fixed(Duration::from_millis(300));
    let dying = a.reentrant_mutex("a", "me").term(short);
    let dying = dying.lock().await.unwrap();
    let living = b.reentrant_mutex("a", "me").lock().await.unwrap();
    let lost = timeout(TEST_TIMEOUT, dying.lost().cancelled());
    lost.await.expect("its lease is over");
    let other = a.reentrant_mutex("a", "you");
    wait_until("one entry", TEST_TIMEOUT, async || {
        other.holders().await.unwrap().len() == 1
    })
    .await;
    assert!(other.try_lock().await.unwrap().is_none());
    living.release().await.unwrap();
    assert!(other.try_lock().await.unwrap().is_some());
}

#[tokio::test]
async fn several_locks_of_an_owner_are_acquired_again_as_one() {
    let redis = Redis::shared().await;
    let ([a, b], _) = two(&redis.url()).await;
    let of = |locks: &Locks, owner: &str| {
        let members = ["x", "y"].map(|name| locks.reentrant_mutex(name, owner));
        MultiLock::all(members).unwrap()
    };
    let outer = of(&a, "me").lock_within(TEST_TIMEOUT).await.unwrap();
    let inner = of(&b, "me").lock_within(TEST_TIMEOUT).await.unwrap();
    assert_eq!(inner.fence(), outer.fence());
    let one = b.reentrant_mutex("y", "me").lock_within(TEST_TIMEOUT).await;
    let one = one.unwrap();
    let other = of(&b, "you");
    let refused = other.lock_within(Duration::ZERO).await;
    assert!(matches!(refused, Err(Error::WaitLimit)), "{refused:?}");
    outer.release().await.unwrap();
    inner.release().await.unwrap();
    assert!(other.try_lock().await.unwrap().is_none(), "`y` is held");
    one.release().await.unwrap();
    assert!(other.try_lock().await.unwrap().is_some());
}
