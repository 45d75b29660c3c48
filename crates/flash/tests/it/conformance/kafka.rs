//! Kafka, a real one, where there is one.

use super::claims;
use super::road::{Broker, KafkaRoad, Road};

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn every_granted_order_is_recorded_once() {
    claims::every_granted_order_is_recorded_once(road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn orders_of_a_buyer_are_recorded_in_the_order_they_were_granted() {
    claims::orders_of_a_buyer_are_recorded_in_the_order_they_were_granted(road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn an_entry_that_comes_twice_is_recorded_once() {
    claims::an_entry_that_comes_twice_is_recorded_once(road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn what_a_dead_drainer_had_in_hand_comes_again() {
    claims::what_a_dead_drainer_had_in_hand_comes_again(road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn a_barrier_passes_when_everything_before_it_is_recorded() {
    claims::a_barrier_passes_when_everything_before_it_is_recorded(road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn a_poisoned_order_is_buried_alone() {
    claims::a_poisoned_order_is_buried_alone(road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn an_entry_nobody_can_read_does_not_hold_up_the_next() {
    claims::an_entry_nobody_can_read_does_not_hold_up_the_next(road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn engines_hand_over_to_each_other_under_load() {
    claims::engines_hand_over_to_each_other_under_load(road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn a_broker_that_is_away_fills_the_backlog_and_is_caught_up_with() {
    claims::a_broker_that_is_away_fills_the_backlog_and_is_caught_up_with(own_road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn no_order_is_lost_when_the_broker_restarts_under_load() {
    claims::no_order_is_lost_when_the_broker_restarts_under_load(own_road().await).await;
}

#[tokio::test]
#[cfg_attr(
    not(kafka_broker),
    ignore = "no Kafka broker: see scripts/ensure-kafka"
)]
async fn what_is_recorded_is_settled_with_the_broker() {
    claims::what_is_recorded_is_settled_with_the_broker(road().await).await;
}

async fn road() -> Road {
    Road::of(Broker::Kafka(KafkaRoad::shared().await)).await
}

/// With a broker that may be killed.
async fn own_road() -> Road {
    Road::of(Broker::Kafka(KafkaRoad::own().await)).await
}
