//! Where a drain worker reads entries when there is a broker: deliveries come from the broker, acknowledgements go to the
//! stream first and then to the broker. If the latter fails the broker redelivers, and the ledger knows the orders.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use link::Link;
use tokio::time::Instant;

use super::{BrokerConsumer, BrokerEnds, ReceivedMessage, TransportError};
use crate::stream::entry::{EntryId, StreamEntry, Undecodable};
use crate::stream::{Acknowledgement, Acknowledger};
use crate::transport::relay::Relay;
use crate::transport::source::{Delivery, GROUP, SourceError, report_missing};
use crate::{Keys, Partition, meter};

/// The first entry of the stream, confirmed by the broker this long ago and not in flight, is lost in the broker. A working
/// broker delivers within milliseconds.
const STALL: Duration = Duration::from_secs(4);

#[derive(Debug)]
pub(crate) struct BrokerSource {
    consumer: BrokerConsumer,
    relay: Relay,
    acknowledger: Acknowledger,
    link: Link,
    stream: String,
    partition: Partition,
    /// Entries that were delivered and are not acknowledged.
    in_flight: HashSet<EntryId>,
    /// Bodies of messages that cannot be decoded, by tag.
    undecodable: HashMap<u64, Vec<u8>>,
    /// The first entry of the stream if its delivery is overdue, and since when.
    overdue: Option<(EntryId, Instant)>,
    suspected_loss: bool,
}

impl BrokerSource {
    pub(crate) fn new(link: &Link, keys: &Keys, partition: Partition, ends: BrokerEnds) -> Self {
        Self {
            consumer: ends.consumer,
            relay: Relay::spawn(link, keys, partition, ends.publisher),
            acknowledger: Acknowledger::new(link, keys, partition, GROUP),
            link: link.clone(),
            stream: keys.orders(partition),
            partition,
            in_flight: HashSet::new(),
            undecodable: HashMap::new(),
            overdue: None,
            suspected_loss: false,
        }
    }

    pub(crate) async fn next(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, SourceError> {
        let messages = self.consumer.receive(max, wait).await?;
        Ok(messages.into_iter().map(|it| self.accept(it)).collect())
    }

    pub(crate) async fn acknowledge(
        &mut self,
        entries: &[Acknowledgement],
    ) -> Result<(), SourceError> {
        if entries.is_empty() {
            return Ok(());
        }
        self.acknowledger.acknowledge(entries).await?;
        for entry in entries {
            self.in_flight.remove(&entry.id);
        }
        let tags: Vec<u64> = entries.iter().map(|entry| entry.tag).collect();
        Ok(self.consumer.acknowledge(&tags).await?)
    }

    /// The stream keeps its entry: if there is one with this id it can be decoded, and is sent again.
    pub(crate) async fn dead_letter(
        &mut self,
        message: Acknowledgement,
    ) -> Result<(), SourceError> {
        let body = self.undecodable.remove(&message.tag).unwrap_or_default();
        let rejected = self.consumer.reject(message.tag, &body).await;
        // It is not in flight, so it must be redelivered.
        rejected.inspect_err(|_| self.consumer.close())?;
        Ok(())
    }

    pub(crate) async fn pass_barrier(
        &mut self,
        barrier: Acknowledgement,
        nonce: &str,
    ) -> Result<bool, SourceError> {
        if !self.acknowledger.pass_barrier(barrier.id, nonce).await? {
            return Ok(false);
        }
        self.in_flight.remove(&barrier.id);
        self.consumer.acknowledge(&[barrier.tag]).await?;
        Ok(true)
    }

    /// Finds entries that the broker lost: a queue was purged, or a subscription went silent.
    pub(crate) async fn recover_stranded(&mut self) -> Result<(), SourceError> {
        let first = self.first_entry().await?;
        let overdue =
            first.filter(|id| self.relay.has_confirmed(*id) && !self.in_flight.contains(id));
        let before = self.overdue.filter(|(id, _)| Some(*id) == overdue);
        self.overdue = before.or(overdue.map(|id| (id, Instant::now())));
        if before.is_some_and(|(_, since)| since.elapsed() >= STALL) {
            self.resend_all();
        }
        let missing = self.acknowledger.reset_backlog().await?;
        self.suspected_loss |= report_missing(self.partition, missing);
        Ok(())
    }

    pub(crate) fn take_suspected_loss(&mut self) -> bool {
        std::mem::take(&mut self.suspected_loss) | self.relay.take_suspected_loss()
    }

    pub(crate) async fn close(mut self) -> Result<(), SourceError> {
        self.consumer.close();
        Ok(self.relay.stop().await?)
    }

    fn accept(&mut self, message: ReceivedMessage) -> Delivery {
        let delivery = Delivery::of_broker(&message);
        match delivery.entry {
            Ok(_) => drop(self.in_flight.insert(delivery.id)),
            Err(_) => drop(self.undecodable.insert(message.tag, message.body)),
        }
        delivery
    }

    fn resend_all(&mut self) {
        let partition = self.partition;
        tracing::error!(%partition, "broker lost entries, sending them again");
        meter::transport_stalled();
        self.overdue = None;
        self.consumer.close();
        self.relay.resend_all();
    }

    async fn first_entry(&self) -> Result<Option<EntryId>, SourceError> {
        let mut cmd = redis::cmd("XRANGE");
        cmd.arg(&self.stream).arg("-").arg("+");
        cmd.arg("COUNT").arg(1);
        let entries: Vec<(String, redis::Value)> = self.link.run(&cmd).await?;
        Ok(entries.first().and_then(|(id, _)| id.parse().ok()))
    }
}

impl Delivery {
    fn of_broker(message: &ReceivedMessage) -> Self {
        let entry = match message.id {
            Some(_) => StreamEntry::from_line(&message.body, message.request_keys.as_deref()),
            None => Err(Undecodable::Field("id")),
        };
        Self {
            id: message.id.unwrap_or(EntryId::NONE),
            tag: message.tag,
            entry,
        }
    }
}

impl From<TransportError> for SourceError {
    fn from(error: TransportError) -> Self {
        Self::Broker(Box::new(error))
    }
}
