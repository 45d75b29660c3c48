//! A holder that loses its lock is notified, with the reason, before another holder can get it.

use std::time::Duration;

use redis_locks::{Error, Guard, LostReason, Term};
use testkit::{FaultProxy, Redis, unique_prefix, wait_until};
use tokio::time::timeout;

use crate::{TEST_TIMEOUT, ask, key, locks, pttl};

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
