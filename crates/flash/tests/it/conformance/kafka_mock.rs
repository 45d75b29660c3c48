//! Kafka's protocol, spoken by the mock cluster of its own client.

use super::road::{Broker, MockRoad, Road};

every_claim!(holds);
holds!(what_is_recorded_is_settled_with_the_broker, road);

async fn road() -> Road {
    Road::of(Broker::MockKafka(MockRoad::start())).await
}

async fn closable_road() -> Road {
    road().await
}

async fn own_road() -> Road {
    road().await
}
