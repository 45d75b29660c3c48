//! A producer that is made when it is first needed and made anew after a failure.

use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{FutureProducer, FutureRecord};

use super::super::message::{ANSWER_LIMIT, NAMES, TransportError, answer};
use super::{KafkaOptions, let_go};

/// What is published, and where.
pub(super) struct Publication<'a> {
    pub(super) topic: &'a str,
    pub(super) partition: i32,
    pub(super) key: &'a str,
    pub(super) payload: &'a [u8],
    pub(super) names: Option<&'a str>,
}

pub(super) struct Publisher {
    options: KafkaOptions,
    producer: Option<FutureProducer>,
}

impl Publisher {
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
    pub(super) async fn publish(
        &mut self,
        publications: &[Publication<'_>],
    ) -> Result<(), TransportError> {
        let producer = match self.producer.take() {
            Some(producer) => producer,
            None => self.open()?,
        };
        let published = answer(publish_all(&producer, publications)).await;
        match published {
            Ok(()) => self.producer = Some(producer),
            // What it still has in hand must not arrive after what is sent again.
            Err(_) => let_go(producer),
        }
        published
    }

    fn open(&self) -> Result<FutureProducer, TransportError> {
        let mut client = self.options.client();
        client
            .set("enable.idempotence", "true")
            .set("enable.gapless.guarantee", "true")
            .set("message.timeout.ms", ANSWER_LIMIT.as_millis().to_string())
            .set("linger.ms", "1");
        Ok(client.create()?)
    }
}

async fn publish_all(
    producer: &FutureProducer,
    publications: &[Publication<'_>],
) -> Result<(), TransportError> {
    let mut promised = Vec::with_capacity(publications.len());
    for publication in publications {
        let mut record = FutureRecord::to(publication.topic)
            .partition(publication.partition)
            .key(publication.key)
            .payload(publication.payload);
        if let Some(names) = publication.names {
            let names = Header {
                key: NAMES,
                value: Some(names),
            };
            record = record.headers(OwnedHeaders::new().insert(names));
        }
        let promise = producer.send_result(record);
        promised.push(promise.map_err(|(error, _)| error)?);
    }
    for promise in promised {
        let delivered = promise.await.map_err(|_| TransportError::Ended)?;
        delivered.map_err(|(error, _)| error)?;
    }
    Ok(())
}

impl Drop for Publisher {
    fn drop(&mut self) {
        if let Some(producer) = self.producer.take() {
            let_go(producer);
        }
    }
}

impl std::fmt::Debug for Publisher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Publisher").finish_non_exhaustive()
    }
}
