//! The providers, a closed set behind one interface.
//!
//! Creating a link and verifying a callback need no network. The other three call the provider; each has a timeout, and
//! none is retried here: the caller decides when to poll again.

use std::time::Instant;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use tracing::Instrument;

use crate::{
    Alipay, CallbackError, CloseOutcome, CreateError, NotifiedStatus, OutTradeNo,
    PaymentNotification, PaymentRequest, QueryOutcome, Redirect, RefundNo, RefundOutcome, Sandbox,
    meter,
};

/// Cheap to clone.
#[derive(Clone, Debug)]
pub enum Provider {
    Sandbox(Sandbox),
    Alipay(Alipay),
}

/// The exact reply to a callback; any other reply makes the provider send it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    pub content_type: &'static str,
    pub body: &'static str,
}

impl Acknowledgement {
    /// Reply this only after the notification is stored, or known to be a repetition.
    pub const RECEIVED: Self = Self::plain("success");
    /// The provider sends the callback again: after minutes at first, for about a day.
    pub const RETRY: Self = Self::plain("failure");

    const fn plain(body: &'static str) -> Self {
        Self {
            content_type: "text/plain; charset=utf-8",
            body,
        }
    }
}

impl Provider {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sandbox(_) => "sandbox",
            Self::Alipay(_) => "alipay",
        }
    }

    /// Creates the link to the cashier. The provider knows of the payment once the link is opened.
    pub fn create(&self, request: &PaymentRequest) -> Result<Redirect, CreateError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.create(request),
            Self::Alipay(alipay) => alipay.create(request),
        }
    }

    /// Verifies a callback. The caller checks whether it is a repetition and whether the amount is right.
    pub fn verify_callback(
        &self,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<PaymentNotification, CallbackError> {
        let checked = check_media_type(headers).and_then(|()| match self {
            Self::Sandbox(sandbox) => sandbox.verify_callback(body),
            Self::Alipay(alipay) => alipay.verify_callback(body),
        });
        let outcome = match &checked {
            Ok(notification) => label(&notification.outcome),
            Err(error) => error.label(),
        };
        meter::callback(self.name(), outcome);
        checked
    }

    /// Polls the status of a payment: after the buyer returned, before an order is cancelled, when a callback is overdue.
    pub async fn query(&self, out_trade_no: &OutTradeNo) -> QueryOutcome {
        let since = Instant::now();
        let span = tracing::debug_span!("pay_query", provider = self.name(), %out_trade_no);
        let call = async {
            match self {
                Self::Sandbox(sandbox) => sandbox.query(out_trade_no).await,
                Self::Alipay(alipay) => alipay.query(out_trade_no).await,
            }
        };
        let outcome = call.instrument(span).await;
        meter::called(self.name(), "query", outcome.label(), since);
        outcome
    }

    /// Closes an unpaid payment, so that it cannot be paid any more.
    pub async fn close(&self, out_trade_no: &OutTradeNo) -> CloseOutcome {
        let since = Instant::now();
        let span = tracing::debug_span!("pay_close", provider = self.name(), %out_trade_no);
        let call = async {
            match self {
                Self::Sandbox(sandbox) => sandbox.close(out_trade_no).await,
                Self::Alipay(alipay) => alipay.close(out_trade_no).await,
            }
        };
        let outcome = call.instrument(span).await;
        meter::called(self.name(), "close", outcome.label(), since);
        outcome
    }

    /// Refunds money. Idempotent by `refund_no` and amount.
    pub async fn refund(
        &self,
        out_trade_no: &OutTradeNo,
        refund_no: &RefundNo,
        amount_cents: u64,
    ) -> RefundOutcome {
        let since = Instant::now();
        let span =
            tracing::debug_span!("pay_refund", provider = self.name(), %out_trade_no, %refund_no);
        let call = async {
            match self {
                Self::Sandbox(sandbox) => {
                    sandbox.refund(out_trade_no, refund_no, amount_cents).await
                }
                Self::Alipay(alipay) => alipay.refund(out_trade_no, refund_no, amount_cents).await,
            }
        };
        let outcome = call.instrument(span).await;
        meter::called(self.name(), "refund", outcome.label(), since);
        outcome
    }
}

/// Refuses a body of another media type, even if it parses as a form.
fn check_media_type(headers: &HeaderMap) -> Result<(), CallbackError> {
    let Some(given) = headers.get(CONTENT_TYPE) else {
        return Ok(());
    };
    let given = given.to_str().map_err(|_| CallbackError::NotAForm)?;
    let kind = given.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        Ok(())
    } else {
        Err(CallbackError::NotAForm)
    }
}

fn label(outcome: &NotifiedStatus) -> &'static str {
    match outcome {
        NotifiedStatus::Waiting => "waiting",
        NotifiedStatus::Paid => "paid",
        NotifiedStatus::Closed => "closed",
        NotifiedStatus::Refunded { .. } => "refunded",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_sent<T: Send>(_: &T) {}

    /// Handlers run on any thread; this is checked by the compiler, not by running.
    #[expect(dead_code, reason = "compiling it is the test")]
    fn a_provider_can_be_shared_and_its_calls_moved(
        provider: &'static Provider,
        number: &'static OutTradeNo,
        refund_no: &'static RefundNo,
    ) {
        is_sent(&provider);
        is_sent(&provider.query(number));
        is_sent(&provider.close(number));
        is_sent(&provider.refund(number, refund_no, 1));
    }

    #[test]
    fn a_form_is_recognised_by_its_media_type() {
        let check = |kind: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, kind.parse().unwrap());
            check_media_type(&headers)
        };
        assert_eq!(check("application/x-www-form-urlencoded"), Ok(()));
        assert_eq!(
            check("Application/X-WWW-Form-Urlencoded;charset=utf-8"),
            Ok(())
        );
        assert_eq!(check("text/plain"), Err(CallbackError::NotAForm));
        assert_eq!(check_media_type(&HeaderMap::new()), Ok(()));
    }
}
