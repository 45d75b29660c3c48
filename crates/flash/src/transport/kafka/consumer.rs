//! Receives entries of one partition, and commits how far the ledger has them.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use rdkafka::consumer::{CommitMode, Consumer as _, StreamConsumer};
use rdkafka::error::KafkaError;
use rdkafka::message::{BorrowedMessage, Headers as _, Message as _};
use rdkafka::{Offset, TopicPartitionList};

use super::super::message::{ANSWER_LIMIT, NAMES, Received, TransportError};
use super::producer::{Publication, Publisher};
use super::topics::Topics;
use super::{KafkaOptions, let_go};
use crate::{Partition, Partitions};

/// What the client may fetch ahead: many batches of the drainer.
const AHEAD_KIB: &str = "16384";

/// How often a broker is asked that does not know yet where the group stands.
const ASK_PAUSE: Duration = Duration::from_millis(50);

/// The topic of what nobody can read has one partition.
const DEAD_PARTITION: i32 = 0;

pub(crate) struct Source {
    options: KafkaOptions,
    topics: Topics,
    partition: i32,
    consumer: Option<StreamConsumer>,
    in_hand: InHand,
    dead: Publisher,
}

/// What was received and not committed, by offset, and whether it is done. It may be done in any order, while a committed
/// offset says that everything before it is.
#[derive(Debug, Default)]
struct InHand {
    done: BTreeMap<u64, bool>,
}

impl Source {
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
            in_hand: InHand::default(),
            dead: Publisher::new(options),
        }
    }

    /// At most `max` messages; none if there is nothing for `wait`. After an error the client looks for its brokers by
    /// itself.
    pub(crate) async fn receive(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Received>, TransportError> {
        if self.consumer.is_none() {
            self.topics.ensure(&self.options).await?;
            self.consumer = Some(self.open().await?);
        }
        let consumer = self.consumer.as_ref().ok_or(TransportError::Ended)?;
        let received = receive_from(consumer, max, wait).await?;
        for message in &received {
            self.in_hand.take(message.tag);
        }
        Ok(received)
    }

    /// These are in the ledger. What came before the last opening is not known any more and comes again.
    pub(crate) fn acknowledge(&mut self, tags: &[u64]) -> Result<(), TransportError> {
        for tag in tags {
            self.in_hand.finish(*tag);
        }
        match (&self.consumer, self.in_hand.advance()) {
            (Some(consumer), Some(next)) => self.commit(consumer, next),
            _ => Ok(()),
        }
    }

    /// Nobody can read this one: it is kept with the dead ones.
    pub(crate) async fn reject(&mut self, tag: u64, body: &[u8]) -> Result<(), TransportError> {
        let publication = Publication {
            topic: &self.topics.dead,
            partition: DEAD_PARTITION,
            key: &format!("{}:{tag}", self.partition),
            payload: body,
            names: None,
        };
        self.dead.publish(&[publication]).await?;
        self.acknowledge(&[tag])
    }

    /// Forgets what is not committed; the next call begins with it.
    pub(crate) fn close(&mut self) {
        self.in_hand = InHand::default();
        if let Some(consumer) = self.consumer.take() {
            let_go(consumer);
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
        let place = self.place(Offset::Invalid)?;
        let going_on = tokio::task::spawn_blocking(|| go_on(consumer, place));
        Ok(going_on.await.map_err(|_| TransportError::Ended)??)
    }

    /// The answer is not awaited: an offset that is not committed is committed with the next one, or makes messages come
    /// again.
    fn commit(&self, consumer: &StreamConsumer, next: u64) -> Result<(), TransportError> {
        let next = Offset::Offset(i64::try_from(next).unwrap_or(i64::MAX));
        Ok(consumer.commit(&self.place(next)?, CommitMode::Async)?)
    }

    fn place(&self, offset: Offset) -> Result<TopicPartitionList, TransportError> {
        let mut place = TopicPartitionList::new();
        place.add_partition_offset(&self.topics.orders, self.partition, offset)?;
        Ok(place)
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("topics", &self.topics)
            .field("partition", &self.partition)
            .finish_non_exhaustive()
    }
}

impl InHand {
    fn take(&mut self, offset: u64) {
        self.done.insert(offset, false);
    }

    fn finish(&mut self, offset: u64) {
        if let Some(done) = self.done.get_mut(&offset) {
            *done = true;
        }
    }

    /// The offset before which everything is done, if it is another than before.
    fn advance(&mut self) -> Option<u64> {
        let mut next = None;
        while let Some(first) = self.done.first_entry().filter(|first| *first.get()) {
            next = Some(first.remove_entry().0 + 1);
        }
        next
    }
}

/// Lets a consumer begin where the group stands, or at the beginning if it never stood anywhere.
///
/// A consumer that is left to find that out asks once. A broker that has just become the group's coordinator does not
/// know yet, and the consumer would read nothing from then on.
fn go_on(
    consumer: StreamConsumer,
    mut place: TopicPartitionList,
) -> Result<StreamConsumer, KafkaError> {
    let until = Instant::now() + ANSWER_LIMIT;
    let from = loop {
        let patience = until.saturating_duration_since(Instant::now());
        match committed(&consumer, place.clone(), patience) {
            Err(_) if Instant::now() < until => std::thread::sleep(ASK_PAUSE),
            answer => break answer?,
        }
    };
    place.set_all_offsets(from)?;
    consumer.assign(&place)?;
    Ok(consumer)
}

fn committed(
    consumer: &StreamConsumer,
    place: TopicPartitionList,
    limit: Duration,
) -> Result<Offset, KafkaError> {
    let answer = consumer.committed_offsets(place, limit)?;
    let elements = answer.elements();
    let partition = elements.first().expect("one partition was asked for");
    partition.error()?;
    Ok(match partition.offset() {
        Offset::Offset(offset) => Offset::Offset(offset),
        _ => Offset::Beginning,
    })
}

/// Waits for the first message only: the others are here already or belong to the next batch.
async fn receive_from(
    consumer: &StreamConsumer,
    max: usize,
    wait: Duration,
) -> Result<Vec<Received>, TransportError> {
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

fn read(message: &BorrowedMessage<'_>) -> Received {
    let id = message.key().and_then(|key| std::str::from_utf8(key).ok());
    let names = message.headers().and_then(|headers| {
        let names = headers.iter().find(|header| header.key == NAMES)?;
        names.value.map(<[u8]>::to_vec)
    });
    Received {
        id: id.and_then(|id| id.parse().ok()),
        names,
        body: message.payload().unwrap_or_default().to_vec(),
        tag: message.offset().unsigned_abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_committed_when_everything_before_it_is_done() {
        let mut in_hand = InHand::default();
        (7..10).for_each(|offset| in_hand.take(offset));
        in_hand.finish(8);
        assert_eq!(in_hand.advance(), None);
        in_hand.finish(7);
        assert_eq!(in_hand.advance(), Some(9));
        assert_eq!(in_hand.advance(), None);
        in_hand.finish(9);
        assert_eq!(in_hand.advance(), Some(10));
    }
}
