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
pub enum TransportError {
    #[error("invalid broker address: {0}")]
    Address(String),
    #[cfg(feature = "rabbitmq")]
    #[error("RabbitMQ failed")]
    RabbitMq(#[from] lapin::Error),
    #[cfg(feature = "kafka")]
    #[error("Kafka failed")]
    Kafka(#[from] rdkafka::error::KafkaError),
    #[error("the broker did not answer within {} s", BROKER_TIMEOUT.as_secs())]
    TimedOut,
    #[error("the broker has no queue for a message")]
    Returned,
    #[error("the broker refused a message")]
    Refused,
    #[error("the broker ended the subscription")]
    Ended,
    #[cfg(feature = "kafka")]
    #[error("topic {topic} has {found} partitions, and the engine has {wanted}")]
    Partitions {
        topic: String,
        found: usize,
        wanted: u16,
    },
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
