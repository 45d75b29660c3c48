//! Alipay (支付宝): paying on a page or from a phone's browser, over the open platform's gateway, version 1.0.
//!
//! Written against the public specification of `alipay.trade.page.pay`, `alipay.trade.wap.pay`, `alipay.trade.query`,
//! `alipay.trade.close`, `alipay.trade.refund` and `alipay.trade.fastpay.refund.query`. Requests, answers and callbacks are
//! signed with RSA2, with keys exchanged by hand or in certificates.
//!
//! Three of its habits shape this file. A trade exists only once its link was opened, so "no such trade" is no end. A
//! refund answers `fund_change=N` both when it is a repetition and when nothing happened, so it is asked about by its
//! number. And a trade that was given back whole looks like one that was never paid, but for the date of its payment.

mod answers;
mod certificate;
mod envelope;
mod gateway;
mod keys;
mod pem;
mod settings;

use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;

pub use settings::{AlipaySettings, DEFAULT_TIMEOUT, PRODUCTION_GATEWAY, SANDBOX_GATEWAY, Trust};

use crate::form::Form;
use crate::notice::Merchant;
use crate::{
    CallbackError, CloseOutcome, CreateError, Device, Doubt, Notice, OutTradeNo, Payment,
    PaymentRequest, QueryOutcome, Redirect, Refund, RefundNo, RefundOutcome, Refusal, RefusalKind,
    SetupError, clock, money,
};
use answers::{CloseAnswer, QueryAnswer, RefundAnswer, RefundQueryAnswer};
use gateway::{Answer, Gateway, SIGN_TYPE};

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

#[derive(Serialize)]
struct RefundContent<'a> {
    out_trade_no: &'a str,
    out_request_no: &'a str,
    refund_amount: String,
}

#[derive(Serialize)]
struct RefundQueryContent<'a> {
    out_trade_no: &'a str,
    out_request_no: &'a str,
    query_options: [&'static str; 1],
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

    pub fn verify_callback(&self, body: &[u8]) -> Result<Notice, CallbackError> {
        let form = Form::parse(body)?;
        self.check_certificate(&form)?;
        let verifier = &self.gateway.verifier;
        let signed = form.verified(SIGN_TYPE, |content, signature| {
            verifier.is_genuine(content, signature)
        })?;
        Notice::read(&signed, &self.merchant)
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
            Ok(Answer::Done(answer)) => read_trade(answer, out_trade_no),
            Ok(Answer::Refused(refusal)) if refusal.kind == RefusalKind::NotFound => {
                QueryOutcome::NotFound
            }
            // That a question was refused says nothing of the payment.
            Ok(Answer::Refused(Refusal { code, .. })) => {
                QueryOutcome::Unknown(Doubt::Provider { code })
            }
            Err(doubt) => QueryOutcome::Unknown(doubt),
        }
    }

    pub async fn close(&self, out_trade_no: &OutTradeNo) -> CloseOutcome {
        let content = TradeContent {
            out_trade_no: out_trade_no.as_str(),
        };
        let answer: Result<Answer<CloseAnswer>, Doubt> =
            self.gateway.call("alipay.trade.close", &content).await;
        match answer {
            Ok(Answer::Done(answer))
                if is_foreign(answer.out_trade_no.as_deref(), out_trade_no) =>
            {
                CloseOutcome::Unknown(Doubt::Foreign)
            }
            Ok(Answer::Done(_)) => CloseOutcome::Closed,
            Ok(Answer::Refused(refusal)) => self.not_closed(out_trade_no, refusal).await,
            Err(doubt) => CloseOutcome::Unknown(doubt),
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
            QueryOutcome::Unknown(doubt) => CloseOutcome::Unknown(doubt),
        }
    }

    pub async fn refund(
        &self,
        out_trade_no: &OutTradeNo,
        refund_no: &RefundNo,
        amount_cents: u64,
    ) -> RefundOutcome {
        let content = RefundContent {
            out_trade_no: out_trade_no.as_str(),
            out_request_no: refund_no.as_str(),
            refund_amount: money::to_yuan(amount_cents),
        };
        let wanted = Refund {
            refund_no: refund_no.clone(),
            amount_cents,
            refunded_at: None,
        };
        let answer: Result<Answer<RefundAnswer>, Doubt> =
            self.gateway.call("alipay.trade.refund", &content).await;
        match answer {
            Ok(Answer::Done(answer)) if answer.out_trade_no != out_trade_no.as_str() => {
                RefundOutcome::Unknown(Doubt::Foreign)
            }
            Ok(Answer::Done(answer)) if answer.fund_change.as_deref() == Some("Y") => {
                RefundOutcome::Refunded(Refund {
                    refunded_at: answer
                        .gmt_refund_pay
                        .as_deref()
                        .and_then(clock::from_beijing),
                    ..wanted
                })
            }
            Ok(Answer::Done(_)) => self.confirm(out_trade_no, wanted, None).await,
            Ok(Answer::Refused(refusal)) if refusal.kind == RefusalKind::NotAllowed => {
                RefundOutcome::Refused(refusal)
            }
            Ok(Answer::Refused(refusal)) => self.confirm(out_trade_no, wanted, Some(refusal)).await,
            Err(doubt) => RefundOutcome::Unknown(doubt),
        }
    }

    /// Asks for the refund by its number: a repetition moves nothing, and may even be refused since the money is gone.
    async fn confirm(
        &self,
        out_trade_no: &OutTradeNo,
        wanted: Refund,
        refusal: Option<Refusal>,
    ) -> RefundOutcome {
        let content = RefundQueryContent {
            out_trade_no: out_trade_no.as_str(),
            out_request_no: wanted.refund_no.as_str(),
            query_options: ["gmt_refund_pay"],
        };
        let method = "alipay.trade.fastpay.refund.query";
        let found = match self.gateway.call(method, &content).await {
            Ok(Answer::Done(answer)) => read_refund(answer, out_trade_no, &wanted),
            Ok(Answer::Refused(_)) => Ok(None),
            Err(doubt) => Err(doubt),
        };
        match (found, refusal) {
            (Ok(Some(refund)), _) if refund.amount_cents == wanted.amount_cents => {
                RefundOutcome::Refunded(refund)
            }
            (Ok(Some(_)), refusal) => RefundOutcome::Refused(number_reused(refusal)),
            (Ok(None), Some(refusal)) => RefundOutcome::Refused(refusal),
            (Ok(None), None) => RefundOutcome::Unknown(Doubt::Unconfirmed),
            (Err(doubt), _) => RefundOutcome::Unknown(doubt),
        }
    }
}

