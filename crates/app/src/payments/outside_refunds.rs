//! Outside refunds, made in a provider's console or by its support. The order is updated; those that need a decision
//! are listed for admins, who get a notice.

use kv::Session;
use storage::payments::{self, OutsideRefund, OutsideRefundOutcome, Payment, PaymentId};
use storage::users;

use super::PaymentError;
use super::callback::confirm_payment;
use crate::permission::require_admin;
use crate::{App, Error, Page, PageSize, Refusal, notices};

const OUTSIDE_REFUNDS_PER_PAGE: PageSize = PageSize::new(50);

/// Applies an outside refund: of `amount_cents` paid, `total_cents` are refunded.
pub(super) async fn apply(
    app: &App,
    payment: &Payment,
    provider_ref: &str,
    amount_cents: u64,
    total_cents: u64,
) -> Result<(), Error> {
    let total = i64::try_from(total_cents).map_err(|_| PaymentError::Amount(total_cents))?;
    if total < payment.amount_cents {
        // The payment itself may be unconfirmed.
        confirm_payment(app, payment.id, provider_ref, amount_cents).await?;
    }
    let outside =
        payments::record_outside_refund(app.db(), payment.id, provider_ref, total).await?;
    match outside {
        OutsideRefundOutcome::Refunded { order, user_id } => {
            tracing::info!(%order, "order refunded at the provider");
            app.outbox().wake();
            notices::notify(app, &[user_id]).await;
        }
        OutsideRefundOutcome::Held { order } | OutsideRefundOutcome::Used { order } => {
            metrics::counter!("tandian_payments_disputed_total").increment(1);
            tracing::error!(
                %order, payment = %payment.id, total_cents,
                "order refunded at the provider, needs an admin"
            );
            notices::notify(app, &users::list_admins(app.db()).await?).await;
        }
        OutsideRefundOutcome::NeverConfirmed => {
            tracing::warn!(payment = %payment.id, "payment refunded before it was confirmed");
        }
        OutsideRefundOutcome::Repeated => {}
    }
    Ok(())
}

/// The unsettled ones above `after`, oldest first.
pub async fn list_outside(
    app: &App,
    session: &Session,
    after: Option<PaymentId>,
) -> Result<Page<OutsideRefund, PaymentId>, Error> {
    require_admin(session)?;
    let after = after.unwrap_or(PaymentId::new(0));
    let rows = OUTSIDE_REFUNDS_PER_PAGE.rows();
    let refunds = payments::list_outside(app.db(), after, rows).await?;
    Ok(Page::new(refunds, OUTSIDE_REFUNDS_PER_PAGE, |it| {
        it.payment
    }))
}

/// A line for the next admin to read.
const NOTE_MAX_CHARS: usize = 500;

/// Settles an outside refund for an admin. The rest of a held order is refunded.
pub async fn settle_outside(
    app: &App,
    session: &Session,
    id: PaymentId,
    note: &str,
) -> Result<(), Error> {
    require_admin(session)?;
    let note: String = note.trim().chars().take(NOTE_MAX_CHARS).collect();
    let actor = session.profile.user_id;
    if !payments::settle_outside(app.db(), actor, id, &note).await? {
        return Err(Refusal::PaymentNotFound.into());
    }
    app.outbox().wake();
    Ok(())
}
