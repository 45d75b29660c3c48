//! What every transport promises, driven through the whole engine: claims, stream, relay, broker, drain worker, ledger.
//!
//! Each claim is one function in `claims/`, and each transport has a module that runs all of them. RabbitMQ is a real
//! broker, Kafka the mock cluster of its own client, and a real broker where one can be had.

/// A test of one claim, on a road that the module has.
macro_rules! holds {
    ($claim:ident, $road:ident) => {
        #[tokio::test]
        async fn $claim() {
            super::claims::$claim($road().await).await;
        }
    };
}

/// The claims that hold on every road, each made a test by the macro that the module names. The module has `road`, which
/// may be shared, `closable_road`, which others do not feel when it is closed, and `own_road`, whose broker may be killed.
macro_rules! every_claim {
    ($holds:ident) => {
        $holds!(every_granted_order_is_recorded_once, road);
        $holds!(
            orders_of_a_buyer_are_recorded_in_the_order_they_were_granted,
            road
        );
        $holds!(an_entry_that_comes_twice_is_recorded_once, road);
        $holds!(what_a_dead_drain_worker_had_in_hand_comes_again, road);
        $holds!(a_barrier_passes_when_everything_before_it_is_recorded, road);
        $holds!(a_poisoned_order_is_dead_lettered_alone, road);
        $holds!(an_entry_nobody_can_read_does_not_hold_up_the_next, road);
        $holds!(an_entry_of_another_version_waits_and_holds_up_nobody, road);
        $holds!(engines_hand_over_to_each_other_under_load, road);
        $holds!(
            a_broker_that_is_away_fills_the_backlog_and_is_caught_up_with,
            closable_road
        );
        $holds!(
            no_order_is_lost_when_the_broker_restarts_under_load,
            own_road
        );
    };
}

mod claims;
mod kafka;
mod kafka_mock;
mod rabbitmq;
mod road;
mod stream;
