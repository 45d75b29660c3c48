//! Variant 4. The `cache` crate over the replica, with versions: for those who must read from replicas.
//!
//! A write announces its version ([`Cache::invalidate_older`]), and Redis refuses a fill that is older: what the lagging
//! replica says is not cached. The writer's session remembers the version too, and reads the master when it gets an older
//! one. Others may read an old value during the lag, as with any replica, but never after it.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result};
use cache::{Cache, Loader};
use link::Link;

use super::{Nodes, ReplicatedValue, get, set};

const ID: i64 = 7;

pub(super) struct Versioned {
    master: Link,
    cache: Cache<FromReplica>,
    /// The version of the last change of this session.
    wrote: AtomicU64,
}

struct FromReplica(Link);

impl Loader for FromReplica {
    type Key = i64;
    type Value = u64;
    type Error = std::io::Error;

    async fn load(&self, _id: &i64) -> Result<Option<u64>, std::io::Error> {
        let value = get(&self.0).await.map_err(std::io::Error::other)?;
        Ok(Some(value))
    }

    /// The value rises with every change, so it is its own version.
    fn version(value: &u64) -> Option<u64> {
        Some(*value)
    }
}

impl ReplicatedValue for Versioned {
    async fn start(nodes: Nodes) -> Result<Self> {
        let loader = FromReplica(nodes.replica);
        Ok(Self {
            master: nodes.master,
            cache: Cache::builder("profile", nodes.cache, loader).build()?,
            wrote: AtomicU64::new(0),
        })
    }

    async fn write(&self, value: u64) -> Result<bool> {
        set(&self.master, value).await?;
        self.cache.invalidate_older(&ID, value).await?;
        self.wrote.store(value, Ordering::SeqCst);
        Ok(true)
    }

    async fn read(&self) -> Result<u64> {
        let found = self.cache.get(&ID).await?;
        let value = *found.context("there is a profile")?;
        if value < self.wrote.load(Ordering::SeqCst) {
            return get(&self.master).await;
        }
        Ok(value)
    }
}
