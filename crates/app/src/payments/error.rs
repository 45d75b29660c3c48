//! Errors between this site and a payment provider.

use pay::{CallbackError, CashierError, CreateError, Refusal, UnknownCause};
use storage::payments::ConfirmRefusal;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum PaymentError {
    #[error("this site has no payment provider {0:?} any more")]
    NoProvider(String),
    #[error("no payment link could be made")]
    Create(#[from] CreateError),
    #[error("the cashier did not do its part")]
    Cashier(#[source] CashierError),
    #[error("a callback of our own is not believed")]
    Callback(#[from] CallbackError),
    #[error("what the provider did is not known yet")]
    Unknown(#[source] UnknownCause),
    #[error("the provider gives nothing back")]
    Refused(#[source] Refusal),
    #[error("the payment is disputed")]
    Disputed(#[source] ConfirmRefusal),
    #[error("{0} cents are no amount that SQL can keep")]
    Amount(u64),
}

impl PaymentError {
    /// Whether a dependency of ours is down, so that nothing else works either. A provider outage affects only its
    /// own payments.
    pub(crate) fn is_outage(&self) -> bool {
        let is_store = |cause: &UnknownCause| matches!(cause, UnknownCause::TradeStore(_));
        match self {
            Self::Cashier(CashierError::Unavailable(cause)) | Self::Unknown(cause) => {
                is_store(cause)
            }
            _ => false,
        }
    }
}
