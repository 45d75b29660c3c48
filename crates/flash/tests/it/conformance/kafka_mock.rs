//! Kafka's protocol, spoken by the mock cluster of its own client.

use super::road::{Broker, MockRoad, Road};

every_claim!(holds);
holds!(what_is_recorded_is_settled_with_the_broker, road);
holds!(
    a_group_that_is_new_to_its_broker_is_read_at_once,
    ignorant_road
);

async fn road() -> Road {
    Road::of(Broker::MockKafka(MockRoad::start())).await
}

async fn closable_road() -> Road {
    road().await
}

async fn own_road() -> Road {
    road().await
}

async fn ignorant_road() -> Road {
    Road::of(Broker::MockKafka(MockRoad::start_ignorant())).await
}
