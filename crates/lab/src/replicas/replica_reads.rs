//! Variant 0. Writes go to the master, reads to the replica.
//!
//! Replication is asynchronous: the reply to a write says nothing about the replica. Usually it lags for a millisecond; with a
//! slow network, a full resynchronisation or a busy replica for as long as that takes.

use anyhow::Result;

use super::{Nodes, ReplicatedValue, get, set};

pub(super) struct ReplicaReads(Nodes);

impl ReplicatedValue for ReplicaReads {
    async fn start(nodes: Nodes) -> Result<Self> {
        Ok(Self(nodes))
    }

    async fn write(&self, value: u64) -> Result<bool> {
        set(&self.0.master, value).await?;
        Ok(true)
    }

    async fn read(&self) -> Result<u64> {
        get(&self.0.replica).await
    }
}
