//! How orders get from the stream to the drainer: directly, or by way of a broker.
//!
//! The gate writes to the stream, whatever the transport; nothing is published during a claim. With a broker the holder
//! of a partition's seat runs a [relay](relay) that fills it, and drains from it instead of from the stream.
//!
//! ```text
//! gate ──> stream ─────────────────────────────────────────> drainer ──> ledger      Transport::Stream
//! gate ──> stream ──> relay ──publish, confirm──> broker ──> drainer ──> ledger      Transport::RabbitMq, Kafka
//!            └──────────── deleted when the ledger has it ──────┘
//! ```
//!
//! # How it fails
//! | what happens | what follows |
//! |---|---|
//! | the broker is away | the stream holds what it cannot take; claims go on until the backlog's limit, then they are told to come back |
//! | the broker comes back, empty or not | everything is declared anew, what was not confirmed is sent again |
//! | a queue or topic is deleted or purged | the drainer starves while the stream has old entries: all of them are sent again |
//! | a subscription goes silent | the same: it is opened anew |
//! | the relay dies between confirm and the next | its successor sends everything again that the ledger does not have |
//! | the drainer dies between commit and acknowledgement | the broker delivers again, and the ledger knows the orders |
//! | a message is not ours, or damaged | it goes to the dead ones of the broker; an entry of the stream is not touched by it |

mod broker_source;
#[cfg(feature = "kafka")]
mod kafka;
mod message;
mod rabbitmq;
pub(crate) mod relay;
pub(crate) mod source;

use std::time::Duration;

pub(crate) use broker_source::BrokerInlet;
#[cfg(feature = "kafka")]
pub use kafka::KafkaOptions;
pub use message::TransportError;
pub(crate) use message::{Message, Received};
pub use rabbitmq::RabbitMqOptions;

use crate::{Partition, Partitions};

/// How orders get to the drainer.
#[derive(Clone, Debug, Default)]
pub enum Transport {
    /// From the stream itself.
    #[default]
    Stream,
    RabbitMq(RabbitMqOptions),
    #[cfg(feature = "kafka")]
    Kafka(KafkaOptions),
}

/// Where a relay publishes.
#[derive(Debug)]
pub(crate) enum Outlet {
    RabbitMq(Box<rabbitmq::Outlet>),
    #[cfg(feature = "kafka")]
    Kafka(Box<kafka::Outlet>),
}

/// Where a drainer receives.
#[derive(Debug)]
pub(crate) enum Source {
    RabbitMq(Box<rabbitmq::Source>),
    #[cfg(feature = "kafka")]
    Kafka(Box<kafka::Source>),
}

impl Transport {
    /// Both ends of the broker for one partition; nothing for the stream, which needs none.
    pub(crate) fn ends(
        &self,
        partition: Partition,
        partitions: Partitions,
    ) -> Option<(Outlet, Source)> {
        #[cfg(not(feature = "kafka"))]
        let _ = partitions;
        match self {
            Self::Stream => None,
            Self::RabbitMq(options) => {
                let outlet = rabbitmq::Outlet::new(options, partition);
                let source = rabbitmq::Source::new(options, partition);
                Some((
                    Outlet::RabbitMq(Box::new(outlet)),
                    Source::RabbitMq(Box::new(source)),
                ))
            }
            #[cfg(feature = "kafka")]
            Self::Kafka(options) => {
                let outlet = kafka::Outlet::new(options, partition, partitions);
                let source = kafka::Source::new(options, partition, partitions);
                Some((
                    Outlet::Kafka(Box::new(outlet)),
                    Source::Kafka(Box::new(source)),
                ))
            }
        }
    }
}

impl Outlet {
    /// Returns when the broker has all of them, in order. After an error it may have any of them.
    pub(crate) async fn publish(&mut self, messages: &[Message]) -> Result<(), TransportError> {
        match self {
            Self::RabbitMq(outlet) => outlet.publish(messages).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(outlet) => outlet.publish(messages).await,
        }
    }
}

impl Source {
    /// At most `max` messages; none if there is nothing for `wait`.
    pub(crate) async fn receive(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Received>, TransportError> {
        match self {
            Self::RabbitMq(source) => source.receive(max, wait).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(source) => source.receive(max, wait).await,
        }
    }

    /// These are in the ledger. What the source does not know any more comes again.
    pub(crate) async fn acknowledge(&mut self, tags: &[u64]) -> Result<(), TransportError> {
        match self {
            Self::RabbitMq(source) => source.acknowledge(tags).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(source) => source.acknowledge(tags),
        }
    }

    /// Puts a message that nobody can read with the dead ones.
    pub(crate) async fn reject(&mut self, tag: u64, body: &[u8]) -> Result<(), TransportError> {
        #[cfg(not(feature = "kafka"))]
        let _ = body;
        match self {
            Self::RabbitMq(source) => source.reject(tag).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(source) => source.reject(tag, body).await,
        }
    }

    /// Gives back what is not acknowledged. The next call opens anew.
    pub(crate) fn close(&mut self) {
        match self {
            Self::RabbitMq(source) => source.close(),
            #[cfg(feature = "kafka")]
            Self::Kafka(source) => source.close(),
        }
    }
}
