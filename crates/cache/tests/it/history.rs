//! Random histories of three nodes with everything going wrong, and one claim: once it is quiet, every node reads the row.
//!
//! Rows change and their invalidations are relayed later, in order and at least once, as from an outbox: a crash between
//! the commit and the invalidation is a late relay. In the meantime loads are paused between the read of the row and the
//! fill, nodes are disconnected, subscriptions are lost, and Redis is killed, restarted and flushed. No entry expires: a
//! stale value would stay.

use std::{collections::VecDeque, time::Duration};

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use redis_two_level_cache::{Cache, CacheMode};
use testkit::{FaultProxy, Redis, unique_prefix, wait_until};
use tokio::task::JoinSet;

use crate::{
    TEST_TIMEOUT, ask, builder, kill_subscriptions, store::Store, subscribed, wait_until_subscribed,
};

const NODES: usize = 3;
const KEYS: u64 = 3;

/// How many histories are tried; the environment may ask for more.
const HISTORIES: u32 = 24;
const STEPS: usize = 60;

/// Nothing may be mended by its end; that of a tombstone is a message like any other.
const FOREVER: Duration = Duration::from_secs(3600);

/// How long a message may take, on a busy machine.
const SOON: Duration = Duration::from_secs(5);

/// How long a step waits for a read; a read behind a paused load goes on in the background.
const MOMENT: Duration = Duration::from_millis(30);

#[derive(Clone, Debug)]
enum Step {
    /// Twice: what Redis answered is in memory then.
    Read {
        node: usize,
        key: u64,
    },
    /// Commits, and leaves the announcement to the relay.
    Commit {
        key: u64,
    },
    /// Commits and announces at once. The relay has nothing to do then, unless that failed.
    Change {
        node: usize,
        key: u64,
    },
    /// Announces a change once more.
    Repeat {
        node: usize,
        key: u64,
    },
    Relay {
        node: usize,
    },
    Pause {
        node: usize,
    },
    Resume {
        node: usize,
    },
    Cut {
        node: usize,
    },
    Heal {
        node: usize,
    },
    Deafen,
    Restart,
    Flush,
    /// Waits until reachable nodes are subscribed again: histories are faster than connections.
    Reconnect,
}

fn step() -> impl Strategy<Value = Step> {
    let node = 0..NODES;
    let key = 0..KEYS;
    let at = || (node.clone(), key.clone());
    prop_oneof![
        16 => at().prop_map(|(node, key)| Step::Read { node, key }),
        4 => key.clone().prop_map(|key| Step::Commit { key }),
        6 => at().prop_map(|(node, key)| Step::Change { node, key }),
        1 => at().prop_map(|(node, key)| Step::Repeat { node, key }),
        6 => node.clone().prop_map(|node| Step::Relay { node }),
        5 => node.clone().prop_map(|node| Step::Pause { node }),
        4 => node.clone().prop_map(|node| Step::Resume { node }),
        3 => node.clone().prop_map(|node| Step::Cut { node }),
        2 => node.clone().prop_map(|node| Step::Heal { node }),
        1 => Just(Step::Deafen),
        1 => Just(Step::Restart),
        1 => Just(Step::Flush),
        6 => Just(Step::Reconnect),
    ]
}

fn mode() -> impl Strategy<Value = CacheMode> {
    prop_oneof![
        Just(CacheMode::PassThrough),
        Just(CacheMode::Mutex),
        Just(CacheMode::LogicalExpiry)
    ]
}

/// Whether announcements name the version of the row.
#[derive(Clone, Copy, Debug)]
enum Naming {
    Versions,
    KeysOnly,
}

struct Node {
    proxy: FaultProxy,
    store: Store,
    cache: Cache<Store>,
    is_paused: bool,
    is_cut: bool,
}

struct World {
    redis: Redis,
    store: Store,
    naming: Naming,
    nodes: Vec<Node>,
    outbox: VecDeque<(u64, u64)>,
    reads: JoinSet<()>,
}

