//! Kafka's protocol, spoken by the mock cluster of its own client.

use super::test_transport::{Broker, MockKafkaUnderTest, TestTransport};

every_claim!(holds);
holds!(what_is_recorded_is_settled_with_the_broker, transport);
holds!(
    a_group_that_is_new_to_its_broker_is_read_at_once,
    ignorant_transport
);

async fn transport() -> TestTransport {
    TestTransport::of(Broker::MockKafka(MockKafkaUnderTest::start())).await
}

async fn closable_transport() -> TestTransport {
    transport().await
}

async fn own_transport() -> TestTransport {
    transport().await
}

async fn ignorant_transport() -> TestTransport {
    TestTransport::of(Broker::MockKafka(MockKafkaUnderTest::start_ignorant())).await
}
