//! Alipay (支付宝): paying on a page or from a phone's browser, over the open platform's gateway, version 1.0.
//!
//! Written against the public specification of `alipay.trade.page.pay`, `alipay.trade.wap.pay`, `alipay.trade.query`,
//! `alipay.trade.close`, `alipay.trade.refund` and `alipay.trade.fastpay.refund.query`. Requests, replies and callbacks are
//! signed with RSA2, with keys exchanged by hand or in certificates.
//!
//! Two of its habits shape this file. A trade exists only once its link was opened, so "no such trade" is no end. And a
//! trade that was given back whole looks like one that was never paid, but for the date of its payment.

mod certificate;
mod envelope;
mod gateway;
mod keys;
mod pem;
mod refund;
mod replies;
mod settings;

use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;

pub use settings::{AlipaySettings, DEFAULT_TIMEOUT, PRODUCTION_GATEWAY, SANDBOX_GATEWAY, Trust};

use crate::form::Form;
use crate::notification::Merchant;
use crate::{
    CallbackError, CloseOutcome, CreateError, Device, OutTradeNo, Payment, PaymentNotification,
    PaymentRequest, QueryOutcome, Redirect, Refund, RefundNo, RefundOutcome, Refusal, RefusalKind,
    SetupError, UnknownCause, clock, money,
};
use gateway::{Gateway, GatewayReply, SIGN_TYPE};
use replies::{CloseReply, QueryReply};

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Alipay {
    gateway: Arc<Gateway>,
    merchant: Merchant,
}

#[derive(Serialize)]
struct PayContent<'a> {
    out_trade_no: &'a str,
    total_amount: String,
    subject: String,
    product_code: &'static str,
    time_expire: String,
    /// Where the phone's page leads whoever gives up.
    #[serde(skip_serializing_if = "Option::is_none")]
    quit_url: Option<&'a str>,
}

#[derive(Serialize)]
struct TradeContent<'a> {
    out_trade_no: &'a str,
}

impl Alipay {
    /// Checks the keys against each other; asks nobody.
    pub fn new(settings: &AlipaySettings) -> Result<Self, SetupError> {
        if settings.app_id.is_empty() {
            return Err(SetupError::Missing("the application's number"));
        }
        if settings.seller_id.is_empty() {
            return Err(SetupError::Missing("the seller's number"));
        }
        Ok(Self {
            gateway: Arc::new(Gateway::new(settings)?),
            merchant: Merchant {
                app_id: settings.app_id.clone(),
                seller_id: settings.seller_id.clone(),
            },
        })
    }

    /// When Alipay's certificate ends, in certificate mode: from then on it signs with one we do not know.
    pub fn certificate_expires_at(&self) -> Option<Timestamp> {
        let certificates = self.gateway.certificates.as_ref()?;
        Some(certificates.expires_at)
    }

    pub fn create(&self, request: &PaymentRequest) -> Result<Redirect, CreateError> {
        let now = Timestamp::now();
        request.check(now)?;
        let url = self.gateway.page(self.pay_form(request, now));
        Ok(Redirect {
            url: url.ok_or(CreateError::Sign)?,
        })
    }

    fn pay_form(&self, request: &PaymentRequest, now: Timestamp) -> Form {
        let (method, product_code, quit_url) = match request.device {
            Device::Desktop => ("alipay.trade.page.pay", "FAST_INSTANT_TRADE_PAY", None),
            Device::Phone => (
                "alipay.trade.wap.pay",
                "QUICK_WAP_WAY",
                Some(request.return_url.as_str()),
            ),
        };
        let content = PayContent {
            out_trade_no: request.out_trade_no.as_str(),
            total_amount: money::to_yuan(request.amount_cents),
            subject: request.cashier_subject(),
            product_code,
            time_expire: clock::to_beijing(request.expires_at),
            quit_url,
        };
        let mut form = self.gateway.request(method, &content, now);
        form.set("return_url", &request.return_url)
            .set("notify_url", &request.notify_url);
        form
    }

    pub fn verify_callback(&self, body: &[u8]) -> Result<PaymentNotification, CallbackError> {
        let form = Form::parse(body)?;
        self.check_certificate(&form)?;
        let verifier = &self.gateway.verifier;
        let signed = form.verified(SIGN_TYPE, |content, signature| {
            verifier.is_genuine(content, signature)
        })?;
        PaymentNotification::read(&signed, &self.merchant)
    }

    /// Only to tell an operator more than "wrong signature": what is believed follows from the signature alone.
    fn check_certificate(&self, form: &Form) -> Result<(), CallbackError> {
        match (form.get("alipay_cert_sn"), &self.gateway.certificates) {
            (Some(given), Some(known)) if given != known.alipay_sn => {
                Err(CallbackError::UnknownCertificate)
            }
            _ => Ok(()),
        }
    }

    pub async fn query(&self, out_trade_no: &OutTradeNo) -> QueryOutcome {
        let content = TradeContent {
            out_trade_no: out_trade_no.as_str(),
        };
        match self.gateway.call("alipay.trade.query", &content).await {
            Ok(GatewayReply::Done(reply)) => read_trade(reply, out_trade_no),
            Ok(GatewayReply::Refused(refusal)) if refusal.kind == RefusalKind::NotFound => {
                QueryOutcome::NotFound
            }
            // That a question was refused says nothing of the payment.
            Ok(GatewayReply::Refused(Refusal { code, .. })) => {
                QueryOutcome::Unknown(UnknownCause::Provider { code })
            }
            Err(cause) => QueryOutcome::Unknown(cause),
        }
    }

