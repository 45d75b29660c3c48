//! Several locks as one.

use std::time::Duration;

use redis_locks::{Error, LostReason, MultiLock, Mutex, Term};
use testkit::{Redis, unique_prefix, wait_until};

use crate::{TEST_TIMEOUT, ask, key, locks, shared_locks, wait_until_free};

struct Nodes {
    servers: Vec<Redis>,
    prefix: String,
}

impl Nodes {
    async fn start() -> Self {
        let mut servers = Vec::new();
        for _ in 0..3 {
            servers.push(Redis::start().await);
        }
        Self {
            servers,
            prefix: unique_prefix(),
        }
    }

    /// The same lock on each node, of a process of its own.
    async fn majority(&self) -> MultiLock {
        let mut members: Vec<Mutex> = Vec::new();
        for server in &self.servers {
            let locks = locks(&server.url(), &self.prefix).await;
            let term = Term::Renewed(Duration::from_secs(3));
            members.push(locks.mutex("a").term(term));
        }
        MultiLock::majority(members)
    }
}

#[tokio::test]
async fn all_locks_are_acquired_together_or_not_at_all() {
    let (locks, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let all = || MultiLock::all([locks.mutex("b"), locks.mutex("a"), locks.mutex("b")]);
    let other = locks.mutex("b").lock().await.unwrap();
    assert!(all().try_lock().await.unwrap().is_none());
    wait_until_free(redis, &key(&prefix, "a")).await;
    let waited = all().lock_within(Duration::from_millis(50)).await;
    assert!(matches!(waited, Err(Error::WaitLimit)));
    wait_until_free(redis, &key(&prefix, "a")).await;
    other.release().await.unwrap();
    let both = all().lock().await.unwrap();
    assert_eq!(both.held(), 2);
    let fence = both.fence().unwrap();
    assert!(locks.mutex("a").try_lock().await.unwrap().is_none());
    both.release().await.unwrap();
    assert!(all().lock().await.unwrap().fence().unwrap() > fence);
}

#[tokio::test]
async fn acquiring_the_same_locks_in_another_order_does_not_deadlock() {
    let (locks, _) = shared_locks().await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..20 {
        let mut members = vec![locks.mutex("a"), locks.mutex("b"), locks.mutex("c")];
        members.rotate_left(number % 3);
        tasks.spawn(async move {
            MultiLock::all(members)
                .lock_within(TEST_TIMEOUT)
                .await
                .map(drop)
        });
    }
    while let Some(taken) = tasks.join_next().await {
        taken.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_majority_is_held_by_one_and_outlives_the_loss_of_a_node() {
    let nodes = Nodes::start().await;
    let [first, second] = [nodes.majority().await, nodes.majority().await];
    let held = first.lock().await.unwrap();
    assert_eq!(held.held(), 3);
    assert_eq!(held.fence(), None);
    assert!(second.try_lock().await.unwrap().is_none());
    nodes.servers[0].stop_hard();
    wait_until("the loss to be noticed", TEST_TIMEOUT, async || {
        held.held() == 2
    })
    .await;
    assert_eq!(held.lost_reason(), None);
    assert!(second.try_lock().await.unwrap().is_none());
    held.release().await.unwrap();
    let held = second.lock_within(TEST_TIMEOUT).await.unwrap();
    assert_eq!(held.held(), 2);
}

#[tokio::test]
async fn a_majority_does_not_erode_when_a_node_loses_its_data_and_returns() {
    let nodes = Nodes::start().await;
    let lock = nodes.majority().await;
    let held = lock.lock().await.unwrap();
    for server in &nodes.servers {
        let _: () = ask(server, &["FLUSHALL"]).await;
        wait_until("the loss to be noticed", TEST_TIMEOUT, async || {
            held.held() == 2
        })
        .await;
        wait_until("the node to be had again", TEST_TIMEOUT, async || {
            held.held() == 3
        })
        .await;
    }
    assert_eq!(held.lost_reason(), None);
    held.release().await.unwrap();
}

#[tokio::test]
async fn the_holder_is_notified_of_a_lost_majority_and_no_new_one_is_granted() {
    let nodes = Nodes::start().await;
    let lock = nodes.majority().await;
    let held = lock.lock().await.unwrap();
    nodes.servers[0].stop_hard();
    nodes.servers[1].stop_hard();
    tokio::time::timeout(TEST_TIMEOUT, held.lost().cancelled())
        .await
        .unwrap();
    assert_eq!(held.lost_reason(), Some(LostReason::NoQuorum));
    drop(held);
    assert!(matches!(lock.try_lock().await, Err(Error::NoQuorum)));
}
