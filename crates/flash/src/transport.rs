//! How orders get from the stream to the drain worker: directly, or through a broker.
//!
//! The gate writes to the stream, whatever the transport; nothing is published during a claim. With a broker the holder
//! of a partition's drain lease runs a [relay](relay) that fills it, and consumes from it instead of from the stream.
//!
//! ```text
//! gate ──> stream ─────────────────────────────────────────> drain ──> ledger      Transport::Stream
//! gate ──> stream ──> relay ──publish, confirm──> broker ──> drain ──> ledger      Transport::RabbitMq, Kafka
//!            └──────────── deleted when the ledger has it ──────┘
//! ```
//!
//! # How it fails
//! | what happens | what follows |
//! |---|---|
//! | the broker is unavailable | entries stay in the stream; claims go on until the backlog limit, then they are refused as busy |
//! | the broker recovers, empty or not | everything is declared again, entries that were not confirmed are sent again |
//! | a queue or topic is deleted or purged | nothing is delivered while the stream has old entries: all of them are sent again |
//! | a subscription goes silent | the same: it is opened again |
//! | the relay dies between confirm and the next | its successor sends everything again that the ledger does not have |
//! | the drain worker dies between commit and acknowledgement | the broker redelivers, and the ledger knows the orders |
//! | a message is foreign or damaged | it is dead-lettered by the broker; the stream keeps its entry |

mod broker_source;
#[cfg(feature = "kafka")]
mod kafka;
mod message;
#[cfg(feature = "rabbitmq")]
mod rabbitmq;
pub(crate) mod relay;
pub(crate) mod source;

use std::time::Duration;

pub(crate) use broker_source::BrokerSource;
#[cfg(feature = "kafka")]
pub use kafka::KafkaOptions;
#[cfg(feature = "kafka")]
use kafka::{KafkaConsumer, KafkaPublisher};
pub use message::TransportError;
pub(crate) use message::{OutgoingMessage, ReceivedMessage};
#[cfg(feature = "rabbitmq")]
pub use rabbitmq::RabbitMqOptions;
#[cfg(feature = "rabbitmq")]
use rabbitmq::{RabbitMqConsumer, RabbitMqPublisher};

use crate::{Partition, Partitions};

/// How orders get to the drain worker.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Transport {
    /// From the stream itself.
    #[default]
    Stream,
    /// Copies of the entries through RabbitMQ.
    #[cfg(feature = "rabbitmq")]
    RabbitMq(RabbitMqOptions),
    /// Copies of the entries through Kafka.
    #[cfg(feature = "kafka")]
    Kafka(KafkaOptions),
}

/// The publisher of a relay.
#[derive(Debug)]
pub(crate) enum BrokerPublisher {
    #[cfg(feature = "rabbitmq")]
    RabbitMq(Box<RabbitMqPublisher>),
    #[cfg(feature = "kafka")]
    Kafka(Box<KafkaPublisher>),
}

/// The consumer of a drain worker.
#[derive(Debug)]
pub(crate) enum BrokerConsumer {
    #[cfg(feature = "rabbitmq")]
    RabbitMq(Box<RabbitMqConsumer>),
    #[cfg(feature = "kafka")]
    Kafka(Box<KafkaConsumer>),
}

/// Both ends of a broker, for one partition.
#[derive(Debug)]
pub(crate) struct BrokerEnds {
    publisher: BrokerPublisher,
    consumer: BrokerConsumer,
}

impl Transport {
    /// `None` for the stream, which needs no broker.
    pub(crate) fn broker_ends(
        &self,
        partition: Partition,
        partitions: Partitions,
    ) -> Option<BrokerEnds> {
        #[cfg(not(feature = "kafka"))]
        let _ = partitions;
        match self {
            Self::Stream => None,
            #[cfg(feature = "rabbitmq")]
            Self::RabbitMq(options) => {
                let publisher = RabbitMqPublisher::new(options, partition);
                let consumer = RabbitMqConsumer::new(options, partition);
                Some(BrokerEnds {
                    publisher: BrokerPublisher::RabbitMq(Box::new(publisher)),
                    consumer: BrokerConsumer::RabbitMq(Box::new(consumer)),
                })
            }
            #[cfg(feature = "kafka")]
            Self::Kafka(options) => {
                let publisher = KafkaPublisher::new(options, partition, partitions);
                let consumer = KafkaConsumer::new(options, partition, partitions);
                Some(BrokerEnds {
                    publisher: BrokerPublisher::Kafka(Box::new(publisher)),
                    consumer: BrokerConsumer::Kafka(Box::new(consumer)),
                })
            }
        }
    }
}

impl BrokerPublisher {
    /// Returns when the broker has all of them, in order. After an error it may have any of them.
    pub(crate) async fn publish(
        &mut self,
        messages: &[OutgoingMessage],
    ) -> Result<(), TransportError> {
        match *self {
            #[cfg(feature = "rabbitmq")]
            Self::RabbitMq(ref mut publisher) => publisher.publish(messages).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(ref mut publisher) => publisher.publish(messages).await,
        }
    }
}

impl BrokerConsumer {
    /// At most `max` messages; none if no message arrives within `wait`.
    pub(crate) async fn receive(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<ReceivedMessage>, TransportError> {
        match *self {
            #[cfg(feature = "rabbitmq")]
            Self::RabbitMq(ref mut consumer) => consumer.receive(max, wait).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(ref mut consumer) => consumer.receive(max, wait).await,
        }
    }

    /// The orders of these messages are in the ledger. Unknown tags are ignored: their messages are redelivered.
    pub(crate) async fn acknowledge(&mut self, tags: &[u64]) -> Result<(), TransportError> {
        match *self {
            #[cfg(feature = "rabbitmq")]
            Self::RabbitMq(ref mut consumer) => consumer.acknowledge(tags).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(ref mut consumer) => consumer.acknowledge(tags),
        }
    }

    /// Dead-letters a message that cannot be decoded.
    pub(crate) async fn reject(&mut self, tag: u64, body: &[u8]) -> Result<(), TransportError> {
        #[cfg(not(feature = "kafka"))]
        let _ = body;
        match *self {
            #[cfg(feature = "rabbitmq")]
            Self::RabbitMq(ref mut consumer) => consumer.reject(tag).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(ref mut consumer) => consumer.reject(tag, body).await,
        }
    }

    /// Returns unacknowledged messages to the broker. The next call connects again.
    pub(crate) fn close(&mut self) {
        match *self {
            #[cfg(feature = "rabbitmq")]
            Self::RabbitMq(ref mut consumer) => consumer.close(),
            #[cfg(feature = "kafka")]
            Self::Kafka(ref mut consumer) => consumer.close(),
        }
    }
}
