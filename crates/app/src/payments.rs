//! Money for orders, as it comes from outside: begun at a provider, heard of, asked about, given back.
//!
//! SQL decides everything (`storage::payments`); here is the way between it and a provider (`pay`). What a provider says
//! is believed only by its signature, compared with what was asked, and taken once. What it does not say is asked for
//! again, never guessed.
//!
//! | what happens | what becomes of the money |
//! |---|---|
//! | the callback comes twice, or both it and an answer | the provider's number names it: taken once |
//! | it comes for an order that is cancelled or paid | kept in escrow, returned through the outbox, the person is told |
//! | a person pays in two windows | the second payment is returned in the same way |
//! | it is returned in the provider's console | the order ends; if it was part of it, or the order was used, an admin is notified |
//! | another amount than was asked for, or a number that is not ours | not taken; a row in the record of deeds and a metric, until a person has looked |
//! | no callback comes | the provider is asked, with growing pauses |
//! | the provider cannot be asked, or does not know | asked again, with the same numbers |
//! | the process dies between the provider's yes and SQL | the same question is asked again by the next process |

mod ask;
mod balance;
mod begin;
mod book;
mod cashier;
mod dispute;
mod error;
mod hear;
mod outside;
mod refund;

use std::sync::Arc;
use std::time::Duration;

use domain::PayType;
use pay::{OutTradeNo, Provider, RefundNo, Sandbox};
use storage::payments::{Payment, PaymentId};

pub use ask::run_asking;
pub(crate) use balance::add;
pub use balance::{balance_cents, credit};
pub(crate) use begin::pay_through;
pub use begin::{PayWay, Paying};
pub use book::TradeBook;
pub use cashier::{CashierPage, act, open};
pub use error::PaymentError;
pub use hear::hear;
pub(crate) use hear::new_code;
pub use outside::{OutsidePage, list_outside, settle_outside};
pub(crate) use refund::follow_refund;

/// What a site chooses about payments, checked by the settings.
#[derive(Debug)]
pub struct PaymentRules {
    /// Where people pay besides their balance.
    pub provider: Option<Provider>,
    /// Whether the sandbox sends everybody to its cashier, instead of paying at once.
    pub always_cashier: bool,
    /// The site's address as people and providers reach it, without a trailing slash.
    pub public_url: String,
    /// How long after its beginning a payment that nothing was heard of is asked about.
    pub ask_after: Duration,
}

/// What a process has for payments.
#[derive(Clone, Debug)]
pub struct Payments {
    rules: Arc<PaymentRules>,
}

impl Payments {
    pub fn new(rules: PaymentRules) -> Self {
        Self {
            rules: Arc::new(rules),
        }
    }

    pub fn provider(&self) -> Option<&Provider> {
        self.rules.provider.as_ref()
    }

    /// The ways to pay that this site offers. The sandbox plays every provider; a real one is itself alone.
    pub fn ways(&self) -> &'static [PayType] {
        match self.provider() {
            Some(Provider::Sandbox(_)) => &[PayType::Balance, PayType::Alipay, PayType::WeChat],
            Some(Provider::Alipay(_)) => &[PayType::Balance, PayType::Alipay],
            None => &[PayType::Balance],
        }
    }

    /// The provider of this name, if the site has it.
    pub fn provider_named(&self, name: &str) -> Option<&Provider> {
        self.provider().filter(|provider| provider.name() == name)
    }

    pub(crate) fn sandbox(&self) -> Option<&Sandbox> {
        match self.provider() {
            Some(Provider::Sandbox(sandbox)) => Some(sandbox),
            Some(Provider::Alipay(_)) | None => None,
        }
    }

    /// The provider that took a payment.
    pub(crate) fn provider_of(&self, payment: &Payment) -> Result<&Provider, PaymentError> {
        let found = self.provider_named(&payment.provider);
        found.ok_or_else(|| PaymentError::NoProvider(payment.provider.clone()))
    }
}

/// What a provider knows a payment by. It begins with the order, so that two databases that use one merchant's account
/// do not name two payments alike.
pub(crate) fn trade_no(payment: &Payment) -> OutTradeNo {
    trade_no_under(payment, payment.id)
}

/// What a provider knows a payment by that came under the number of another one for the same order.
pub(crate) fn trade_no_under(payment: &Payment, id: PaymentId) -> OutTradeNo {
    let order = payment.order.map_or(0, domain::OrderId::get);
    let number = OutTradeNo::parse(format!("{order}_{id}"));
    number.expect("two numbers and an underscore are plain and short")
}

/// The payment that a provider's callback is about.
fn payment_of(number: &OutTradeNo) -> Option<PaymentId> {
    let (_, id) = number.as_str().rsplit_once('_')?;
    id.parse().ok().map(PaymentId::new)
}

/// What the numbers of our refunds end in. A provider's console gives its own.
const REFUND_END: &str = "_back";

fn is_refund_of_ours(number: &RefundNo) -> bool {
    number.as_str().ends_with(REFUND_END)
}

/// Each payment goes back once, so its own number names its refund.
fn refund_no(payment: &Payment) -> RefundNo {
    let order = payment.order.map_or(0, domain::OrderId::get);
    let number = RefundNo::parse(format!("{order}_{}{REFUND_END}", payment.id));
    number.expect("two numbers and a word are plain and short")
}
