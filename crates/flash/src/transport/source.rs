//! Where a drainer gets entries from: the stream itself, or a broker that a relay fills from it.
//!
//! Whatever the transport, the contract is the same. Every entry is delivered at least once and in the order of the
//! stream, until it is settled or discarded; both are told after the ledger has it, in any order. Deliveries that were
//! not settled come again to whoever holds the seat next.

use std::error::Error;
use std::time::Duration;

use link::{Link, LinkError};
use thiserror::Error;

use crate::stream::entry::{Entry, EntryId, Undecodable};
use crate::stream::{Found, RawEntry, Settled, Settler, StreamReader};
use crate::transport::BrokerInlet;
use crate::{Keys, Partition, meter};

/// The consumer group of whoever reads a stream: its drainer, or the relay in its place.
pub(crate) const GROUP: &str = "drain";

/// An entry, and under which names to settle it.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) id: EntryId,
    /// The number under which a broker delivered it; the stream needs none.
    pub(crate) tag: u64,
    pub(crate) entry: Result<Entry, Undecodable>,
}

/// What became of an entry that this version cannot read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Discarded {
    Dead,
    LeftPending,
}

#[derive(Debug, Error)]
pub(crate) enum InletError {
    #[error("redis did not do its part")]
    Redis(#[from] LinkError),
    #[error("the broker did not do its part")]
    Broker(#[source] Box<dyn Error + Send + Sync>),
}

#[derive(Debug)]
pub(crate) enum Inlet {
    Stream(Box<StreamInlet>),
    Broker(Box<BrokerInlet>),
}

impl Inlet {
    /// At most about `max` deliveries; none if there is nothing for `wait`. Dropping the call loses nothing for good.
    pub(crate) async fn next(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, InletError> {
        match self {
            Self::Stream(inlet) => inlet.next(max, wait).await,
            Self::Broker(inlet) => inlet.next(max, wait).await,
        }
    }

    /// To be called when the orders of these deliveries are in the ledger, and not before.
    pub(crate) async fn settle(&mut self, settled: &[Settled]) -> Result<(), InletError> {
        match self {
            Self::Stream(inlet) => Ok(inlet.settler.settle(settled).await?),
            Self::Broker(inlet) => inlet.settle(settled).await,
        }
    }

    /// Puts an entry that nobody can read out of the way, where a person finds it. One of another version stays where it
    /// is, pending, for a process that knows it.
    pub(crate) async fn discard(
        &mut self,
        settled: Settled,
        why: Undecodable,
    ) -> Result<Discarded, InletError> {
        match self {
            Self::Stream(_) if why == Undecodable::Version => return Ok(Discarded::LeftPending),
            Self::Stream(inlet) => inlet.discard(settled.id, why).await?,
            Self::Broker(inlet) => inlet.discard(settled).await?,
        }
        Ok(Discarded::Dead)
    }

    /// Tells whoever waits on a barrier that everything before it is in the ledger, and settles it. `false` if others
    /// have something before it in hand, which then comes to us.
    pub(crate) async fn pass_barrier(
        &mut self,
        settled: Settled,
        nonce: &str,
    ) -> Result<bool, InletError> {
        match self {
            Self::Stream(inlet) => inlet.pass_barrier(settled.id, nonce).await,
            Self::Broker(inlet) => inlet.pass_barrier(settled, nonce).await,
        }
    }

    /// To be called now and then while there is nothing to do: looks for what was overlooked.
    pub(crate) async fn look_around(&mut self) -> Result<(), InletError> {
        match self {
            Self::Stream(inlet) => inlet.look_around().await,
            Self::Broker(inlet) => inlet.look_around().await,
        }
    }

    /// Whether something was lost since the last time of asking that a reconciliation may find.
    pub(crate) fn take_doubt(&mut self) -> bool {
        match self {
            Self::Stream(inlet) => std::mem::take(&mut inlet.doubt),
            Self::Broker(inlet) => inlet.take_doubt(),
        }
    }

    /// Takes leave, with nothing or something left in hand.
    pub(crate) async fn close(self) -> Result<(), InletError> {
        match self {
            Self::Stream(inlet) => Ok(inlet.reader.leave().await?),
            Self::Broker(inlet) => inlet.close().await,
        }
    }
}

/// The stream itself.
#[derive(Debug)]
pub(crate) struct StreamInlet {
    reader: StreamReader,
    settler: Settler,
    partition: Partition,
    doubt: bool,
}

impl StreamInlet {
    pub(crate) fn new(link: &Link, keys: &Keys, partition: Partition) -> Self {
        Self {
            reader: StreamReader::new(link, keys, partition, GROUP),
            settler: Settler::new(link, keys, partition, GROUP),
            partition,
            doubt: false,
        }
    }

    async fn next(&mut self, max: usize, wait: Duration) -> Result<Vec<Delivery>, InletError> {
        let found = self.reader.next(max, wait).await?;
        self.doubt |= report(self.partition, &found);
        Ok(found.entries.into_iter().map(Delivery::of_stream).collect())
    }

    async fn discard(&mut self, id: EntryId, why: Undecodable) -> Result<(), InletError> {
        let discarded = self.settler.discard(id, why).await;
        // Nobody holds it, so it must come again.
        discarded.inspect_err(|_| self.reader.reclaim())?;
        Ok(())
    }

    async fn pass_barrier(&mut self, id: EntryId, nonce: &str) -> Result<bool, InletError> {
        let passed = self.settler.pass_barrier(id, nonce).await?;
        if !passed {
            self.reader.reclaim();
        }
        Ok(passed)
    }

    async fn look_around(&mut self) -> Result<(), InletError> {
        if !self.reader.is_alone().await? {
            self.reader.reclaim();
        }
        let missing = self.settler.recount().await?;
        self.doubt |= report_missing(self.partition, missing);
        Ok(())
    }
}

impl Delivery {
    fn of_stream(entry: RawEntry) -> Self {
        Self {
            id: entry.id,
            tag: 0,
            entry: Entry::decode(&entry.fields),
        }
    }

    pub(crate) fn settled(&self) -> Settled {
        Settled {
            id: self.id,
            tag: self.tag,
            orders: self.entry.as_ref().map_or(0, Entry::order_count),
        }
    }
}

/// Says aloud what must not happen, and whether it did: orders that were granted may be gone.
pub(crate) fn report(partition: Partition, found: &Found) -> bool {
    if found.lost > 0 {
        let lost = found.lost;
        meter::lost_entries(u64::try_from(lost).unwrap_or(u64::MAX));
        tracing::error!(%partition, lost, "entries were deleted before they were settled");
    }
    if found.group_was_gone {
        meter::group_gone();
        tracing::error!(%partition, "the consumer group was gone");
    }
    found.lost > 0 || found.group_was_gone
}

/// The same for orders of entries that went missing before anybody read them.
pub(crate) fn report_missing(partition: Partition, missing: i64) -> bool {
    if missing != 0 {
        meter::lost_orders(missing.unsigned_abs());
        tracing::error!(%partition, missing, "orders went missing from the stream");
    }
    missing != 0
}