fn read_trade(answer: QueryAnswer, asked: &OutTradeNo) -> QueryOutcome {
    if answer.out_trade_no != asked.as_str() {
        return QueryOutcome::Unknown(Doubt::Foreign);
    }
    let payment = Payment {
        provider_ref: answer.trade_no,
        amount_cents: answer.total_amount,
        paid_at: answer
            .send_pay_date
            .as_deref()
            .and_then(clock::from_beijing),
    };
    match answer.trade_status.as_str() {
        "WAIT_BUYER_PAY" => QueryOutcome::Waiting,
        "TRADE_SUCCESS" | "TRADE_FINISHED" => QueryOutcome::Paid(payment),
        "TRADE_CLOSED" if payment.paid_at.is_some() => QueryOutcome::Refunded(payment),
        "TRADE_CLOSED" => QueryOutcome::Closed,
        _ => QueryOutcome::Unknown(Doubt::Unreadable("a status that is not specified")),
    }
}

/// The refund as Alipay has it, if it has it and the money has moved. Old gateways leave the status out of what they find.
fn read_refund(
    answer: RefundQueryAnswer,
    out_trade_no: &OutTradeNo,
    wanted: &Refund,
) -> Result<Option<Refund>, Doubt> {
    let (Some(number), Some(amount_cents)) = (&answer.out_request_no, answer.refund_amount) else {
        return Ok(None);
    };
    if number != wanted.refund_no.as_str()
        || is_foreign(answer.out_trade_no.as_deref(), out_trade_no)
    {
        return Err(Doubt::Foreign);
    }
    if !matches!(
        answer.refund_status.as_deref(),
        None | Some("REFUND_SUCCESS")
    ) {
        return Ok(None);
    }
    Ok(Some(Refund {
        refund_no: wanted.refund_no.clone(),
        amount_cents,
        refunded_at: answer
            .gmt_refund_pay
            .as_deref()
            .and_then(clock::from_beijing),
    }))
}

fn is_foreign(given: Option<&str>, asked: &OutTradeNo) -> bool {
    given.is_some_and(|given| given != asked.as_str())
}

fn number_reused(refusal: Option<Refusal>) -> Refusal {
    Refusal {
        kind: RefusalKind::NumberReused,
        code: refusal.map_or_else(String::new, |refusal| refusal.code),
    }
}
