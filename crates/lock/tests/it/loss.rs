//! A holder that loses its lock is notified, with the reason, before another holder can get it.

use std::time::Duration;

use redis_locks::{Error, Guard, LostReason, Mutex, Term};
use testkit::{FaultProxy, Redis, unique_prefix, wait_until};
use tokio::time::timeout;

use crate::{TEST_TIMEOUT, ask, key, locks, pttl, shared_locks};

/// A twentieth of it, by which the holder is notified earlier, is more than a busy machine is late.
const LEASE: Duration = Duration::from_secs(4);

struct Held {
    redis: Redis,
    proxy: FaultProxy,
    prefix: String,
    guard: Guard,
}

impl Held {
    /// A lock that is held over a proxy.
    async fn new(lease: Duration) -> Self {
        let redis = Redis::builder()
            .arg("--enable-debug-command", "yes")
            .start()
            .await;
        let proxy = FaultProxy::start(redis.addr()).await;
        let prefix = unique_prefix();
        let locks = locks(&format!("redis://{}", proxy.addr()), &prefix).await;
        let mutex = locks.mutex("a").term(Term::Renewed(lease));
        let guard = mutex.lock().await.unwrap();
        Self {
            redis,
            proxy,
            prefix,
            guard,
        }
    }

    async fn is_lost(&self, reason: LostReason) {
        let notified = timeout(TEST_TIMEOUT, self.guard.lost().cancelled());
        notified.await.expect("the holder is notified in time");
        assert_eq!(self.guard.lost_reason(), Some(reason));
    }

    /// What the server would let others wait.
    async fn rest_ms(&self) -> i64 {
        pttl(&self.redis, &key(&self.prefix, "a")).await
    }
}

#[tokio::test]
async fn a_disconnected_holder_is_notified_before_its_lease_ends() {
    let held = Held::new(LEASE).await;
    held.proxy.cut().await;
    held.is_lost(LostReason::NotRenewed).await;
    assert!(held.rest_ms().await > 0);
}

#[tokio::test]
async fn a_holder_without_replies_is_notified_before_its_lease_ends() {
    let held = Held::new(LEASE).await;
    held.proxy.black_hole().await;
    held.is_lost(LostReason::NotRenewed).await;
    assert!(held.rest_ms().await > 0);
    let released = timeout(TEST_TIMEOUT, held.guard.release()).await.unwrap();
    assert!(matches!(released, Err(Error::Lost(LostReason::NotRenewed))));
}

#[tokio::test]
async fn a_short_server_pause_keeps_the_lock_and_a_long_one_loses_it() {
    let held = Held::new(LEASE).await;
    let deadline = held.guard.deadline();
    let _: () = ask(&held.redis, &["CLIENT", "PAUSE", "1500", "ALL"]).await;
    wait_until("a renewal", TEST_TIMEOUT, async || {
        assert_eq!(held.guard.lost_reason(), None);
        held.guard.deadline() > deadline
    })
    .await;
    let _: () = ask(&held.redis, &["CLIENT", "PAUSE", "30000", "ALL"]).await;
    held.is_lost(LostReason::NotRenewed).await;
}

