//! RabbitMQ, a real one.

use std::collections::BTreeSet;

use super::claims;
use super::test_transport::{Broker, RabbitMqUnderTest, TestTransport, Thief};
use crate::memory_ledger::open_sale;

every_claim!(holds);
holds!(what_is_recorded_is_settled_with_the_broker, transport);

#[tokio::test]
async fn entries_that_the_broker_has_forgotten_are_sent_again() {
    let rabbitmq = RabbitMqUnderTest::shared().await;
    let options = rabbitmq.options().clone();
    let transport = TestTransport::of(Broker::RabbitMq(rabbitmq)).await;
    let mut engine = transport.engine().await;
    let sale = transport.open(&engine, open_sale(10)).await;
    let first = engine.order(sale, 1).await;
    claims::comes_to_rest(&engine).await;

    engine.rest().await;
    let mut thief = Thief::enter(&options).await;
    engine.drain();
    let second = engine.order(sale, 2).await;
    thief.steal().await;
    drop(thief);
    claims::records(&transport, &BTreeSet::from([first, second])).await;
}

async fn transport() -> TestTransport {
    TestTransport::of(Broker::RabbitMq(RabbitMqUnderTest::shared().await)).await
}

/// Only its own connections are cut.
async fn closable_transport() -> TestTransport {
    transport().await
}

/// With a broker that may be killed.
async fn own_transport() -> TestTransport {
    TestTransport::of(Broker::RabbitMq(RabbitMqUnderTest::own().await)).await
}
