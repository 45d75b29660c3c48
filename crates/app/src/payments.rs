//! Payments through providers: started, confirmed by callback or poll, refunded.
//!
//! SQL decides every state change (`storage::payments`); this module connects it with the provider (`pay`). A
//! provider's message is accepted only with a valid signature, compared with the requested amount, and applied once.
//! Missing information is polled for, never guessed.
//!
//! | what happens | what becomes of the money |
//! |---|---|
//! | the callback is repeated, or comes besides a poll | applied once, by the provider's reference |
//! | it comes for a cancelled or paid order | kept in escrow, refunded through the outbox, the buyer is notified |
//! | a buyer pays in two windows | the second payment is refunded in the same way |
//! | it is refunded in the provider's console | the order ends; after a partial refund or for a used order an admin is notified |
//! | a wrong amount, or an unknown trade number | not applied; an audit entry and a metric, until an admin has looked |
//! | no callback comes | the provider is polled at growing intervals |
//! | the provider cannot be reached, or does not know | polled again with the same numbers |
//! | the process dies between the provider's reply and SQL | the next process polls again |

mod balance;
mod begin;
mod book;
mod callback;
mod cashier;
mod dispute;
mod error;
mod outside_refunds;
mod poll;
mod refund;

use std::sync::Arc;
use std::time::Duration;

use domain::PayType;
use jiff::Timestamp;
use pay::{OutTradeNo, Provider, RefundNo, Sandbox};
use storage::orders::Order;
use storage::payments::{Payment, PaymentId};

pub use balance::{Booking, BookingKind, balance_cents, credit, list_bookings};
#[cfg(feature = "demo")]
pub(crate) use balance::{DEMO, add};
pub(crate) use begin::pay_through;
pub use begin::{PayWay, Paying};
pub use book::TradeBook;
pub use callback::handle_callback;
pub(crate) use callback::new_code;
pub use cashier::{CashierPage, act, open};
pub use error::PaymentError;
pub use outside_refunds::{list_outside, settle_outside};
pub use poll::run_polling;
pub(crate) use refund::apply_refund;

/// What a site chooses about payments, checked by the settings.
#[derive(Debug)]
pub struct PaymentRules {
    /// The provider besides the balance.
    pub provider: Option<Provider>,
    /// Whether the sandbox always shows its cashier page instead of paying at once.
    pub always_cashier: bool,
    /// The site's address as people and providers reach it, without a trailing slash.
    pub public_url: String,
    /// How long after its start an unconfirmed payment is first polled.
    pub ask_after: Duration,
}

/// Per-process state of payments.
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

    /// The pay types that this site offers. The sandbox emulates every provider.
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

/// How long a payment stays open for an order without a deadline of its own.
const OPEN_WITHOUT_DEADLINE: Duration = Duration::from_secs(24 * 60 * 60);

/// Until when a payment may be made: its order's deadline, or its own.
pub(crate) fn deadline_of(order: &Order, payment: &Payment) -> Timestamp {
    let own = || payment.created_at.saturating_add(OPEN_WITHOUT_DEADLINE);
    order
        .pay_deadline
        .unwrap_or_else(|| own().unwrap_or(Timestamp::MAX))
}

/// The trade number of a payment at its provider. It starts with the order id, so that two databases that share a
/// merchant account do not collide.
pub(crate) fn trade_no(payment: &Payment) -> OutTradeNo {
    trade_no_under(payment, payment.id)
}

/// The trade number of a duplicate payment, which came under another payment's number.
pub(crate) fn trade_no_under(payment: &Payment, id: PaymentId) -> OutTradeNo {
    let order = payment.order.map_or(0, domain::OrderId::get);
    let number = OutTradeNo::parse(format!("{order}_{id}"));
    number.expect("two numbers and an underscore are plain and short")
}

/// The payment id in a trade number.
fn payment_of(number: &OutTradeNo) -> Option<PaymentId> {
    let (_, id) = number.as_str().rsplit_once('_')?;
    id.parse().ok().map(PaymentId::new)
}

/// The suffix of our refund numbers. A provider's console uses its own.
const REFUND_END: &str = "_back";

fn is_refund_of_ours(number: &RefundNo) -> bool {
    number.as_str().ends_with(REFUND_END)
}

/// Each payment is refunded at most once, so its id names the refund.
fn refund_no(payment: &Payment) -> RefundNo {
    let order = payment.order.map_or(0, domain::OrderId::get);
    let number = RefundNo::parse(format!("{order}_{}{REFUND_END}", payment.id));
    number.expect("two numbers and a word are plain and short")
}
