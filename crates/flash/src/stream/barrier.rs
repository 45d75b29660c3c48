//! Waits until everything that was granted so far is in the ledger.
//!
//! A barrier is an entry of the order stream, so it takes the same path as the orders before it, whatever the transport.
//! The drain worker passes it when all of them are recorded or dead-lettered. Without a drain worker only
//! the limit of the caller ends the wait.

use std::time::Duration;

use futures_util::future::try_join_all;
use link::LinkError;
use redis::{Cmd, Value};
use thiserror::Error;

use crate::drain::BARRIER_WAITER_TTL;
use crate::stream::entry::barrier_fields;
use crate::{Flash, Ledger, Partition};

/// How long one `BLPOP` waits, and so how late a lost connection is noticed.
const BLOCK_FOR: Duration = Duration::from_secs(1);

/// Between two attempts while Redis is unavailable.
const OUTAGE_PAUSE: Duration = Duration::from_millis(50);

/// Why a barrier was not passed.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum BarrierError {
    /// Redis failed.
    #[error("Redis did not answer")]
    Redis(#[source] LinkError),
    /// The drain worker is behind, or there is none.
    #[error("not every order was in the ledger within the limit")]
    TimedOut,
}

impl<L: Ledger> Flash<L> {
    /// Returns when everything that was granted before the call is in the ledger.
    pub async fn wait_until_drained(&self, limit: Duration) -> Result<(), BarrierError> {
        let barriers = self.inner.partitions.all();
        let barriers = try_join_all(barriers.map(|partition| self.barrier(partition)));
        match tokio::time::timeout(limit, barriers).await {
            Ok(passed) => passed.map(drop).map_err(BarrierError::Redis),
            Err(_) => Err(BarrierError::TimedOut),
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
        let waiter = self.inner.keys.barrier_waiter(partition);
        let mut pipe = redis::pipe();
        pipe.add_command(waiter_mark(&waiter)).ignore();
        pipe.add_command(cmd).ignore();
        // If it was written and the reply was lost, nobody waits for it, and its notification expires.
        let () = self.inner.link.pipe(&pipe).await?;
        let barrier = self.inner.keys.barrier(partition, &nonce);
        self.wait_for_barrier(&barrier, &waiter).await
    }

    async fn wait_for_barrier(&self, barrier: &str, waiter: &str) -> Result<(), LinkError> {
        let mut blocking = self.inner.link.blocking();
        let mut cmd = redis::cmd("BLPOP");
        cmd.arg(barrier).arg(BLOCK_FOR.as_secs());
        loop {
            match blocking.run(&cmd, BLOCK_FOR).await {
                // Without the mark the drain worker is as slow to notice a stranded barrier as it is by itself.
                Ok(Value::Nil) => {
                    let _: Result<(), _> = self.inner.link.run(&waiter_mark(waiter)).await;
                }
                Ok(_) => {
                    let _: Result<(), _> = self.inner.link.run(redis::cmd("DEL").arg(waiter)).await;
                    return Ok(());
                }
                Err(error) if error.is_outage() => tokio::time::sleep(OUTAGE_PAUSE).await,
                Err(error) => return Err(error),
            }
        }
    }
}

/// Tells the drain worker that somebody waits; another waiter may have removed it.
fn waiter_mark(waiter: &str) -> Cmd {
    let mut cmd = redis::cmd("SET");
    cmd.arg(waiter).arg(1).arg("PX");
    cmd.arg(BARRIER_WAITER_TTL.as_secs() * 1_000);
    cmd
}
