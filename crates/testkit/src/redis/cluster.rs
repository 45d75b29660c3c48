//! A private Redis Cluster of three masters, with or without a replica each.
//!
//! The invariant: when a constructor or [`RedisCluster::wait_until_ok`] returns, every running node knows every
//! node and reports `cluster_state:ok`.

use std::time::Duration;

use tokio::sync::OnceCell;

use super::engine::Engine;
use super::{CommandCounts, Redis, field};
use crate::wait::wait_until;

const MASTERS: usize = 3;

/// Slots of any Redis Cluster.
const SLOTS: usize = 16_384;

/// Forming takes two to three seconds, a failover about four; the rest covers a busy machine.
const OK_LIMIT: Duration = Duration::from_secs(180);

/// A private cluster; ended, with its folders, when dropped or when the test process ends.
#[derive(Debug)]
pub struct RedisCluster {
    nodes: Vec<Redis>,
}

impl RedisCluster {
    /// Whether the engine of the tests has what a Cluster needs; a constructor panics otherwise.
    #[must_use]
    pub fn is_supported() -> bool {
        Engine::of_this_process().has_sharded_channels()
    }

    /// Three masters. Every slot is needed: with one of them killed the cluster is down.
    pub async fn start() -> Self {
        Self::form(MASTERS).await
    }

    /// Three masters (nodes 0 to 2) and a replica of each (nodes 3 to 5): it survives the loss of a master.
    pub async fn with_replicas() -> Self {
        let cluster = Self::form(2 * MASTERS).await;
        for (master, replica) in cluster.masters().iter().zip(cluster.replicas()) {
            let id: String = master.query(&["CLUSTER", "MYID"]).await;
            let () = replica.query(&["CLUSTER", "REPLICATE", &id]).await;
        }
        for replica in cluster.replicas() {
            replica.wait_until_in_sync().await;
        }
        cluster.wait_until_ok().await;
        cluster
    }

    /// The one cluster (without replicas) of this test process, for tests that kill nothing.
    pub async fn shared() -> &'static Self {
        static SHARED: OnceCell<RedisCluster> = OnceCell::const_new();
        SHARED.get_or_init(Self::start).await
    }

    /// `redis-cluster://127.0.0.1:p1,127.0.0.1:p2,127.0.0.1:p3`: the masters as they were at the start.
    #[must_use]
    pub fn url(&self) -> String {
        let addrs: Vec<String> = self.masters().iter().map(Redis::addr).collect();
        format!("redis-cluster://{}", addrs.join(","))
    }

    /// All nodes, masters first, for assertions on one of them.
    #[must_use]
    pub fn nodes(&self) -> &[Redis] {
        &self.nodes
    }

    /// Kills a node with SIGKILL and waits until it is gone.
    pub fn stop_hard(&self, node: usize) {
        self.nodes[node].stop_hard();
    }

    /// Starts a killed node again; it answers, but the cluster may need time: see [`wait_until_ok`](Self::wait_until_ok).
    pub async fn start_again(&self, node: usize) {
        self.nodes[node].start_again().await;
    }

    /// Waits until every running node sees a working cluster.
    pub async fn wait_until_ok(&self) {
        for node in self.nodes.iter().filter(|node| node.is_running()) {
            let what = format!("cluster_state:ok on {}", node.addr());
            wait_until(&what, OK_LIMIT, async || self.is_ok_at(node).await).await;
        }
    }

    /// How often each command was called so far, all running nodes together.
    pub async fn commands(&self) -> CommandCounts {
        let mut sum = CommandCounts::default();
        for node in self.nodes.iter().filter(|node| node.is_running()) {
            sum += &node.commands().await;
        }
        sum
    }

    async fn form(size: usize) -> Self {
        Engine::of_this_process().assert_sharded_channels();
        let mut nodes = Vec::with_capacity(size);
        for _ in 0..size {
            nodes.push(Redis::builder().cluster().start().await);
        }
        let cluster = Self { nodes };
        cluster.assign_slots().await;
        cluster.introduce().await;
        cluster.wait_until_ok().await;
        cluster
    }

    /// Gives each master a third of the slots, and an epoch of its own so that no claim collides.
    async fn assign_slots(&self) {
        for (index, master) in self.masters().iter().enumerate() {
            let first = (index * SLOTS / MASTERS).to_string();
            let last = ((index + 1) * SLOTS / MASTERS - 1).to_string();
            let epoch = (index + 1).to_string();
            let () = master
                .query(&["CLUSTER", "ADDSLOTSRANGE", &first, &last])
                .await;
            let () = master.query(&["CLUSTER", "SET-CONFIG-EPOCH", &epoch]).await;
        }
    }

    /// Introduces every node to every other one: faster than gossip.
    async fn introduce(&self) {
        for node in &self.nodes {
            for other in self
                .nodes
                .iter()
                .filter(|other| other.port() != node.port())
            {
                let (port, bus_port) = (other.port().to_string(), other.bus_port().to_string());
                let () = node
                    .query(&["CLUSTER", "MEET", "127.0.0.1", &port, &bus_port])
                    .await;
            }
        }
    }

    async fn is_ok_at(&self, node: &Redis) -> bool {
        let Ok(info) = node.try_ask::<String>(&["CLUSTER", "INFO"]).await else {
            return false;
        };
        let known = field(&info, "cluster_known_nodes").and_then(|known| known.parse().ok());
        field(&info, "cluster_state") == Some("ok") && known == Some(self.nodes.len())
    }

    fn masters(&self) -> &[Redis] {
        &self.nodes[..MASTERS]
    }

    fn replicas(&self) -> &[Redis] {
        &self.nodes[MASTERS..]
    }
}
