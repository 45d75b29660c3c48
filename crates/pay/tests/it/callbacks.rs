//! Callbacks: the genuine ones are read, all others are refused, whatever they look like.

use std::sync::LazyLock;

use pay::{
    Acknowledgement, CallbackError, MAX_CALLBACK_BYTES, NotifiedStatus, PaymentNotification,
    Provider,
};
use proptest::prelude::*;

use crate::counterpart::{news, signed};
use crate::fixture::{ALIPAY_KEY, STRANGER_KEY, form_headers, number, refund_no, settings};
use crate::wire::{self, Fields};

/// A callback needs no gateway.
static PROVIDER: LazyLock<Provider> = LazyLock::new(|| {
    let settings = settings("https://gateway.example/gateway.do");
    Provider::Alipay(pay::Alipay::new(&settings).unwrap())
});

fn verify(fields: &Fields) -> Result<PaymentNotification, CallbackError> {
    PROVIDER.verify_callback(&form_headers(), wire::encode(fields).as_bytes())
}

/// News with some fields set, signed by Alipay.
fn genuine(changes: &[(&str, &str)]) -> Fields {
    let mut fields = news("P");
    for (name, value) in changes {
        fields.insert((*name).to_owned(), (*value).to_owned());
    }
    signed(&fields, &wire::key(ALIPAY_KEY))
}

#[test]
fn a_genuine_callback_is_read() {
    let notification = verify(&genuine(&[])).unwrap();
    let paid_at = "2026-07-01T04:00:01Z".parse().unwrap();
    let expected = PaymentNotification {
        out_trade_no: number("P"),
        provider_ref: "2026070122001430".to_owned(),
        amount_cents: 8800,
        outcome: NotifiedStatus::Paid,
        paid_at: Some(paid_at),
    };
    assert_eq!(notification, expected);
}

#[test]
fn a_repeated_callback_reads_the_same() {
    let fields = genuine(&[]);
    let first = verify(&fields).unwrap();
    let second = verify(&genuine(&[
        ("notify_id", "another"),
        ("notify_time", "2026-07-01 12:04:02"),
    ]));
    assert_eq!(Ok(first), second);
}

#[test]
fn another_amount_is_told_as_it_is() {
    let notification = verify(&genuine(&[("total_amount", "0.01")])).unwrap();
    assert_eq!(notification.amount_cents, 1);
}

#[test]
fn every_status_has_its_outcome() {
    let outcome = |changes| verify(&genuine(changes)).map(|notification| notification.outcome);
    assert_eq!(
        outcome(&[("trade_status", "TRADE_FINISHED")]),
        Ok(NotifiedStatus::Paid)
    );
    let unpaid = [("trade_status", "TRADE_CLOSED"), ("gmt_payment", "")];
    assert_eq!(outcome(&unpaid), Ok(NotifiedStatus::Closed));
    assert_eq!(
        outcome(&[("trade_status", "WAIT_BUYER_PAY")]),
        Ok(NotifiedStatus::Waiting)
    );
    let unknown = Err(CallbackError::Field("trade_status"));
    assert_eq!(outcome(&[("trade_status", "TRADE_OF_TOMORROW")]), unknown);
}

#[test]
fn news_of_a_refund_is_no_news_of_a_payment() {
    for status in ["TRADE_SUCCESS", "TRADE_CLOSED"] {
        let notification = verify(&genuine(&[
            ("trade_status", status),
            ("refund_fee", "8.00"),
            ("out_biz_no", "R1"),
        ]));
        let expected = NotifiedStatus::Refunded {
            refund_no: Some(refund_no("R1")),
            total_cents: 800,
        };
        assert_eq!(notification.unwrap().outcome, expected);
    }
}

#[test]
fn a_payment_that_is_closed_again_was_given_back_whole() {
    let notification = verify(&genuine(&[("trade_status", "TRADE_CLOSED")])).unwrap();
    let expected = NotifiedStatus::Refunded {
        refund_no: None,
        total_cents: 8800,
    };
    assert_eq!(notification.outcome, expected);
}

