//! Publishes the entries of one partition.

use super::super::message::{OutgoingMessage, TransportError};
use super::KafkaOptions;
use super::producer::{Producer, Record};
use super::topics::Topics;
use crate::{Partition, Partitions};

#[derive(Debug)]
pub(crate) struct KafkaPublisher {
    options: KafkaOptions,
    topics: Topics,
    partition: i32,
    producer: Producer,
}

impl KafkaPublisher {
    pub(crate) fn new(
        options: &KafkaOptions,
        partition: Partition,
        partitions: Partitions,
    ) -> Self {
        Self {
            options: options.clone(),
            topics: Topics::new(&options.prefix, partitions),
            partition: i32::from(partition.0),
            producer: Producer::new(options),
        }
    }

    /// Returns when the brokers have all of them, in order. After an error they may have any of them.
    pub(crate) async fn publish(
        &mut self,
        messages: &[OutgoingMessage],
    ) -> Result<(), TransportError> {
        if !self.producer.is_open() {
            self.topics.ensure(&self.options).await?;
        }
        let keys: Vec<String> = messages
            .iter()
            .map(|message| message.id.to_string())
            .collect();
        let records = messages.iter().zip(&keys);
        let records: Vec<Record<'_>> = records
            .map(|(message, key)| Record {
                topic: &self.topics.orders,
                partition: self.partition,
                key,
                payload: message.line.as_bytes(),
                request_keys: message.request_keys.as_deref(),
            })
            .collect();
        self.producer.publish(&records).await
    }
}
