//! The content of a callback whose signature is verified.
//!
//! The fields are Alipay's; the sandbox uses them too. Fields about the buyer are never read, so that they cannot get into a
//! log or a table.

use jiff::Timestamp;

use crate::form::SignedForm;
use crate::{CallbackError, OutTradeNo, RefundNo, clock, money};

/// Alipay's own numbers have 28 digits; 64 is what its specification allows.
const MAX_PROVIDER_REF_LEN: usize = 64;

/// A provider's notification about one payment. The provider repeats it until it is acknowledged, and sometimes after:
/// `provider_ref` and `outcome` identify a repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentNotification {
    pub out_trade_no: OutTradeNo,
    pub provider_ref: String,
    /// The amount of the payment, which need not be what was asked for: compare.
    pub amount_cents: u64,
    pub outcome: NotifiedStatus,
    pub paid_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotifiedStatus {
    Waiting,
    Paid,
    /// Ended without a charge.
    Closed,
    /// Partly or fully refunded.
    Refunded {
        /// The refund that caused the notification, where the provider names it.
        refund_no: Option<RefundNo>,
        /// All refunds of this payment so far.
        total_cents: u64,
    },
}

/// The merchant that a callback must address.
#[derive(Clone, Debug)]
pub(crate) struct Merchant {
    pub(crate) app_id: String,
    pub(crate) seller_id: String,
}

impl PaymentNotification {
    pub(crate) fn read(form: &SignedForm, merchant: &Merchant) -> Result<Self, CallbackError> {
        if form.need("app_id")? != merchant.app_id {
            return Err(CallbackError::ForeignApp);
        }
        if form.need("seller_id")? != merchant.seller_id {
            return Err(CallbackError::ForeignSeller);
        }
        Ok(Self {
            out_trade_no: OutTradeNo::parse(form.need("out_trade_no")?)
                .map_err(|_| CallbackError::Field("out_trade_no"))?,
            provider_ref: provider_ref(form)?,
            amount_cents: amount(form, "total_amount")?
                .ok_or(CallbackError::Field("total_amount"))?,
            outcome: outcome(form)?,
            paid_at: form.get("gmt_payment").and_then(clock::from_beijing),
        })
    }
}

fn provider_ref(form: &SignedForm) -> Result<String, CallbackError> {
    let text = form.need("trade_no")?;
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    if plain && text.len() <= MAX_PROVIDER_REF_LEN {
        Ok(text.to_owned())
    } else {
        Err(CallbackError::Field("trade_no"))
    }
}

fn outcome(form: &SignedForm) -> Result<NotifiedStatus, CallbackError> {
    let status = form.need("trade_status")?;
    if ![
        "WAIT_BUYER_PAY",
        "TRADE_SUCCESS",
        "TRADE_FINISHED",
        "TRADE_CLOSED",
    ]
    .contains(&status)
    {
        return Err(CallbackError::Field("trade_status"));
    }
    if let Some(total_cents) = refunded_cents(form, status)? {
        let named = form.get("out_biz_no").map(RefundNo::parse);
        return Ok(NotifiedStatus::Refunded {
            refund_no: named.and_then(Result::ok),
            total_cents,
        });
    }
    Ok(match status {
        "WAIT_BUYER_PAY" => NotifiedStatus::Waiting,
        "TRADE_CLOSED" => NotifiedStatus::Closed,
        _ => NotifiedStatus::Paid,
    })
}

/// A refund has no status of its own: part of the money back leaves `TRADE_SUCCESS`, all of it makes `TRADE_CLOSED`. One
/// that was paid and is closed was given back whole, whether or not the sum is told.
fn refunded_cents(form: &SignedForm, status: &str) -> Result<Option<u64>, CallbackError> {
    let told_cents = amount(form, "refund_fee")?.filter(|cents| *cents > 0);
    let was_paid = form.get("gmt_payment").is_some();
    match told_cents {
        None if status == "TRADE_CLOSED" && was_paid => amount(form, "total_amount"),
        told_cents => Ok(told_cents),
    }
}

fn amount(form: &SignedForm, name: &'static str) -> Result<Option<u64>, CallbackError> {
    form.get(name)
        .map(|text| money::from_yuan(text).ok_or(CallbackError::Field(name)))
        .transpose()
}
