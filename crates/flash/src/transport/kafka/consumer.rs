//! Receives the entries of one partition, and commits the offset before which the ledger has every order.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use rdkafka::consumer::{CommitMode, Consumer as _, StreamConsumer};
use rdkafka::error::KafkaError;
use rdkafka::message::{BorrowedMessage, Headers as _, Message as _};
use rdkafka::{Offset, TopicPartitionList};

use super::super::message::{BROKER_TIMEOUT, KEYS_HEADER, ReceivedMessage, TransportError};
use super::producer::{Producer, Record};
use super::topics::Topics;
use super::{KafkaOptions, drop_on_thread};
use crate::{Partition, Partitions};

/// What the client may prefetch: many batches of the drain worker.
const AHEAD_KIB: &str = "16384";

/// Between two requests for the committed offset to a broker that does not know it yet.
const OFFSET_RETRY_PAUSE: Duration = Duration::from_millis(50);

/// The dead-letter topic has one partition.
const DEAD_PARTITION: i32 = 0;

pub(crate) struct KafkaConsumer {
    options: KafkaOptions,
    topics: Topics,
    partition: i32,
    consumer: Option<StreamConsumer>,
    uncommitted: UncommittedOffsets,
    dead_letters: Producer,
}

/// Offsets that were received and not committed, and whether each is acknowledged. Acknowledgements come in any order, while
/// a committed offset says that everything before it is acknowledged.
#[derive(Debug, Default)]
struct UncommittedOffsets {
    acknowledged: BTreeMap<u64, bool>,
}

impl KafkaConsumer {
    pub(crate) fn new(
        options: &KafkaOptions,
        partition: Partition,
        partitions: Partitions,
    ) -> Self {
        Self {
            options: options.clone(),
            topics: Topics::new(&options.prefix, partitions),
            partition: i32::from(partition.0),
            consumer: None,
            uncommitted: UncommittedOffsets::default(),
            dead_letters: Producer::new(options),
        }
    }

    /// At most `max` messages; none if no message arrives within `wait`. After an error the client reconnects by itself.
    pub(crate) async fn receive(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<ReceivedMessage>, TransportError> {
        if self.consumer.is_none() {
            self.topics.ensure(&self.options).await?;
            self.consumer = Some(self.open().await?);
        }
        let consumer = self.consumer.as_ref().ok_or(TransportError::Ended)?;
        let received = receive_from(consumer, max, wait).await?;
        for message in &received {
            self.uncommitted.receive(message.tag);
        }
        Ok(received)
    }

    /// The orders of these messages are in the ledger. Messages from before the last reconnection are redelivered.
    pub(crate) fn acknowledge(&mut self, tags: &[u64]) -> Result<(), TransportError> {
        for tag in tags {
            self.uncommitted.acknowledge(*tag);
        }
        match (&self.consumer, self.uncommitted.advance()) {
            (Some(consumer), Some(next)) => self.commit(consumer, next),
            _ => Ok(()),
        }
    }

    /// Moves a message that cannot be decoded to the dead-letter topic.
    pub(crate) async fn reject(&mut self, tag: u64, body: &[u8]) -> Result<(), TransportError> {
        let record = Record {
            topic: &self.topics.dead,
            partition: DEAD_PARTITION,
            key: &format!("{}:{tag}", self.partition),
            payload: body,
            request_keys: None,
        };
        self.dead_letters.publish(&[record]).await?;
        self.acknowledge(&[tag])
    }

    /// Forgets uncommitted offsets; the next call starts with them.
    pub(crate) fn close(&mut self) {
        self.uncommitted = UncommittedOffsets::default();
        if let Some(consumer) = self.consumer.take() {
            drop_on_thread(consumer);
        }
    }

    async fn open(&self) -> Result<StreamConsumer, TransportError> {
        let mut client = self.options.client();
        let consumer: StreamConsumer = client
            .set("group.id", format!("{}drain", self.options.prefix))
            .set("enable.auto.commit", "false")
            .set("enable.auto.offset.store", "false")
            // Also when the offset is of a topic that was deleted since.
            .set("auto.offset.reset", "earliest")
            .set("queued.max.messages.kbytes", AHEAD_KIB)
            .create()?;
        let position = self.position(Offset::Invalid)?;
        let assign = move || assign_from_committed(consumer, position);
        let assigned = tokio::task::spawn_blocking(assign);
        Ok(assigned.await.map_err(|_| TransportError::Ended)??)
    }

    /// The answer is not awaited: an offset that is not committed is committed with the next one, or its messages are
    /// redelivered.
    fn commit(&self, consumer: &StreamConsumer, next: u64) -> Result<(), TransportError> {
        let next = Offset::Offset(i64::try_from(next).unwrap_or(i64::MAX));
        Ok(consumer.commit(&self.position(next)?, CommitMode::Async)?)
    }

    fn position(&self, offset: Offset) -> Result<TopicPartitionList, TransportError> {
        let mut position = TopicPartitionList::new();
        position.add_partition_offset(&self.topics.orders, self.partition, offset)?;
        Ok(position)
    }
}

impl Drop for KafkaConsumer {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for KafkaConsumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaConsumer")
            .field("topics", &self.topics)
            .field("partition", &self.partition)
            .finish_non_exhaustive()
    }
}

