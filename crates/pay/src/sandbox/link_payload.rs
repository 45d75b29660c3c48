//! The payload of a sandbox link, a signed form: the whole request, so that nothing is stored before the link is opened.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::CashierLinkError;
use crate::form::{Form, SignedForm};
use crate::{OutTradeNo, PaymentRequest, money};

/// The payment request inside a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkPayload {
    pub out_trade_no: OutTradeNo,
    pub subject: String,
    pub amount_cents: u64,
    pub return_url: String,
    pub notify_url: String,
    pub expires_at: Timestamp,
}

impl LinkPayload {
    pub(super) fn of(request: &PaymentRequest) -> Self {
        Self {
            out_trade_no: request.out_trade_no.clone(),
            subject: request.cashier_subject(),
            amount_cents: request.amount_cents,
            return_url: request.return_url.clone(),
            notify_url: request.notify_url.clone(),
            expires_at: request.expires_at,
        }
    }

    pub(super) fn to_form(&self) -> Form {
        let mut form = Form::default();
        form.set("out_trade_no", self.out_trade_no.as_str())
            .set("subject", &self.subject)
            .set("total_amount", money::to_yuan(self.amount_cents))
            .set("return_url", &self.return_url)
            .set("notify_url", &self.notify_url)
            .set(
                "expires_at_ms",
                self.expires_at.as_millisecond().to_string(),
            );
        form
    }

    /// A signed link without all fields comes from another version.
    pub(super) fn from_form(form: &SignedForm) -> Result<Self, CashierLinkError> {
        let field = |name| form.need(name).map_err(|_| CashierLinkError::Outdated);
        let expires_at_ms = field("expires_at_ms")?
            .parse()
            .map_err(|_| CashierLinkError::Outdated)?;
        Ok(Self {
            out_trade_no: OutTradeNo::parse(field("out_trade_no")?)
                .map_err(|_| CashierLinkError::Outdated)?,
            subject: field("subject")?.to_owned(),
            amount_cents: money::from_yuan(field("total_amount")?)
                .ok_or(CashierLinkError::Outdated)?,
            return_url: field("return_url")?.to_owned(),
            notify_url: field("notify_url")?.to_owned(),
            expires_at: Timestamp::from_millisecond(expires_at_ms)
                .map_err(|_| CashierLinkError::Outdated)?,
        })
    }
}
