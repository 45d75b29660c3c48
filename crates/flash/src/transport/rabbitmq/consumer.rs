//! Receives entries, and acknowledges them when it is told to.

use std::time::Duration;

use futures_util::{FutureExt as _, StreamExt as _};
use lapin::message::Delivery;
use lapin::options::{BasicAckOptions, BasicConsumeOptions, BasicQosOptions, BasicRejectOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, Consumer};

use super::super::message::{NAMES, Received, TransportError, answer};
use super::RabbitMqOptions;
use super::connection::Line;
use super::queues::Queues;
use crate::Partition;

/// Messages the broker may send ahead: several batches of the drainer, so that it never waits for the next one, and a
/// few megabytes at most.
const PREFETCH: u16 = 2_048;

#[derive(Debug)]
pub(crate) struct Source {
    line: Line,
    queues: Queues,
    open: Option<Open>,
    /// The highest tag that was given out.
    last_tag: u64,
}

#[derive(Debug)]
struct Open {
    channel: Channel,
    consumer: Consumer,
    /// The broker counts from one on every channel; our tags go on from here.
    tags_from: u64,
}

impl Source {
    pub(crate) fn new(options: &RabbitMqOptions, partition: Partition) -> Self {
        Self {
            line: Line::new(options, "drain"),
            queues: Queues::new(&options.prefix, partition),
            open: None,
            last_tag: 0,
        }
    }

    /// At most `max` messages; none if there is nothing for `wait`.
    pub(crate) async fn receive(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Received>, TransportError> {
        if self.open.is_none() {
            let opened = self.open().await;
            self.open = Some(opened.inspect_err(|_| self.line.hang_up())?);
        }
        let open = self.open.as_mut().ok_or(TransportError::Ended)?;
        let received = open
            .receive(max, wait)
            .await
            .inspect_err(|_| self.close())?;
        if let Some(last) = received.last() {
            self.last_tag = last.tag;
        }
        Ok(received)
    }

    /// These are in the ledger. What came before the last opening is known to nobody any more and comes again.
    pub(crate) async fn acknowledge(&mut self, tags: &[u64]) -> Result<(), TransportError> {
        let done = match &self.open {
            Some(open) => open.acknowledge(tags).await,
            None => Ok(()),
        };
        done.inspect_err(|_| self.close())
    }

    /// Nobody can read this one: the broker moves it to the dead ones.
    pub(crate) async fn reject(&mut self, tag: u64) -> Result<(), TransportError> {
        let done = match &self.open {
            Some(open) => open.reject(tag).await,
            None => Ok(()),
        };
        done.inspect_err(|_| self.close())
    }

    /// Gives everything that is not acknowledged back to the broker; the next call opens anew.
    pub(crate) fn close(&mut self) {
        self.open = None;
        self.line.hang_up();
    }

    async fn open(&mut self) -> Result<Open, TransportError> {
        let channel = self.line.channel().await?;
        self.queues.declare(&channel).await?;
        answer(channel.basic_qos(PREFETCH, BasicQosOptions::default())).await?;
        let (queue, tag) = (self.queues.orders.as_str().into(), "".into());
        let options = BasicConsumeOptions::default();
        let consumer = channel.basic_consume(queue, tag, options, FieldTable::default());
        Ok(Open {
            consumer: answer(consumer).await?,
            channel,
            tags_from: self.last_tag,
        })
    }
}

impl Open {
    /// Waits for the first message only: the others are here already or belong to the next batch.
    async fn receive(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Received>, TransportError> {
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

    fn read(&self, delivery: Delivery) -> Received {
        let id = delivery.properties.message_id().as_ref();
        let headers = delivery.properties.headers().as_ref();
        let names = headers.and_then(|headers| headers.inner().get(NAMES));
        let names = names.map(|names| match names {
            AMQPValue::LongString(names) => names.as_bytes().to_vec(),
            // Nobody of ours writes it otherwise.
            _ => Vec::new(),
        });
        Received {
            id: id.and_then(|id| id.as_str().parse().ok()),
            names,
            tag: self.tags_from + delivery.delivery_tag,
            body: delivery.data,
        }
    }

    /// One by one: an earlier message may still be in the drainer's hands, so none but these may be covered.
    async fn acknowledge(&self, tags: &[u64]) -> Result<(), TransportError> {
        for number in tags.iter().filter_map(|tag| self.number_of(*tag)) {
            let options = BasicAckOptions::default();
            answer(self.channel.basic_ack(number, options)).await?;
        }
        Ok(())
    }

    async fn reject(&self, tag: u64) -> Result<(), TransportError> {
        let Some(number) = self.number_of(tag) else {
            return Ok(());
        };
        let options = BasicRejectOptions { requeue: false };
        answer(self.channel.basic_reject(number, options)).await
    }

    /// What the broker calls it, if it was received on this channel.
    fn number_of(&self, tag: u64) -> Option<u64> {
        tag.checked_sub(self.tags_from).filter(|number| *number > 0)
    }
}
