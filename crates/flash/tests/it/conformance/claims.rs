//! The claims, each as a function of a transport.

mod delivery;
mod failures;

pub(super) use delivery::{
    a_barrier_passes_when_everything_before_it_is_recorded,
    a_group_that_is_new_to_its_broker_is_read_at_once, an_entry_that_comes_twice_is_recorded_once,
    every_granted_order_is_recorded_once,
    orders_of_a_buyer_are_recorded_in_the_order_they_were_granted,
    what_a_dead_drain_worker_had_in_hand_comes_again, what_is_recorded_is_settled_with_the_broker,
};
pub(super) use failures::{
    a_broker_that_is_away_fills_the_backlog_and_is_caught_up_with,
    a_poisoned_order_is_dead_lettered_alone, an_entry_nobody_can_read_does_not_hold_up_the_next,
    an_entry_of_another_version_waits_and_holds_up_nobody,
    engines_hand_over_to_each_other_under_load,
    no_order_is_lost_when_the_broker_restarts_under_load,
};

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use flash::{ClaimError, ClaimOutcome, OrderId, SaleId};
use testkit::wait_until;

use super::test_transport::TestTransport;
use crate::site::{Engine, wish};

/// A broker may have to start, which takes RabbitMQ ten seconds, and a forgotten entry is noticed after ten more.
const LONG: Duration = Duration::from_secs(90);

/// Waits until the ledger has exactly these orders, each once.
pub(super) async fn records(transport: &TestTransport, granted: &BTreeSet<OrderId>) {
    let book = &transport.site.book;
    let what = format!("{} orders", granted.len());
    wait_until(&what, LONG, async || book.order_count() >= granted.len()).await;
    let history = book.history();
    let recorded: BTreeSet<OrderId> = history.iter().map(|order| order.id).collect();
    assert_eq!(recorded, *granted);
    assert_eq!(history.len(), granted.len(), "an order was recorded twice");
}

/// Waits until the ledger has some dozens of orders more than it has.
async fn records_more(transport: &TestTransport) {
    let book = &transport.site.book;
    let goal = book.order_count() + 50;
    wait_until("more orders", LONG, async || book.order_count() >= goal).await;
}

/// Waits until nothing is on its way.
pub(super) async fn comes_to_rest(engine: &Engine) {
    wait_until("an empty backlog", LONG, async || {
        engine.backlog().await.is_ok_and(|orders| orders == 0)
    })
    .await;
}

/// Buyers that claim until stopped, and their orders.
struct Crowd<'a> {
    engines: &'a [Engine],
    sale: SaleId,
    next: AtomicI64,
    is_over: AtomicBool,
}

impl<'a> Crowd<'a> {
    fn new(engines: &'a [Engine], sale: SaleId) -> Self {
        Self {
            engines,
            sale,
            next: AtomicI64::new(1),
            is_over: AtomicBool::new(false),
        }
    }

    fn go_home(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// One lane of buyers, each asking until there is an answer.
    async fn queue(&self) -> Vec<OrderId> {
        let mut granted = Vec::new();
        while !self.is_over.load(Ordering::SeqCst) {
            let buyer = self.next.fetch_add(1, Ordering::SeqCst);
            granted.push(self.buy(buyer).await);
        }
        granted
    }

    async fn buy(&self, buyer: i64) -> OrderId {
        let index = usize::try_from(buyer).unwrap() % self.engines.len();
        loop {
            match self.engines[index].claim(wish(self.sale, buyer)).await {
                Ok(ClaimOutcome::Granted(order) | ClaimOutcome::AlreadyBought(order)) => {
                    return order;
                }
                Ok(other) => panic!("{other:?}"),
                Err(ClaimError::Busy { .. } | ClaimError::Unknown(_)) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// Whether a claim is turned away because too much is on its way.
async fn is_turned_away(engine: &Engine, sale: SaleId, buyer: i64) -> Option<OrderId> {
    match engine.claim(wish(sale, buyer)).await {
        Ok(ClaimOutcome::Granted(order)) => Some(order),
        Err(ClaimError::Busy { .. }) => None,
        other => panic!("{other:?}"),
    }
}
