//! Variant 1. Cache-aside over the replica: a write changes the master and deletes the cache entry, a miss loads from the
//! replica.
//!
//! The first reader after the delete loads the old value and caches it. Nothing deletes it again: it outlives the lag by the
//! whole life of the entry.

use anyhow::Result;

use super::{KEY, Nodes, ReplicatedValue, get, set};

const TTL_SECS: u64 = 1_800;

pub(super) struct CachedReplica(Nodes);

impl ReplicatedValue for CachedReplica {
    async fn start(nodes: Nodes) -> Result<Self> {
        Ok(Self(nodes))
    }

    async fn write(&self, value: u64) -> Result<bool> {
        set(&self.0.master, value).await?;
        let () = self.0.cache.run(redis::cmd("DEL").arg(KEY)).await?;
        Ok(true)
    }

    async fn read(&self) -> Result<u64> {
        let cached: Option<u64> = self.0.cache.run(redis::cmd("GET").arg(KEY)).await?;
        if let Some(value) = cached {
            return Ok(value);
        }
        let value = get(&self.0.replica).await?;
        let mut store = redis::cmd("SET");
        store.arg(KEY).arg(value).arg("EX").arg(TTL_SECS);
        let () = self.0.cache.run(&store).await?;
        Ok(value)
    }
}
