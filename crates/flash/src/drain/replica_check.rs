//! Sees to it that the ledger never holds an order that a failover of Redis could make the gate forget: its buyer could
//! buy again.

use link::{Link, LinkError};
use thiserror::Error;

use crate::replicas;

#[derive(Debug)]
pub(super) struct Safety {
    pub(super) link: Link,
    /// Written before asking, because the server answers about what its asker wrote.
    pub(super) key: String,
    pub(super) replicas: u32,
}

#[derive(Clone, Copy, Debug, Error)]
#[error("too few replicas have the orders")]
pub(super) struct TooFewReplicas;

impl Safety {
    /// Whether enough replicas have everything that was read so far.
    pub(super) async fn confirm(&self) -> Result<bool, LinkError> {
        match self.replicas {
            0 => Ok(true),
            replicas => replicas::confirm(&self.link, &self.key, replicas).await,
        }
    }
}
