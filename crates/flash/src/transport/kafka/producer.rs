//! A producer that is created on first use and again after a failure.

use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{FutureProducer, FutureRecord};

use super::super::message::{BROKER_TIMEOUT, KEYS_HEADER, TransportError, with_timeout};
use super::{KafkaOptions, drop_on_thread};

/// A record to publish.
pub(super) struct Record<'a> {
    pub(super) topic: &'a str,
    pub(super) partition: i32,
    pub(super) key: &'a str,
    pub(super) payload: &'a [u8],
    pub(super) request_keys: Option<&'a str>,
}

pub(super) struct Producer {
    options: KafkaOptions,
    producer: Option<FutureProducer>,
}

impl Producer {
    pub(super) fn new(options: &KafkaOptions) -> Self {
        Self {
            options: options.clone(),
            producer: None,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.producer.is_some()
    }

    /// Returns when the brokers have all of them, in order. After an error they may have any of them.
    pub(super) async fn publish(&mut self, records: &[Record<'_>]) -> Result<(), TransportError> {
        let producer = match self.producer.take() {
            Some(producer) => producer,
            None => self.open()?,
        };
        let published = with_timeout(publish_all(&producer, records)).await;
        match published {
            Ok(()) => self.producer = Some(producer),
            // Its queued records must not arrive after those that are sent again.
            Err(_) => drop_on_thread(producer),
        }
        published
    }

    fn open(&self) -> Result<FutureProducer, TransportError> {
        let mut client = self.options.client();
        client
            .set("enable.idempotence", "true")
            .set("enable.gapless.guarantee", "true")
            .set("message.timeout.ms", BROKER_TIMEOUT.as_millis().to_string())
            .set("linger.ms", "1");
        Ok(client.create()?)
    }
}

async fn publish_all(
    producer: &FutureProducer,
    records: &[Record<'_>],
) -> Result<(), TransportError> {
    let mut deliveries = Vec::with_capacity(records.len());
    for record in records {
        let mut message = FutureRecord::to(record.topic)
            .partition(record.partition)
            .key(record.key)
            .payload(record.payload);
        if let Some(keys) = record.request_keys {
            let header = Header {
                key: KEYS_HEADER,
                value: Some(keys),
            };
            message = message.headers(OwnedHeaders::new().insert(header));
        }
        let delivery = producer.send_result(message);
        deliveries.push(delivery.map_err(|(error, _)| error)?);
    }
    for delivery in deliveries {
        let delivered = delivery.await.map_err(|_| TransportError::Ended)?;
        delivered.map_err(|(error, _)| error)?;
    }
    Ok(())
}

impl Drop for Producer {
    fn drop(&mut self) {
        if let Some(producer) = self.producer.take() {
            drop_on_thread(producer);
        }
    }
}

impl std::fmt::Debug for Producer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Producer").finish_non_exhaustive()
    }
}
