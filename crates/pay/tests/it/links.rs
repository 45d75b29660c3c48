//! The link to the cashier, read as Alipay reads it.

use pay::{Device, PaymentRequest, Provider};
use serde_json::Value;

use crate::counterpart::Counterpart;
use crate::fixture::{APP_ID, APP_KEY, alipay, request};
use crate::wire::{self, Fields};

fn opened(provider: &Provider, request: &PaymentRequest) -> (Fields, Value) {
    let redirect = provider.create(request).unwrap();
    let (_, query) = redirect.url.split_once('?').unwrap();
    let fields = wire::parse(query);
    let app = wire::key(APP_KEY);
    let signed = wire::content(&fields, &["sign"]);
    assert!(wire::is_signed_by(&app, &signed, &fields["sign"]));
    let content = serde_json::from_str(&fields["biz_content"]).unwrap();
    (fields, content)
}

#[tokio::test]
async fn a_desktop_link_is_a_signed_page_payment() {
    let counterpart = Counterpart::start().await;
    let asked = request("L1");
    let (fields, content) = opened(&alipay(&counterpart), &asked);
    assert_eq!(fields["method"], "alipay.trade.page.pay");
    assert_eq!(fields["app_id"], APP_ID);
    assert_eq!(fields["return_url"], asked.return_url);
    assert_eq!(fields["notify_url"], asked.notify_url);
    assert_eq!(content["product_code"], "FAST_INSTANT_TRADE_PAY");
    assert_eq!(content["out_trade_no"], "L1");
    assert_eq!(content["total_amount"], "88.00");
    assert_eq!(content["subject"], asked.subject);
    assert_eq!(content["time_expire"].as_str().unwrap().len(), 19);
    assert!(counterpart.calls().is_empty(), "a link needs no call");
}

#[tokio::test]
async fn a_phone_link_is_a_wap_payment_that_can_be_left() {
    let counterpart = Counterpart::start().await;
    let mut asked = request("L2");
    asked.device = Device::Phone;
    let (fields, content) = opened(&alipay(&counterpart), &asked);
    assert_eq!(fields["method"], "alipay.trade.wap.pay");
    assert_eq!(content["product_code"], "QUICK_WAP_WAY");
    assert_eq!(content["quit_url"], asked.return_url);
}

#[tokio::test]
async fn a_subject_cannot_add_a_parameter() {
    let counterpart = Counterpart::start().await;
    let mut asked = request("L3");
    asked.subject = r#"x","total_amount":"0.01"}&notify_url=https://evil.example"#.to_owned();
    let (fields, content) = opened(&alipay(&counterpart), &asked);
    assert_eq!(fields["notify_url"], asked.notify_url);
    assert_eq!(content["total_amount"], "88.00");
}
