//! The life of one payment at the sandbox, as values: each step takes a trade and the time, and gives the next trade.
//!
//! Kept at every step: there are at most two payments, references are never given twice, no more goes back than came in,
//! and a refund number belongs to one amount for ever.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Ticket;
use crate::{
    CloseOutcome, Payment, QueryOutcome, Refund, RefundNo, RefundOutcome, Refusal, RefusalKind,
};

/// How long after the expiry a late payment happens.
pub const LATE_BY: SignedDuration = SignedDuration::from_secs(1);

/// A trade with more refunds than this is no test of anything.
const MAX_REFUNDS: usize = 100;

/// What the person at the cashier may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    Pay,
    /// Gives up: the trade ends without money.
    Fail,
    /// Pays just after the expiry, as banks do that were slow. No closing stops it.
    PayLate,
    /// Pays in two windows: two payments under one number, one of which must go back.
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
    ticket: Ticket,
    /// Goes up by one with each change; a book stores a trade only over the version before.
    version: u64,
    closed_at: Option<Timestamp>,
    payments: Vec<Payment>,
    refunds: Vec<Refund>,
}

impl Trade {
    pub fn opened(ticket: Ticket) -> Self {
        Self {
            ticket,
            version: 1,
            closed_at: None,
            payments: Vec::new(),
            refunds: Vec::new(),
        }
    }

    pub fn ticket(&self) -> &Ticket {
        &self.ticket
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    /// All payments, those that will only have happened later included.
    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }

    pub fn refunds(&self) -> &[Refund] {
        &self.refunds
    }

    pub fn closed_at(&self) -> Option<Timestamp> {
        self.closed_at
    }

    /// The next trade, which is this one where the act changes nothing: paying again what is paid is not paying twice.
    pub fn act(&self, act: Act, now: Timestamp) -> Result<Self, CashierRefusal> {
        match act {
            Act::Pay => self.with_payments(1, now),
            Act::PayTwice => self.with_payments(2, now),
            Act::PayLate => Ok(self.paid_up_to(1, now.max(self.late()))),
            Act::Fail if !self.payments.is_empty() => Err(CashierRefusal::AlreadyPaid),
            Act::Fail => Ok(self.closed(now)),
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
        // A clock that stepped back may not see all that was paid any more.
        let left_cents = paid_cents.saturating_sub(self.refunded_cents());
        (amount_cents == 0 || amount_cents > left_cents).then_some(RefusalKind::TooMuch)
    }

    fn with_payments(&self, count: usize, now: Timestamp) -> Result<Self, CashierRefusal> {
        if self.payments.is_empty() && self.closed_at.is_some() {
            return Err(CashierRefusal::Closed);
        }
        if self.payments.is_empty() && now >= self.ticket.expires_at {
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
            provider_ref: format!("sandbox-{}-{ordinal}", self.ticket.out_trade_no),
            amount_cents: self.ticket.amount_cents,
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
        let late = self.ticket.expires_at.checked_add(LATE_BY);
        late.unwrap_or(Timestamp::MAX)
    }

    fn is_over(&self, now: Timestamp) -> bool {
        self.closed_at.is_some() || now >= self.ticket.expires_at
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
