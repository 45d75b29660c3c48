//! A holder that loses its lock is told, with the reason, before anybody else can have it.

use std::time::Duration;

use redis_locks::{Error, Guard, LostReason, Term};
use testkit::{FaultProxy, Redis, unique_prefix, wait_until};
use tokio::time::timeout;

use crate::{PATIENCE, ask, key, locks, pttl};

/// A twentieth of it, by which the holder is told earlier, is more than a busy machine is late.
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
        let told = timeout(PATIENCE, self.guard.lost().cancelled());
        told.await.expect("the holder is told in time");
        assert_eq!(self.guard.lost_reason(), Some(reason));
    }

    /// What the server would let others wait.
    async fn rest_ms(&self) -> i64 {
        pttl(&self.redis, &key(&self.prefix, "a")).await
    }
}

#[tokio::test]
async fn a_holder_that_is_cut_off_is_told_before_its_lease_ends() {
    let held = Held::new(LEASE).await;
    held.proxy.cut().await;
    held.is_lost(LostReason::NotRenewed).await;
    assert!(held.rest_ms().await > 0);
}

#[tokio::test]
async fn a_holder_that_hears_nothing_is_told_before_its_lease_ends() {
    let held = Held::new(LEASE).await;
    held.proxy.black_hole().await;
    held.is_lost(LostReason::NotRenewed).await;
    assert!(held.rest_ms().await > 0);
    let released = timeout(PATIENCE, held.guard.release()).await.unwrap();
    assert!(matches!(released, Err(Error::Lost(LostReason::NotRenewed))));
}

#[tokio::test]
async fn a_paused_server_costs_the_lock_only_if_it_lasts_too_long() {
    let held = Held::new(LEASE).await;
    let deadline = held.guard.deadline();
    let _: () = ask(&held.redis, &["CLIENT", "PAUSE", "1500", "ALL"]).await;
    wait_until("a renewal", PATIENCE, async || {
        assert_eq!(held.guard.lost_reason(), None);
        held.guard.deadline() > deadline
    })
    .await;
    let _: () = ask(&held.redis, &["CLIENT", "PAUSE", "30000", "ALL"]).await;
    held.is_lost(LostReason::NotRenewed).await;
}

#[tokio::test]
async fn a_server_that_sleeps_too_long_costs_the_lock() {
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
async fn a_server_that_was_killed_and_comes_back_in_time_keeps_the_lock() {
    let held = Held::new(LEASE).await;
    let deadline = held.guard.deadline();
    held.redis.stop_hard();
    held.redis.start_again().await;
    wait_until("a renewal", PATIENCE, async || {
        held.guard.deadline() > deadline
    })
    .await;
    held.guard.release().await.unwrap();
}

#[tokio::test]
async fn a_server_that_stays_away_costs_the_lock() {
    let held = Held::new(Duration::from_secs(1)).await;
    held.redis.stop_hard();
    held.is_lost(LostReason::NotRenewed).await;
}

#[tokio::test]
async fn a_lock_deleted_by_hand_is_gone_and_one_given_away_is_taken() {
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
async fn a_release_tells_a_lock_that_is_gone_from_one_that_cannot_be_asked_about() {
    let held = Held::new(Duration::from_secs(60)).await;
    let _: i64 = ask(&held.redis, &["DEL", &key(&held.prefix, "a")]).await;
    let released = held.guard.release().await;
    assert!(matches!(released, Err(Error::Lost(LostReason::Gone))));

    let held = Held::new(Duration::from_secs(60)).await;
    held.proxy.cut().await;
    let released = held.guard.release().await;
    assert!(matches!(released, Err(Error::Unasked(_))), "{released:?}");
    // What could not be said is said later.
    held.proxy.pass().await;
    crate::wait_until_free(&held.redis, &key(&held.prefix, "a")).await;
}

#[tokio::test]
async fn short_outages_do_not_cost_the_lock() {
    let held = Held::new(Duration::from_secs(3)).await;
    for _ in 0..3 {
        let deadline = held.guard.deadline();
        held.proxy.cut().await;
        held.proxy.pass().await;
        wait_until("a renewal", PATIENCE, async || {
            held.guard.deadline() > deadline
        })
        .await;
    }
    held.guard.release().await.unwrap();
}
