//! A private Kafka.

use std::time::Duration;

use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::consumer::{BaseConsumer, Consumer as _};
use rdkafka::message::Message as _;
use rdkafka::producer::{FutureProducer, FutureRecord};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};
use testkit::Kafka;

const LIMIT: Duration = Duration::from_secs(20);

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn a_confirmed_message_is_read_after_the_broker_was_killed_and_came_back() {
    let kafka = Kafka::start().await;
    create_topic(&kafka).await;
    publish(&kafka, "order 7").await;

    kafka.stop_hard();
    assert!(tokio::net::TcpStream::connect(kafka.addr()).await.is_err());
    kafka.start_again().await;

    let client = settings(&kafka);
    let read = tokio::task::spawn_blocking(move || read_first(&client));
    assert_eq!(read.await.unwrap(), b"order 7");
}

fn settings(kafka: &Kafka) -> ClientConfig {
    let mut settings = ClientConfig::new();
    settings.set("bootstrap.servers", kafka.addr());
    settings.set("group.id", "tests");
    settings
}

async fn create_topic(kafka: &Kafka) {
    let admin: AdminClient<DefaultClientContext> = settings(kafka).create().unwrap();
    let topic = NewTopic::new("orders", 1, TopicReplication::Fixed(1));
    let options = AdminOptions::new().operation_timeout(Some(LIMIT));
    let created = admin.create_topics([&topic], &options).await.unwrap();
    created[0].as_ref().unwrap();
}

/// Returns when the broker has confirmed the message.
async fn publish(kafka: &Kafka, message: &str) {
    let producer: FutureProducer = settings(kafka).create().unwrap();
    let record = FutureRecord::<(), _>::to("orders")
        .partition(0)
        .payload(message);
    producer.send(record, LIMIT).await.unwrap();
}

fn read_first(client: &ClientConfig) -> Vec<u8> {
    let consumer: BaseConsumer = client.create().unwrap();
    let mut from = TopicPartitionList::new();
    from.add_partition_offset("orders", 0, Offset::Beginning)
        .unwrap();
    consumer.assign(&from).unwrap();
    let message = consumer.poll(LIMIT).expect("the message is still there");
    message.unwrap().payload().unwrap().to_vec()
}
