//! Receives entries, and acknowledges them when the ledger has their orders.

use std::time::Duration;

use futures_util::{FutureExt as _, StreamExt as _};
use lapin::message::Delivery;
use lapin::options::{BasicAckOptions, BasicConsumeOptions, BasicQosOptions, BasicRejectOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, Consumer};

use super::super::message::{KEYS_HEADER, ReceivedMessage, TransportError, with_timeout};
use super::RabbitMqOptions;
use super::connection::Reconnecting;
use super::queues::Queues;
use crate::Partition;

/// Prefetched messages: several batches of the drain worker, so that it never waits for the next one, and a few megabytes at
/// most.
const PREFETCH: u16 = 2_048;

#[derive(Debug)]
pub(crate) struct RabbitMqConsumer {
    connection: Reconnecting,
    queues: Queues,
    subscription: Option<Subscription>,
    /// The highest tag so far.
    last_tag: u64,
}

#[derive(Debug)]
struct Subscription {
    channel: Channel,
    consumer: Consumer,
    /// The broker numbers from one on every channel; our tags continue from here.
    tags_from: u64,
}

impl RabbitMqConsumer {
    pub(crate) fn new(options: &RabbitMqOptions, partition: Partition) -> Self {
        Self {
            connection: Reconnecting::new(options, "drain"),
            queues: Queues::new(&options.prefix, partition),
            subscription: None,
            last_tag: 0,
        }
    }

    /// At most `max` messages; none if no message arrives within `wait`.
    pub(crate) async fn receive(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<ReceivedMessage>, TransportError> {
        if self.subscription.is_none() {
            let subscribed = self.subscribe().await;
            self.subscription = Some(subscribed.inspect_err(|_| self.connection.disconnect())?);
        }
        let subscription = self.subscription.as_mut();
        let subscription = subscription.ok_or(TransportError::Ended)?;
        let received = subscription
            .receive(max, wait)
            .await
            .inspect_err(|_| self.close())?;
        if let Some(last) = received.last() {
            self.last_tag = last.tag;
        }
        Ok(received)
    }

    /// The orders of these messages are in the ledger. Messages from before the last reconnection are redelivered.
    pub(crate) async fn acknowledge(&mut self, tags: &[u64]) -> Result<(), TransportError> {
        let done = match &self.subscription {
            Some(subscription) => subscription.acknowledge(tags).await,
            None => Ok(()),
        };
        done.inspect_err(|_| self.close())
    }

    /// Has the broker dead-letter a message that cannot be decoded.
    pub(crate) async fn reject(&mut self, tag: u64) -> Result<(), TransportError> {
        let done = match &self.subscription {
            Some(subscription) => subscription.reject(tag).await,
            None => Ok(()),
        };
        done.inspect_err(|_| self.close())
    }

    /// Returns unacknowledged messages to the broker; the next call connects again.
    pub(crate) fn close(&mut self) {
        self.subscription = None;
        self.connection.disconnect();
    }

    async fn subscribe(&mut self) -> Result<Subscription, TransportError> {
        let channel = self.connection.channel().await?;
        self.queues.declare(&channel).await?;
        with_timeout(channel.basic_qos(PREFETCH, BasicQosOptions::default())).await?;
        let (queue, tag) = (self.queues.orders.as_str().into(), "".into());
        let options = BasicConsumeOptions::default();
        let consumer = channel.basic_consume(queue, tag, options, FieldTable::default());
        Ok(Subscription {
            consumer: with_timeout(consumer).await?,
            channel,
            tags_from: self.last_tag,
        })
    }
}

impl Subscription {
    /// Waits for the first message only: the others have arrived already or belong to the next batch.
    async fn receive(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<ReceivedMessage>, TransportError> {
        let Ok(first) = tokio::time::timeout(wait, self.consumer.next()).await else {
            return Ok(Vec::new());
        };
        let mut next = Some(first);
        let mut received = Vec::new();
        while let Some(delivery) = next {
            received.push(self.read(delivery.ok_or(TransportError::Ended)??));
            let has_room = received.len() < max;
            next = has_room
                .then(|| self.consumer.next().now_or_never())
                .flatten();
        }
        Ok(received)
    }

    fn read(&self, delivery: Delivery) -> ReceivedMessage {
        let id = delivery.properties.message_id().as_ref();
        let headers = delivery.properties.headers().as_ref();
        let keys = headers.and_then(|headers| headers.inner().get(KEYS_HEADER));
        let request_keys = keys.map(|keys| match keys {
            AMQPValue::LongString(keys) => keys.as_bytes().to_vec(),
            // No publisher of this engine writes another type.
            _ => Vec::new(),
        });
        ReceivedMessage {
            id: id.and_then(|id| id.as_str().parse().ok()),
            request_keys,
            tag: self.tags_from + delivery.delivery_tag,
            body: delivery.data,
        }
    }

    /// One by one, not `multiple`: earlier messages may still be in flight.
    async fn acknowledge(&self, tags: &[u64]) -> Result<(), TransportError> {
        for number in tags.iter().filter_map(|tag| self.delivery_tag(*tag)) {
            let options = BasicAckOptions::default();
            with_timeout(self.channel.basic_ack(number, options)).await?;
        }
        Ok(())
    }

    async fn reject(&self, tag: u64) -> Result<(), TransportError> {
        let Some(number) = self.delivery_tag(tag) else {
            return Ok(());
        };
        let options = BasicRejectOptions { requeue: false };
        with_timeout(self.channel.basic_reject(number, options)).await
    }

    /// The delivery tag on this channel, if the message was received on it.
    fn delivery_tag(&self, tag: u64) -> Option<u64> {
        tag.checked_sub(self.tags_from).filter(|number| *number > 0)
    }
}
