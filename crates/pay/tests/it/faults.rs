//! A gateway that misbehaves: nothing it says unproven is believed, and nothing unknown is called failed.

use std::time::Duration;

use pay::{
    Alipay, AlipaySettings, CloseOutcome, Provider, QueryOutcome, RefundOutcome, UnknownCause,
};
use secrecy::SecretString;

use crate::counterpart::{Counterpart, Fault, SYSTEM_ERROR};
use crate::fixture::{STRANGER_KEY, alipay, impatient_alipay, number, refund_no, settings};

/// Many times the patience of the client.
const IN_TIME: Duration = Duration::from_secs(10);

const QUERY: &str = "alipay.trade.query";

async fn cause(provider: &Provider) -> UnknownCause {
    match provider.query(&number("P")).await {
        QueryOutcome::Unknown(cause) => cause,
        other => panic!("believed: {other:?}"),
    }
}

async fn waiting() -> Counterpart {
    let counterpart = Counterpart::start().await;
    counterpart.add("P", "WAIT_BUYER_PAY", "88.00");
    counterpart
}

#[tokio::test]
async fn whatever_goes_wrong_every_call_is_unknown() {
    for fault in [
        Fault::Status("500 Internal Server Error"),
        Fault::SignedByStranger,
        Fault::Unsigned,
        Fault::OtherTrade,
        SYSTEM_ERROR,
        Fault::Huge,
        Fault::NotJson,
    ] {
        let counterpart = Counterpart::start().await;
        counterpart.add("P", "TRADE_SUCCESS", "88.00");
        counterpart.add("W", "WAIT_BUYER_PAY", "88.00");
        counterpart.break_all(fault);
        let provider = alipay(&counterpart);
        let query = provider.query(&number("P")).await;
        assert!(
            matches!(query, QueryOutcome::Unknown(_)),
            "{fault:?}: {query:?}"
        );
        let close = provider.close(&number("W")).await;
        assert!(
            matches!(close, CloseOutcome::Unknown(_)),
            "{fault:?}: {close:?}"
        );
        let refund = provider.refund(&number("P"), &refund_no("R"), 1).await;
        assert!(
            matches!(refund, RefundOutcome::Unknown(_)),
            "{fault:?}: {refund:?}"
        );
    }
}

#[tokio::test]
async fn silence_is_unknown_for_every_call() {
    let counterpart = waiting().await;
    counterpart.break_all(Fault::Hang);
    let provider = impatient_alipay(&counterpart);
    let (number, refund_no) = (number("P"), refund_no("R"));
    let asked = async {
        tokio::join!(
            provider.query(&number),
            provider.close(&number),
            provider.refund(&number, &refund_no, 1)
        )
    };
    let (query, close, refund) = tokio::time::timeout(IN_TIME, asked).await.unwrap();
    assert!(
        matches!(query, QueryOutcome::Unknown(UnknownCause::Network(_))),
        "{query:?}"
    );
    assert!(
        matches!(close, CloseOutcome::Unknown(UnknownCause::Network(_))),
        "{close:?}"
    );
    assert!(
        matches!(refund, RefundOutcome::Unknown(UnknownCause::Network(_))),
        "{refund:?}"
    );
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let counterpart = waiting().await;
    counterpart.break_method(QUERY, Fault::Status("307 Temporary Redirect"));
    let cause = cause(&alipay(&counterpart)).await;
    assert!(matches!(cause, UnknownCause::Status(307)), "{cause:?}");
    assert_eq!(counterpart.calls(), [QUERY]);
}

#[tokio::test]
async fn a_gateway_that_is_gone_is_unknown() {
    let counterpart = Counterpart::start().await;
    let provider = alipay(&counterpart);
    drop(counterpart);
    assert!(matches!(cause(&provider).await, UnknownCause::Network(_)));
}

#[tokio::test]
async fn an_answer_changed_on_the_way_is_not_believed() {
    let counterpart = waiting().await;
    let provider = alipay(&counterpart);
    counterpart.break_method(QUERY, Fault::Tampered);
    assert!(matches!(
        cause(&provider).await,
        UnknownCause::WrongSignature
    ));
    counterpart.break_method(QUERY, Fault::SignedByStranger);
    assert!(matches!(
        cause(&provider).await,
        UnknownCause::WrongSignature
    ));
    counterpart.break_method(QUERY, Fault::Unsigned);
    assert!(matches!(
        cause(&provider).await,
        UnknownCause::Unsigned { .. }
    ));
}

#[tokio::test]
async fn an_answer_beyond_the_limit_is_not_read_to_its_end() {
    let counterpart = waiting().await;
    counterpart.break_method(QUERY, Fault::Huge);
    let cause = cause(&alipay(&counterpart)).await;
    assert!(matches!(cause, UnknownCause::TooLarge(_)), "{cause:?}");
}

#[tokio::test]
async fn a_second_node_beside_the_signed_one_is_not_believed() {
    let counterpart = waiting().await;
    counterpart.break_method(QUERY, Fault::TwoNodes);
    assert!(matches!(
        cause(&alipay(&counterpart)).await,
        UnknownCause::Unreadable(_)
    ));
}

#[tokio::test]
async fn a_signed_answer_about_another_trade_is_not_taken_for_ours() {
    let counterpart = waiting().await;
    counterpart.break_method(QUERY, Fault::OtherTrade);
    assert!(matches!(
        cause(&alipay(&counterpart)).await,
        UnknownCause::Foreign
    ));
}

#[tokio::test]
async fn the_counterpart_refuses_a_request_signed_by_another_key() {
    let counterpart = waiting().await;
    let foreign = AlipaySettings {
        app_private_key: SecretString::from(STRANGER_KEY),
        ..settings(&counterpart.url)
    };
    let provider = Provider::Alipay(Alipay::new(&foreign).unwrap());
    let UnknownCause::Unsigned { code } = cause(&provider).await else {
        panic!("the gateway does not sign its complaints");
    };
    assert_eq!(code, "isv.invalid-signature");
}
