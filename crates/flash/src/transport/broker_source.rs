//! What a drainer reads when there is a broker: the broker for deliveries, the stream for what becomes of them.
//!
//! An entry is settled in the stream first and acknowledged to the broker then. If that fails the broker delivers again
//! what the ledger and the stream know to be done.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use link::Link;
use tokio::time::Instant;

use super::{Outlet, Received, Source, TransportError};
use crate::stream::entry::{Entry, EntryId, Undecodable};
use crate::stream::{Settled, Settler};
use crate::transport::relay::Relay;
use crate::transport::source::{Delivery, GROUP, InletError, report_missing};
use crate::{Keys, Partition, meter};

/// An entry that the broker confirmed this long ago, that is before all others and in nobody's hands, was forgotten by the
/// broker. It takes milliseconds to get through one that works.
const STALL: Duration = Duration::from_secs(4);

#[derive(Debug)]
pub(crate) struct BrokerInlet {
    source: Source,
    relay: Relay,
    settler: Settler,
    link: Link,
    stream: String,
    partition: Partition,
    /// Entries that were delivered and are not settled.
    in_hand: HashSet<EntryId>,
    /// What was delivered and cannot be read, by tag.
    unreadable: HashMap<u64, Vec<u8>>,
    /// The first entry of the stream if it should have been delivered, and since when.
    suspect: Option<(EntryId, Instant)>,
    doubt: bool,
}

impl BrokerInlet {
    pub(crate) fn new(
        link: &Link,
        keys: &Keys,
        partition: Partition,
        (outlet, source): (Outlet, Source),
    ) -> Self {
        Self {
            source,
            relay: Relay::spawn(link, keys, partition, outlet),
            settler: Settler::new(link, keys, partition, GROUP),
            link: link.clone(),
            stream: keys.orders(partition),
            partition,
            in_hand: HashSet::new(),
            unreadable: HashMap::new(),
            suspect: None,
            doubt: false,
        }
    }

    pub(crate) async fn next(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, InletError> {
        let received = self.source.receive(max, wait).await?;
        Ok(received.into_iter().map(|each| self.take(each)).collect())
    }

    pub(crate) async fn settle(&mut self, settled: &[Settled]) -> Result<(), InletError> {
        if settled.is_empty() {
            return Ok(());
        }
        self.settler.settle(settled).await?;
        for entry in settled {
            self.in_hand.remove(&entry.id);
        }
        let tags: Vec<u64> = settled.iter().map(|entry| entry.tag).collect();
        Ok(self.source.acknowledge(&tags).await?)
    }

    /// The stream is left alone: if there is an entry of this name it can be read, and comes again.
    pub(crate) async fn discard(&mut self, settled: Settled) -> Result<(), InletError> {
        let body = self.unreadable.remove(&settled.tag).unwrap_or_default();
        let rejected = self.source.reject(settled.tag, &body).await;
        // Nobody holds it, so it must come again.
        rejected.inspect_err(|_| self.source.close())?;
        Ok(())
    }

    pub(crate) async fn pass_barrier(
        &mut self,
        settled: Settled,
        nonce: &str,
    ) -> Result<bool, InletError> {
        if !self.settler.pass_barrier(settled.id, nonce).await? {
            return Ok(false);
        }
        self.in_hand.remove(&settled.id);
        self.source.acknowledge(&[settled.tag]).await?;
        Ok(true)
    }

    /// Looks for what the broker has forgotten: a queue that was purged, a subscription that went silent.
    pub(crate) async fn look_around(&mut self) -> Result<(), InletError> {
        let first = self.first().await?;
        let overdue =
            first.filter(|id| self.relay.has_confirmed(*id) && !self.in_hand.contains(id));
        let before = self.suspect.filter(|(id, _)| Some(*id) == overdue);
        self.suspect = before.or(overdue.map(|id| (id, Instant::now())));
        if before.is_some_and(|(_, since)| since.elapsed() >= STALL) {
            self.start_over();
        }
        let missing = self.settler.recount().await?;
        self.doubt |= report_missing(self.partition, missing);
        Ok(())
    }

    pub(crate) fn take_doubt(&mut self) -> bool {
        std::mem::take(&mut self.doubt) | self.relay.take_doubt()
    }

    pub(crate) async fn close(mut self) -> Result<(), InletError> {
        self.source.close();
        Ok(self.relay.end().await?)
    }

    fn take(&mut self, received: Received) -> Delivery {
        let delivery = Delivery::of_broker(&received);
        match delivery.entry {
            Ok(_) => drop(self.in_hand.insert(delivery.id)),
            Err(_) => drop(self.unreadable.insert(received.tag, received.body)),
        }
        delivery
    }

    fn start_over(&mut self) {
        let partition = self.partition;
        tracing::error!(%partition, "the broker has forgotten entries: they are sent again");
        meter::transport_stalled();
        self.suspect = None;
        self.source.close();
        self.relay.rewind();
    }

    async fn first(&self) -> Result<Option<EntryId>, InletError> {
        let mut cmd = redis::cmd("XRANGE");
        cmd.arg(&self.stream).arg("-").arg("+");
        cmd.arg("COUNT").arg(1);
        let entries: Vec<(String, redis::Value)> = self.link.run(&cmd).await?;
        Ok(entries.first().and_then(|(id, _)| id.parse().ok()))
    }
}

impl Delivery {
    fn of_broker(received: &Received) -> Self {
        let entry = match received.id {
            Some(_) => Entry::from_line(&received.body, received.names.as_deref()),
            None => Err(Undecodable::Field("id")),
        };
        Self {
            id: received.id.unwrap_or(EntryId::NONE),
            tag: received.tag,
            entry,
        }
    }
}

impl From<TransportError> for InletError {
    fn from(error: TransportError) -> Self {
        Self::Broker(Box::new(error))
    }
}
