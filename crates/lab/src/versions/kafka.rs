//! Version 21. A log: the gate decides, then the process sends the order to Kafka; its offset is committed when SQL has it.
//!
//! The consumer is right: a redelivered order is recorded once. The gap between gate and broker is still there: a process
//! that dies after the decision and before the send loses the order.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::consumer::{CommitMode, Consumer as _, StreamConsumer};
use rdkafka::producer::{FutureProducer, FutureRecord};
use rdkafka::{ClientConfig, Message as _, Offset, TopicPartitionList};
use tokio::time::{Instant, sleep};

use super::gate::{DECIDE, Gate};
use crate::sale_tables::SaleTables;
use crate::step_control::StepControl;
use crate::version::{Endpoints, Order, PurchaseReply, PurchaseRequest, Version};

const PARTITION: i32 = 0;
const ANSWER_LIMIT: Duration = Duration::from_secs(10);
const RETRY: Duration = Duration::from_millis(50);

pub(crate) struct Kafka {
    gate: Gate,
    tables: SaleTables,
    producer: FutureProducer,
    consumer: StreamConsumer,
    topic: String,
    /// The first offset that is not recorded.
    next: AtomicI64,
}

impl Version for Kafka {
    async fn open(places: &Endpoints) -> Result<Self> {
        let topic = places.key("orders");
        let mut client = ClientConfig::new();
        client.set("bootstrap.servers", &places.kafka);
        create_topic(&client, &topic).await?;
        let producer = client.clone().set("linger.ms", "1").create()?;
        let consumer: StreamConsumer = client
            .set("group.id", &topic)
            .set("enable.auto.commit", "false")
            .set("auto.offset.reset", "earliest")
            // Other requests on the connection queue behind a fetch that waits.
            .set("fetch.wait.max.ms", "10")
            .create()?;
        // A new group has no coordinator for a moment: the committed offset is polled until there is one.
        let next = committed(&consumer, &topic).await?;
        Ok(Self {
            gate: Gate::open(places, &DECIDE).await?,
            tables: SaleTables::open(&places.sql).await?,
            producer,
            next: AtomicI64::new(next),
            consumer,
            topic,
        })
    }

    async fn publish(&self, sale: i64, stock: i64) -> Result<()> {
        self.gate.publish(sale, stock).await
    }

    async fn buy(&self, request: PurchaseRequest, steps: &StepControl) -> Result<PurchaseReply> {
        steps.step("about to call the gate").await;
        let order = Order::of(request);
        let answer = self.gate.decide(order).await?;
        if let PurchaseReply::Ordered(_) = answer {
            steps.step("granted, not sent").await;
            let payload = serde_json::to_vec(&order)?;
            let record: FutureRecord<'_, str, _> = FutureRecord::to(&self.topic).payload(&payload);
            let sent = self.producer.send(record, ANSWER_LIMIT).await;
            sent.map_err(|(error, _)| error)?;
        }
        Ok(answer)
    }

    async fn work(&self, steps: &StepControl) -> Result<()> {
        // A restart, after a failure too, begins with the first order that is not recorded.
        let next = Offset::Offset(self.next.load(Ordering::SeqCst));
        let mut offsets = TopicPartitionList::new();
        offsets.add_partition_offset(&self.topic, PARTITION, next)?;
        self.consumer.assign(&offsets)?;
        loop {
            let message = self.consumer.recv().await?;
            let payload = message.payload().context("a message has a payload")?;
            steps.saw("message", String::from_utf8_lossy(payload));
            steps.step("order is delivered").await;
            self.tables.record(serde_json::from_slice(payload)?).await?;
            steps.step("order is recorded").await;
            self.next.store(message.offset() + 1, Ordering::SeqCst);
            self.consumer.commit_message(&message, CommitMode::Async)?;
        }
    }

    async fn pending(&self) -> Result<u64> {
        let (topic, limit) = (&self.topic, ANSWER_LIMIT);
        let fetch = || self.consumer.fetch_watermarks(topic, PARTITION, limit);
        let (_, end) = tokio::task::block_in_place(fetch)?;
        let next = self.next.load(Ordering::SeqCst);
        Ok(u64::try_from(end - next).unwrap_or_default())
    }
}

async fn create_topic(client: &ClientConfig, topic: &str) -> Result<()> {
    let admin: AdminClient<DefaultClientContext> = client.create()?;
    let new = NewTopic::new(topic, 1, TopicReplication::Fixed(1));
    // An existing one is as good.
    let _made = admin.create_topics([&new], &AdminOptions::new()).await?;
    Ok(())
}

/// The committed offset of the group; the beginning if it never committed.
async fn committed(consumer: &StreamConsumer, topic: &str) -> Result<i64> {
    let mut offsets = TopicPartitionList::new();
    offsets.add_partition(topic, PARTITION);
    let until = Instant::now() + ANSWER_LIMIT;
    loop {
        let fetch = || consumer.committed_offsets(offsets.clone(), ANSWER_LIMIT);
        let found = tokio::task::block_in_place(fetch);
        let offset = found.and_then(|found| {
            let partition = found.find_partition(topic, PARTITION);
            let known = partition.map(|partition| partition.error().map(|()| partition.offset()));
            known.unwrap_or(Ok(Offset::Invalid))
        });
        match offset {
            Ok(Offset::Offset(offset)) => return Ok(offset),
            Ok(_) => return Ok(0),
            Err(error) if Instant::now() > until => return Err(error.into()),
            Err(_) => sleep(RETRY).await,
        }
    }
}
