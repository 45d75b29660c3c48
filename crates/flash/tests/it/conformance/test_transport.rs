//! A transport under test: how engines connect to it, and how a test injects faults into its broker.

mod kafka;
mod kafka_mock;
mod rabbitmq;

use std::num::NonZeroU16;

use flash::{FlashOptions, SaleId, Terms, Transport};
use testkit::{Redis, unique_prefix};

use crate::site::{Engine, Site};

pub(super) use kafka::KafkaUnderTest;
pub(super) use kafka_mock::MockKafkaUnderTest;
pub(super) use rabbitmq::{RabbitMqUnderTest, Thief};

/// Two are enough to see that they do not get in each other's way.
pub(super) const PARTITIONS: NonZeroU16 = NonZeroU16::new(2).unwrap();

/// Its partition is 1 of those two.
const SALE: i64 = 7;

/// A transport, and a site of its own on it.
pub(super) struct TestTransport {
    pub(super) site: Site,
    broker: Broker,
}

pub(super) enum Broker {
    /// Redis itself, if the test has one of its own.
    Stream(Option<Redis>),
    RabbitMq(RabbitMqUnderTest),
    MockKafka(MockKafkaUnderTest),
    Kafka(KafkaUnderTest),
}

impl TestTransport {
    pub(super) async fn of(broker: Broker) -> Self {
        let site = match &broker {
            Broker::Stream(Some(redis)) => Site::at(redis.url()),
            _ => Site::new().await,
        };
        Self { site, broker }
    }

    /// An engine that answers and drains.
    pub(super) async fn engine(&self) -> Engine {
        self.tuned_engine(|_| {}).await
    }

    pub(super) async fn tuned_engine(&self, tune: impl FnOnce(&mut FlashOptions)) -> Engine {
        let transport = self.transport();
        let tuned = |options: &mut FlashOptions| {
            options.partitions = PARTITIONS;
            options.transport = transport;
            tune(options);
        };
        let mut engine = self.site.idle_engine(tuned).await;
        engine.drain();
        engine
    }

    /// Publishes a sale and loads it, for which its barrier has to get through: a broker that was just started takes its
    /// time.
    pub(super) async fn open(&self, engine: &Engine, terms: Terms) -> SaleId {
        let sale = self.site.publish(SALE, terms);
        engine.preload(sale).await.unwrap();
        sale
    }

    /// The broker dies. What goes by the stream has none but the ledger to lose.
    pub(super) async fn go_away(&self) {
        match &self.broker {
            Broker::Stream(Some(redis)) => redis.stop_hard(),
            Broker::Stream(None) => self.site.book.switch().go_away(),
            Broker::RabbitMq(rabbitmq) => rabbitmq.go_away().await,
            Broker::MockKafka(mock) => mock.go_away(),
            Broker::Kafka(kafka) => kafka.go_away(),
        }
    }

    pub(super) async fn come_back(&self) {
        match &self.broker {
            Broker::Stream(Some(redis)) => redis.start_again().await,
            Broker::Stream(None) => self.site.book.switch().come_back(),
            Broker::RabbitMq(rabbitmq) => rabbitmq.come_back().await,
            Broker::MockKafka(mock) => mock.come_back(),
            Broker::Kafka(kafka) => kafka.come_back().await,
        }
    }

    /// Whether the broker has nothing left to deliver.
    pub(super) async fn is_drained(&self) -> bool {
        match &self.broker {
            Broker::Stream(_) => true,
            Broker::RabbitMq(rabbitmq) => rabbitmq.is_drained().await,
            Broker::MockKafka(mock) => kafka::is_drained(mock.options()).await,
            Broker::Kafka(kafka) => kafka::is_drained(kafka.options()).await,
        }
    }

    /// Publishes a foreign message to the orders' topic or queue, if there is a broker.
    pub(super) async fn litter(&self, body: &str) {
        match &self.broker {
            Broker::Stream(_) => (),
            Broker::RabbitMq(rabbitmq) => rabbitmq.litter(body).await,
            Broker::MockKafka(mock) => kafka::litter(mock.options(), body).await,
            Broker::Kafka(kafka) => kafka::litter(kafka.options(), body).await,
        }
    }

    /// Waits for a message with the broker's dead ones, if there is a broker.
    pub(super) async fn dead_letter(&self) -> Option<String> {
        match &self.broker {
            Broker::Stream(_) => None,
            Broker::RabbitMq(rabbitmq) => Some(rabbitmq.dead_letter().await),
            Broker::MockKafka(mock) => Some(kafka::dead_letter(mock.options()).await),
            Broker::Kafka(kafka) => Some(kafka::dead_letter(kafka.options()).await),
        }
    }

    /// Whether an entry was sent to Kafka more than once.
    pub(super) async fn has_repetitions(&self) -> bool {
        match &self.broker {
            Broker::Stream(_) | Broker::RabbitMq(_) => false,
            Broker::MockKafka(mock) => kafka::has_repetitions(mock.options()).await,
            Broker::Kafka(kafka) => kafka::has_repetitions(kafka.options()).await,
        }
    }

    fn transport(&self) -> Transport {
        match &self.broker {
            Broker::Stream(_) => Transport::Stream,
            Broker::RabbitMq(rabbitmq) => Transport::RabbitMq(rabbitmq.options().clone()),
            Broker::MockKafka(mock) => Transport::Kafka(mock.options().clone()),
            Broker::Kafka(kafka) => Transport::Kafka(kafka.options().clone()),
        }
    }
}

/// A prefix that names of queues and topics may have.
fn broker_prefix() -> String {
    unique_prefix().replace(|letter: char| !letter.is_ascii_alphanumeric(), ".")
}
