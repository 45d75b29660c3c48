//! What renewals cost, and that a batch of them has one outcome per lock.

use std::time::Duration;

use redis_locks::{Guard, LostReason, Term};
use testkit::{Redis, unique_prefix, wait_until};
use tokio::time::timeout;

use crate::{TEST_TIMEOUT, ask, key, locks};

const LOCKS: u64 = 12;

async fn hold_all(redis: &Redis, prefix: &str) -> Vec<Guard> {
    let locks = locks(&redis.url(), prefix).await;
    let mut guards = Vec::new();
    for n in 0..LOCKS {
        // Renewed every second, and long enough for a busy machine.
        let mutex = locks.mutex(&n.to_string());
        let mutex = mutex.term(Term::Renewed(Duration::from_secs(3)));
        guards.push(mutex.lock().await.unwrap());
    }
    guards
}

#[tokio::test]
async fn leases_that_are_due_together_are_renewed_in_one_call() {
    let redis = Redis::start().await;
    let _guards = hold_all(&redis, &unique_prefix()).await;
    let before = redis.commands().await;
    wait_until("three renewals of each", TEST_TIMEOUT, async || {
        redis.commands().await.since(&before).of("pexpire") >= 3 * LOCKS
    })
    .await;
    let spent = redis.commands().await.since(&before);
    // As many as renewals if each were alone; a busy machine may split a batch.
    assert!(spent.of("evalsha") * 4 <= spent.of("pexpire"), "{spent:?}");
}

#[tokio::test]
async fn a_lock_that_is_lost_among_others_is_reported_alone() {
    let redis = Redis::start().await;
    let prefix = unique_prefix();
    let guards = hold_all(&redis, &prefix).await;
    let _: i64 = ask(&redis, &["DEL", &key(&prefix, "5")]).await;
    let lost = timeout(TEST_TIMEOUT, guards[5].lost().cancelled());
    lost.await.expect("its holder is notified");
    assert_eq!(guards[5].lost_reason(), Some(LostReason::Gone));
    let kept = guards.iter().filter(|guard| guard.lost_reason().is_none());
    assert_eq!(kept.count() as u64, LOCKS - 1);
}
