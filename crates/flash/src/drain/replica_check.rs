//! Keeps orders out of the ledger that a failover of Redis could make the gate forget: their buyers could buy again.

use link::{Link, LinkError};
use thiserror::Error;

use crate::replicas;

#[derive(Debug)]
pub(super) struct ReplicaCheck {
    pub(super) link: Link,
    /// Written before `WAIT`, which counts from the last write of its own connection.
    pub(super) key: String,
    pub(super) replicas: u32,
}

#[derive(Clone, Copy, Debug, Error)]
#[error("too few replicas have the orders")]
pub(super) struct TooFewReplicas;

impl ReplicaCheck {
    /// Whether enough replicas have every entry that was read so far.
    pub(super) async fn confirm(&self) -> Result<bool, LinkError> {
        match self.replicas {
            0 => Ok(true),
            replicas => replicas::confirm(&self.link, &self.key, replicas).await,
        }
    }
}
