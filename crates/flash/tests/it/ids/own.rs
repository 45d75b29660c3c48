//! Order ids of the caller's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use flash::{ClaimError, IdFuture, IdKind, OrderId, OrderIdSource};

use crate::memory_ledger::open_sale;
use crate::site::{Site, wish};

/// Counts in steps, from a first id.
#[derive(Debug)]
struct Steps {
    next: AtomicI64,
    by: i64,
}

impl Steps {
    fn kind(first: i64, by: i64) -> IdKind {
        let next = AtomicI64::new(first);
        IdKind::Custom(Arc::new(Self { next, by }))
    }
}

impl OrderIdSource for Steps {
    fn take_many<'a>(&'a self, n: usize, ids: &'a mut Vec<OrderId>) -> IdFuture<'a> {
        Box::pin(async move {
            for _ in 0..n {
                ids.push(OrderId(self.next.fetch_add(self.by, Ordering::Relaxed)));
            }
            Ok(())
        })
    }
}

/// Gives one id fewer than it is asked for.
#[derive(Debug)]
struct Stingy;

impl OrderIdSource for Stingy {
    fn take_many<'a>(&'a self, n: usize, ids: &'a mut Vec<OrderId>) -> IdFuture<'a> {
        ids.extend((1..n).map(|id| OrderId(i64::try_from(id).unwrap())));
        Box::pin(async { Ok(()) })
    }
}

#[tokio::test]
async fn orders_have_the_ids_of_the_callers_own_source() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(3));
    let tune = |options: &mut flash::FlashOptions| options.order_ids = Steps::kind(500, -7);
    let mut engine = site.idle_engine(tune).await;
    for (buyer, expected) in [(1, 500), (2, 493), (3, 486)] {
        engine.drain();
        assert_eq!(engine.order(sale, buyer).await, OrderId(expected));
    }
    engine
        .wait_until_drained(crate::site::PATIENCE)
        .await
        .unwrap();
    let ids: Vec<i64> = site.book.history().iter().map(|order| order.id.0).collect();
    assert_eq!(ids, [500, 493, 486]);
}

/// The scripts know ids as digits: an order with a sign would be granted and never found again.
#[tokio::test]
async fn an_id_that_the_gate_cannot_keep_is_refused_and_nothing_sold() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(3));
    for source in [
        Steps::kind(-5, 1),
        Steps::kind(0, 0),
        IdKind::Custom(Arc::new(Stingy)),
    ] {
        let tune = |options: &mut flash::FlashOptions| options.order_ids = source;
        let mut engine = site.idle_engine(tune).await;
        engine.drain();
        let refused = engine.claim(wish(sale, 1)).await;
        assert!(
            matches!(refused, Err(ClaimError::Busy { .. })),
            "{refused:?}"
        );
        assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(3)]);
        engine.rest().await;
    }
}
