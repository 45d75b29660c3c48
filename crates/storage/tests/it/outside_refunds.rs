//! Refunds that a provider made without a request of this site, and second payments under one trade number: recorded
//! once, never paid twice, and shown to admins while they wait.

use domain::{OrderId, OrderStatus, Role, UserId};
use jiff::Timestamp;
use storage::notices::{self, NoticeKind};
use storage::orders::{self, OrderRefusal, RedeemRefusal};
use storage::outbox::{self, Lane, RetryState};
use storage::payments::{
    self, ConfirmRefusal, Confirmed, OutsideRefund, OutsideRefundOutcome, OutsideState, PaymentId,
    PaymentState, RefundDue, Refunded,
};
use storage::shops::Principal;
use storage::{Db, audit, users};

use crate::selling::{
    OWNER, PRICE, assert_money_conserved, assert_stock_conserved, begin, confirm, open_sale, order,
    stock, top_up, write,
};
use crate::support::{TestDb, on_both, person, phone};

const ANN: UserId = UserId::new(1);
const BOB: UserId = UserId::new(2);
const ORDER: OrderId = OrderId::new(1);
const PART: i64 = 1_000;

const HELD: OutsideRefundOutcome = OutsideRefundOutcome::Held { order: ORDER };
const USED: OutsideRefundOutcome = OutsideRefundOutcome::Used { order: ORDER };
const REPEATED: OutsideRefundOutcome = OutsideRefundOutcome::Repeated;
const REFUNDED: OutsideRefundOutcome = OutsideRefundOutcome::Refunded {
    order: ORDER,
    user_id: ANN,
};
const LATE: Confirmed = Confirmed::Late {
    order: ORDER,
    user_id: ANN,
};

/// Ann's order, paid through a provider that calls the payment `a-1`.
async fn paid(db: &Db) -> PaymentId {
    let sale = open_sale(db, 10).await;
    write(db, &[order(1, sale, 1)]).await;
    let payment = begin(db, ANN, ORDER).await.id;
    let confirmed = confirm(db, payment, "a-1").await;
    assert!(matches!(confirmed, Ok(Confirmed::Paid { .. })));
    payment
}

async fn record(db: &Db, id: PaymentId, cents: i64) -> OutsideRefundOutcome {
    record_under(db, id, "a-1", cents).await
}

async fn record_under(db: &Db, id: PaymentId, reference: &str, cents: i64) -> OutsideRefundOutcome {
    let recorded = payments::record_outside_refund(db, id, reference, cents).await;
    recorded.unwrap()
}

async fn status(db: &Db) -> OrderStatus {
    let order = orders::get(db, ANN, ORDER).await.unwrap();
    order.unwrap().status
}

async fn state(db: &Db, id: PaymentId) -> PaymentState {
    payments::get(db, id).await.unwrap().unwrap().state
}

async fn listed(db: &Db) -> Vec<OutsideRefund> {
    let listed = payments::list_outside(db, PaymentId::new(0), 50).await;
    listed.unwrap()
}

/// What is listed, without its times.
async fn waiting(db: &Db) -> Vec<(PaymentId, i64, OutsideState)> {
    let waiting = |refund: &OutsideRefund| {
        assert_eq!((refund.order, refund.amount_cents), (ORDER, PRICE));
        (refund.payment, refund.refunded_cents, refund.state)
    };
    listed(db).await.iter().map(waiting).collect()
}

async fn settle(db: &Db, id: PaymentId) -> bool {
    let settled = payments::settle_outside(db, BOB, id, "a note").await;
    settled.unwrap()
}

/// The refunds that the relay will ask providers for.
async fn due(db: &Db) -> Vec<RefundDue> {
    let queue = (Lane::Providers, RetryState::Fresh);
    let rows = outbox::list_due(db, queue, 100, Timestamp::now()).await;
    let decode = |row: &outbox::OutboxRow| serde_json::from_str(&row.payload).unwrap();
    rows.unwrap().iter().map(decode).collect()
}

/// An admin whose notices can be counted.
async fn admin(test: &TestDb) -> UserId {
    let admin = person(test, 9).await;
    let role = users::set_role(&test.db, &phone("13900000009"), Role::Admin, None).await;
    assert!(role.unwrap().is_some());
    admin
}

async fn notices_of_refunds(db: &Db, admin: UserId) -> usize {
    let notices = notices::list(db, admin, None, 50).await.unwrap();
    let is_of_refund = |kind| kind == NoticeKind::RefundOutside;
    notices
        .iter()
        .filter(|notice| is_of_refund(notice.kind))
        .count()
}

async fn redeem(db: &Db) -> Result<(), RedeemRefusal> {
    let order = orders::get(db, ANN, ORDER).await.unwrap().unwrap();
    let code = order.redeem_code.unwrap();
    let redeemed = orders::redeem(db, Principal::Owner(OWNER), &code).await;
    redeemed.unwrap().map(drop)
}

