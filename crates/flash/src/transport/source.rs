//! Where a drain worker reads entries: the stream itself, or a broker that a relay fills from the stream.
//!
//! The contract is the same for every transport. Every entry is delivered at least once, in stream order, until it is
//! acknowledged or dead-lettered; the worker does that after the ledger has its orders, in any order. Entries that are not
//! acknowledged are redelivered to the next holder of the drain lease.

use std::error::Error;
use std::time::Duration;

use link::{Link, LinkError};
use thiserror::Error;

use crate::stream::entry::{EntryId, StreamEntry, Undecodable};
use crate::stream::{Acknowledgement, Acknowledger, RawEntry, StreamRead, StreamReader};
use crate::transport::BrokerSource;
use crate::{Keys, Partition, meter};

/// The consumer group of the order stream: read by the drain worker, or by the relay in its place.
pub(crate) const GROUP: &str = "drain";

/// An entry, and how to acknowledge it.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) id: EntryId,
    /// The delivery tag of a broker; 0 for the stream, which needs none.
    pub(crate) tag: u64,
    pub(crate) entry: Result<StreamEntry, Undecodable>,
}

/// What happened to an entry that this version cannot decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeadLetterOutcome {
    DeadLettered,
    LeftPending,
}

#[derive(Debug, Error)]
pub(crate) enum SourceError {
    #[error("redis failed")]
    Redis(#[from] LinkError),
    #[error("the broker failed")]
    Broker(#[source] Box<dyn Error + Send + Sync>),
}

#[derive(Debug)]
pub(crate) enum OrderSource {
    Stream(Box<StreamSource>),
    Broker(Box<BrokerSource>),
}

impl OrderSource {
    /// At most about `max` deliveries; none if no entry arrives within `wait`. A dropped call loses nothing: its entries are
    /// redelivered.
    pub(crate) async fn next(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, SourceError> {
        match self {
            Self::Stream(source) => source.next(max, wait).await,
            Self::Broker(source) => Box::pin(source.next(max, wait)).await,
        }
    }

    /// To be called when the orders of these deliveries are in the ledger, and not before.
    pub(crate) async fn acknowledge(
        &mut self,
        entries: &[Acknowledgement],
    ) -> Result<(), SourceError> {
        match self {
            Self::Stream(source) => Ok(source.acknowledger.acknowledge(entries).await?),
            Self::Broker(source) => Box::pin(source.acknowledge(entries)).await,
        }
    }

    /// Moves an entry that cannot be decoded to the dead-letter stream or queue. One of another version stays pending for
    /// a process that knows it.
    pub(crate) async fn dead_letter(
        &mut self,
        entry: Acknowledgement,
        why: Undecodable,
    ) -> Result<DeadLetterOutcome, SourceError> {
        match self {
            Self::Stream(_) if why == Undecodable::Version => {
                return Ok(DeadLetterOutcome::LeftPending);
            }
            Self::Stream(source) => source.dead_letter(entry.id, why).await?,
            Self::Broker(source) => Box::pin(source.dead_letter(entry)).await?,
        }
        Ok(DeadLetterOutcome::DeadLettered)
    }

    /// Notifies the caller that waits for a barrier, and acknowledges it. `false` if an entry before it is pending for
    /// another consumer; that entry is then redelivered to this one.
    pub(crate) async fn pass_barrier(
        &mut self,
        barrier: Acknowledgement,
        nonce: &str,
    ) -> Result<bool, SourceError> {
        match self {
            Self::Stream(source) => source.pass_barrier(barrier.id, nonce).await,
            Self::Broker(source) => Box::pin(source.pass_barrier(barrier, nonce)).await,
        }
    }

    /// To be called about once a second: has entries redelivered that are pending elsewhere or that the broker lost.
    pub(crate) async fn recover_stranded(&mut self) -> Result<(), SourceError> {
        match self {
            Self::Stream(source) => source.recover_stranded().await,
            Self::Broker(source) => Box::pin(source.recover_stranded()).await,
        }
    }

    pub(crate) fn is_stream(&self) -> bool {
        matches!(self, Self::Stream(_))
    }

    /// Has everything redelivered that is pending, after a call was dropped whose reply may have held entries.
    pub(crate) fn reclaim(&mut self) {
        if let Self::Stream(source) = self {
            source.reader.reclaim();
        }
    }

    /// Whether orders may have been lost since the last call: a reconciliation finds them.
    pub(crate) fn take_suspected_loss(&mut self) -> bool {
        match self {
            Self::Stream(source) => std::mem::take(&mut source.suspected_loss),
            Self::Broker(source) => source.take_suspected_loss(),
        }
    }

    /// Leaves the consumer group; entries in flight are redelivered.
    pub(crate) async fn close(self) -> Result<(), SourceError> {
        match self {
            Self::Stream(source) => Ok(source.reader.leave_group().await?),
            Self::Broker(source) => Box::pin(source.close()).await,
        }
    }
}

/// The stream itself.
#[derive(Debug)]
pub(crate) struct StreamSource {
    reader: StreamReader,
    acknowledger: Acknowledger,
    partition: Partition,
    suspected_loss: bool,
}

impl StreamSource {
    pub(crate) fn new(link: &Link, keys: &Keys, partition: Partition) -> Self {
        Self {
            reader: StreamReader::new(link, keys, partition, GROUP),
            acknowledger: Acknowledger::new(link, keys, partition, GROUP),
            partition,
            suspected_loss: false,
        }
    }

    async fn next(&mut self, max: usize, wait: Duration) -> Result<Vec<Delivery>, SourceError> {
        let read = self.reader.next(max, wait).await?;
        self.suspected_loss |= report_loss(self.partition, &read);
        Ok(read.entries.into_iter().map(Delivery::of_stream).collect())
    }

    async fn dead_letter(&mut self, id: EntryId, why: Undecodable) -> Result<(), SourceError> {
        let moved = self.acknowledger.dead_letter(id, why).await;
        // It is not in flight, so it must be redelivered.
        moved.inspect_err(|_| self.reader.reclaim())?;
        Ok(())
    }

    async fn pass_barrier(&mut self, id: EntryId, nonce: &str) -> Result<bool, SourceError> {
        let passed = self.acknowledger.pass_barrier(id, nonce).await?;
        if !passed {
            self.reader.reclaim();
        }
        Ok(passed)
    }

    async fn recover_stranded(&mut self) -> Result<(), SourceError> {
        if !self.reader.is_only_consumer().await? {
            self.reader.reclaim();
        }
        let missing = self.acknowledger.reset_backlog().await?;
        self.suspected_loss |= report_missing(self.partition, missing);
        Ok(())
    }
}

impl Delivery {
    fn of_stream(entry: RawEntry) -> Self {
        Self {
            id: entry.id,
            tag: 0,
            entry: StreamEntry::decode(&entry.fields),
        }
    }

    pub(crate) fn acknowledgement(&self) -> Acknowledgement {
        Acknowledgement {
            id: self.id,
            tag: self.tag,
            orders: self.entry.as_ref().map_or(0, StreamEntry::order_count),
        }
    }
}

/// Logs entries that were lost, and returns whether there are any: granted orders may be gone.
pub(crate) fn report_loss(partition: Partition, read: &StreamRead) -> bool {
    if read.lost > 0 {
        let lost = read.lost;
        meter::lost_entries(u64::try_from(lost).unwrap_or(u64::MAX));
        tracing::error!(%partition, lost, "stream entries deleted before they were acknowledged, reconciling");
    }
    if read.group_was_gone {
        meter::group_gone();
        tracing::error!(%partition, "consumer group of the order stream gone, created again");
    }
    read.lost > 0 || read.group_was_gone
}

/// Logs orders whose entries disappeared before a consumer read them, and returns whether there are any.
pub(crate) fn report_missing(partition: Partition, missing: i64) -> bool {
    if missing != 0 {
        meter::lost_orders(missing.unsigned_abs());
        tracing::error!(%partition, missing, "orders missing from the stream, reconciling");
    }
    missing != 0
}
