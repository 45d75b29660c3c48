//! Several locks as one.

use std::time::Duration;

use redis_locks::{BadMembers, Error, LostReason, MultiLock, Mutex, Term};
use testkit::{Redis, unique_prefix, wait_until};
use tokio::time::timeout;

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
        MultiLock::majority(members).unwrap()
    }
}

#[tokio::test]
async fn all_locks_are_acquired_together_or_not_at_all() {
    let (locks, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let all = || MultiLock::all([locks.mutex("b"), locks.mutex("a")]).unwrap();
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
                .unwrap()
                .lock_within(TEST_TIMEOUT)
                .await
                .map(drop)
        });
    }
    while let Some(taken) = tasks.join_next().await {
        taken.unwrap().unwrap();
    }
}

/// Requests after which two callers that try without queueing have both tried.
const ROUNDS: u64 = 20;

/// Two servers with the same lock on each, held by a process of its own until two others wait for both.
struct TwoServers {
    servers: [Redis; 2],
    prefix: String,
}

impl TwoServers {
    async fn start() -> Self {
        Self {
            servers: [Redis::start().await, Redis::start().await],
            prefix: unique_prefix(),
        }
    }

    /// The lock on the servers at these addresses, of a process of its own.
    async fn members(&self, urls: [String; 2]) -> [Mutex; 2] {
        let [first, second] = urls;
        [
            locks(&first, &self.prefix).await.mutex("a"),
            locks(&second, &self.prefix).await.mutex("a"),
        ]
    }

    /// Lets two callers wait while both locks are held, and releases both at once: each caller gets what it waits for
    /// first, and the caller that goes on to wait for the other one must not keep it.
    async fn both_are_granted(&self, callers: [MultiLock; 2]) {
        let [first, second] = &self.servers;
        let held = self.members([first.url(), second.url()]).await;
        let held = [held[0].lock().await.unwrap(), held[1].lock().await.unwrap()];
        let before = self.requests().await;
        let waiting = callers.map(|caller| {
            tokio::spawn(async move { caller.lock().await.unwrap().release().await.unwrap() })
        });
        wait_until("both callers to wait", TEST_TIMEOUT, async || {
            self.queued().await == 2 || self.requests().await >= before + ROUNDS
        })
        .await;
        for held in held {
            held.release().await.unwrap();
        }
        for granted in waiting {
            let granted = timeout(TEST_TIMEOUT, granted).await;
            granted.expect("no deadlock").unwrap();
        }
    }

    /// Waiters in the queues of both servers.
    async fn queued(&self) -> i64 {
        let queue = format!("{}:queue", key(&self.prefix, "a"));
        let [first, second] = &self.servers;
        ask::<i64>(first, &["ZCARD", &queue]).await + ask::<i64>(second, &["ZCARD", &queue]).await
    }

    /// Script calls on both servers so far.
    async fn requests(&self) -> u64 {
        let [first, second] = &self.servers;
        first.command_count("evalsha").await + second.command_count("evalsha").await
    }
}

#[tokio::test]
async fn the_same_lock_on_two_servers_in_another_order_does_not_deadlock() {
    let two = TwoServers::start().await;
    let [first, second] = [two.servers[0].url(), two.servers[1].url()];
    let forward = two.members([first.clone(), second.clone()]).await;
    let backward = two.members([second, first]).await;
    let callers = [forward, backward].map(|members| MultiLock::all(members).unwrap());
    two.both_are_granted(callers).await;
}

#[tokio::test]
async fn callers_that_know_two_servers_by_different_addresses_do_not_deadlock() {
    let two = TwoServers::start().await;
    let [first, second] = &two.servers;
    // Each knows another one by its socket, so that no order of addresses is common to both.
    let members = [
        two.members([first.url(), second.unix_url()]).await,
        two.members([first.unix_url(), second.url()]).await,
    ];
    let callers = members.map(|members| MultiLock::all(members).unwrap());
    two.both_are_granted(callers).await;
}

#[tokio::test]
async fn a_majority_of_two_in_another_order_does_not_deadlock_and_has_no_fence() {
    let two = TwoServers::start().await;
    let [first, second] = [two.servers[0].url(), two.servers[1].url()];
    let forward = two.members([first.clone(), second.clone()]).await;
    let backward = two.members([second, first]).await;
    let callers = [forward, backward].map(|members| MultiLock::majority(members).unwrap());
    let alone = callers[0].lock().await.unwrap();
    assert_eq!((alone.held(), alone.fence()), (2, None));
    alone.release().await.unwrap();
    two.both_are_granted(callers).await;
}

#[tokio::test]
async fn members_that_make_no_sense_are_refused() {
    let (locks_a, prefix) = shared_locks().await;
    let locks_b = locks(&Redis::shared().await.url(), &prefix).await;
    type Build = fn(Vec<Mutex>) -> Result<MultiLock, BadMembers>;
    let builds: [Build; 2] = [MultiLock::all, MultiLock::majority];
    for build in builds {
        let none = build(Vec::new()).map(drop);
        assert_eq!(none, Err(BadMembers::Empty));
        // Another process of the same server is the same lock, which excludes both.
        for twin in [locks_a.mutex("a"), locks_b.mutex("a")] {
            let members = vec![locks_a.mutex("a"), locks_a.mutex("b"), twin];
            let refused = build(members).map(drop).unwrap_err();
            let told = refused.to_string();
            assert!(
                told.contains("`a`") && told.contains("list it once"),
                "{told}"
            );
            assert!(matches!(Error::from(refused), Error::BadMembers(_)));
        }
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

#[tokio::test]
async fn work_under_several_locks_is_dropped_when_one_of_them_is_lost() {
    let (locks, _) = crate::shared_locks().await;
    let members = ["a", "b"].map(|name| {
        let mutex = locks.mutex(name);
        mutex.term(redis_locks::Term::Fixed(Duration::from_millis(500)))
    });
    let guard = MultiLock::all(members).unwrap().lock().await.unwrap();
    assert_eq!(guard.protect(async { 7 }).await.unwrap(), 7);
    let endless = guard.protect(std::future::pending::<()>());
    let dropped = tokio::time::timeout(crate::TEST_TIMEOUT, endless).await;
    let dropped = dropped.expect("a lease is over");
    assert!(
        matches!(dropped, Err(redis_locks::Error::Lost(_))),
        "{dropped:?}"
    );
}
