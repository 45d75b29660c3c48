//! Two people, or a person and a clock, at the same order at the same moment: one of them succeeds, and pieces and money
//! are conserved every time.
//!
//! `TANDIAN_RACE_ROUNDS` makes each race longer.

use std::pin::Pin;
use std::sync::Arc;

use domain::{OrderId, PayType, UserId};
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use storage::orders;
use storage::payments::{self, Confirmed, PaymentId, Refunded};
use storage::shops::Principal;
use storage::{Db, accounts};
use tokio::sync::Barrier;

use crate::selling::{
    OWNER, PRICE, assert_money_conserved, assert_stock_conserved, fresh_code, open_sale, order,
    top_up, write,
};
use crate::support::{TestDb, on_both};

/// Enough that a missing condition is noticed nearly always, and a few seconds for all races together.
const ROUNDS: i64 = 25;

pub(crate) fn rounds() -> i64 {
    let asked = std::env::var("TANDIAN_RACE_ROUNDS").ok();
    asked.map_or(ROUNDS, |rounds| rounds.parse().unwrap())
}

/// What is done with the order of round `n`, which is also the number of its buyer; tells whether it succeeded.
type Side = fn(Db, i64) -> Outcome;
type Outcome = Pin<Box<dyn Future<Output = bool> + Send>>;

/// Lets both sides loose on an order per round; one of them, and only one, succeeds.
async fn race(test: &TestDb, before: &[Side], sides: [Side; 2]) {
    let db = &test.db;
    let sale = open_sale(db, 1_000_000).await;
    for n in 1..=rounds() {
        write(db, &[order(n, sale, n)]).await;
        top_up(db, UserId::new(n)).await;
        for prepare in before {
            assert!(prepare(db.clone(), n).await);
        }
        let barrier = Arc::new(Barrier::new(2));
        let running = sides.map(|side| {
            let (db, barrier) = (db.clone(), barrier.clone());
            tokio::spawn(async move {
                barrier.wait().await;
                side(db, n).await
            })
        });
        let mut winners = 0;
        for side in running {
            winners += i32::from(side.await.unwrap());
        }
        assert_eq!(winners, 1, "of order {n}");
    }
    assert_stock_conserved(test).await;
    assert_money_conserved(test).await;
}

fn pay(db: Db, n: i64) -> Outcome {
    Box::pin(async move {
        let (owner, order) = (UserId::new(n), OrderId::new(n));
        let paid = payments::pay_with_balance(&db, owner, order, &fresh_code()).await;
        paid.unwrap().is_ok()
    })
}

fn cancel(db: Db, n: i64) -> Outcome {
    Box::pin(async move {
        let cancelled = orders::cancel(&db, UserId::new(n), OrderId::new(n)).await;
        cancelled.unwrap().is_ok()
    })
}

/// The clock of whoever runs it is far ahead, so whatever is unpaid is out of time.
fn expire(db: Db, _: i64) -> Outcome {
    Box::pin(async move {
        let late = Timestamp::now() + SignedDuration::from_hours(24 * 365);
        !orders::expire_due(&db, late, 1_000)
            .await
            .unwrap()
            .is_empty()
    })
}

fn begin_payment(db: Db, n: i64) -> Outcome {
    Box::pin(async move {
        let (owner, order) = (UserId::new(n), OrderId::new(n));
        let begun = payments::begin(&db, owner, order, PayType::Alipay, "alipay").await;
        begun.unwrap().is_ok()
    })
}

/// The first payment of an order.
async fn payment_of(db: &Db, n: i64) -> PaymentId {
    let payments = payments::list_of_order(db, UserId::new(n), OrderId::new(n)).await;
    payments.unwrap()[0].id
}

fn callback(db: Db, n: i64) -> Outcome {
    Box::pin(async move {
        let (payment, reference) = (payment_of(&db, n).await, format!("trade-{n}"));
        let confirmed = payments::confirm(&db, payment, &reference, PRICE, &fresh_code()).await;
        matches!(confirmed.unwrap().unwrap(), Confirmed::Paid { .. })
    })
}

fn refund(db: Db, n: i64) -> Outcome {
    Box::pin(async move {
        let begun = payments::begin_refund(&db, UserId::new(n), OrderId::new(n)).await;
        begun.unwrap().is_ok()
    })
}

fn finish_refund(db: Db, n: i64) -> Outcome {
    Box::pin(async move {
        let finished = payments::finish_refund(&db, payment_of(&db, n).await).await;
        matches!(finished.unwrap(), Refunded::Now { .. })
    })
}

fn redeem(db: Db, n: i64) -> Outcome {
    Box::pin(async move {
        let order = orders::get(&db, UserId::new(n), OrderId::new(n))
            .await
            .unwrap();
        let code = order.unwrap().redeem_code.unwrap();
        let redeemed = orders::redeem(&db, Principal::Owner(OWNER), &code).await;
        redeemed.unwrap().is_ok()
    })
}

#[tokio::test]
async fn paying_against_the_clock() {
    on_both(async |test| race(&test, &[], [pay, expire]).await).await;
}

#[tokio::test]
async fn paying_against_cancelling() {
    on_both(async |test| race(&test, &[], [pay, cancel]).await).await;
}

#[tokio::test]
async fn paying_twice_at_once() {
    on_both(async |test| race(&test, &[], [pay, pay]).await).await;
}

#[tokio::test]
async fn cancelling_twice_at_once() {
    on_both(async |test| race(&test, &[], [cancel, cancel]).await).await;
}

#[tokio::test]
async fn cancelling_against_the_clock() {
    on_both(async |test| race(&test, &[], [cancel, expire]).await).await;
}

#[tokio::test]
async fn a_callback_that_comes_twice_at_once() {
    on_both(async |test| race(&test, &[begin_payment], [callback, callback]).await).await;
}

#[tokio::test]
async fn a_callback_against_the_clock() {
    on_both(async |test| race(&test, &[begin_payment], [callback, expire]).await).await;
}

#[tokio::test]
async fn a_callback_against_paying_from_a_balance() {
    on_both(async |test| race(&test, &[begin_payment], [callback, pay]).await).await;
}

#[tokio::test]
async fn refunding_against_redeeming() {
    on_both(async |test| race(&test, &[pay], [refund, redeem]).await).await;
}

#[tokio::test]
async fn redeeming_twice_at_once() {
    on_both(async |test| race(&test, &[pay], [redeem, redeem]).await).await;
}

#[tokio::test]
async fn finishing_a_refund_twice_at_once() {
    on_both(async |test| race(&test, &[pay, refund], [finish_refund, finish_refund]).await).await;
}

#[tokio::test]
async fn money_that_comes_to_one_balance_at_once_is_all_there() {
    on_both(async |test| {
        let (db, ann) = (&test.db, UserId::new(1));
        let credits = (0..40).map(async |number| {
            let reference = format!("credit-{number}");
            payments::top_up(db, ann, 100, PayType::Alipay, "sandbox", &reference).await
        });
        for credit in join_all(credits).await {
            credit.unwrap();
        }
        assert_eq!(accounts::balance_cents(db, ann).await.unwrap(), 4_000);
        assert_money_conserved(&test).await;
    })
    .await;
}
