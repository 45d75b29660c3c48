//! Money that goes back, by way of the outbox: asked of its provider until it says yes, with the same number each time.

use pay::{Provider, RefundOutcome, RefusalKind};
use storage::payments::{self, BALANCE, Payment, RefundDue, Refunded};

use super::{PaymentError, refund_no, trade_no_under};
use crate::{App, Error, fail_point, notices};

/// Gives the money of a payment back. Repeating it changes nothing.
pub(crate) async fn follow_refund(app: &App, due: &RefundDue) -> Result<(), Error> {
    let Some(payment) = payments::get(app.db(), due.payment).await? else {
        return Ok(());
    };
    if payment.provider != BALANCE {
        ask_back(app, &payment, due).await?;
    }
    fail_point::pass("between_refund_and_its_record");
    if let Refunded::Now { user_id, .. } = payments::finish_refund(app.db(), due.payment).await? {
        app.outbox().wake();
        notices::tell(app, &[user_id]).await;
    }
    Ok(())
}

async fn ask_back(app: &App, payment: &Payment, due: &RefundDue) -> Result<(), PaymentError> {
    let provider = app.payments().provider_of(payment)?;
    let number = trade_no_under(payment, due.under.unwrap_or(payment.id));
    let cents = u64::try_from(payment.amount_cents).unwrap_or(0);
    let refunded = provider.refund(&number, &refund_no(payment), cents).await;
    match (refunded, provider) {
        (RefundOutcome::Refunded(_), _) => Ok(()),
        // A sandbox that lost its book has nobody's money to keep.
        (RefundOutcome::Refused(refusal), Provider::Sandbox(_))
            if refusal.kind == RefusalKind::NotFound =>
        {
            Ok(())
        }
        (RefundOutcome::Refused(refusal), _) => Err(PaymentError::Refused(refusal)),
        (RefundOutcome::Unknown(doubt), _) => Err(PaymentError::Unknown(doubt)),
    }
}
