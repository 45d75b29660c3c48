//! Who holds a lock, taking it by force, and attempts that never wait.

use std::time::Duration;

use redis_locks::{Error, Guard, Locks, LostReason, Member, MultiLock, Term};
use testkit::{Redis, RedisCluster, unique_prefix, wait_until};
use tokio::time::{Instant, timeout};

use crate::{TEST_TIMEOUT, ask, key, locks, shared_locks};

/// Renewed often enough to notice a loss soon.
const LEASE: Duration = Duration::from_secs(3);

#[tokio::test]
async fn a_lock_says_whether_it_is_held_by_whom_and_for_how_long() {
    let (locks_a, prefix) = shared_locks().await;
    let locks_b = locks(&Redis::shared().await.url(), &prefix).await;
    assert!(!locks_b.mutex("a").is_locked().await.unwrap());
    assert_eq!(locks_b.mutex("a").holder().await.unwrap(), None);
    let guard = locks_a.mutex("a").lock().await.unwrap();
    let holder = locks_b.mutex("a").holder().await.unwrap().unwrap();
    assert_eq!(holder.fence, guard.fence());
    assert!(holder.remaining > Duration::from_secs(25));
    assert!(holder.remaining <= Duration::from_secs(30));
    let text: String = ask(Redis::shared().await, &["GET", &key(&prefix, "a")]).await;
    assert!(text.starts_with(&holder.process), "{text}");
    assert!(locks_b.mutex("a").is_locked().await.unwrap());
    guard.release().await.unwrap();
    assert!(!locks_b.mutex("a").is_locked().await.unwrap());
}

#[tokio::test]
async fn every_holder_of_a_shared_lock_is_listed_until_its_lease_is_over() {
    let (locks, _) = shared_locks().await;
    let rw = locks.rw_lock("a");
    let short = rw.clone().term(Term::Fixed(Duration::from_millis(300)));
    let (first, second) = (rw.read().await.unwrap(), short.read().await.unwrap());
    let fences: Vec<_> = rw.holders().await.unwrap().into_iter().collect();
    let mut fences: Vec<_> = fences.into_iter().map(|holder| holder.fence).collect();
    fences.sort();
    assert_eq!(fences, [first.fence(), second.fence()]);
    wait_until("the short lease to end", TEST_TIMEOUT, async || {
        rw.holders().await.unwrap().len() == 1
    })
    .await;
    first.release().await.unwrap();
    assert!(!rw.is_locked().await.unwrap());
    let permit = locks.semaphore("s", 2).acquire().await.unwrap();
    let holders = locks.semaphore("s", 2).holders().await.unwrap();
    assert_eq!(holders[0].fence, permit.fence());
    assert!(!locks.fair_mutex("f").is_locked().await.unwrap());
    let fair = locks.fair_mutex("f").lock().await.unwrap();
    let holder = locks.fair_mutex("f").holder().await.unwrap().unwrap();
    assert_eq!(holder.fence, fair.fence());
}

#[tokio::test]
async fn a_lock_taken_by_force_wakes_a_waiter_and_its_former_holder_is_notified() {
    let prefix = unique_prefix();
    let url = Redis::shared().await.url();
    let (locks_a, locks_b) = (locks(&url, &prefix).await, locks(&url, &prefix).await);
    let operator = locks(&url, &prefix).await;
    let holder = locks_a.mutex("a").term(Term::Renewed(LEASE));
    let holder = holder.lock().await.unwrap();
    let waiter = tokio::spawn({
        let mutex = locks_b.mutex("a");
        async move { mutex.lock().await.unwrap() }
    });
    let queue = format!("{}:queue", key(&prefix, "a"));
    wait_until("a waiter", TEST_TIMEOUT, async || {
        ask::<i64>(Redis::shared().await, &["ZCARD", &queue]).await == 1
    })
    .await;
    let forced = Instant::now();
    assert!(operator.mutex("a").force_unlock().await.unwrap());
    let waiter = timeout(TEST_TIMEOUT, waiter).await.unwrap().unwrap();
    assert!(
        forced.elapsed() < Duration::from_millis(600),
        "it was woken up and did not poll"
    );
    assert!(waiter.fence() > holder.fence());
    let notified = timeout(TEST_TIMEOUT, holder.lost().cancelled());
    notified.await.expect("a renewal finds the loss");
    assert_eq!(holder.lost_reason(), Some(LostReason::Taken));
    assert!(matches!(holder.release().await, Err(Error::Lost(_))));
    waiter.release().await.unwrap();
}

