//! What a broker carries: an entry of the stream on one line, under the id it has there.

use std::time::Duration;

use thiserror::Error;

use crate::stream::entry::EntryId;

/// One publish, one declaration or one answer of a broker takes milliseconds; beyond this it is taken for lost and
/// everything that is not confirmed is sent again.
pub(super) const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// An entry on its way to a broker.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) id: EntryId,
    pub(crate) line: String,
    /// Names of the requests, in a header: a version that does not know it reads the line all the same.
    pub(crate) names: Option<String>,
}

/// The header of [`Message::names`].
pub(super) const NAMES: &str = "k";

/// A message that came back from a broker.
#[derive(Debug)]
pub(crate) struct Received {
    /// Nothing if whoever published it was none of ours.
    pub(crate) id: Option<EntryId>,
    pub(crate) body: Vec<u8>,
    pub(crate) names: Option<Vec<u8>>,
    /// Under which number to acknowledge it. A number is used once in the life of a source.
    pub(crate) tag: u64,
}

/// What can go wrong with a broker. All of it is worth another try.
#[derive(Debug, Error)]
pub enum TransportError {
    #[error("the broker's address is not one: {0}")]
    Address(String),
    #[error("RabbitMQ failed")]
    RabbitMq(#[from] lapin::Error),
    #[cfg(feature = "kafka")]
    #[error("Kafka failed")]
    Kafka(#[from] rdkafka::error::KafkaError),
    #[error("the broker did not answer within {} s", ANSWER_LIMIT.as_secs())]
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

/// Bounds what waits for a broker.
pub(super) async fn answer<T, E>(
    asked: impl Future<Output = Result<T, E>>,
) -> Result<T, TransportError>
where
    TransportError: From<E>,
{
    match tokio::time::timeout(ANSWER_LIMIT, asked).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(TransportError::TimedOut),
    }
}