impl UncommittedOffsets {
    fn receive(&mut self, offset: u64) {
        self.acknowledged.insert(offset, false);
    }

    fn acknowledge(&mut self, offset: u64) {
        if let Some(acknowledged) = self.acknowledged.get_mut(&offset) {
            *acknowledged = true;
        }
    }

    /// The offset before which everything is acknowledged, if it has advanced.
    fn advance(&mut self) -> Option<u64> {
        let mut next = None;
        while let Some(first) = self.acknowledged.first_entry().filter(|first| *first.get()) {
            next = Some(first.remove_entry().0 + 1);
        }
        next
    }
}

/// Assigns the partition at the committed offset of the group, or at the beginning if there is none.
///
/// A consumer that resolves the offset itself asks once. A broker that has just become the coordinator of the group does
/// not know it yet, and the consumer would then read nothing.
fn assign_from_committed(
    consumer: StreamConsumer,
    mut position: TopicPartitionList,
) -> Result<StreamConsumer, KafkaError> {
    let until = Instant::now() + BROKER_TIMEOUT;
    let from = loop {
        let limit = until.saturating_duration_since(Instant::now());
        match committed(&consumer, position.clone(), limit) {
            Err(_) if Instant::now() < until => std::thread::sleep(OFFSET_RETRY_PAUSE),
            answer => break answer?,
        }
    };
    position.set_all_offsets(from)?;
    consumer.assign(&position)?;
    Ok(consumer)
}

fn committed(
    consumer: &StreamConsumer,
    position: TopicPartitionList,
    limit: Duration,
) -> Result<Offset, KafkaError> {
    let answer = consumer.committed_offsets(position, limit)?;
    let elements = answer.elements();
    let partition = elements.first().expect("one partition was asked for");
    partition.error()?;
    Ok(match partition.offset() {
        Offset::Offset(offset) => Offset::Offset(offset),
        _ => Offset::Beginning,
    })
}

/// Waits for the first message only: the others have arrived already or belong to the next batch.
async fn receive_from(
    consumer: &StreamConsumer,
    max: usize,
    wait: Duration,
) -> Result<Vec<ReceivedMessage>, TransportError> {
    let Ok(first) = tokio::time::timeout(wait, consumer.recv()).await else {
        return Ok(Vec::new());
    };
    let mut received = vec![read(&first?)];
    while received.len() < max
        && let Some(Ok(message)) = consumer.recv().now_or_never()
    {
        received.push(read(&message));
    }
    Ok(received)
}

fn read(message: &BorrowedMessage<'_>) -> ReceivedMessage {
    let id = message.key().and_then(|key| std::str::from_utf8(key).ok());
    let request_keys = message.headers().and_then(|headers| {
        let keys = headers.iter().find(|header| header.key == KEYS_HEADER)?;
        keys.value.map(<[u8]>::to_vec)
    });
    ReceivedMessage {
        id: id.and_then(|id| id.parse().ok()),
        request_keys,
        body: message.payload().unwrap_or_default().to_vec(),
        tag: message.offset().unsigned_abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_committed_when_everything_before_it_is_acknowledged() {
        let mut offsets = UncommittedOffsets::default();
        (7..10).for_each(|offset| offsets.receive(offset));
        offsets.acknowledge(8);
        assert_eq!(offsets.advance(), None);
        offsets.acknowledge(7);
        assert_eq!(offsets.advance(), Some(9));
        assert_eq!(offsets.advance(), None);
        offsets.acknowledge(9);
        assert_eq!(offsets.advance(), Some(10));
    }
}
