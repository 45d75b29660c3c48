//! Certificate mode: requests name our certificate and the roots, replies name Alipay's.

use pay::{Alipay, AlipaySettings, CallbackError, Provider, QueryOutcome, Trust, UnknownCause};

use crate::counterpart::{Counterpart, Fault, news, signed};
use crate::fixture::{ALIPAY_KEY, form_headers, number, settings};
use crate::wire::{self, Fields};

const APP: &str = include_str!("../keys/app.crt");
const ALIPAY: &str = include_str!("../keys/alipay.crt");
const ROOT: &str = include_str!("../keys/root.crt");

const ALIPAY_SN: &str = "27a9cd91201c7f2c6757027e4e0ddc84";

fn provider(gateway: &str) -> Alipay {
    let settings = AlipaySettings {
        trust: Trust::Certificates {
            app: APP.to_owned(),
            alipay: ALIPAY.to_owned(),
            alipay_root: ROOT.to_owned(),
        },
        ..settings(gateway)
    };
    Alipay::new(&settings).unwrap()
}

fn required() -> Fields {
    let names = [
        ("app_cert_sn", "01774d2b914e609964bfc1256d28ed42"),
        (
            "alipay_root_cert_sn",
            "92873a094eb05003d6a230040d0b5209_a25cbafaf2ae867c4e07375e6b0215f8",
        ),
    ];
    names
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[tokio::test]
async fn calls_and_answers_name_their_certificates() {
    let counterpart = Counterpart::start().await;
    counterpart.use_certificates(ALIPAY_SN, required());
    counterpart.add("P", "TRADE_SUCCESS", "88.00");
    let alipay = Provider::Alipay(provider(&counterpart.url));
    let outcome = alipay.query(&number("P")).await;
    assert!(matches!(outcome, QueryOutcome::Paid(_)), "{outcome:?}");
}

#[tokio::test]
async fn an_answer_under_a_certificate_we_do_not_have_says_so() {
    let counterpart = Counterpart::start().await;
    counterpart.add("P", "TRADE_SUCCESS", "88.00");
    counterpart.break_method("alipay.trade.query", Fault::OtherCertificate);
    let alipay = Provider::Alipay(provider(&counterpart.url));
    let outcome = alipay.query(&number("P")).await;
    let QueryOutcome::Unknown(UnknownCause::UnknownCertificate(sn)) = outcome else {
        panic!("believed: {outcome:?}");
    };
    assert_eq!(sn, "00ff");
}

#[test]
fn callbacks_are_checked_with_the_key_of_the_certificate() {
    let alipay = Provider::Alipay(provider("https://gateway.example/gateway.do"));
    let verify = |fields: &Fields| {
        let signed = signed(fields, &wire::key(ALIPAY_KEY));
        alipay.verify_callback(&form_headers(), wire::encode(&signed).as_bytes())
    };
    let mut fields = news("P");
    assert!(verify(&fields).is_ok());
    fields.insert("alipay_cert_sn".to_owned(), ALIPAY_SN.to_owned());
    assert!(verify(&fields).is_ok());
    fields.insert("alipay_cert_sn".to_owned(), "00ff".to_owned());
    assert_eq!(verify(&fields), Err(CallbackError::UnknownCertificate));
}

#[test]
fn an_operator_can_see_when_the_certificate_ends() {
    let alipay = provider("https://gateway.example/gateway.do");
    let year_2100: jiff::Timestamp = "2100-01-01T00:00:00Z".parse().unwrap();
    assert!(alipay.certificate_expires_at().unwrap() > year_2100);
}