#[tokio::test]
async fn a_full_refund_made_elsewhere_ends_the_order_once() {
    on_both(async |test| {
        let db = &test.db;
        let payment = paid(db).await;
        assert_eq!(payments::refunded_cents(db, payment).await.unwrap(), 0);
        assert_eq!(record(db, payment, PRICE).await, REFUNDED);
        assert_eq!(record(db, payment, PRICE).await, REPEATED);
        assert_eq!(status(db).await, OrderStatus::Refunded);
        assert_eq!(state(db, payment).await, PaymentState::Refunded);
        let refunded = payments::refunded_cents(db, payment).await.unwrap();
        assert_eq!(refunded, PRICE);
        assert!(waiting(db).await.is_empty(), "nobody has to decide");
        assert!(due(db).await.is_empty(), "the provider has done it");
        let subject = format!("payment:{payment}");
        let recorded = audit::is_recorded(db, "refunded_outside", &subject).await;
        assert!(recorded.unwrap());
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_partial_refund_made_elsewhere_holds_the_order_until_the_rest_is_refunded() {
    on_both(async |test| {
        let db = &test.db;
        let (admin, payment) = (admin(&test).await, paid(db).await);
        assert_eq!(record(db, payment, PART).await, HELD);
        assert_eq!(status(db).await, OrderStatus::Refunding);
        let refunding = OrderRefusal::WrongStatus(OrderStatus::Refunding);
        assert_eq!(redeem(db).await, Err(RedeemRefusal::Order(refunding)));
        assert!(due(db).await.is_empty(), "an admin decides about the rest");
        for cents in [PART, PART - 1] {
            assert_eq!(record(db, payment, cents).await, REPEATED);
        }
        assert_eq!(waiting(db).await, [(payment, PART, OutsideState::Held)]);
        assert_eq!(record(db, payment, 2 * PART).await, HELD);
        assert_eq!(waiting(db).await, [(payment, 2 * PART, OutsideState::Held)]);
        assert_eq!(notices_of_refunds(db, admin).await, 1);
        assert_money_conserved(&test).await;

        assert_eq!(record(db, payment, PRICE).await, REFUNDED);
        assert_eq!(status(db).await, OrderStatus::Refunded);
        assert!(waiting(db).await.is_empty());
        assert!(!settle(db, payment).await, "nothing is left to settle");
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn an_admin_settles_a_held_order_once_and_its_rest_is_refunded_once() {
    on_both(async |test| {
        let db = &test.db;
        let payment = paid(db).await;
        assert!(!settle(db, payment).await, "nothing was refunded");
        assert_eq!(record(db, payment, PART).await, HELD);
        assert!(settle(db, payment).await);
        assert!(!settle(db, payment).await);
        let under = None;
        assert_eq!(due(db).await, [RefundDue { payment, under }]);
        let subject = format!("payment:{payment}");
        let recorded = audit::is_recorded(db, "outside_refund_settled", &subject).await;
        assert!(recorded.unwrap());
        assert!(waiting(db).await.is_empty());
        assert_eq!(record(db, payment, 2 * PART).await, HELD);
        assert!(waiting(db).await.is_empty(), "a settled one stays settled");

        let finished = payments::finish_refund(db, payment).await.unwrap();
        let (order, user_id) = (ORDER, ANN);
        assert_eq!(finished, Refunded::Now { order, user_id });
        assert_eq!(status(db).await, OrderStatus::Refunded);
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_partial_refund_of_a_payment_that_is_being_refunded_asks_no_admin() {
    on_both(async |test| {
        let db = &test.db;
        let payment = paid(db).await;
        let begun = payments::begin_refund(db, ANN, ORDER).await.unwrap();
        assert_eq!(begun, Ok(payment));
        assert_eq!(record(db, payment, PART).await, HELD);
        assert!(waiting(db).await.is_empty(), "the rest is on its way");
        let refunded = payments::refunded_cents(db, payment).await.unwrap();
        assert_eq!(refunded, PART, "the provider is asked for the rest alone");
        assert_eq!(record(db, payment, PRICE).await, REFUNDED);
        let late = payments::finish_refund(db, payment).await.unwrap();
        assert_eq!(late, Refunded::Before);
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_used_order_stays_used_and_waits_for_an_admin_without_another_refund() {
    on_both(async |test| {
        let db = &test.db;
        let (admin, payment) = (admin(&test).await, paid(db).await);
        redeem(db).await.unwrap();
        for cents in [PART, PRICE] {
            assert_eq!(record(db, payment, cents).await, USED);
            assert_eq!(record(db, payment, cents).await, REPEATED);
            assert_eq!(waiting(db).await, [(payment, cents, OutsideState::Used)]);
        }
        assert_eq!(record(db, payment, PART).await, REPEATED);
        assert_eq!(notices_of_refunds(db, admin).await, 1, "once per payment");
        assert_eq!(status(db).await, OrderStatus::Used);
        assert_eq!(state(db, payment).await, PaymentState::Paid);
        assert!(settle(db, payment).await);
        assert!(!settle(db, payment).await);
        assert!(due(db).await.is_empty(), "the buyer has the money already");
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_payment_that_was_refunded_before_it_was_confirmed_pays_nothing() {
    on_both(async |test| {
        let db = &test.db;
        let sale = open_sale(db, 10).await;
        write(db, &[order(1, sale, 1), order(2, sale, 2)]).await;
        let theirs = begin(db, BOB, OrderId::new(2)).await.id;
        assert!(confirm(db, theirs, "b-1").await.is_ok());
        for reference in ["a-1", "a-2"] {
            let payment = begin(db, ANN, ORDER).await.id;
            if reference == "a-2" {
                assert!(payments::close(db, payment).await.unwrap());
            }
            let partial = record_under(db, payment, reference, PRICE - 1).await;
            assert_eq!(partial, REPEATED, "part of it means that the rest was paid");
            let taken = record_under(db, payment, "b-1", PRICE).await;
            assert_eq!(taken, REPEATED, "that is the money of another payment");
            let unchanged = payments::get(db, payment).await.unwrap().unwrap();
            assert_eq!(unchanged.provider_ref, None);
            let never = record_under(db, payment, reference, PRICE).await;
            assert_eq!(never, OutsideRefundOutcome::NeverConfirmed);
            let late = confirm(db, payment, reference).await;
            assert_eq!(late, Ok(Confirmed::Repeated), "{reference}");
            assert_eq!(state(db, payment).await, PaymentState::Refunded);
        }
        assert_eq!(status(db).await, OrderStatus::Unpaid);
        assert_eq!(stock(db, sale).await, 8);
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_refund_under_another_number_changes_only_the_payment_with_that_number() {
    on_both(async |test| {
        let db = &test.db;
        let payment = paid(db).await;
        top_up(db, BOB).await;
        let topped = PaymentId::new(payment.get() + 1);
        let unknown = PaymentId::new(99);
        for (id, reference) in [(payment, "x"), (unknown, "a-1"), (topped, "top-up-2")] {
            let recorded = record_under(db, id, reference, PRICE).await;
            assert_eq!(recorded, REPEATED, "{reference}");
        }
        let sale = open_sale(db, 10).await;
        write(db, &[order(2, sale, 2)]).await;
        let theirs = begin(db, BOB, OrderId::new(2)).await.id;
        assert!(confirm(db, theirs, "b-1").await.is_ok());
        let foreign = record_under(db, payment, "b-1", PRICE).await;
        assert_eq!(foreign, REPEATED, "that is the payment of another order");
        assert_eq!(state(db, theirs).await, PaymentState::Paid);

        let second = payments::confirm_duplicate(db, payment, "a-2", PRICE).await;
        assert_eq!(second.unwrap(), Ok(LATE));
        assert_eq!(record_under(db, payment, "a-2", PRICE).await, REFUNDED);
        assert_eq!(state(db, payment).await, PaymentState::Paid);
        assert_eq!(status(db).await, OrderStatus::Paid);
        assert_money_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn a_second_payment_under_one_trade_number_is_refunded_once() {
    on_both(async |test| {
        let db = &test.db;
        let first = paid(db).await;
        top_up(db, BOB).await;
        for id in [99, first.get() + 1].map(PaymentId::new) {
            let refused = payments::confirm_duplicate(db, id, "a-2", PRICE).await;
            assert_eq!(refused.unwrap(), Err(ConfirmRefusal::NoSuchPayment));
        }
        let confirm_second = async |reference| {
            let confirmed = payments::confirm_duplicate(db, first, reference, PRICE).await;
            confirmed.unwrap()
        };
        assert_eq!(confirm_second("a-1").await, Ok(Confirmed::Repeated));
        assert_eq!(confirm_second("a-2").await, Ok(LATE));
        assert_eq!(confirm_second("a-2").await, Ok(Confirmed::Repeated));
        let due = due(db).await;
        assert_eq!(due.len(), 1);
        assert_eq!(due[0].under, Some(first), "the number the provider knows");
        assert_money_conserved(&test).await;

        let finished = payments::finish_refund(db, due[0].payment).await.unwrap();
        assert!(matches!(finished, Refunded::Now { .. }));
        assert_eq!(status(db).await, OrderStatus::Paid, "the first has paid");
        assert_money_conserved(&test).await;
        assert_stock_conserved(&test).await;
    })
    .await;
}

#[tokio::test]
async fn outside_refunds_are_listed_by_payment_page_by_page() {
    on_both(async |test| {
        let db = &test.db;
        let sale = open_sale(db, 10).await;
        let mut held = Vec::new();
        for n in 1..=3 {
            write(db, &[order(n, sale, n)]).await;
            let payment = begin(db, UserId::new(n), OrderId::new(n)).await.id;
            let reference = format!("a-{n}");
            assert!(confirm(db, payment, &reference).await.is_ok());
            record_under(db, payment, &reference, PART).await;
            held.push(payment);
        }
        let page = async |after, limit| {
            let page = payments::list_outside(db, after, limit).await.unwrap();
            page.iter().map(|refund| refund.payment).collect::<Vec<_>>()
        };
        assert_eq!(page(PaymentId::new(0), 2).await, held[..2]);
        assert_eq!(page(held[1], 2).await, held[2..]);
    })
    .await;
}