/// Far longer than the test, so that no renewal tells of a loss.
const LONG: Term = Term::Renewed(Duration::from_secs(600));

async fn two_processes(url: &str, prefix: &str) -> (Locks, Locks) {
    (locks(url, prefix).await, locks(url, prefix).await)
}

/// Waits until this many processes listen for messages about their locks under this prefix.
async fn wait_until_listening(nodes: &[&Redis], prefix: &str, channels: usize) {
    wait_until("the holders to listen", TEST_TIMEOUT, async || {
        let mut found = 0;
        for node in nodes {
            for list in ["CHANNELS", "SHARDCHANNELS"] {
                // Redis 6.2 has no sharded channels, and no Cluster of these tests either.
                if list == "CHANNELS" || nodes.len() > 1 {
                    let pattern = format!("{prefix}*wake:*");
                    found += ask::<Vec<String>>(node, &["PUBSUB", list, &pattern])
                        .await
                        .len();
                }
            }
        }
        found >= channels
    })
    .await;
}

/// Returns when all guards, of two processes, are lost by force.
async fn see_force(guards: &[Guard], force: impl AsyncFn()) {
    for guard in guards {
        assert_eq!(guard.lost_reason(), None);
    }
    let forced = Instant::now();
    force().await;
    for guard in guards {
        let notified = timeout(TEST_TIMEOUT, guard.lost().cancelled()).await;
        notified.expect("a message tells of the loss");
        assert_eq!(guard.lost_reason(), Some(LostReason::Gone));
    }
    let took = forced.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[tokio::test]
async fn a_holder_in_another_process_is_notified_of_force_at_once() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let (one, other) = two_processes(&redis.url(), &prefix).await;
    let operator = locks(&redis.url(), &prefix).await;
    let mutex = one.mutex("a").term(LONG).lock().await.unwrap();
    let fixed = Term::Fixed(Duration::from_secs(600));
    let fixed = other.mutex("b").term(fixed).lock().await.unwrap();
    let fair = one.fair_mutex("a").term(LONG).lock().await.unwrap();
    let owned = other.reentrant_mutex("a", "me: or you").term(LONG);
    let owned = [owned.lock().await.unwrap(), owned.lock().await.unwrap()];
    let rw = [
        one.rw_lock("a").term(LONG).read().await.unwrap(),
        other.rw_lock("a").term(LONG).read().await.unwrap(),
    ];
    for guard in [&mutex, &fixed, &fair].into_iter().chain(&owned).chain(&rw) {
        guard.lost();
    }
    wait_until_listening(&[redis], &prefix, 2).await;
    // The message of a grant that comes late is no loss.
    let holder = operator.mutex("a").holder().await.unwrap().unwrap();
    let held: String = ask(redis, &["GET", &key(&prefix, "a")]).await;
    let channel = format!("{prefix}wake:{}", holder.process);
    assert_eq!(
        ask::<i64>(redis, &["PUBLISH", &channel, &held[..33]]).await,
        1
    );
    see_force(&[mutex], async || {
        assert!(operator.mutex("a").force_unlock().await.unwrap());
    })
    .await;
    see_force(&[fixed], async || {
        assert!(operator.mutex("b").force_unlock().await.unwrap());
    })
    .await;
    see_force(&[fair], async || {
        assert!(operator.fair_mutex("a").force_unlock().await.unwrap());
    })
    .await;
    see_force(&owned, async || {
        let operator = operator.reentrant_mutex("a", "operator");
        assert!(operator.force_unlock().await.unwrap());
    })
    .await;
    see_force(&rw, async || {
        assert!(operator.rw_lock("a").force_unlock().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn protected_work_ends_when_its_lock_is_taken_by_force_and_the_next_holder_may_begin() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let (one, other) = two_processes(&redis.url(), &prefix).await;
    let mutex = one.mutex("a").term(LONG);
    let hanging = mutex.lock().await.unwrap();
    let work = tokio::spawn(async move { hanging.protect(std::future::pending::<()>()).await });
    wait_until_listening(&[redis], &prefix, 1).await;
    assert!(other.mutex("a").force_unlock().await.unwrap());
    let ended = timeout(TEST_TIMEOUT, work).await.unwrap().unwrap();
    assert!(
        matches!(ended, Err(Error::Lost(LostReason::Gone))),
        "{ended:?}"
    );
    let next = timeout(TEST_TIMEOUT, mutex.lock()).await.unwrap().unwrap();
    next.release().await.unwrap();
}

#[tokio::test]
async fn a_holder_on_a_cluster_is_notified_of_force_at_once() {
    if !RedisCluster::is_supported() {
        return;
    }
    let (cluster, prefix) = (RedisCluster::shared().await, unique_prefix());
    let (holder, operator) = two_processes(&cluster.url(), &prefix).await;
    let mutex = holder.mutex("a").term(LONG).lock().await.unwrap();
    let fair = holder.fair_mutex("b").term(LONG).lock().await.unwrap();
    mutex.lost();
    fair.lost();
    let nodes: Vec<&Redis> = cluster.nodes().iter().collect();
    wait_until_listening(&nodes, &prefix, 2).await;
    see_force(&[mutex, fair], async || {
        assert!(operator.mutex("a").force_unlock().await.unwrap());
        assert!(operator.fair_mutex("b").force_unlock().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_holder_that_releases_after_its_lock_was_taken_by_force_gets_an_error() {
    let (locks_a, prefix) = shared_locks().await;
    let operator = locks(&Redis::shared().await.url(), &prefix).await;
    let mutex = locks_a.mutex("a").lock().await.unwrap();
    assert!(operator.mutex("a").force_unlock().await.unwrap());
    assert!(!operator.mutex("a").force_unlock().await.unwrap());
    assert!(matches!(
        mutex.release().await,
        Err(Error::Lost(LostReason::Gone))
    ));
    let fair = locks_a.fair_mutex("a").lock().await.unwrap();
    assert!(operator.fair_mutex("a").force_unlock().await.unwrap());
    assert!(!operator.fair_mutex("a").force_unlock().await.unwrap());
    assert!(matches!(
        fair.release().await,
        Err(Error::Lost(LostReason::Gone))
    ));
    let readers = locks_a.rw_lock("a");
    let readers = (readers.read().await.unwrap(), readers.read().await.unwrap());
    assert!(operator.rw_lock("a").force_unlock().await.unwrap());
    assert!(operator.rw_lock("a").try_write().await.unwrap().is_some());
    drop(readers);
}

#[tokio::test]
async fn a_holder_in_the_process_that_forces_is_notified_at_once() {
    let (locks, _) = shared_locks().await;
    let mutex = locks.mutex("a");
    let hanging = mutex.lock().await.unwrap();
    assert!(mutex.force_unlock().await.unwrap());
    assert_eq!(hanging.lost_reason(), Some(LostReason::Gone));
    let next = timeout(TEST_TIMEOUT, mutex.lock()).await.unwrap().unwrap();
    assert!(next.fence() > hanging.fence());
}

#[tokio::test]
async fn a_limit_of_zero_is_one_attempt_that_never_queues() {
    let (locks_a, prefix) = shared_locks().await;
    let locks_b = locks(&Redis::shared().await.url(), &prefix).await;
    let first = locks_a.mutex("a").lock_within(Duration::ZERO).await;
    let fair = locks_a.fair_mutex("a").lock_within(Duration::ZERO).await;
    let (first, fair) = (first.expect("it is free"), fair.expect("it is free"));
    for result in [
        locks_b.mutex("a").lock_within(Duration::ZERO).await,
        locks_b.fair_mutex("a").lock_within(Duration::ZERO).await,
    ] {
        assert!(matches!(result, Err(Error::WaitLimit)), "{result:?}");
    }
    for kind in ["mutex", "fair"] {
        let queue = format!("{prefix}{{{kind}:a}}:queue");
        assert_eq!(
            ask::<i64>(Redis::shared().await, &["EXISTS", &queue]).await,
            0
        );
    }
    drop((first, fair));
}

#[tokio::test]
async fn a_limit_of_zero_fails_at_once_while_redis_is_down() {
    let redis = Redis::start().await;
    let locks = locks(&redis.url(), &unique_prefix()).await;
    redis.stop_hard();
    let started = Instant::now();
    let result = locks.mutex("a").lock_within(Duration::ZERO).await;
    assert!(
        matches!(result, Err(Error::RedisUnavailable(_))),
        "{result:?}"
    );
    let members = [
        Member::from(locks.mutex("a")),
        locks.reentrant_mutex("a", "me").into(),
    ];
    for member in members {
        let multi = MultiLock::all([member]).unwrap();
        let result = multi.lock_within(Duration::ZERO).await;
        assert!(
            matches!(result, Err(Error::RedisUnavailable(_))),
            "{result:?}"
        );
    }
    assert!(started.elapsed() < Duration::from_secs(3));
}