#[test]
fn no_field_can_be_changed_added_or_taken_away() {
    let fields = genuine(&[]);
    for name in fields.keys().filter(|name| !name.starts_with("sign")) {
        let mut changed = fields.clone();
        changed.insert(name.clone(), format!("{}0", fields[name]));
        assert_eq!(
            verify(&changed),
            Err(CallbackError::WrongSignature),
            "{name} changed"
        );
        let mut taken = fields.clone();
        taken.remove(name);
        assert_eq!(
            verify(&taken),
            Err(CallbackError::WrongSignature),
            "{name} taken away"
        );
    }
    let mut added = fields;
    added.insert("refund_fee".to_owned(), String::new());
    assert_eq!(verify(&added), Err(CallbackError::WrongSignature));
}

#[test]
fn a_callback_signed_by_anybody_else_is_refused() {
    let forged = signed(&news("P"), &wire::key(STRANGER_KEY));
    assert_eq!(verify(&forged), Err(CallbackError::WrongSignature));
    let mut unsigned = genuine(&[]);
    unsigned.remove("sign");
    assert_eq!(verify(&unsigned), Err(CallbackError::Field("sign")));
}

#[test]
fn a_weaker_kind_of_signature_is_refused() {
    for kind in ["RSA", "MD5", "", "rsa2"] {
        let refused = verify(&genuine(&[("sign_type", kind)]));
        assert_eq!(refused, Err(CallbackError::SignType), "{kind}");
    }
}

#[test]
fn a_callback_for_somebody_else_is_refused_though_alipay_signed_it() {
    let app = verify(&genuine(&[("app_id", "2021000000000000")]));
    assert_eq!(app, Err(CallbackError::ForeignApp));
    let seller = verify(&genuine(&[("seller_id", "2088000000000000")]));
    assert_eq!(seller, Err(CallbackError::ForeignSeller));
}

#[test]
fn a_field_given_twice_is_refused() {
    let body = format!("{}&total_amount=0.01", wire::encode(&genuine(&[])));
    let refused = PROVIDER.verify_callback(&form_headers(), body.as_bytes());
    assert_eq!(refused, Err(CallbackError::RepeatedField));
}

#[test]
fn what_is_no_form_of_moderate_size_is_refused() {
    let mut headers = form_headers();
    headers.insert("content-type", "application/json".parse().unwrap());
    let body = wire::encode(&genuine(&[]));
    let refused = PROVIDER.verify_callback(&headers, body.as_bytes());
    assert_eq!(refused, Err(CallbackError::NotAForm));
    let huge = vec![b'x'; MAX_CALLBACK_BYTES + 1];
    let refused = PROVIDER.verify_callback(&form_headers(), &huge);
    assert_eq!(refused, Err(CallbackError::TooLarge(MAX_CALLBACK_BYTES)));
}

#[test]
fn a_genuine_callback_with_nonsense_in_it_is_refused() {
    for (name, value) in [
        ("total_amount", "-1.00"),
        ("total_amount", "1e9"),
        ("out_trade_no", "a/b"),
        ("trade_no", "火"),
        ("refund_fee", "all"),
    ] {
        let refused = verify(&genuine(&[(name, value)]));
        assert!(matches!(refused, Err(CallbackError::Field(field)) if field == name));
    }
}

#[test]
fn the_acknowledgement_is_the_seven_letters_alipay_waits_for() {
    assert_eq!(Acknowledgement::RECEIVED.body, "success");
    assert_ne!(Acknowledgement::RETRY.body, "success");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Signed by Alipay, so that the parser behind the signature is reached.
    #[test]
    fn whatever_alipay_signs_is_read_or_refused(
        changes in prop::collection::btree_map(
            prop::sample::select(vec!["app_id", "trade_no", "trade_status", "total_amount", "gmt_payment", "refund_fee", "out_biz_no", "out_trade_no", "new_field"]),
            ".{0,20}|[0-9.]{0,12}",
            0..4,
        )
    ) {
        let changes: Vec<(&str, &str)> = changes.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let _ = verify(&genuine(&changes));
    }

    #[test]
    fn whatever_anybody_sends_is_refused(body in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(PROVIDER.verify_callback(&form_headers(), &body).is_err());
    }
}
