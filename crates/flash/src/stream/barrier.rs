//! Learns when everything that was granted so far is in the ledger.
//!
//! A barrier is an entry like any other, so it takes the same way as the orders before it, through whatever transport.
//! Its drainer answers when all of them are recorded or buried. Without a drainer there is no answer, and none is made
//! up.

use std::time::Duration;

use futures_util::future::try_join_all;
use link::LinkError;
use redis::Value;
use thiserror::Error;

use crate::stream::entry::barrier_fields;
use crate::{Flash, Ledger, Partition};

/// What the server is asked to wait at a time; a connection that is lost meanwhile is noticed no later.
const WAIT_AT_A_TIME: Duration = Duration::from_secs(1);

/// How long one rests when Redis does not answer.
const OUTAGE_PAUSE: Duration = Duration::from_millis(50);

/// Why it is not known whether everything is in the ledger.
#[derive(Clone, Debug, Error)]
pub enum BarrierError {
    #[error("redis could not be asked")]
    Redis(#[source] LinkError),
    /// The drainer is behind, or there is none.
    #[error("not everything was in the ledger within the limit")]
    TooLate,
}

impl<L: Ledger> Flash<L> {
    /// Returns when everything that was granted before the call is in the ledger.
    pub async fn wait_until_drained(&self, limit: Duration) -> Result<(), BarrierError> {
        let barriers = self.inner.partitions.all();
        let barriers = try_join_all(barriers.map(|partition| self.barrier(partition)));
        match tokio::time::timeout(limit, barriers).await {
            Ok(passed) => passed.map(drop).map_err(BarrierError::Redis),
            Err(_) => Err(BarrierError::TooLate),
        }
    }

    /// Returns when everything that a partition granted before the call is in the ledger, however long that takes.
    pub(crate) async fn barrier(&self, partition: Partition) -> Result<(), LinkError> {
        let nonce = format!("{:032x}", rand::random::<u128>());
        let mut cmd = redis::cmd("XADD");
        cmd.arg(self.inner.keys.orders(partition)).arg("*");
        for (name, value) in barrier_fields(&nonce) {
            cmd.arg(name).arg(value);
        }
        // If it was written although nobody heard of it, its answer expires.
        let _id: String = self.inner.link.run(&cmd).await?;
        self.hear_of(&self.inner.keys.barrier(partition, &nonce))
            .await
    }

    async fn hear_of(&self, key: &str) -> Result<(), LinkError> {
        let mut blocking = self.inner.link.blocking();
        let mut cmd = redis::cmd("BLPOP");
        cmd.arg(key).arg(WAIT_AT_A_TIME.as_secs());
        loop {
            match blocking.run(&cmd, WAIT_AT_A_TIME).await {
                Ok(Value::Nil) => {}
                Ok(_) => return Ok(()),
                Err(error) if error.is_outage() => tokio::time::sleep(OUTAGE_PAUSE).await,
                Err(error) => return Err(error),
            }
        }
    }
}