    pub async fn close(&self, out_trade_no: &OutTradeNo) -> CloseOutcome {
        let content = TradeContent {
            out_trade_no: out_trade_no.as_str(),
        };
        let reply: Result<GatewayReply<CloseReply>, UnknownCause> =
            self.gateway.call("alipay.trade.close", &content).await;
        match reply {
            Ok(GatewayReply::Done(reply))
                if is_foreign(reply.out_trade_no.as_deref(), out_trade_no) =>
            {
                CloseOutcome::Unknown(UnknownCause::Foreign)
            }
            Ok(GatewayReply::Done(_)) => CloseOutcome::Closed,
            Ok(GatewayReply::Refused(refusal)) => self.not_closed(out_trade_no, refusal).await,
            Err(cause) => CloseOutcome::Unknown(cause),
        }
    }

    /// Only an unpaid trade can be closed; the refusal does not say which of the other states it is in.
    async fn not_closed(&self, out_trade_no: &OutTradeNo, refusal: Refusal) -> CloseOutcome {
        match refusal.kind {
            RefusalKind::NotFound => return CloseOutcome::NotFound,
            RefusalKind::NotAllowed => return CloseOutcome::Refused(refusal),
            _ => {}
        }
        match self.query(out_trade_no).await {
            QueryOutcome::Paid(payment) => CloseOutcome::Paid(payment),
            QueryOutcome::Refunded(payment) => CloseOutcome::Refunded(payment),
            QueryOutcome::Closed => CloseOutcome::Closed,
            QueryOutcome::Waiting | QueryOutcome::NotFound => CloseOutcome::Refused(refusal),
            QueryOutcome::Unknown(cause) => CloseOutcome::Unknown(cause),
        }
    }

    pub async fn refund(
        &self,
        out_trade_no: &OutTradeNo,
        refund_no: &RefundNo,
        amount_cents: u64,
    ) -> RefundOutcome {
        let wanted = Refund {
            refund_no: refund_no.clone(),
            amount_cents,
            refunded_at: None,
        };
        refund::refund(&self.gateway, out_trade_no, wanted).await
    }
}

fn read_trade(reply: QueryReply, asked: &OutTradeNo) -> QueryOutcome {
    if reply.out_trade_no != asked.as_str() {
        return QueryOutcome::Unknown(UnknownCause::Foreign);
    }
    let payment = Payment {
        provider_ref: reply.trade_no,
        amount_cents: reply.total_amount,
        paid_at: reply.send_pay_date.as_deref().and_then(clock::from_beijing),
    };
    match reply.trade_status.as_str() {
        "WAIT_BUYER_PAY" => QueryOutcome::Waiting,
        "TRADE_SUCCESS" | "TRADE_FINISHED" => QueryOutcome::Paid(payment),
        "TRADE_CLOSED" if payment.paid_at.is_some() => QueryOutcome::Refunded(payment),
        "TRADE_CLOSED" => QueryOutcome::Closed,
        _ => QueryOutcome::Unknown(UnknownCause::Unreadable("a status that is not specified")),
    }
}

fn is_foreign(given: Option<&str>, asked: &OutTradeNo) -> bool {
    given.is_some_and(|given| given != asked.as_str())
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    fn alipay() -> Alipay {
        let settings = AlipaySettings {
            gateway: PRODUCTION_GATEWAY.to_owned(),
            app_id: "2021000116677777".to_owned(),
            seller_id: "2088102146225135".to_owned(),
            app_private_key: SecretString::from(include_str!("../tests/keys/app.pkcs8.pem")),
            trust: Trust::PublicKey {
                alipay_public_key: include_str!("../tests/keys/alipay.public.pem").to_owned(),
            },
            timeout: DEFAULT_TIMEOUT,
        };
        Alipay::new(&settings).unwrap()
    }

    fn request(device: Device) -> PaymentRequest {
        PaymentRequest {
            out_trade_no: OutTradeNo::parse("70501111111S001111119").unwrap(),
            subject: "大乐透".to_owned(),
            amount_cents: 900,
            return_url: "https://shop.example/back?a=1&b=2".to_owned(),
            notify_url: "https://shop.example/notify".to_owned(),
            expires_at: "2026-07-01T04:15:00Z".parse().unwrap(),
            device,
        }
    }

    /// Put together by hand from the specification of the open platform.
    #[test]
    fn the_signed_text_is_the_specified_one() {
        let now = "2026-07-01T04:00:00Z".parse().unwrap();
        let content = |device| alipay().pay_form(&request(device), now).request_content();
        assert_eq!(
            content(Device::Desktop),
            "app_id=2021000116677777\
             &biz_content={\"out_trade_no\":\"70501111111S001111119\",\"total_amount\":\"9.00\",\
             \"subject\":\"大乐透\",\"product_code\":\"FAST_INSTANT_TRADE_PAY\",\
             \"time_expire\":\"2026-07-01 12:15:00\"}\
             &charset=utf-8&format=JSON&method=alipay.trade.page.pay\
             &notify_url=https://shop.example/notify&return_url=https://shop.example/back?a=1&b=2\
             &sign_type=RSA2&timestamp=2026-07-01 12:00:00&version=1.0"
        );
        assert!(content(Device::Phone).contains(
            "\"quit_url\":\"https://shop.example/back?a=1&b=2\"}&charset=utf-8&format=JSON&method=alipay.trade.wap.pay"
        ));
    }
}
