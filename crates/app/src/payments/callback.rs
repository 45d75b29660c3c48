//! Handles a provider's message about a payment, from a callback or a poll. Idempotent.

use domain::RedeemCode;
use pay::{NotifiedStatus, OutTradeNo, PaymentNotification};
use rand::RngExt as _;
use storage::payments::{self, ConfirmRefusal, Confirmed, Payment, PaymentId};

use super::{PaymentError, dispute, is_refund_of_ours, outside_refunds, payment_of, trade_no};
use crate::{App, Error, fail_point, notices};

/// Handles a verified notification of the named provider. `Ok(None)` means that there was nothing to apply; the callback is
/// acknowledged in every case but an error.
pub async fn handle_callback(
    app: &App,
    provider: &str,
    notification: &PaymentNotification,
) -> Result<Option<Confirmed>, Error> {
    let Some(payment) = find_by_trade_no(app, provider, &notification.out_trade_no).await? else {
        return record_unknown(app, notification).await;
    };
    let (reference, cents) = (&notification.provider_ref, notification.amount_cents);
    match &notification.outcome {
        NotifiedStatus::Paid => confirm_payment(app, payment.id, reference, cents).await,
        NotifiedStatus::Closed => {
            payments::close(app.db(), payment.id).await?;
            Ok(None)
        }
        // The outbox books refunds that this site requested.
        NotifiedStatus::Refunded { refund_no, .. }
            if refund_no.as_ref().is_some_and(is_refund_of_ours) =>
        {
            Ok(None)
        }
        NotifiedStatus::Refunded { total_cents, .. } => {
            outside_refunds::apply(app, &payment, reference, cents, *total_cents).await?;
            Ok(None)
        }
        NotifiedStatus::Waiting => Ok(None),
    }
}

/// The payment with exactly this trade number at this provider. Another site may share the merchant's account, and a
/// restored database may reuse payment ids: the suffix alone does not identify a payment.
async fn find_by_trade_no(
    app: &App,
    provider: &str,
    number: &OutTradeNo,
) -> Result<Option<Payment>, Error> {
    let Some(id) = payment_of(number) else {
        return Ok(None);
    };
    let found = payments::get(app.db(), id).await?;
    Ok(found.filter(|payment| payment.provider == provider && trade_no(payment) == *number))
}

/// Records money that matches no payment in the audit log.
async fn record_unknown(
    app: &App,
    notification: &PaymentNotification,
) -> Result<Option<Confirmed>, Error> {
    if notification.outcome == NotifiedStatus::Paid {
        let (number, reference) = (
            notification.out_trade_no.as_str(),
            &notification.provider_ref,
        );
        let problem = "its number is none of ours";
        dispute::record(app, number, reference, notification.amount_cents, problem).await?;
    }
    Ok(None)
}

/// Confirms a payment: the money pays its order or is refunded.
pub(super) async fn confirm_payment(
    app: &App,
    payment: PaymentId,
    provider_ref: &str,
    amount_cents: u64,
) -> Result<Option<Confirmed>, Error> {
    let cents = i64::try_from(amount_cents).map_err(|_| PaymentError::Amount(amount_cents))?;
    fail_point::pass("before_money_is_taken");
    let code = new_code();
    let confirmed = payments::confirm(app.db(), payment, provider_ref, cents, &code).await?;
    let confirmed = match confirmed {
        Err(ConfirmRefusal::OtherRef { .. }) => {
            payments::confirm_duplicate(app.db(), payment, provider_ref, cents).await?
        }
        confirmed => confirmed,
    };
    fail_point::pass("after_money_is_taken");
    match confirmed {
        Ok(confirmed) => {
            notify_buyer(app, confirmed).await;
            Ok(Some(confirmed))
        }
        Err(problem) => {
            // An admin must compare the provider's books with ours.
            let (number, text) = (payment.to_string(), problem.to_string());
            dispute::record(app, &number, provider_ref, amount_cents, &text).await?;
            Err(PaymentError::Disputed(problem).into())
        }
    }
}

/// A new redeem code, from the thread's cryptographic generator.
pub(crate) fn new_code() -> RedeemCode {
    RedeemCode::generate(|limit| rand::rng().random_range(0..limit))
}

async fn notify_buyer(app: &App, confirmed: Confirmed) {
    match confirmed {
        Confirmed::Paid { user_id, .. } => notices::notify(app, &[user_id]).await,
        Confirmed::Late { user_id, .. } => {
            app.outbox().wake();
            notices::notify(app, &[user_id]).await;
        }
        Confirmed::Repeated => {}
    }
}
