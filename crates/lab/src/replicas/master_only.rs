//! Variant 3. Reads go where the writes went: to the master. The replica only takes over when the master dies.
//!
//! There is nothing to be stale. The master serves all reads, which for Redis is rarely too much; where it is, copies in the
//! memory of the process that Redis invalidates save more than a replica would.

use anyhow::Result;

use super::{Nodes, ReplicatedValue, get, set};

pub(super) struct MasterOnly(Nodes);

impl ReplicatedValue for MasterOnly {
    async fn start(nodes: Nodes) -> Result<Self> {
        Ok(Self(nodes))
    }

    async fn write(&self, value: u64) -> Result<bool> {
        set(&self.0.master, value).await?;
        Ok(true)
    }

    async fn read(&self) -> Result<u64> {
        get(&self.0.master).await
    }
}
