//! What every transport promises, driven through the whole engine: claims, stream, relay, broker, drain worker, ledger.
//!
//! Each claim is one function in `claims/`, and each transport has a module that runs all of them. RabbitMQ is a real
//! broker, Kafka the mock cluster of its own client, and a real broker where one can be had.

/// A test of one claim, on a transport that the module has.
macro_rules! holds {
    ($claim:ident, $transport:ident) => {
        #[tokio::test]
        async fn $claim() {
            super::claims::$claim($transport().await).await;
        }
    };
}

/// The claims that hold on every transport, each made a test by the macro that the module names. The module has `transport`, which
/// may be shared, `closable_transport`, which others do not feel when it is closed, and `own_transport`, whose broker may be killed.
macro_rules! every_claim {
    ($holds:ident) => {
        $holds!(every_granted_order_is_recorded_once, transport);
        $holds!(
            orders_of_a_buyer_are_recorded_in_the_order_they_were_granted,
            transport
        );
        $holds!(an_entry_that_comes_twice_is_recorded_once, transport);
        $holds!(what_a_dead_drain_worker_had_in_hand_comes_again, transport);
        $holds!(
            a_barrier_passes_when_everything_before_it_is_recorded,
            transport
        );
        $holds!(a_poisoned_order_is_dead_lettered_alone, transport);
        $holds!(
            an_entry_nobody_can_read_does_not_hold_up_the_next,
            transport
        );
        $holds!(
            an_entry_of_another_version_waits_and_holds_up_nobody,
            transport
        );
        $holds!(engines_hand_over_to_each_other_under_load, transport);
        $holds!(
            a_broker_that_is_away_fills_the_backlog_and_is_caught_up_with,
            closable_transport
        );
        $holds!(
            no_order_is_lost_when_the_broker_restarts_under_load,
            own_transport
        );
    };
}

mod claims;
mod kafka;
mod kafka_mock;
mod rabbitmq;
mod stream;
mod test_transport;
