//! Variant 2. Writes go to the master and are acknowledged when the replica has them (`WAIT`); reads go to the replica.
//!
//! An acknowledgement now means something. But `WAIT` undoes nothing: a change that was not acknowledged in time is there all
//! the same, and while the replica lags nobody can be told that anything is saved.

use anyhow::Result;

use super::{Nodes, ReplicatedValue, get, set};

const REPLICAS: u32 = 1;
const LIMIT_MS: u32 = 100;

pub(super) struct WaitsForReplica(Nodes);

impl ReplicatedValue for WaitsForReplica {
    async fn start(nodes: Nodes) -> Result<Self> {
        Ok(Self(nodes))
    }

    async fn write(&self, value: u64) -> Result<bool> {
        set(&self.0.master, value).await?;
        let mut wait = redis::cmd("WAIT");
        wait.arg(REPLICAS).arg(LIMIT_MS);
        let replicas: u32 = self.0.master.run(&wait).await?;
        Ok(replicas >= REPLICAS)
    }

    async fn read(&self) -> Result<u64> {
        get(&self.0.replica).await
    }
}
