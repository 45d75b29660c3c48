//! The outcomes of calls to a provider.
//!
//! **Unknown is not failed.** A call that timed out may have moved money, so every outcome has an `Unknown` variant, and no
//! call returns a `Result` that `?` could turn into a failure. A caller that gets `Unknown` calls again, with the same
//! numbers.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{RefundNo, TradeStoreError};

/// A charge. Two of them under one `out_trade_no` with different references are two payments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// The provider's reference, by which a repeated notification is recognised.
    pub provider_ref: String,
    /// The amount charged; the caller compares it with the order.
    pub amount_cents: u64,
    /// By the provider's clock, if it sends it.
    pub paid_at: Option<Timestamp>,
}

#[derive(Debug)]
pub enum QueryOutcome {
    /// The buyer has not opened the cashier. The link works until it expires.
    NotFound,
    Waiting,
    Paid(Payment),
    /// Ended without a charge.
    Closed,
    /// Paid, then fully refunded.
    Refunded(Payment),
    Unknown(UnknownCause),
}

#[derive(Debug)]
pub enum CloseOutcome {
    /// Nothing was charged, and nothing can be.
    Closed,
    /// The provider does not know the payment yet: the link can be opened and paid until it expires.
    NotFound,
    /// It was paid before.
    Paid(Payment),
    /// It was paid and refunded before.
    Refunded(Payment),
    Refused(Refusal),
    Unknown(UnknownCause),
}

#[derive(Debug)]
pub enum RefundOutcome {
    /// Refunded, by this call or by an earlier one with the same number.
    Refunded(Refund),
    /// This call moved no money. The same number may be retried.
    Refused(Refusal),
    Unknown(UnknownCause),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    pub refund_no: RefundNo,
    pub amount_cents: u64,
    pub refunded_at: Option<Timestamp>,
}

/// A refusal that the provider has signed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the provider refused ({code})")]
pub struct Refusal {
    pub kind: RefusalKind,
    /// The provider's code, for the log and its support.
    pub code: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// No such payment.
    NotFound,
    /// Not in a state that allows it: not paid, finished, closed.
    WrongState,
    /// More than is left of the payment.
    TooMuch,
    /// The merchant's account does not hold enough; later it may.
    NotEnoughFunds,
    /// The refund number was used with another amount.
    NumberReused,
    /// The merchant lacks a right: keys, contract, permissions. The operator must act.
    NotAllowed,
    Other,
}

/// Why an outcome is unknown, for the log. The caller calls again in every case.
#[derive(Debug, Error)]
pub enum UnknownCause {
    #[error("the request could not be signed")]
    Unsent,
    #[error("the provider was unreachable, or did not reply in time")]
    Network(#[source] reqwest::Error),
    #[error("the provider answered with status {0}")]
    Status(u16),
    #[error("the reply is larger than {0} bytes")]
    TooLarge(usize),
    #[error("the reply cannot be read: {0}")]
    Unreadable(&'static str),
    #[error("the reply carries no signature (code {code:?})")]
    Unsigned { code: String },
    #[error("the signature of the reply is wrong")]
    WrongSignature,
    #[error("the reply is signed under the certificate {0:?}, which is not ours to trust")]
    UnknownCertificate(String),
    #[error("the reply is about something else")]
    Foreign,
    #[error("the provider does not know either (code {code:?})")]
    Provider { code: String },
    #[error("the refund was accepted, and is not confirmed yet")]
    Unconfirmed,
    #[error("the sandbox's trade store failed")]
    TradeStore(#[source] TradeStoreError),
    #[error("the sandbox's trade was changed concurrently too often")]
    Contended,
}

impl QueryOutcome {
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Waiting => "waiting",
            Self::Paid(_) => "paid",
            Self::Closed => "closed",
            Self::Refunded(_) => "refunded",
            Self::Unknown(_) => "unknown",
        }
    }
}

impl CloseOutcome {
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::NotFound => "not_found",
            Self::Paid(_) => "paid",
            Self::Refunded(_) => "refunded",
            Self::Refused(_) => "refused",
            Self::Unknown(_) => "unknown",
        }
    }
}

impl RefundOutcome {
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::Refunded(_) => "refunded",
            Self::Refused(_) => "refused",
            Self::Unknown(_) => "unknown",
        }
    }
}
