//! What a provider said, or that nobody knows.
//!
//! **Unknown is not failed.** A call that timed out may have moved money, so every outcome has an `Unknown` beside its
//! yes and no, and none of these functions returns a `Result` that `?` could turn into a failure. Whoever gets
//! `Unknown` asks again, with the same numbers.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{BookError, RefundNo};

/// Money that was taken. Two of them under one `out_trade_no` with different references are two payments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// The provider's name for it, by which a repeated notice is recognised.
    pub provider_ref: String,
    /// What was paid, which need not be what was asked for: compare.
    pub amount_cents: u64,
    /// By the provider's clock, where it says so.
    pub paid_at: Option<Timestamp>,
}

#[derive(Debug)]
pub enum QueryOutcome {
    /// The person has not been at the cashier. The link still works until it expires.
    NotFound,
    Waiting,
    Paid(Payment),
    /// Ended without money.
    Closed,
    /// Was paid, and all of it was given back.
    Refunded(Payment),
    Unknown(Doubt),
}

#[derive(Debug)]
pub enum CloseOutcome {
    /// No money was taken, and none can be.
    Closed,
    /// There is nothing to close yet: the link can still be opened and paid until it expires.
    NotFound,
    /// Too late, it was paid.
    Paid(Payment),
    /// Too late, it was paid and given back.
    Refunded(Payment),
    Refused(Refusal),
    Unknown(Doubt),
}

#[derive(Debug)]
pub enum RefundOutcome {
    /// The money is on its way back, by this call or by an earlier one with the same number.
    Refunded(Refund),
    /// This call moved nothing. The same number may be tried again.
    Refused(Refusal),
    Unknown(Doubt),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    pub refund_no: RefundNo,
    pub amount_cents: u64,
    pub refunded_at: Option<Timestamp>,
}

/// A no with the provider's signature under it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the provider refused ({code})")]
pub struct Refusal {
    pub kind: RefusalKind,
    /// The provider's own word, for the log and for whoever calls its support.
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
    /// The merchant may not: keys, contract, permissions. The operator must act.
    NotAllowed,
    Other,
}

/// Why nobody knows. It is for the log; all of them mean the same: ask again.
#[derive(Debug, Error)]
pub enum Doubt {
    #[error("the request could not be signed")]
    Unsent,
    #[error("the provider could not be asked, or did not answer in time")]
    Network(#[source] reqwest::Error),
    #[error("the provider answered with status {0}")]
    Status(u16),
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
    #[error("the answer cannot be read: {0}")]
    Unreadable(&'static str),
    #[error("the answer carries no signature (code {code:?})")]
    Unsigned { code: String },
    #[error("the signature of the answer is wrong")]
    WrongSignature,
    #[error("the answer is signed under the certificate {0:?}, which is not ours to trust")]
    UnknownCertificate(String),
    #[error("the answer is about something else")]
    Foreign,
    #[error("the provider does not know either (code {code:?})")]
    Provider { code: String },
    #[error("the refund was accepted, and is not confirmed yet")]
    Unconfirmed,
    #[error("the sandbox's book could not be read or written")]
    Book(#[source] BookError),
    #[error("the sandbox's book was changed by others all the time")]
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
