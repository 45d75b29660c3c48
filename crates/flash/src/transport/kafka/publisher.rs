//! Publishes entries of one partition.

use super::super::message::{Message, TransportError};
use super::KafkaOptions;
use super::producer::{Publication, Publisher};
use super::topics::Topics;
use crate::{Partition, Partitions};

#[derive(Debug)]
pub(crate) struct Outlet {
    options: KafkaOptions,
    topics: Topics,
    partition: i32,
    publisher: Publisher,
}

impl Outlet {
    pub(crate) fn new(
        options: &KafkaOptions,
        partition: Partition,
        partitions: Partitions,
    ) -> Self {
        Self {
            options: options.clone(),
            topics: Topics::new(&options.prefix, partitions),
            partition: i32::from(partition.0),
            publisher: Publisher::new(options),
        }
    }

    /// Returns when the brokers have all of them, in order. After an error they may have any of them.
    pub(crate) async fn publish(&mut self, messages: &[Message]) -> Result<(), TransportError> {
        if !self.publisher.is_open() {
            self.topics.ensure(&self.options).await?;
        }
        let keys: Vec<String> = messages
            .iter()
            .map(|message| message.id.to_string())
            .collect();
        let publications = messages.iter().zip(&keys);
        let publications: Vec<Publication<'_>> = publications
            .map(|(message, key)| Publication {
                topic: &self.topics.orders,
                partition: self.partition,
                key,
                payload: message.line.as_bytes(),
                names: message.names.as_deref(),
            })
            .collect();
        self.publisher.publish(&publications).await
    }
}
