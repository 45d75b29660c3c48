//! RabbitMQ: the broker of this test process behind a proxy, or one that may be killed.

use flash::RabbitMqOptions;
use futures_util::StreamExt as _;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicGetOptions, BasicPublishOptions, BasicQosOptions,
    QueueDeclareOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};
use secrecy::ExposeSecret as _;
use testkit::{FaultProxy, RabbitMq, wait_for};

use super::broker_prefix;
use crate::site::PATIENCE;

pub(crate) struct RabbitMqUnderTest {
    /// Leads to the broker past the proxy.
    direct: RabbitMqOptions,
    options: RabbitMqOptions,
    nature: Nature,
}

enum Nature {
    Shared(FaultProxy),
    Own(Box<RabbitMq>),
}

impl RabbitMqUnderTest {
    /// The broker that other tests use as well; it goes away only for us.
    pub(crate) async fn shared() -> Self {
        let rabbitmq = RabbitMq::shared().await;
        let proxy = FaultProxy::start(rabbitmq.addr()).await;
        let prefix = broker_prefix();
        let url = format!("amqp://guest:guest@{}/%2f", proxy.addr());
        Self {
            direct: options(rabbitmq.url(), &prefix),
            options: options(url, &prefix),
            nature: Nature::Shared(proxy),
        }
    }

    /// A broker that may be killed.
    pub(crate) async fn own() -> Self {
        let rabbitmq = RabbitMq::start().await;
        let options = options(rabbitmq.url(), &broker_prefix());
        Self {
            direct: options.clone(),
            options,
            nature: Nature::Own(Box::new(rabbitmq)),
        }
    }

    pub(crate) fn options(&self) -> &RabbitMqOptions {
        &self.options
    }

    pub(super) async fn go_away(&self) {
        match &self.nature {
            Nature::Shared(proxy) => proxy.cut().await,
            Nature::Own(rabbitmq) => {
                // One that is killed within a second of its first declaration comes back with a queue that it cannot
                // serve, and that is not what is tested here.
                rabbitmq.sync_definitions().await;
                rabbitmq.stop_hard();
            }
        }
    }

    pub(super) async fn come_back(&self) {
        match &self.nature {
            Nature::Shared(proxy) => proxy.pass().await,
            Nature::Own(rabbitmq) => rabbitmq.start_again().await,
        }
    }

    pub(super) async fn litter(&self, body: &str) {
        let (_connection, channel) = open(self.direct.url.expose_secret()).await;
        let queue = self.queue();
        let options = BasicPublishOptions::default();
        let properties = BasicProperties::default();
        let published = channel.basic_publish(
            "".into(),
            queue.into(),
            options,
            body.as_bytes(),
            properties,
        );
        published.await.unwrap();
        // A passive declaration is answered after the message before it was taken.
        self.waiting_messages(&channel).await;
    }

    pub(super) async fn is_drained(&self) -> bool {
        let (_connection, channel) = open(self.direct.url.expose_secret()).await;
        self.waiting_messages(&channel).await == 0
    }

    pub(super) async fn dead_letter(&self) -> String {
        let (_connection, channel) = open(self.direct.url.expose_secret()).await;
        let queue = format!("{}orders.dead", self.direct.prefix);
        let message = wait_for("a dead letter", PATIENCE, async || {
            let options = BasicGetOptions { no_ack: true };
            channel
                .basic_get(queue.as_str().into(), options)
                .await
                .unwrap()
        });
        String::from_utf8(message.await.delivery.data).unwrap()
    }

    fn queue(&self) -> String {
        queue(&self.direct)
    }

    async fn waiting_messages(&self, channel: &Channel) -> u32 {
        let options = QueueDeclareOptions {
            passive: true,
            ..QueueDeclareOptions::default()
        };
        let declared = channel.queue_declare(self.queue().into(), options, FieldTable::default());
        declared.await.unwrap().message_count()
    }
}

/// Takes messages away as if they had been recorded.
pub(crate) struct Thief {
    consumer: lapin::Consumer,
    _connection: Connection,
}

impl Thief {
    /// The first consumer of a queue is the active one, so this one gets everything until it is dropped.
    pub(crate) async fn enter(options: &RabbitMqOptions) -> Self {
        let (connection, channel) = open(options.url.expose_secret()).await;
        let qos = channel.basic_qos(1, BasicQosOptions::default());
        qos.await.unwrap();
        let consumer = channel.basic_consume(
            queue(options).into(),
            "".into(),
            BasicConsumeOptions::default(),
            FieldTable::default(),
        );
        Self {
            consumer: consumer.await.unwrap(),
            _connection: connection,
        }
    }

    pub(crate) async fn steal(&mut self) {
        let stolen = tokio::time::timeout(PATIENCE, self.consumer.next());
        let stolen = stolen.await.expect("there is something to steal");
        let stolen = stolen.unwrap().unwrap();
        stolen.ack(BasicAckOptions::default()).await.unwrap();
    }
}

fn options(url: String, prefix: &str) -> RabbitMqOptions {
    RabbitMqOptions {
        authority: None,
        url: url.into(),
        prefix: prefix.to_owned(),
    }
}

/// Of the partition of the sale that all claims are about.
fn queue(options: &RabbitMqOptions) -> String {
    format!("{}orders.1", options.prefix)
}

async fn open(url: &str) -> (Connection, Channel) {
    let properties = ConnectionProperties::default();
    let connection = Connection::connect(url, properties).await.unwrap();
    let channel = connection.create_channel().await.unwrap();
    (connection, channel)
}
