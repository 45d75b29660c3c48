//! Refunds through the outbox: retried with the same refund number until the provider succeeds.

use pay::{OutTradeNo, Provider, QueryOutcome, RefundOutcome, RefusalKind};
use storage::payments::{self, BALANCE, Payment, PaymentState, RefundDue, Refunded};

use super::{PaymentError, refund_no, trade_no_under};
use crate::{App, Error, fail_point, notices};

/// Applies a due refund. Idempotent.
pub(crate) async fn apply_refund(app: &App, due: &RefundDue) -> Result<(), Error> {
    let Some(payment) = payments::get(app.db(), due.payment).await? else {
        return Ok(());
    };
    // An outside refund may have come first.
    if payment.state == PaymentState::Refunded {
        return Ok(());
    }
    if payment.provider != BALANCE {
        request_refund(app, &payment, due).await?;
    }
    fail_point::pass("between_refund_and_its_record");
    if let Refunded::Now { user_id, .. } = payments::finish_refund(app.db(), due.payment).await? {
        app.outbox().wake();
        notices::notify(app, &[user_id]).await;
    }
    Ok(())
}

async fn request_refund(app: &App, payment: &Payment, due: &RefundDue) -> Result<(), Error> {
    let provider = app.payments().provider_of(payment)?;
    let number = trade_no_under(payment, due.under.unwrap_or(payment.id));
    let refunded_cents = payments::refunded_cents(app.db(), payment.id).await?;
    let left_cents = u64::try_from(payment.amount_cents - refunded_cents).unwrap_or(0);
    if left_cents == 0 {
        return Ok(());
    }
    let refunded = provider
        .refund(&number, &refund_no(payment), left_cents)
        .await;
    match (refunded, provider) {
        (RefundOutcome::Refunded(_), _) => Ok(()),
        // A sandbox that lost its trades holds no real money.
        (RefundOutcome::Refused(refusal), Provider::Sandbox(_))
            if refusal.kind == RefusalKind::NotFound =>
        {
            Ok(())
        }
        (RefundOutcome::Refused(refusal), _) => {
            match is_already_refunded(provider, payment, &number).await {
                true => Ok(()),
                false => Err(PaymentError::Refused(refusal).into()),
            }
        }
        (RefundOutcome::Unknown(doubt), _) => Err(PaymentError::Unknown(doubt).into()),
    }
}

/// Whether this payment was already refunded in full by other means, which is why the provider refuses.
async fn is_already_refunded(provider: &Provider, payment: &Payment, number: &OutTradeNo) -> bool {
    match provider.query(number).await {
        QueryOutcome::Refunded(paid) => payment.provider_ref.as_ref() == Some(&paid.provider_ref),
        _ => false,
    }
}
