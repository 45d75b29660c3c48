//! Broker messages: an entry of the stream on one line, with the entry id.

use std::time::Duration;

use thiserror::Error;

use crate::stream::entry::EntryId;

/// A broker answers within milliseconds. Beyond this the answer counts as lost, and everything that is not confirmed is
/// sent again.
pub(super) const BROKER_TIMEOUT: Duration = Duration::from_secs(10);

/// An entry to publish.
#[derive(Clone, Debug)]
pub(crate) struct OutgoingMessage {
    pub(crate) id: EntryId,
    pub(crate) line: String,
    /// Request keys, in a header: a version that does not know it reads the line anyway.
    pub(crate) request_keys: Option<String>,
}

/// The header of [`OutgoingMessage::request_keys`].
pub(super) const KEYS_HEADER: &str = "k";

/// A message from a broker.
#[derive(Debug)]
pub(crate) struct ReceivedMessage {
    /// `None` if the message is foreign.
    pub(crate) id: Option<EntryId>,
    pub(crate) body: Vec<u8>,
    pub(crate) request_keys: Option<Vec<u8>>,
    /// The tag to acknowledge it with, unique in the life of a consumer.
    pub(crate) tag: u64,
}

/// A broker failure. All of them are worth a retry.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The address cannot be parsed.
    #[error("invalid broker address: {0}")]
    Address(String),
    /// The client of RabbitMQ reports an error.
    #[cfg(feature = "rabbitmq")]
    #[error("RabbitMQ failed")]
    RabbitMq(#[from] lapin::Error),
    /// The client of Kafka reports an error.
    #[cfg(feature = "kafka")]
    #[error("Kafka failed")]
    Kafka(#[from] rdkafka::error::KafkaError),
    /// The broker did not answer in time.
    #[error("the broker did not answer within {} s", BROKER_TIMEOUT.as_secs())]
    TimedOut,
    /// The broker returned a message because no queue takes it.
    #[error("the broker has no queue for a message")]
    Returned,
    /// The broker refused a message.
    #[error("the broker refused a message")]
    Refused,
    /// The broker ended the subscription.
    #[error("the broker ended the subscription")]
    Ended,
    /// The topic has another number of partitions than the engine.
    #[cfg(feature = "kafka")]
    #[error("topic {topic} has {found} partitions, and the engine has {wanted}")]
    Partitions {
        /// The name of the topic.
        topic: String,
        /// The partitions of the topic.
        found: usize,
        /// The partitions of the engine.
        wanted: u16,
    },
}

/// What a broker shows as the name of this client: the prefix of its queues or topics.
#[cfg(any(feature = "rabbitmq", feature = "kafka"))]
pub(super) fn client_name(prefix: &str) -> &str {
    match prefix.trim_end_matches('.') {
        "" => "flash",
        name => name,
    }
}

/// Bounds a call to a broker.
pub(super) async fn with_timeout<T, E>(
    call: impl Future<Output = Result<T, E>>,
) -> Result<T, TransportError>
where
    TransportError: From<E>,
{
    match tokio::time::timeout(BROKER_TIMEOUT, call).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(TransportError::TimedOut),
    }
}
