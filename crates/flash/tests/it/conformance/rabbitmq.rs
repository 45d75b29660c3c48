//! RabbitMQ, a real one.

use std::collections::BTreeSet;

use super::claims;
use super::road::{Broker, RabbitRoad, Road, Thief};
use crate::memory_ledger::open_sale;

every_claim!(holds);
holds!(what_is_recorded_is_settled_with_the_broker, road);

#[tokio::test]
async fn entries_that_the_broker_has_forgotten_are_sent_again() {
    let rabbitmq = RabbitRoad::shared().await;
    let options = rabbitmq.options().clone();
    let road = Road::of(Broker::RabbitMq(rabbitmq)).await;
    let mut engine = road.engine().await;
    let sale = road.open(&engine, open_sale(10)).await;
    let first = engine.order(sale, 1).await;
    claims::comes_to_rest(&engine).await;

    engine.rest().await;
    let mut thief = Thief::enter(&options).await;
    engine.drain();
    let second = engine.order(sale, 2).await;
    thief.steal().await;
    drop(thief);
    claims::records(&road, &BTreeSet::from([first, second])).await;
}

async fn road() -> Road {
    Road::of(Broker::RabbitMq(RabbitRoad::shared().await)).await
}

/// Only its own connections are cut.
async fn closable_road() -> Road {
    road().await
}

/// With a broker that may be killed.
async fn own_road() -> Road {
    Road::of(Broker::RabbitMq(RabbitRoad::own().await)).await
}
