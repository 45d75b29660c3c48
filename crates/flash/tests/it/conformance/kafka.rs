//! Kafka, a real one, where there is one.

use super::road::{Broker, KafkaRoad, Road};

macro_rules! holds_on_kafka {
    ($claim:ident, $road:ident) => {
        #[tokio::test]
        #[cfg_attr(
            not(kafka_broker),
            ignore = "no Kafka broker: see scripts/ensure-kafka"
        )]
        async fn $claim() {
            super::claims::$claim($road().await).await;
        }
    };
}

every_claim!(holds_on_kafka);
holds_on_kafka!(what_is_recorded_is_settled_with_the_broker, road);
holds_on_kafka!(a_group_that_is_new_to_its_broker_is_read_at_once, own_road);

async fn road() -> Road {
    Road::of(Broker::Kafka(KafkaRoad::shared().await)).await
}

async fn closable_road() -> Road {
    own_road().await
}

/// With a broker that may be killed.
async fn own_road() -> Road {
    Road::of(Broker::Kafka(KafkaRoad::own().await)).await
}
