//! A real Kafka, and what a test does with any.

use std::collections::HashSet;
use std::time::Duration;

use flash::KafkaOptions;
use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer as _};
use rdkafka::message::Message as _;
use rdkafka::producer::{FutureProducer, FutureRecord};
use rdkafka::{Offset, TopicPartitionList};
use testkit::Kafka;

use super::broker_prefix;
use crate::site::PATIENCE;

pub(crate) struct KafkaUnderTest {
    options: KafkaOptions,
    /// A broker that may be killed, unless it is the one of this test process.
    own: Option<Kafka>,
}

impl KafkaUnderTest {
    pub(crate) async fn shared() -> Self {
        Self {
            options: options(Kafka::shared().await.addr()),
            own: None,
        }
    }

    pub(crate) async fn own() -> Self {
        let kafka = Kafka::start().await;
        Self {
            options: options(kafka.addr()),
            own: Some(kafka),
        }
    }

    pub(crate) fn options(&self) -> &KafkaOptions {
        &self.options
    }

    pub(super) fn go_away(&self) {
        self.broker().stop_hard();
    }

    pub(super) async fn come_back(&self) {
        self.broker().start_again().await;
    }

    fn broker(&self) -> &Kafka {
        self.own.as_ref().expect("a broker that others use stays")
    }
}

pub(super) fn options(brokers: String) -> KafkaOptions {
    KafkaOptions {
        brokers,
        prefix: broker_prefix(),
        settings: Vec::new(),
    }
}

/// A foreign message in the topic of orders.
pub(super) async fn litter(options: &KafkaOptions, body: &str) {
    let producer: FutureProducer = client(options).create().unwrap();
    let topic = format!("{}orders", options.prefix);
    let record = FutureRecord::<(), _>::to(&topic).partition(1).payload(body);
    producer.send(record, PATIENCE).await.unwrap();
}

pub(super) async fn dead_letter(options: &KafkaOptions) -> String {
    let (client, topic) = (client(options), format!("{}orders.dead", options.prefix));
    let reading = tokio::task::spawn_blocking(move || read_first(&client, &topic, PATIENCE));
    reading.await.unwrap()
}

/// Whether the offset that the engines committed is the end of the partition.
pub(super) async fn is_drained(options: &KafkaOptions) -> bool {
    let mut client = client(options);
    client.set("group.id", format!("{}drain", options.prefix));
    let topic = format!("{}orders", options.prefix);
    let looking = tokio::task::spawn_blocking(move || {
        let consumer: BaseConsumer = client.create().unwrap();
        let mut place = TopicPartitionList::new();
        place.add_partition(&topic, 1);
        let committed = consumer.committed_offsets(place, PATIENCE).unwrap();
        let committed = committed.elements()[0].offset();
        let (_, end) = consumer.fetch_watermarks(&topic, 1, PATIENCE).unwrap();
        committed == Offset::Offset(end)
    });
    looking.await.unwrap()
}

/// Whether an entry was published more than once.
pub(super) async fn has_repetitions(options: &KafkaOptions) -> bool {
    let (client, topic) = (client(options), format!("{}orders", options.prefix));
    let looking = tokio::task::spawn_blocking(move || {
        let consumer: BaseConsumer = client.create().unwrap();
        let (_, end) = consumer.fetch_watermarks(&topic, 1, PATIENCE).unwrap();
        let mut from = TopicPartitionList::new();
        from.add_partition_offset(&topic, 1, Offset::Beginning)
            .unwrap();
        consumer.assign(&from).unwrap();
        let mut seen = HashSet::new();
        (0..end).any(|_| {
            let message = consumer.poll(PATIENCE).expect("a message").unwrap();
            !seen.insert(message.key().map(<[u8]>::to_vec))
        })
    });
    looking.await.unwrap()
}

fn read_first(client: &ClientConfig, topic: &str, limit: Duration) -> String {
    let consumer: BaseConsumer = client.create().unwrap();
    let mut from = TopicPartitionList::new();
    from.add_partition_offset(topic, 0, Offset::Beginning)
        .unwrap();
    consumer.assign(&from).unwrap();
    let message = consumer.poll(limit).expect("a dead letter").unwrap();
    String::from_utf8(message.payload().unwrap().to_vec()).unwrap()
}

fn client(options: &KafkaOptions) -> ClientConfig {
    let mut client = ClientConfig::new();
    client.set("bootstrap.servers", &options.brokers);
    client.set("group.id", format!("{}tests", options.prefix));
    client
}