impl World {
    async fn new(mode: CacheMode, naming: Naming) -> Self {
        let redis = Redis::builder().sync_every_second().start().await;
        let (store, prefix) = (Store::new(), unique_prefix());
        let mut nodes = Vec::new();
        for _ in 0..NODES {
            let proxy = FaultProxy::start(redis.addr()).await;
            let store = store.other_node();
            let builder = builder(&format!("redis://{}", proxy.addr()), &prefix, &store).await;
            let builder = builder.mode(mode).l1_blind_ttl(Duration::from_millis(50));
            let builder = builder.l1_ttl(FOREVER).tombstone_ttl(FOREVER);
            let cache = subscribed(builder.l2_timeout(Duration::from_millis(500))).await;
            nodes.push(Node {
                proxy,
                store,
                cache,
                is_paused: false,
                is_cut: false,
            });
        }
        Self {
            redis,
            store,
            naming,
            nodes,
            outbox: VecDeque::new(),
            reads: JoinSet::new(),
        }
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::Read { node, key } => {
                self.read(node, key).await;
                self.read(node, key).await;
            }
            Step::Commit { key } => drop(self.commit(key)),
            Step::Change { node, key } => self.change(node, key).await,
            Step::Repeat { node, key } => self.repeat(node, key).await,
            Step::Relay { node } => drop(self.relay(node).await),
            Step::Pause { node } => self.set_paused(node, true),
            Step::Resume { node } => self.set_paused(node, false),
            Step::Cut { node } => self.set_cut(node, true).await,
            Step::Heal { node } => self.set_cut(node, false).await,
            Step::Deafen => drop(kill_subscriptions(&self.redis).await),
            Step::Restart => {
                self.redis.stop_hard();
                self.redis.start_again().await;
            }
            Step::Flush => ask(&self.redis, &["FLUSHALL"]).await,
            Step::Reconnect => self.reconnect().await,
        }
    }

    /// The version that was read, if it took no longer than a moment.
    async fn read(&mut self, node: usize, key: u64) -> Option<Option<u64>> {
        let cache = self.nodes[node].cache.clone();
        let (answer, answered) = tokio::sync::oneshot::channel();
        self.reads.spawn(async move {
            let row = cache.get(&key).await.unwrap();
            // The step may have moved on.
            let _ = answer.send(row.map(|row| row.version));
        });
        tokio::time::timeout(MOMENT, answered).await.ok()?.ok()
    }

    fn commit(&mut self, key: u64) -> u64 {
        let version = self.store.write(key, "row");
        self.outbox.push_back((key, version));
        version
    }

    /// A node that announced a change does not read what was before it.
    async fn change(&mut self, node: usize, key: u64) {
        let version = self.commit(key);
        if !self.announce(node, key, version).await {
            return;
        }
        self.outbox.retain(|left| *left != (key, version));
        if !self.nodes[node].is_paused
            && let Some(read) = self.read(node, key).await
        {
            assert!(
                read >= Some(version),
                "read {read:?} after announcing {version}"
            );
        }
    }

    async fn repeat(&self, node: usize, key: u64) {
        if let Some(row) = self.store.row(key) {
            self.announce(node, key, row.version).await;
        }
    }

    async fn announce(&self, node: usize, key: u64, version: u64) -> bool {
        let cache = &self.nodes[node].cache;
        let announced = match self.naming {
            Naming::Versions => cache.invalidate_older(&key, version).await,
            Naming::KeysOnly => cache.invalidate(&key).await,
        };
        announced.is_ok()
    }

    /// Whether anything is left to relay.
    async fn relay(&mut self, node: usize) -> bool {
        let Some((key, version)) = self.outbox.front().copied() else {
            return false;
        };
        if self.announce(node, key, version).await {
            self.outbox.pop_front();
        }
        !self.outbox.is_empty()
    }

    fn set_paused(&mut self, node: usize, is_paused: bool) {
        let node = &mut self.nodes[node];
        node.is_paused = is_paused;
        match is_paused {
            true => node.store.gate.shut(),
            false => node.store.gate.reopen(),
        }
    }

    async fn set_cut(&mut self, node: usize, is_cut: bool) {
        let node = &mut self.nodes[node];
        node.is_cut = is_cut;
        match is_cut {
            true => node.proxy.cut().await,
            false => node.proxy.pass().await,
        }
    }

    async fn reconnect(&self) {
        for node in self.nodes.iter().filter(|node| !node.is_cut) {
            wait_until_subscribed(&node.cache).await;
        }
    }

    /// Mends everything, relays what is left, and waits until nothing moves. Paused loads go on last of all: whatever
    /// they have read, no process invalidates the row any more.
    async fn calm(&mut self) {
        for node in 0..NODES {
            self.set_cut(node, false).await;
        }
        wait_until(
            "all announcements to be relayed",
            TEST_TIMEOUT,
            async || !self.relay(0).await,
        )
        .await;
        (0..NODES).for_each(|node| self.set_paused(node, false));
        while let Some(read) = self.reads.join_next().await {
            read.unwrap();
        }
        self.reconnect().await;
    }

    async fn check(&self) {
        wait_until("every node to read the row", SOON, async || {
            self.differences().await.is_empty()
        })
        .await;
        for _ in 0..10 {
            assert_eq!(self.differences().await, []);
        }
    }

    /// Where a node reads something else than the row: node, key, what it read.
    async fn differences(&self) -> Vec<(usize, u64, Option<u64>)> {
        let mut found = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            for key in 0..KEYS {
                let read = node.cache.get(&key).await.unwrap();
                if read.as_deref() != self.store.row(key).as_ref() {
                    found.push((index, key, read.map(|row| row.version)));
                }
            }
        }
        found
    }
}

async fn live_through(mode: CacheMode, naming: Naming, steps: Vec<Step>) {
    let mut world = World::new(mode, naming).await;
    for node in 0..NODES {
        for key in 0..KEYS {
            world.take(Step::Read { node, key }).await;
        }
    }
    for step in steps {
        world.take(step).await;
    }
    world.calm().await;
    world.check().await;
}

#[test]
fn after_any_history_every_node_reads_the_row() {
    let cases = std::env::var("PROPTEST_CASES").map_or(HISTORIES, |cases| cases.parse().unwrap());
    let config = Config {
        cases,
        failure_persistence: None,
        // Each one takes seconds, and what failed once may pass when it is tried again.
        max_shrink_iters: 0,
        ..Config::default()
    };
    let naming = prop_oneof![Just(Naming::Versions), Just(Naming::KeysOnly)];
    let history = (mode(), naming, prop::collection::vec(step(), STEPS));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let outcome = TestRunner::new(config).run(&history, |(mode, naming, steps)| {
        runtime.block_on(live_through(mode, naming, steps));
        Ok(())
    });
    outcome.unwrap();
}
