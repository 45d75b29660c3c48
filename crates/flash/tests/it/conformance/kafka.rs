//! Kafka, a real one, where there is one.

use super::test_transport::{Broker, KafkaUnderTest, TestTransport};

macro_rules! holds_on_kafka {
    ($claim:ident, $transport:ident) => {
        #[tokio::test]
        #[cfg_attr(
            not(kafka_broker),
            ignore = "no Kafka broker: see scripts/ensure-kafka"
        )]
        async fn $claim() {
            super::claims::$claim($transport().await).await;
        }
    };
}

every_claim!(holds_on_kafka);
holds_on_kafka!(what_is_recorded_is_settled_with_the_broker, transport);
holds_on_kafka!(
    a_group_that_is_new_to_its_broker_is_read_at_once,
    own_transport
);

async fn transport() -> TestTransport {
    TestTransport::of(Broker::Kafka(KafkaUnderTest::shared().await)).await
}

async fn closable_transport() -> TestTransport {
    own_transport().await
}

/// With a broker that may be killed.
async fn own_transport() -> TestTransport {
    TestTransport::of(Broker::Kafka(KafkaUnderTest::own().await)).await
}
