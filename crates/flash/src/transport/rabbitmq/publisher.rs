//! Publishes entries: persistent, confirmed, and never into the void.

use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Confirmation, PublisherConfirm};

use super::super::message::{Message, NAMES, TransportError, answer};
use super::RabbitMqOptions;
use super::connection::Line;
use super::queues::Queues;
use crate::Partition;

/// AMQP's delivery mode of a message that survives the broker.
const PERSISTENT: u8 = 2;

/// An unroutable message is confirmed too: only `mandatory` makes the broker say that nobody got it.
const OPTIONS: BasicPublishOptions = BasicPublishOptions {
    mandatory: true,
    immediate: false,
};

#[derive(Debug)]
pub(crate) struct Outlet {
    line: Line,
    queues: Queues,
    channel: Option<Channel>,
}

impl Outlet {
    pub(crate) fn new(options: &RabbitMqOptions, partition: Partition) -> Self {
        Self {
            line: Line::new(options, "relay"),
            queues: Queues::new(&options.prefix, partition),
            channel: None,
        }
    }

    /// Returns when the broker has all of them, in order. After an error it may have any of them.
    pub(crate) async fn publish(&mut self, messages: &[Message]) -> Result<(), TransportError> {
        let channel = match self.channel.take() {
            Some(channel) => channel,
            None => self.open().await?,
        };
        let published = answer(publish_all(&channel, &self.queues.orders, messages)).await;
        match published {
            Ok(()) => self.channel = Some(channel),
            Err(TransportError::TimedOut) => self.line.hang_up(),
            Err(_) => (),
        }
        published
    }

    async fn open(&mut self) -> Result<Channel, TransportError> {
        let channel = self.line.channel().await?;
        self.queues.declare(&channel).await?;
        answer(channel.confirm_select(ConfirmSelectOptions::default())).await?;
        Ok(channel)
    }
}

async fn publish_all(
    channel: &Channel,
    queue: &str,
    messages: &[Message],
) -> Result<(), TransportError> {
    let mut promised = Vec::with_capacity(messages.len());
    for message in messages {
        promised.push(publish_one(channel, queue, message).await?);
    }
    for confirmation in promised {
        match confirmation.await? {
            Confirmation::Ack(None) => (),
            Confirmation::Ack(Some(_)) => return Err(TransportError::Returned),
            Confirmation::Nack(_) | Confirmation::NotRequested => {
                return Err(TransportError::Refused);
            }
        }
    }
    Ok(())
}

async fn publish_one(
    channel: &Channel,
    queue: &str,
    message: &Message,
) -> Result<PublisherConfirm, TransportError> {
    let mut properties = BasicProperties::default()
        .with_delivery_mode(PERSISTENT)
        .with_content_type("text/plain".into())
        .with_message_id(message.id.to_string().into());
    if let Some(names) = &message.names {
        let mut headers = FieldTable::default();
        headers.insert(NAMES.into(), AMQPValue::LongString(names.as_str().into()));
        properties = properties.with_headers(headers);
    }
    let line = message.line.as_bytes();
    let published = channel.basic_publish("".into(), queue.into(), OPTIONS, line, properties);
    Ok(published.await?)
}
