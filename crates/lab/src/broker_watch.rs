//! How many messages wait in the broker of a run, as the attacker sees it: [`BrokerWatch`].

use std::time::Duration;

use anyhow::{Context as _, Result};
use lapin::options::QueueDeclareOptions;
use lapin::types::FieldTable;
use lapin::{Channel, Connection, ConnectionProperties};
use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer as _};

use crate::catalogue::{CatalogueEntry, Needs};
use crate::snapshot::Snapshot;
use crate::version::Endpoints;

const PARTITION: i32 = 0;
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// A connection of its own to the broker that the version uses, if it uses one.
pub(crate) enum BrokerWatch {
    None,
    RabbitMq(Box<QueueWatch>),
    Kafka(Box<TopicWatch>),
}

pub(crate) struct QueueWatch {
    queue: String,
    channel: Channel,
    _connection: Connection,
}

pub(crate) struct TopicWatch {
    topic: String,
    consumer: BaseConsumer,
    /// Messages of sales that are over: Kafka keeps them.
    past: i64,
}

impl BrokerWatch {
    /// The queue must exist, so the processes are started first.
    pub(crate) async fn open(entry: &CatalogueEntry, places: &Endpoints) -> Result<Self> {
        Ok(match entry.needs {
            Needs::Nothing => Self::None,
            Needs::RabbitMq => {
                let properties = ConnectionProperties::default();
                let connection = Connection::connect(&places.rabbitmq, properties).await?;
                Self::RabbitMq(Box::new(QueueWatch {
                    queue: places.key("orders"),
                    channel: connection.create_channel().await?,
                    _connection: connection,
                }))
            }
            Needs::Kafka => {
                let mut client = ClientConfig::new();
                client.set("bootstrap.servers", &places.kafka);
                Self::Kafka(Box::new(TopicWatch {
                    topic: places.key("orders"),
                    consumer: client.create()?,
                    past: 0,
                }))
            }
        })
    }

    /// From here on Kafka's messages are those of a new sale.
    pub(crate) fn begin_counting(&mut self) -> Result<()> {
        if let Self::Kafka(watch) = self {
            watch.past = watch.log_end()?;
        }
        Ok(())
    }

    pub(crate) async fn read(&self, snapshot: &mut Snapshot) -> Result<()> {
        match self {
            Self::None => {}
            Self::RabbitMq(watch) => {
                let options = QueueDeclareOptions {
                    passive: true,
                    durable: true,
                    ..QueueDeclareOptions::default()
                };
                let queue = watch.queue.as_str().into();
                let found = watch
                    .channel
                    .queue_declare(queue, options, FieldTable::default());
                let ready = found.await?.message_count();
                snapshot.waiting_messages = u64::from(ready);
                snapshot.add("rabbitmq", "orders ready", &ready.to_string());
            }
            Self::Kafka(watch) => {
                let written = watch.log_end()? - watch.past;
                snapshot.add("kafka", "orders written", &written.to_string());
            }
        }
        Ok(())
    }
}

impl TopicWatch {
    fn log_end(&self) -> Result<i64> {
        let (consumer, topic) = (&self.consumer, &self.topic);
        let fetch = || consumer.fetch_watermarks(topic, PARTITION, ANSWER_LIMIT);
        let (_, end) = tokio::task::block_in_place(fetch).context("the end of Kafka's log")?;
        Ok(end)
    }
}
