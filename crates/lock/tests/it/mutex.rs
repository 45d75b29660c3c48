//! What a mutex promises when nothing fails.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use redis_locks::{Error, Fence, LostReason, Term};
use testkit::{Redis, wait_until};
use tokio::task::JoinSet;

use crate::{TEST_TIMEOUT, key, locks, pttl, shared_locks, wait_until_free};

#[tokio::test]
async fn a_lock_that_is_held_is_refused_to_others_and_free_after_release() {
    let (locks_a, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let locks_b = locks(&redis.url(), &prefix).await;
    let guard = locks_a.mutex("a").try_lock().await.unwrap().unwrap();
    assert!(locks_a.mutex("a").try_lock().await.unwrap().is_none());
    assert!(locks_b.mutex("a").try_lock().await.unwrap().is_none());
    assert!(guard.remaining() > Duration::from_secs(25));
    guard.release().await.unwrap();
    assert_eq!(pttl(redis, &key(&prefix, "a")).await, -2);
    let second = locks_b.mutex("a").try_lock().await.unwrap();
    assert!(second.is_some());
}

#[tokio::test]
async fn a_lock_and_its_release_cost_one_round_trip_each() {
    let redis = Redis::start().await;
    let link = crate::link(&redis.url()).await;
    let locks = redis_locks::Locks::new(link.clone());
    let mutex = locks.mutex("a");
    mutex.lock().await.unwrap().release().await.unwrap();
    let before = link.round_trips();
    mutex.lock().await.unwrap().release().await.unwrap();
    assert_eq!(link.round_trips() - before, 2);
}

#[tokio::test]
async fn a_clone_reenters_and_the_last_clone_releases() {
    let (locks, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let guard = locks.mutex("a").lock().await.unwrap();
    let inner = guard.clone();
    assert_eq!(inner.fence(), guard.fence());
    guard.release().await.unwrap();
    assert!(pttl(redis, &key(&prefix, "a")).await > 0);
    inner.release().await.unwrap();
    assert_eq!(pttl(redis, &key(&prefix, "a")).await, -2);
}

#[tokio::test]
async fn an_owner_reenters_and_another_owner_waits() {
    let (locks, _) = shared_locks().await;
    let mutex = locks.mutex("a");
    let outer = mutex.lock_as("order 7").await.unwrap();
    let inner = mutex.lock_as("order 7").await.unwrap();
    assert_eq!(inner.fence(), outer.fence());
    let other = tokio::spawn({
        let mutex = mutex.clone();
        async move { mutex.lock_as("order 8").await.unwrap().fence() }
    });
    outer.release().await.unwrap();
    assert!(mutex.try_lock().await.unwrap().is_none());
    let fence = inner.fence();
    inner.release().await.unwrap();
    assert!(other.await.unwrap() > fence);
}

#[tokio::test]
async fn two_tasks_of_one_owner_may_acquire_at_the_same_time() {
    let (locks, _) = shared_locks().await;
    let mutex = locks.mutex("a");
    let (first, second) = tokio::join!(mutex.lock_as("me"), mutex.lock_as("me"));
    assert_eq!(first.unwrap().fence(), second.unwrap().fence());
}

#[tokio::test]
async fn dropping_a_guard_releases_the_lock() {
    let (locks, prefix) = shared_locks().await;
    drop(locks.mutex("a").lock().await.unwrap());
    wait_until_free(Redis::shared().await, &key(&prefix, "a")).await;
}

#[tokio::test]
async fn a_wait_ends_at_the_limit_and_leaves_no_queue_entry() {
    let (locks_a, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let locks_b = locks(&redis.url(), &prefix).await;
    let _held = locks_a.mutex("a").lock().await.unwrap();
    for locks in [&locks_a, &locks_b] {
        let mutex = locks.mutex("a");
        let waited = mutex.lock_within(Duration::from_millis(50)).await;
        assert!(matches!(waited, Err(Error::WaitLimit)));
    }
    let queue = format!("{}:queue", key(&prefix, "a"));
    wait_until_free(redis, &queue).await;
}

#[tokio::test]
async fn tasks_of_a_process_are_served_in_order_with_growing_fences() {
    let (locks, _) = shared_locks().await;
    let mutex = locks.mutex("a");
    let first = mutex.lock().await.unwrap();
    let mut fences = vec![first.fence()];
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut waiters = Vec::new();
    for number in 0..200 {
        let (mutex, order) = (mutex.clone(), order.clone());
        let mut lock = Box::pin(async move {
            let guard = mutex.lock().await.unwrap();
            order.lock().unwrap().push((number, guard.fence()));
        });
        // Polled once, it has its place.
        assert!(futures_util::poll!(&mut lock).is_pending());
        waiters.push(tokio::spawn(lock));
    }
    first.release().await.unwrap();
    for waiter in waiters {
        waiter.await.unwrap();
    }
    let order = order.lock().unwrap();
    assert!(order.iter().map(|(number, _)| *number).eq(0..200));
    fences.extend(order.iter().map(|(_, fence)| *fence));
    assert!(fences.is_sorted_by(|a, b| a < b));
}

#[tokio::test]
async fn fences_grow_over_processes_restarts_and_the_loss_of_their_key() {
    let (locks_a, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let locks_b = locks(&redis.url(), &prefix).await;
    let mut last: Option<Fence> = None;
    for round in 0..20 {
        let locks = [&locks_a, &locks_b][round % 2];
        let guard = locks.mutex("a").lock().await.unwrap();
        assert!(last < Some(guard.fence()));
        last = Some(guard.fence());
        guard.release().await.unwrap();
        let fence_key = format!("{}:fence", key(&prefix, "a"));
        let gone: i64 = crate::ask(redis, &["DEL", &fence_key]).await;
        assert_eq!(gone, 1);
    }
}

#[tokio::test]
async fn one_holder_at_a_time_over_processes_with_mixed_terms() {
    let (_, prefix) = shared_locks().await;
    let inside = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for process in 0..3 {
        let locks = locks(&Redis::shared().await.url(), &prefix).await;
        for task in 0..20 {
            let (locks, inside) = (locks.clone(), inside.clone());
            let term = match (process + task) % 2 {
                0 => Term::Renewed(Duration::from_secs(20)),
                _ => Term::Fixed(Duration::from_secs(20)),
            };
            tasks.spawn(async move {
                let mutex = locks.mutex("a").term(term);
                for _ in 0..10 {
                    let guard = mutex.lock().await.unwrap();
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    tokio::task::yield_now().await;
                    assert_eq!(inside.fetch_sub(1, Ordering::SeqCst), 1);
                    guard.release().await.unwrap();
                }
            });
        }
    }
    let all = async { while tasks.join_next().await.transpose().unwrap().is_some() {} };
    tokio::time::timeout(TEST_TIMEOUT, all).await.unwrap();
}

#[tokio::test]
async fn a_fixed_lease_ends_and_the_holder_is_notified() {
    let (locks, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let term = Term::Fixed(Duration::from_millis(300));
    let guard = locks.mutex("a").term(term).lock().await.unwrap();
    assert!(pttl(redis, &key(&prefix, "a")).await <= 300);
    let work = guard.protect(std::future::pending::<()>());
    assert!(matches!(
        work.await,
        Err(Error::Lost(LostReason::LeaseOver))
    ));
    // The holder is notified before another holder can get it.
    assert!(pttl(redis, &key(&prefix, "a")).await > 0);
    assert!(matches!(
        guard.release().await,
        Err(Error::Lost(LostReason::LeaseOver))
    ));
}

#[tokio::test]
async fn a_watchdog_keeps_a_short_lease_for_as_long_as_it_is_held() {
    let (locks, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    // A busy machine may keep a renewal waiting for a second.
    let lease = Duration::from_secs(4);
    let mutex = locks.mutex("a").term(Term::Renewed(lease));
    let guard = mutex.lock().await.unwrap();
    let first = guard.deadline();
    wait_until(
        "renewals beyond the first lease",
        TEST_TIMEOUT,
        async || {
            assert!(pttl(redis, &key(&prefix, "a")).await > 0);
            assert_eq!(guard.lost_reason(), None);
            guard.deadline() > first + lease
        },
    )
    .await;
    guard.release().await.unwrap();
}

#[tokio::test]
async fn after_shutdown_nothing_is_granted_and_dropped_guards_are_released() {
    let (locks, prefix) = shared_locks().await;
    let guards = [
        locks.mutex("a").lock().await.unwrap(),
        locks.mutex("b").lock().await.unwrap(),
    ];
    let waiting = tokio::spawn({
        let mutex = locks.mutex("a");
        async move { mutex.lock().await }
    });
    drop(guards);
    let waited = waiting.await.unwrap();
    drop(waited);
    assert!(locks.shutdown(TEST_TIMEOUT).await);
    assert!(matches!(locks.mutex("a").lock().await, Err(Error::Closed)));
    for name in ["a", "b"] {
        assert_eq!(pttl(Redis::shared().await, &key(&prefix, name)).await, -2);
    }
}
