//! The merchant of the tests, and what it asks for.

use std::time::Duration;

use ::http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use pay::{
    Alipay, AlipaySettings, DEFAULT_TIMEOUT, Device, OutTradeNo, PaymentRequest, Provider,
    RefundNo, Trust,
};
use secrecy::SecretString;

use crate::counterpart::Counterpart;

pub(crate) const APP_ID: &str = "2021000116677777";
pub(crate) const SELLER_ID: &str = "2088102146225135";

pub(crate) const APP_KEY: &str = include_str!("../keys/app.pkcs8.pem");
pub(crate) const APP_PUBLIC: &str = include_str!("../keys/app.public.pem");
pub(crate) const ALIPAY_KEY: &str = include_str!("../keys/alipay.pkcs8.pem");
pub(crate) const ALIPAY_PUBLIC: &str = include_str!("../keys/alipay.public.pem");
pub(crate) const STRANGER_KEY: &str = include_str!("../keys/stranger.pkcs8.pem");

/// Long enough for a busy machine to send a request, short enough to wait for in vain.
const IMPATIENT: Duration = Duration::from_millis(700);

pub(crate) fn settings(gateway: &str) -> AlipaySettings {
    AlipaySettings {
        gateway: gateway.to_owned(),
        app_id: APP_ID.to_owned(),
        seller_id: SELLER_ID.to_owned(),
        app_private_key: SecretString::from(APP_KEY),
        trust: Trust::PublicKey {
            alipay_public_key: ALIPAY_PUBLIC.to_owned(),
        },
        timeout: DEFAULT_TIMEOUT,
    }
}

pub(crate) fn alipay(counterpart: &Counterpart) -> Provider {
    Provider::Alipay(Alipay::new(&settings(&counterpart.url)).unwrap())
}

pub(crate) fn impatient_alipay(counterpart: &Counterpart) -> Provider {
    let settings = AlipaySettings {
        timeout: IMPATIENT,
        ..settings(&counterpart.url)
    };
    Provider::Alipay(Alipay::new(&settings).unwrap())
}

pub(crate) fn number(text: &str) -> OutTradeNo {
    OutTradeNo::parse(text).unwrap()
}

pub(crate) fn refund_no(text: &str) -> RefundNo {
    RefundNo::parse(text).unwrap()
}

pub(crate) fn request(out_trade_no: &str) -> PaymentRequest {
    PaymentRequest {
        out_trade_no: number(out_trade_no),
        subject: "火锅 100 元代金券".to_owned(),
        amount_cents: 8800,
        return_url: "https://shop.example/orders/1?from=pay".to_owned(),
        notify_url: "https://shop.example/api/pay/alipay/notify".to_owned(),
        expires_at: Timestamp::now() + SignedDuration::from_mins(15),
        device: Device::Desktop,
    }
}

pub(crate) fn form_headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    let kind = "application/x-www-form-urlencoded; charset=utf-8";
    headers.insert("content-type", kind.parse().unwrap());
    headers
}
