//! Several calls of one partition in flight: other buyers do not wait for them, and a buyer has one call at a time.

use std::collections::HashMap;

use flash::{ClaimError, ClaimOutcome, Flash, OrderId};
use futures_util::future::join_all;
use testkit::wait_until;
use tokio::task::JoinHandle;

use super::{Bench, PATIENCE, is_busy, settled, tuned_bench};
use crate::memory_ledger::open_sale;
use crate::site::{Site, wish};

/// As many claims as the engine sends in one call.
const MAX_BATCH: usize = 256;

/// A sale with two units per buyer, so that the gate alone does not stop a second order.
async fn bench_of_two_units(tune: impl FnOnce(&mut flash::FlashOptions)) -> Bench {
    let mut terms = open_sale(1_000);
    terms.limit_per_buyer = 2;
    tuned_bench(terms, tune).await
}

impl Bench {
    fn spawn_claim(&self, buyer: i64) -> JoinHandle<Result<ClaimOutcome, ClaimError>> {
        let (engine, sale) = (Flash::clone(&self.engine), self.sale);
        tokio::spawn(async move { engine.claim(wish(sale, buyer)).await })
    }

    /// Waits until so many units are left, whatever became of the replies.
    async fn wait_for_stock(&self, left: u32) {
        let is_left = async || self.stock().await <= left;
        wait_until("a unit to be taken", PATIENCE, is_left).await;
    }
}

fn granted(outcome: Result<ClaimOutcome, ClaimError>) -> OrderId {
    match outcome {
        Ok(ClaimOutcome::Granted(order)) => order,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_call_without_a_reply_does_not_hold_up_other_buyers() {
    let bench = bench_of_two_units(|options| options.claim_deadline = PATIENCE).await;
    let before = bench.stock().await;
    bench.proxy.drop_replies().await;
    let first = bench.spawn_claim(2);
    bench.wait_for_stock(before - 1).await;
    let second = bench.spawn_claim(3);
    bench.wait_for_stock(before - 2).await;
    assert!(!first.is_finished(), "the first call has no reply yet");
    bench.proxy.pass().await;
    let orders = (
        granted(first.await.unwrap()),
        granted(second.await.unwrap()),
    );
    assert_ne!(orders.0, orders.1);
    assert_eq!(bench.stock().await, before - 2);
}

#[tokio::test]
async fn a_buyer_has_one_call_at_a_time() {
    let bench = bench_of_two_units(|options| options.claim_deadline = PATIENCE).await;
    let before = bench.stock().await;
    bench.proxy.drop_replies().await;
    let first = bench.spawn_claim(2);
    bench.wait_for_stock(before - 1).await;
    let (second, other_buyer) = (bench.spawn_claim(2), bench.spawn_claim(3));
    // The other buyer claimed last: whatever was to be sent before that has been sent.
    bench.wait_for_stock(before - 2).await;
    assert_eq!(bench.stock().await, before - 2, "the second claim waits");
    bench.proxy.pass().await;
    granted(other_buyer.await.unwrap());
    let orders = [
        granted(first.await.unwrap()),
        granted(second.await.unwrap()),
    ];
    assert_ne!(orders[0], orders[1], "two claims, two units");
    assert_eq!(bench.stock().await, before - 3);
}

#[tokio::test]
async fn a_retry_of_a_claim_in_flight_takes_one_unit_whatever_the_limit() {
    let bench = bench_of_two_units(|_| {}).await;
    let before = bench.stock().await;
    bench.proxy.drop_replies().await;
    let first = bench.spawn_claim(2);
    bench.wait_for_stock(before - 1).await;
    let retry = bench.spawn_claim(2);
    let Err(ClaimError::Unknown(order)) = first.await.unwrap() else {
        panic!("a claim without a reply has an unknown outcome")
    };
    bench.proxy.pass().await;
    let retried = retry.await.unwrap();
    assert!(
        matches!(retried, Ok(ClaimOutcome::Granted(same)) | Err(ClaimError::Unknown(same)) if same == order),
        "{retried:?}, after the reply {order:?}"
    );
    if retried.is_err() {
        assert_eq!(settled(&bench.engine, wish(bench.sale, 2)).await, order);
    }
    assert_eq!(bench.stock().await, before - 1);
}

#[tokio::test]
async fn claims_that_wait_for_a_call_of_their_buyer_are_bounded() {
    const QUEUE: usize = 8;
    let bench = bench_of_two_units(|options| {
        options.claim_deadline = PATIENCE;
        options.queue_bound = QUEUE;
    });
    let bench = bench.await;
    let before = bench.stock().await;
    bench.proxy.drop_replies().await;
    let _first = bench.spawn_claim(2);
    bench.wait_for_stock(before - 1).await;
    let mut waiting = Vec::new();
    let refused = loop {
        let mut claim = Box::pin(bench.engine.claim(wish(bench.sale, 2)));
        match futures_util::poll!(claim.as_mut()) {
            std::task::Poll::Ready(outcome) => break outcome,
            std::task::Poll::Pending => waiting.push(claim),
        }
        assert!(waiting.len() <= MAX_BATCH + QUEUE, "no bound");
        // The task of the partition takes what is in its queue.
        for _ in 0..4 {
            tokio::task::yield_now().await;
        }
    };
    assert!(is_busy(refused));
    assert!(waiting.len() > QUEUE, "{}", waiting.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clicks_that_go_out_in_several_calls_are_one_order_each() {
    const BUYERS: i64 = 300;
    const CLICKS: usize = 5;
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(10_000));
    let engine = site.engine().await;
    engine.order(sale, 0).await;
    let buyers = (1..=BUYERS).map(|buyer| {
        let engine = Flash::clone(&engine);
        tokio::spawn(async move {
            let clicks = (0..CLICKS).map(|_| {
                let engine = engine.clone();
                tokio::spawn(async move { engine.claim(wish(sale, buyer)).await.unwrap() })
            });
            join_all(clicks.collect::<Vec<_>>()).await
        })
    });
    for clicks in join_all(buyers.collect::<Vec<_>>()).await {
        let mut orders: HashMap<OrderId, usize> = HashMap::new();
        let mut grants = 0;
        for outcome in clicks.unwrap() {
            let order = match outcome.unwrap() {
                ClaimOutcome::Granted(order) => {
                    grants += 1;
                    order
                }
                ClaimOutcome::AlreadyBought(order) => order,
                other => panic!("{other:?}"),
            };
            *orders.entry(order).or_default() += 1;
        }
        assert_eq!(grants, 1, "{orders:?}");
        assert_eq!(orders.len(), 1, "every reply names the order: {orders:?}");
    }
    let sold = u32::try_from(BUYERS).unwrap() + 1;
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(10_000 - sold)]);
}