#[tokio::test]
async fn a_server_pause_longer_than_the_lease_loses_the_lock() {
    let held = Held::new(Duration::from_secs(1)).await;
    let mut connection = held.redis.connection().await;
    let asleep = tokio::spawn(async move {
        let mut cmd = redis::cmd("DEBUG");
        cmd.arg("SLEEP").arg(2);
        cmd.exec_async(&mut connection).await
    });
    held.is_lost(LostReason::NotRenewed).await;
    asleep.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_server_restart_within_the_lease_keeps_the_lock() {
    let held = Held::new(LEASE).await;
    let deadline = held.guard.deadline();
    held.redis.stop_hard();
    held.redis.start_again().await;
    wait_until("a renewal", TEST_TIMEOUT, async || {
        held.guard.deadline() > deadline
    })
    .await;
    held.guard.release().await.unwrap();
}

#[tokio::test]
async fn a_server_that_stays_down_loses_the_lock() {
    let held = Held::new(Duration::from_secs(1)).await;
    held.redis.stop_hard();
    held.is_lost(LostReason::NotRenewed).await;
}

#[tokio::test]
async fn a_deleted_lock_is_gone_and_an_overwritten_one_is_taken() {
    let held = Held::new(Duration::from_secs(1)).await;
    let gone: i64 = ask(&held.redis, &["DEL", &key(&held.prefix, "a")]).await;
    assert_eq!(gone, 1);
    held.is_lost(LostReason::Gone).await;

    let held = Held::new(Duration::from_secs(1)).await;
    let other = format!("{}:1", "0".repeat(33));
    let _: () = ask(&held.redis, &["SET", &key(&held.prefix, "a"), &other]).await;
    held.is_lost(LostReason::Taken).await;
}

#[tokio::test]
async fn a_release_distinguishes_a_lost_lock_from_an_unavailable_redis() {
    let held = Held::new(Duration::from_secs(60)).await;
    let _: i64 = ask(&held.redis, &["DEL", &key(&held.prefix, "a")]).await;
    let released = held.guard.release().await;
    assert!(matches!(released, Err(Error::Lost(LostReason::Gone))));

    let held = Held::new(Duration::from_secs(60)).await;
    held.proxy.cut().await;
    let released = held.guard.release().await;
    assert!(
        matches!(released, Err(Error::RedisUnavailable(_))),
        "{released:?}"
    );
    // What could not be said is said later.
    held.proxy.pass().await;
    crate::wait_until_free(&held.redis, &key(&held.prefix, "a")).await;
}

#[tokio::test]
async fn short_outages_keep_the_lock() {
    let held = Held::new(Duration::from_secs(3)).await;
    for _ in 0..3 {
        let deadline = held.guard.deadline();
        held.proxy.cut().await;
        held.proxy.pass().await;
        wait_until("a renewal", TEST_TIMEOUT, async || {
            held.guard.deadline() > deadline
        })
        .await;
    }
    held.guard.release().await.unwrap();
}

/// Long enough to do something while it is held, short enough to wait for its end.
const SHORT: Term = Term::Fixed(Duration::from_millis(500));

async fn is_lost(guard: &Guard) {
    let notified = timeout(TEST_TIMEOUT, guard.lost().cancelled());
    notified.await.expect("the holder is notified in time");
}

/// A grant to a task of the process whose other guard is lost and alive.
async fn regrant(mutex: &Mutex, lost: &Guard) -> Guard {
    let guard = mutex.lock_within(TEST_TIMEOUT).await.unwrap();
    assert_eq!(guard.lost_reason(), None);
    assert!(guard.fence() > lost.fence());
    guard
}

#[tokio::test]
async fn an_owner_whose_guard_is_lost_gets_a_grant_of_its_own() {
    let (locks, _) = shared_locks().await;
    let mutex = locks.mutex("a");
    let outer = mutex.clone().term(SHORT).lock_as("me").await.unwrap();
    is_lost(&outer).await;
    let again = timeout(TEST_TIMEOUT, mutex.lock_as("me"));
    let again = again.await.expect("the lost guard is alive").unwrap();
    assert_eq!(again.lost_reason(), None);
    assert!(again.fence() > outer.fence());
    let inner = mutex.lock_as("me").await.unwrap();
    assert_eq!(inner.fence(), again.fence());
}

#[tokio::test]
async fn a_lost_guard_that_is_alive_keeps_no_task_of_its_process_from_the_lock() {
    let (locks, prefix) = shared_locks().await;
    let mutex = locks.mutex("a");
    let first = mutex.clone().term(SHORT).lock().await.unwrap();
    // One that waits already, and one that comes later.
    let waiting = tokio::spawn({
        let mutex = mutex.clone().term(SHORT);
        async move { mutex.lock().await.unwrap() }
    });
    is_lost(&first).await;
    let second = timeout(TEST_TIMEOUT, waiting).await.unwrap().unwrap();
    assert!(second.fence() > first.fence());
    is_lost(&second).await;
    let third = regrant(&mutex, &second).await;
    // Those that are lost have no turn to pass on, and nothing to release.
    drop(first);
    assert!(second.release().await.is_err());
    assert!(mutex.try_lock().await.unwrap().is_none());
    assert!(pttl(Redis::shared().await, &key(&prefix, "a")).await > 0);
    third.release().await.unwrap();
    assert!(mutex.try_lock().await.unwrap().is_some());
}

#[tokio::test]
async fn a_try_succeeds_as_soon_as_the_lease_of_a_lost_guard_is_over() {
    let (locks, _) = shared_locks().await;
    let mutex = locks.mutex("a");
    let lost = mutex.clone().term(SHORT).lock().await.unwrap();
    wait_until("the lock to be had", TEST_TIMEOUT, async || {
        mutex.try_lock().await.unwrap().is_some()
    })
    .await;
    assert_eq!(lost.lost_reason(), Some(LostReason::LeaseOver));
}

#[tokio::test]
async fn a_lock_deleted_by_hand_is_granted_to_its_own_process_while_the_lost_guard_lives() {
    let (locks, prefix) = shared_locks().await;
    let mutex = locks.mutex("a").term(Term::Renewed(Duration::from_secs(1)));
    let lost = mutex.lock().await.unwrap();
    let gone: i64 = ask(Redis::shared().await, &["DEL", &key(&prefix, "a")]).await;
    assert_eq!(gone, 1);
    is_lost(&lost).await;
    assert_eq!(lost.lost_reason(), Some(LostReason::Gone));
    regrant(&mutex, &lost).await.release().await.unwrap();
}
