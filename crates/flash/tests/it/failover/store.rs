//! A master with a replica, in two shapes, and what a test does to them.

use std::time::Duration;

use redis::aio::MultiplexedConnection;
use testkit::{Redis, RedisCluster, RedisSentinel, wait_for, wait_until};

use crate::gate_keys::ask;

/// An election takes seconds, and more than that on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Longer than one takes.
const ELECTION: Duration = Duration::from_secs(30);

#[expect(clippy::large_enum_variant, reason = "a test has one of them")]
pub(super) enum Store {
    Sentinel(RedisSentinel),
    Cluster(RedisCluster),
}

/// The master of a key.
pub(super) struct Master<'a>(&'a Redis);

impl Store {
    pub(super) async fn sentinel() -> Self {
        Self::Sentinel(RedisSentinel::start().await)
    }

    pub(super) async fn cluster() -> Self {
        Self::Cluster(RedisCluster::with_replicas().await)
    }

    pub(super) fn url(&self) -> String {
        match self {
            Self::Sentinel(sentinel) => sentinel.url(),
            Self::Cluster(cluster) => cluster.url(),
        }
    }

    /// With a replica that is in step.
    pub(super) async fn master_of(&self, key: &str) -> Master<'_> {
        let found = wait_for("a master in step", PATIENCE, async || {
            let master = self.find_master(key).await?;
            let mut connection = master.connection().await;
            let mut wait = redis::cmd("WAIT");
            let wait = wait.arg(1).arg(100);
            let in_step: u32 = wait.query_async(&mut connection).await.ok()?;
            (in_step == 1).then_some(master)
        });
        Master(found.await)
    }

    /// With or without a replica.
    pub(super) async fn lone_master_of(&self, key: &str) -> Master<'_> {
        let found = wait_for("a master", PATIENCE, async || self.find_master(key).await);
        Master(found.await)
    }

    /// Sentinels elect no replica that was cut off ten times as long as a master may be silent, which a busy machine can
    /// bring about: then the dead master is started again and goes on.
    pub(super) async fn await_failover(&self, key: &str) {
        let election = wait_for("another master", PATIENCE, async || {
            self.find_master(key).await
        });
        if tokio::time::timeout(ELECTION, election).await.is_err() {
            self.recover().await;
            wait_for("a master", PATIENCE, async || self.find_master(key).await).await;
        }
    }

    /// Restarts the killed server; it becomes a replica of the new master.
    pub(super) async fn recover(&self) {
        match self {
            Self::Sentinel(sentinel) => sentinel.start_again().await,
            Self::Cluster(cluster) => {
                for (number, node) in cluster.nodes().iter().enumerate() {
                    if !node.is_running() {
                        cluster.start_again(number).await;
                    }
                }
                cluster.wait_until_ok().await;
            }
        }
    }

    async fn find_master(&self, key: &str) -> Option<&Redis> {
        let cluster = match self {
            Self::Sentinel(sentinel) => return sentinel.master().await,
            Self::Cluster(cluster) => cluster,
        };
        for node in cluster.nodes().iter().filter(|node| node.is_running()) {
            let mut connection = node.connection().await;
            // A node that does not serve the slot returns an error, and so does a replica.
            let mut exists = redis::cmd("EXISTS");
            let answer: Result<u32, _> = exists.arg(key).query_async(&mut connection).await;
            if answer.is_ok() {
                return Some(node);
            }
        }
        None
    }
}

impl Master<'_> {
    /// From then on the replica gets nothing: it loses its connection and is not allowed to ask for what it missed.
    pub(super) async fn cut_off_replica(&self) {
        let mut connection: MultiplexedConnection = self.0.connection().await;
        let forbid = ["ACL", "SETUSER", "default", "-psync", "-sync"];
        let () = ask(&mut connection, &forbid).await;
        let _: u32 = ask(&mut connection, &["CLIENT", "KILL", "TYPE", "replica"]).await;
        wait_until("the replica to be gone", PATIENCE, async || {
            let info: String = ask(&mut connection.clone(), &["INFO", "replication"]).await;
            info.contains("connected_slaves:0")
        })
        .await;
    }

    pub(super) async fn freeze(&self) {
        self.0.freeze().await;
    }

    pub(super) fn thaw(&self) {
        self.0.thaw();
    }

    pub(super) fn kill(&self) {
        self.0.stop_hard();
    }
}
