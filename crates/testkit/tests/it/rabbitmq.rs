//! A private RabbitMQ.

use lapin::options::{
    BasicGetOptions, BasicPublishOptions, ConfirmSelectOptions, QueueDeclareOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};
use testkit::RabbitMq;

/// AMQP's delivery mode of a message that survives the broker.
const PERSISTENT: u8 = 2;

#[tokio::test]
async fn a_persistent_message_is_read_after_the_broker_was_killed_and_came_back() {
    let rabbitmq = RabbitMq::start().await;
    let (_connection, channel) = open(&rabbitmq).await;
    declare(&channel).await;
    publish(&channel, b"order 7").await;
    rabbitmq.sync_definitions().await;

    rabbitmq.stop_hard();
    assert!(
        tokio::net::TcpStream::connect(rabbitmq.addr())
            .await
            .is_err()
    );
    rabbitmq.start_again().await;

    let (_connection, channel) = open(&rabbitmq).await;
    let got = channel
        .basic_get("orders".into(), BasicGetOptions { no_ack: true })
        .await;
    let message = got.unwrap().expect("the message is still there");
    assert_eq!(message.delivery.data, b"order 7");
}

async fn open(rabbitmq: &RabbitMq) -> (Connection, Channel) {
    let (url, properties) = (rabbitmq.url(), ConnectionProperties::default());
    let connection = Connection::connect(&url, properties).await.unwrap();
    let channel = connection.create_channel().await.unwrap();
    channel
        .confirm_select(ConfirmSelectOptions::default())
        .await
        .unwrap();
    (connection, channel)
}

async fn declare(channel: &Channel) {
    let options = QueueDeclareOptions {
        durable: true,
        ..QueueDeclareOptions::default()
    };
    let declared = channel.queue_declare("orders".into(), options, FieldTable::default());
    declared.await.unwrap();
}

/// Returns when the broker has confirmed the message.
async fn publish(channel: &Channel, message: &[u8]) {
    let properties = BasicProperties::default().with_delivery_mode(PERSISTENT);
    let confirmed = channel
        .basic_publish(
            "".into(),
            "orders".into(),
            BasicPublishOptions::default(),
            message,
            properties,
        )
        .await
        .unwrap()
        .await
        .unwrap();
    assert!(confirmed.is_ack());
}
