//! What Alipay tells of a buyer stays on the wire.

use crate::counterpart::{Counterpart, news, signed};
use crate::fixture::{ALIPAY_KEY, alipay, form_headers, number};
use crate::wire;

const BUYER: [&str; 2] = ["138****0000", "2088102116773037"];

#[tokio::test]
async fn no_outcome_holds_anything_about_the_buyer() {
    let counterpart = Counterpart::start().await;
    counterpart.add("P", "TRADE_SUCCESS", "88.00");
    let provider = alipay(&counterpart);
    let fields = signed(&news("P"), &wire::key(ALIPAY_KEY));
    let body = wire::encode(&fields);
    let notification = provider.verify_callback(&form_headers(), body.as_bytes());
    let outcome = provider.query(&number("P")).await;
    let printed = format!("{notification:?} {outcome:?}");
    assert!(printed.contains("8800"));
    for secret in BUYER {
        assert!(!printed.contains(secret), "{secret}");
    }
}
