//! The callbacks of a trade. They are derived from the trade alone, so they can be repeated.

use jiff::Timestamp;

use super::form_signer::{FormSigner, Purpose};
use super::{NAME, Trade};
use crate::form::Form;
use crate::{Payment, clock, money};

/// A callback to be sent with `POST` as `application/x-www-form-urlencoded`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    pub url: String,
    pub body: String,
    /// The callback of a late payment must not be sent earlier.
    pub not_before: Timestamp,
}

pub(super) fn callbacks(trade: &Trade, signer: &FormSigner) -> Vec<Callback> {
    let callback = |(form, at): (Form, Timestamp)| Callback {
        url: trade.link_payload().notify_url.clone(),
        body: signer.sign(form, Purpose::Callback),
        not_before: at,
    };
    if trade.payments().is_empty() {
        let closed = trade.closed_at().map(|at| (closed(trade, at), at));
        return closed.into_iter().map(callback).collect();
    }
    let payments = trade.payments().iter();
    payments
        .map(|payment| callback(paid(trade, payment)))
        .collect()
}

fn paid(trade: &Trade, payment: &Payment) -> (Form, Timestamp) {
    let at = payment.paid_at.unwrap_or(trade.link_payload().expires_at);
    let mut form = common_fields(trade, at);
    form.set("trade_no", &payment.provider_ref)
        .set("trade_status", "TRADE_SUCCESS")
        .set("total_amount", money::to_yuan(payment.amount_cents))
        .set("gmt_payment", clock::to_beijing(at));
    (form, at)
}

fn closed(trade: &Trade, at: Timestamp) -> Form {
    let payload = trade.link_payload();
    let mut form = common_fields(trade, at);
    form.set("trade_no", format!("sandbox-{}-0", payload.out_trade_no))
        .set("trade_status", "TRADE_CLOSED")
        .set("total_amount", money::to_yuan(payload.amount_cents))
        .set("gmt_close", clock::to_beijing(at));
    form
}

fn common_fields(trade: &Trade, at: Timestamp) -> Form {
    let mut form = Form::default();
    form.set("app_id", NAME)
        .set("seller_id", NAME)
        .set("charset", "utf-8")
        .set("version", "1.0")
        .set("notify_type", "trade_status_sync")
        .set("notify_time", clock::to_beijing(at))
        .set("out_trade_no", trade.link_payload().out_trade_no.as_str())
        .set("subject", &trade.link_payload().subject);
    form
}
