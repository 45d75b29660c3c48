//! Query and close, there and back, with every signature checked on both sides.

use pay::{CloseOutcome, QueryOutcome, Refusal, RefusalKind};

use crate::counterpart::{Counterpart, Fault, PAID_AT};
use crate::fixture::{alipay, number};

#[tokio::test]
async fn a_query_tells_every_state() {
    let counterpart = Counterpart::start().await;
    let provider = alipay(&counterpart);
    counterpart.add("W", "WAIT_BUYER_PAY", "88.00");
    counterpart.add("P", "TRADE_SUCCESS", "88.00");
    counterpart.add("C", "TRADE_CLOSED", "88.00");
    counterpart.add("N", "TRADE_OF_TOMORROW", "88.00");
    let query = async |text| provider.query(&number(text)).await;
    assert!(matches!(query("X").await, QueryOutcome::NotFound));
    assert!(matches!(query("W").await, QueryOutcome::Waiting));
    assert!(matches!(query("C").await, QueryOutcome::Closed));
    assert!(matches!(query("N").await, QueryOutcome::Unknown(_)));
    let QueryOutcome::Paid(payment) = query("P").await else {
        panic!("P is paid");
    };
    assert_eq!(payment.amount_cents, 8800);
    assert_eq!(payment.provider_ref, counterpart.trade("P").trade_no);
    let paid_at = payment.paid_at.unwrap().to_string();
    assert_eq!(
        (paid_at.as_str(), PAID_AT),
        ("2026-07-01T04:00:01Z", "2026-07-01 12:00:01")
    );
}

#[tokio::test]
async fn another_amount_is_told_as_it_is() {
    let counterpart = Counterpart::start().await;
    counterpart.add("P", "TRADE_SUCCESS", "88.00");
    counterpart.break_method("alipay.trade.query", Fault::OtherAmount);
    let outcome = alipay(&counterpart).query(&number("P")).await;
    assert!(matches!(outcome, QueryOutcome::Paid(payment) if payment.amount_cents == 1));
}

#[tokio::test]
async fn closing_ends_what_waits_and_may_be_repeated() {
    let counterpart = Counterpart::start().await;
    let provider = alipay(&counterpart);
    counterpart.add("W", "WAIT_BUYER_PAY", "88.00");
    for _ in 0..2 {
        let outcome = provider.close(&number("W")).await;
        assert!(matches!(outcome, CloseOutcome::Closed), "{outcome:?}");
    }
    assert_eq!(counterpart.trade("W").status, "TRADE_CLOSED");
}

#[tokio::test]
async fn closing_what_is_paid_tells_of_the_payment() {
    let counterpart = Counterpart::start().await;
    counterpart.add("P", "TRADE_SUCCESS", "88.00");
    let outcome = alipay(&counterpart).close(&number("P")).await;
    assert!(matches!(outcome, CloseOutcome::Paid(payment) if payment.amount_cents == 8800));
}

#[tokio::test]
async fn closing_what_was_never_opened_does_not_claim_to_have_closed_it() {
    let counterpart = Counterpart::start().await;
    let outcome = alipay(&counterpart).close(&number("X")).await;
    assert!(matches!(outcome, CloseOutcome::NotFound));
}

#[tokio::test]
async fn a_close_refused_while_it_still_waits_is_refused() {
    let counterpart = Counterpart::start().await;
    counterpart.add("W", "WAIT_BUYER_PAY", "88.00");
    let refused = Fault::Refused("40004", "ACQ.REASON_TRADE_STATUS_INVALID");
    counterpart.break_method("alipay.trade.close", refused);
    let outcome = alipay(&counterpart).close(&number("W")).await;
    let CloseOutcome::Refused(refusal) = outcome else {
        panic!("not refused: {outcome:?}");
    };
    assert_eq!(refusal.kind, RefusalKind::WrongState);
    assert_eq!(refusal.code, "ACQ.REASON_TRADE_STATUS_INVALID");
}

#[tokio::test]
async fn a_close_refused_for_a_state_that_nobody_knows_is_unknown() {
    let counterpart = Counterpart::start().await;
    counterpart.add("P", "TRADE_SUCCESS", "88.00");
    counterpart.break_method("alipay.trade.query", Fault::Status("500 Oops"));
    let outcome = alipay(&counterpart).close(&number("P")).await;
    assert!(matches!(outcome, CloseOutcome::Unknown(_)), "{outcome:?}");
}

#[tokio::test]
async fn a_query_refused_for_lack_of_rights_says_nothing_of_the_payment() {
    let counterpart = Counterpart::start().await;
    counterpart.add("P", "TRADE_SUCCESS", "88.00");
    counterpart.break_all(Fault::Refused("40006", "isv.insufficient-isv-permissions"));
    let provider = alipay(&counterpart);
    let outcome = provider.query(&number("P")).await;
    assert!(matches!(outcome, QueryOutcome::Unknown(_)), "{outcome:?}");
    let outcome = provider.close(&number("P")).await;
    let not_allowed = |refusal: &Refusal| refusal.kind == RefusalKind::NotAllowed;
    assert!(matches!(&outcome, CloseOutcome::Refused(refusal) if not_allowed(refusal)));
}
