//! The callbacks that follow from a trade. They are written from the trade alone, so they can be written again.

use jiff::Timestamp;

use super::seal::{Purpose, Seal};
use super::{NAME, Trade};
use crate::form::Form;
use crate::{Payment, clock, money};

/// A callback to be sent with `POST` as `application/x-www-form-urlencoded`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    pub url: String,
    pub body: String,
    /// A late payment has not happened before.
    pub not_before: Timestamp,
}

pub(super) fn callbacks(trade: &Trade, seal: &Seal) -> Vec<Callback> {
    let callback = |(form, at): (Form, Timestamp)| Callback {
        url: trade.ticket().notify_url.clone(),
        body: seal.close(form, Purpose::Callback),
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
    let at = payment.paid_at.unwrap_or(trade.ticket().expires_at);
    let mut form = news(trade, at);
    form.set("trade_no", &payment.provider_ref)
        .set("trade_status", "TRADE_SUCCESS")
        .set("total_amount", money::to_yuan(payment.amount_cents))
        .set("gmt_payment", clock::to_beijing(at));
    (form, at)
}

fn closed(trade: &Trade, at: Timestamp) -> Form {
    let ticket = trade.ticket();
    let mut form = news(trade, at);
    form.set("trade_no", format!("sandbox-{}-0", ticket.out_trade_no))
        .set("trade_status", "TRADE_CLOSED")
        .set("total_amount", money::to_yuan(ticket.amount_cents))
        .set("gmt_close", clock::to_beijing(at));
    form
}

fn news(trade: &Trade, at: Timestamp) -> Form {
    let mut form = Form::default();
    form.set("app_id", NAME)
        .set("seller_id", NAME)
        .set("charset", "utf-8")
        .set("version", "1.0")
        .set("notify_type", "trade_status_sync")
        .set("notify_time", clock::to_beijing(at))
        .set("out_trade_no", trade.ticket().out_trade_no.as_str())
        .set("subject", &trade.ticket().subject);
    form
}
