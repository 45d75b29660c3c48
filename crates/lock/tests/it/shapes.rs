//! The same promises on a unix socket, behind sentinels, in a Cluster, and on a server that forgets its scripts.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use redis_locks::{Locks, Term};
use testkit::{Redis, RedisCluster, RedisSentinel, unique_prefix, wait_until};
use tokio::task::JoinSet;

use crate::{TEST_TIMEOUT, ask, link, locks};

/// Every kind of lock, contended by two processes.
async fn exercise(url: &str) {
    let prefix = unique_prefix();
    let both = [locks(url, &prefix).await, locks(url, &prefix).await];
    let inside = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for number in 0..40 {
        let (locks, inside) = (both[number % 2].clone(), inside.clone());
        tasks.spawn(async move {
            // Names that fall into different slots.
            let name = format!("lock {}", number % 4 / 2);
            let guards = [
                locks.mutex(&name).lock().await.unwrap(),
                locks.fair_mutex(&name).lock().await.unwrap(),
                locks.rw_lock(&name).write().await.unwrap(),
                locks.semaphore(&name, 1).acquire().await.unwrap(),
            ];
            assert!(inside.fetch_add(1, Ordering::SeqCst) < 2);
            inside.fetch_sub(1, Ordering::SeqCst);
            for guard in guards {
                guard.release().await.unwrap();
            }
        });
    }
    let all = async { while tasks.join_next().await.transpose().unwrap().is_some() {} };
    tokio::time::timeout(TEST_TIMEOUT, all).await.unwrap();
}

#[tokio::test]
async fn every_kind_works_over_a_unix_socket() {
    exercise(&Redis::shared().await.unix_url()).await;
}

#[tokio::test]
async fn every_kind_works_in_a_cluster_with_wakes_by_sharded_channels() {
    let cluster = RedisCluster::shared().await;
    exercise(&cluster.url()).await;
    let commands = cluster.commands().await;
    assert!(commands.of("spublish") > 0);
    assert!(commands.of("ssubscribe") > 0);
    assert_eq!(commands.of("publish"), 0);
}

#[tokio::test]
async fn a_server_without_the_scripts_gets_them_again() {
    let redis = Redis::start().await;
    let prefix = unique_prefix();
    let locks = locks(&redis.url(), &prefix).await;
    let term = Term::Renewed(Duration::from_millis(600));
    let guard = locks.mutex("a").term(term).lock().await.unwrap();
    let _: () = ask(&redis, &["SCRIPT", "FLUSH"]).await;
    let deadline = guard.deadline();
    wait_until("a renewal", TEST_TIMEOUT, async || {
        guard.deadline() > deadline
    })
    .await;
    let _: () = ask(&redis, &["SCRIPT", "FLUSH"]).await;
    guard.release().await.unwrap();
}

#[tokio::test]
async fn a_failover_behind_sentinels_keeps_replicated_locks_and_fences_grow() {
    let sentinel = RedisSentinel::start().await;
    let link = link(&sentinel.url()).await;
    let locks = Locks::new(link.clone());
    let term = Term::Renewed(Duration::from_secs(20));
    let kept = locks.mutex("kept").term(term).lock().await.unwrap();
    let before = locks.mutex("a").lock().await.unwrap();
    let fence = before.fence();
    before.release().await.unwrap();
    let mut replicated = redis::cmd("WAIT");
    replicated.arg(1).arg(400);
    assert_eq!(link.run::<i64>(&replicated).await.unwrap(), 1);

    let deadline = kept.deadline();
    sentinel.kill_master().await;
    sentinel.await_failover().await;
    wait_until("a renewal", TEST_TIMEOUT, async || {
        kept.deadline() > deadline
    })
    .await;
    kept.release().await.unwrap();
    let after = locks.mutex("a").lock_within(TEST_TIMEOUT).await.unwrap();
    assert!(after.fence() > fence);
}

#[tokio::test]
async fn a_lost_cluster_master_delays_its_own_locks_only() {
    let cluster = RedisCluster::with_replicas().await;
    let locks = locks(&cluster.url(), &unique_prefix()).await;
    let term = Term::Renewed(Duration::from_secs(3));
    let mut held = Vec::new();
    for number in 0..12 {
        let mutex = locks.mutex(&format!("lock {number}")).term(term);
        held.push(mutex.lock().await.unwrap());
    }
    cluster.stop_hard(1);
    // Every lock survives, or its holder is notified; and each can be acquired again.
    for guard in held {
        let kept = guard.lost_reason().is_none();
        let released = guard.release().await;
        assert!(kept || released.is_err());
    }
    for number in 0..12 {
        let mutex = locks.mutex(&format!("lock {number}"));
        wait_until("the lock to be had", TEST_TIMEOUT, async || {
            mutex.lock_within(TEST_TIMEOUT).await.is_ok()
        })
        .await;
    }
}
