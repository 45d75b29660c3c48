//! The state machine of one payment at the sandbox: each step takes a trade and the time, and returns the next trade.
//!
//! Invariants: there are at most two payments, references are unique, refunds never exceed payments, and a refund number has
//! one amount.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::LinkPayload;
use crate::{
    CloseOutcome, Payment, QueryOutcome, Refund, RefundNo, RefundOutcome, Refusal, RefusalKind,
};

/// How long after the expiry a late payment happens.
pub const LATE_BY: SignedDuration = SignedDuration::from_secs(1);

/// More refunds per trade than this test nothing.
const MAX_REFUNDS: usize = 100;

/// What the buyer at the cashier may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CashierAction {
    Pay,
    /// Cancels: the trade ends without a charge.
    Fail,
    /// Pays just after the expiry, as a slow bank does. Closing the trade does not prevent it.
    PayLate,
    /// Pays in two windows: two payments under one number, one of which must be refunded.
    PayTwice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CashierRefusal {
    #[error("the payment has expired")]
    Expired,
    #[error("the payment is closed")]
    Closed,
    #[error("it is paid already")]
    AlreadyPaid,
}

/// A payment the sandbox knows of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trade {
    #[serde(rename = "ticket")]
    link_payload: LinkPayload,
    /// Rises by one with each change; a store replaces only the version before.
    version: u64,
    closed_at: Option<Timestamp>,
    payments: Vec<Payment>,
    refunds: Vec<Refund>,
}

impl Trade {
    pub fn opened(link_payload: LinkPayload) -> Self {
        Self {
            link_payload,
            version: 1,
            closed_at: None,
            payments: Vec::new(),
            refunds: Vec::new(),
        }
    }

    pub fn link_payload(&self) -> &LinkPayload {
        &self.link_payload
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    /// All payments, future ones included.
    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }

    pub fn refunds(&self) -> &[Refund] {
        &self.refunds
    }

    pub fn closed_at(&self) -> Option<Timestamp> {
        self.closed_at
    }

    /// The next trade; unchanged if the action has no effect: paying a paid trade is not paying twice.
    pub fn apply(&self, action: CashierAction, now: Timestamp) -> Result<Self, CashierRefusal> {
        match action {
            CashierAction::Pay => self.with_payments(1, now),
            CashierAction::PayTwice => self.with_payments(2, now),
            CashierAction::PayLate => Ok(self.paid_up_to(1, now.max(self.late()))),
            CashierAction::Fail if !self.payments.is_empty() => Err(CashierRefusal::AlreadyPaid),
            CashierAction::Fail => Ok(self.closed(now)),
        }
    }

    pub fn query(&self, now: Timestamp) -> QueryOutcome {
        let Some(payment) = self.payments_until(now).next() else {
            return if self.is_over(now) {
                QueryOutcome::Closed
            } else {
                QueryOutcome::Waiting
            };
        };
        if self.refunded_cents() >= self.paid_cents(now) {
            QueryOutcome::Refunded(payment.clone())
        } else {
            QueryOutcome::Paid(payment.clone())
        }
    }

    pub fn close(&self, now: Timestamp) -> (Self, CloseOutcome) {
        match self.query(now) {
            QueryOutcome::Paid(payment) => (self.clone(), CloseOutcome::Paid(payment)),
            QueryOutcome::Refunded(payment) => (self.clone(), CloseOutcome::Refunded(payment)),
            _ => (self.closed(now), CloseOutcome::Closed),
        }
    }

    pub fn refund(
        &self,
        refund_no: &RefundNo,
        amount_cents: u64,
        now: Timestamp,
    ) -> (Self, RefundOutcome) {
        if let Some(earlier) = self.refunds.iter().find(|r| r.refund_no == *refund_no) {
            return (self.clone(), repeated(earlier, amount_cents));
        }
        if let Some(kind) = self.refund_refusal(amount_cents, now) {
            return (self.clone(), refused(kind));
        }
        let refund = Refund {
            refund_no: refund_no.clone(),
            amount_cents,
            refunded_at: Some(now),
        };
        let next = self.changed(|next| next.refunds.push(refund.clone()));
        (next, RefundOutcome::Refunded(refund))
    }

    fn refund_refusal(&self, amount_cents: u64, now: Timestamp) -> Option<RefusalKind> {
        let paid_cents = self.paid_cents(now);
        if paid_cents == 0 || self.refunds.len() >= MAX_REFUNDS {
            return Some(RefusalKind::WrongState);
        }
        // A clock that went back may hide payments.
        let left_cents = paid_cents.saturating_sub(self.refunded_cents());
        (amount_cents == 0 || amount_cents > left_cents).then_some(RefusalKind::TooMuch)
    }

    fn with_payments(&self, count: usize, now: Timestamp) -> Result<Self, CashierRefusal> {
        if self.payments.is_empty() && self.closed_at.is_some() {
            return Err(CashierRefusal::Closed);
        }
        if self.payments.is_empty() && now >= self.link_payload.expires_at {
            return Err(CashierRefusal::Expired);
        }
        Ok(self.paid_up_to(count, now))
    }

    fn paid_up_to(&self, count: usize, at: Timestamp) -> Self {
        if self.payments.len() >= count {
            return self.clone();
        }
        self.changed(|next| {
            for ordinal in self.payments.len() + 1..=count {
                next.payments.push(self.payment(ordinal, at));
            }
        })
    }

    fn payment(&self, ordinal: usize, at: Timestamp) -> Payment {
        Payment {
            provider_ref: format!("sandbox-{}-{ordinal}", self.link_payload.out_trade_no),
            amount_cents: self.link_payload.amount_cents,
            paid_at: Some(at),
        }
    }

    fn closed(&self, now: Timestamp) -> Self {
        if self.closed_at.is_some() {
            return self.clone();
        }
        self.changed(|next| next.closed_at = Some(now))
    }

    fn changed(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut next = self.clone();
        change(&mut next);
        next.version += 1;
        next
    }

    fn late(&self) -> Timestamp {
        let late = self.link_payload.expires_at.checked_add(LATE_BY);
        late.unwrap_or(Timestamp::MAX)
    }

    fn is_over(&self, now: Timestamp) -> bool {
        self.closed_at.is_some() || now >= self.link_payload.expires_at
    }

    fn payments_until(&self, now: Timestamp) -> impl Iterator<Item = &Payment> {
        self.payments
            .iter()
            .filter(move |payment| payment.paid_at.is_some_and(|at| at <= now))
    }

    fn paid_cents(&self, now: Timestamp) -> u64 {
        self.payments_until(now).map(|p| p.amount_cents).sum()
    }

    fn refunded_cents(&self) -> u64 {
        self.refunds.iter().map(|refund| refund.amount_cents).sum()
    }
}

fn repeated(earlier: &Refund, amount_cents: u64) -> RefundOutcome {
    if earlier.amount_cents == amount_cents {
        RefundOutcome::Refunded(earlier.clone())
    } else {
        refused(RefusalKind::NumberReused)
    }
}

pub(super) fn refused(kind: RefusalKind) -> RefundOutcome {
    RefundOutcome::Refused(Refusal {
        kind,
        code: format!("sandbox.{kind:?}"),
    })
}

#[cfg(test)]
mod tests;
