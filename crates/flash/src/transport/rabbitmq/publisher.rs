//! Publishes entries: persistent, confirmed, and refused if no queue takes them.

use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Confirmation, PublisherConfirm};

use super::super::message::{KEYS_HEADER, OutgoingMessage, TransportError, with_timeout};
use super::RabbitMqOptions;
use super::connection::Reconnecting;
use super::queues::Queues;
use crate::Partition;

/// AMQP delivery mode of a message that survives a restart of the broker.
const PERSISTENT: u8 = 2;

/// The broker confirms an unroutable message too: only `mandatory` makes it return the message.
const OPTIONS: BasicPublishOptions = BasicPublishOptions {
    mandatory: true,
    immediate: false,
};

#[derive(Debug)]
pub(crate) struct RabbitMqPublisher {
    connection: Reconnecting,
    queues: Queues,
    channel: Option<Channel>,
}

impl RabbitMqPublisher {
    pub(crate) fn new(options: &RabbitMqOptions, partition: Partition) -> Self {
        Self {
            connection: Reconnecting::new(options, "relay"),
            queues: Queues::new(&options.prefix, partition),
            channel: None,
        }
    }

    /// Returns when the broker has all of them, in order. After an error it may have any of them.
    pub(crate) async fn publish(
        &mut self,
        messages: &[OutgoingMessage],
    ) -> Result<(), TransportError> {
        let channel = match self.channel.take() {
            Some(channel) => channel,
            None => self.open().await?,
        };
        let published = with_timeout(publish_all(&channel, &self.queues.orders, messages)).await;
        match published {
            Ok(()) => self.channel = Some(channel),
            Err(TransportError::TimedOut) => self.connection.disconnect(),
            Err(_) => (),
        }
        published
    }

    async fn open(&mut self) -> Result<Channel, TransportError> {
        let channel = self.connection.channel().await?;
        self.queues.declare(&channel).await?;
        with_timeout(channel.confirm_select(ConfirmSelectOptions::default())).await?;
        Ok(channel)
    }
}

async fn publish_all(
    channel: &Channel,
    queue: &str,
    messages: &[OutgoingMessage],
) -> Result<(), TransportError> {
    let mut confirms = Vec::with_capacity(messages.len());
    for message in messages {
        confirms.push(publish_one(channel, queue, message).await?);
    }
    for confirmation in confirms {
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
    message: &OutgoingMessage,
) -> Result<PublisherConfirm, TransportError> {
    let mut properties = BasicProperties::default()
        .with_delivery_mode(PERSISTENT)
        .with_content_type("text/plain".into())
        .with_message_id(message.id.to_string().into());
    if let Some(keys) = &message.request_keys {
        let mut headers = FieldTable::default();
        headers.insert(
            KEYS_HEADER.into(),
            AMQPValue::LongString(keys.as_str().into()),
        );
        properties = properties.with_headers(headers);
    }
    let line = message.line.as_bytes();
    let published = channel.basic_publish("".into(), queue.into(), OPTIONS, line, properties);
    Ok(published.await?)
}
