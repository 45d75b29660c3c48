//! The machine by its rules, and by random walks over all of them.

use proptest::prelude::*;

use super::*;
use crate::OutTradeNo;

const AMOUNT_CENTS: u64 = 8800;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// Expires at second 900.
fn opened() -> Trade {
    Trade::opened(LinkPayload {
        out_trade_no: OutTradeNo::parse("T1").unwrap(),
        subject: "券".to_owned(),
        amount_cents: AMOUNT_CENTS,
        return_url: "https://shop.example/back".to_owned(),
        notify_url: "https://shop.example/notify".to_owned(),
        expires_at: at(900),
    })
}

fn refund_no(text: &str) -> RefundNo {
    RefundNo::parse(text).unwrap()
}

#[test]
fn paying_again_what_is_paid_changes_nothing() {
    let paid = opened().apply(CashierAction::Pay, at(1)).unwrap();
    assert!(matches!(paid.query(at(1)), QueryOutcome::Paid(_)));
    assert_eq!(paid.apply(CashierAction::Pay, at(2)), Ok(paid.clone()));
    assert_eq!(paid.apply(CashierAction::PayLate, at(2)), Ok(paid));
}

#[test]
fn nobody_pays_what_is_closed_or_expired() {
    let (closed, outcome) = opened().close(at(1));
    assert!(matches!(outcome, CloseOutcome::Closed));
    assert_eq!(
        closed.apply(CashierAction::Pay, at(2)),
        Err(CashierRefusal::Closed)
    );
    assert_eq!(
        opened().apply(CashierAction::Pay, at(900)),
        Err(CashierRefusal::Expired)
    );
    assert!(opened().apply(CashierAction::Pay, at(899)).is_ok());
}

#[test]
fn a_late_payment_happens_after_the_expiry_and_in_spite_of_closing() {
    let late = opened().apply(CashierAction::PayLate, at(1)).unwrap();
    let (closed, outcome) = late.close(at(2));
    assert!(matches!(outcome, CloseOutcome::Closed));
    assert!(matches!(closed.query(at(900)), QueryOutcome::Closed));
    assert!(matches!(closed.query(at(901)), QueryOutcome::Paid(_)));
    let (_, outcome) = closed.refund(&refund_no("R"), 1, at(900));
    assert!(matches!(outcome, RefundOutcome::Refused(_)));
}

#[test]
fn paying_twice_is_two_payments_and_both_can_go_back() {
    let twice = opened().apply(CashierAction::PayTwice, at(1)).unwrap();
    let references: Vec<&str> = twice
        .payments()
        .iter()
        .map(|payment| payment.provider_ref.as_str())
        .collect();
    assert_eq!(references, ["sandbox-T1-1", "sandbox-T1-2"]);
    assert_eq!(twice.version(), 2);
    let (once, _) = twice.refund(&refund_no("A"), AMOUNT_CENTS, at(2));
    assert!(matches!(once.query(at(2)), QueryOutcome::Paid(_)));
    let (none, _) = once.refund(&refund_no("B"), AMOUNT_CENTS, at(3));
    assert!(matches!(none.query(at(3)), QueryOutcome::Refunded(_)));
}

#[test]
fn a_failed_payment_is_closed_and_a_paid_one_cannot_fail() {
    let failed = opened().apply(CashierAction::Fail, at(1)).unwrap();
    assert!(matches!(failed.query(at(1)), QueryOutcome::Closed));
    let paid = opened().apply(CashierAction::Pay, at(1)).unwrap();
    assert_eq!(
        paid.apply(CashierAction::Fail, at(2)),
        Err(CashierRefusal::AlreadyPaid)
    );
    let (unchanged, outcome) = paid.close(at(2));
    assert!(matches!(outcome, CloseOutcome::Paid(_)));
    assert_eq!(unchanged, paid);
}

#[test]
fn a_refund_repeated_is_the_same_refund() {
    let paid = opened().apply(CashierAction::Pay, at(1)).unwrap();
    let (once, first) = paid.refund(&refund_no("R"), AMOUNT_CENTS, at(2));
    let (twice, second) = once.refund(&refund_no("R"), AMOUNT_CENTS, at(9));
    assert_eq!(once, twice);
    let (RefundOutcome::Refunded(first), RefundOutcome::Refunded(second)) = (first, second) else {
        panic!("both are refunded");
    };
    assert_eq!(first, second);
    let (_, other) = once.refund(&refund_no("R"), 1, at(9));
    let RefundOutcome::Refused(refusal) = other else {
        panic!("one number has one amount");
    };
    assert_eq!(refusal.kind, RefusalKind::NumberReused);
}

#[derive(Clone, Debug)]
enum Step {
    CashierAction(CashierAction),
    Close,
    Refund(u8, u64),
}

fn step() -> impl Strategy<Value = Step> {
    let act = prop_oneof![
        Just(CashierAction::Pay),
        Just(CashierAction::Fail),
        Just(CashierAction::PayLate),
        Just(CashierAction::PayTwice)
    ];
    prop_oneof![
        4 => act.prop_map(Step::CashierAction),
        1 => Just(Step::Close),
        3 => (0..4u8, 0..=AMOUNT_CENTS * 2).prop_map(|(no, cents)| Step::Refund(no, cents)),
    ]
}

fn taken(trade: &Trade, step: &Step, now: Timestamp) -> Trade {
    match step {
        Step::CashierAction(act) => trade.apply(*act, now).unwrap_or_else(|_| trade.clone()),
        Step::Close => trade.close(now).0,
        Step::Refund(no, cents) => trade.refund(&refund_no(&format!("R{no}")), *cents, now).0,
    }
}

proptest! {
    /// The clock may step back, as clocks do.
    #[test]
    fn no_walk_breaks_the_rules(steps in prop::collection::vec((step(), 0..2000i64), 0..30)) {
        let mut trade = opened();
        for (step, second) in steps {
            let next = taken(&trade, &step, at(second));
            let changed = next != trade;
            prop_assert_eq!(next.version(), trade.version() + u64::from(changed));
            prop_assert!(next.payments().starts_with(trade.payments()));
            prop_assert!(next.refunds().starts_with(trade.refunds()));
            prop_assert!(next.payments().len() <= 2);
            let paid_cents: u64 = next.payments().iter().map(|p| p.amount_cents).sum();
            prop_assert!(next.refunded_cents() <= paid_cents);
            trade = next;
        }
    }

    #[test]
    fn a_trade_survives_being_stored(steps in prop::collection::vec((step(), 0..2000i64), 0..10)) {
        let mut trade = opened();
        for (step, second) in steps {
            trade = taken(&trade, &step, at(second));
        }
        let stored = serde_json::to_string(&trade).unwrap();
        prop_assert_eq!(serde_json::from_str::<Trade>(&stored).unwrap(), trade);
    }
}
