//! Refunds: once, again, too much, and when nobody replies.

use pay::{Provider, QueryOutcome, Refund, RefundOutcome, RefusalKind, UnknownCause};

use crate::counterpart::{Counterpart, Fault, SYSTEM_ERROR};
use crate::fixture::{alipay, impatient_alipay, number, refund_no};

const REFUND: &str = "alipay.trade.refund";
const REFUND_QUERY: &str = "alipay.trade.fastpay.refund.query";

async fn refund(provider: &Provider, no: &str, cents: u64) -> RefundOutcome {
    provider.refund(&number("P"), &refund_no(no), cents).await
}

fn refunded(outcome: RefundOutcome) -> Refund {
    match outcome {
        RefundOutcome::Refunded(refund) => refund,
        other => panic!("not refunded: {other:?}"),
    }
}

fn refused(outcome: RefundOutcome) -> RefusalKind {
    match outcome {
        RefundOutcome::Refused(refusal) => refusal.kind,
        other => panic!("not refused: {other:?}"),
    }
}

async fn paid() -> Counterpart {
    let counterpart = Counterpart::start().await;
    counterpart.add("P", "TRADE_SUCCESS", "88.00");
    counterpart
}

#[tokio::test]
async fn a_refund_repeated_is_the_same_refund() {
    let counterpart = paid().await;
    let provider = alipay(&counterpart);
    let first = refunded(refund(&provider, "R1", 8800).await);
    let second = refunded(refund(&provider, "R1", 8800).await);
    assert_eq!(first, second);
    assert_eq!(first.amount_cents, 8800);
    assert_eq!(counterpart.trade("P").refunds.len(), 1);
    let outcome = provider.query(&number("P")).await;
    assert!(matches!(outcome, QueryOutcome::Refunded(_)), "{outcome:?}");
}

#[tokio::test]
async fn parts_go_back_up_to_the_whole_and_no_further() {
    let counterpart = paid().await;
    let provider = alipay(&counterpart);
    refunded(refund(&provider, "R1", 8000).await);
    assert_eq!(
        refused(refund(&provider, "R2", 801).await),
        RefusalKind::TooMuch
    );
    refunded(refund(&provider, "R2", 800).await);
    assert_eq!(
        refused(refund(&provider, "R3", 1).await),
        RefusalKind::WrongState
    );
}

#[tokio::test]
async fn a_refund_number_is_not_good_for_another_amount() {
    let counterpart = paid().await;
    let provider = alipay(&counterpart);
    refunded(refund(&provider, "R1", 100).await);
    assert_eq!(
        refused(refund(&provider, "R1", 200).await),
        RefusalKind::NumberReused
    );
    assert_eq!(counterpart.trade("P").refunds["R1"], "1.00");
}

#[tokio::test]
async fn a_refund_without_an_answer_is_unknown_and_then_found_done() {
    let counterpart = paid().await;
    let provider = impatient_alipay(&counterpart);
    counterpart.break_method(REFUND, Fault::HangAfterwards);
    let outcome = refund(&provider, "R1", 8800).await;
    assert!(
        matches!(outcome, RefundOutcome::Unknown(UnknownCause::Network(_))),
        "{outcome:?}"
    );
    counterpart.mend();
    assert_eq!(
        refunded(refund(&alipay(&counterpart), "R1", 8800).await).amount_cents,
        8800
    );
    assert_eq!(counterpart.trade("P").refunds.len(), 1);
}

#[tokio::test]
async fn a_refund_that_was_only_accepted_is_unknown() {
    let counterpart = paid().await;
    let provider = alipay(&counterpart);
    counterpart.break_method(REFUND, Fault::NoFundChange);
    let outcome = refund(&provider, "R1", 8800).await;
    assert!(
        matches!(outcome, RefundOutcome::Unknown(UnknownCause::Unconfirmed)),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn a_repetition_that_cannot_be_confirmed_is_unknown() {
    let counterpart = paid().await;
    let provider = alipay(&counterpart);
    refunded(refund(&provider, "R1", 8800).await);
    counterpart.break_method(REFUND_QUERY, SYSTEM_ERROR);
    let outcome = refund(&provider, "R1", 8800).await;
    assert!(matches!(outcome, RefundOutcome::Unknown(_)), "{outcome:?}");
}

#[tokio::test]
async fn a_refund_of_nothing_known_is_refused() {
    let counterpart = Counterpart::start().await;
    let kind = refused(refund(&alipay(&counterpart), "R1", 1).await);
    assert_eq!(kind, RefusalKind::NotFound);
}

#[tokio::test]
async fn a_refusal_for_now_can_be_tried_again_under_the_same_number() {
    let counterpart = paid().await;
    let provider = alipay(&counterpart);
    let poor = Fault::Refused("40004", "ACQ.SELLER_BALANCE_NOT_ENOUGH");
    counterpart.break_method(REFUND, poor);
    let kind = refused(refund(&provider, "R1", 8800).await);
    assert_eq!(kind, RefusalKind::NotEnoughFunds);
    counterpart.mend();
    refunded(refund(&provider, "R1", 8800).await);
}

#[tokio::test]
async fn a_repetition_refused_because_the_money_is_gone_is_still_the_same_refund() {
    let counterpart = paid().await;
    let provider = alipay(&counterpart);
    refunded(refund(&provider, "R1", 8800).await);
    counterpart.break_method(REFUND, Fault::Refused("40004", "ACQ.TRADE_HAS_CLOSE"));
    refunded(refund(&provider, "R1", 8800).await);
}
