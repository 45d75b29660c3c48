//! Refunds that a provider made without our asking: in its console, or by its support. The order follows the money; what
//! needs a person to decide is listed for admins, who get a notice.

use kv::Session;
use storage::payments::{self, OUTSIDE_LIMIT, Outside, OutsideRefund, Payment, PaymentId};
use storage::users;

use super::PaymentError;
use super::hear::take_money;
use crate::permission::admin;
use crate::{App, Error, Refusal, notices};

/// One page of a list, oldest first.
#[derive(Clone, Debug)]
pub struct OutsidePage {
    pub refunds: Vec<OutsideRefund>,
    /// Where the next page begins; absent on the last one.
    pub next: Option<PaymentId>,
}

/// Of `amount_cents` that were paid, `total_cents` are back where they came from.
pub(super) async fn follow(
    app: &App,
    payment: &Payment,
    provider_ref: &str,
    amount_cents: u64,
    total_cents: u64,
) -> Result<(), Error> {
    let total = i64::try_from(total_cents).map_err(|_| PaymentError::Amount(total_cents))?;
    if total < payment.amount_cents {
        // That it was paid may be news as well.
        take_money(app, payment.id, provider_ref, amount_cents).await?;
    }
    let outside = payments::refunded_outside(app.db(), payment.id, provider_ref, total).await?;
    match outside {
        Outside::Refunded { order, user_id } => {
            tracing::info!(%order, "order refunded at the provider");
            app.outbox().wake();
            notices::tell(app, &[user_id]).await;
        }
        Outside::Held { order } | Outside::Used { order } => {
            metrics::counter!("tandian_payments_disputed_total").increment(1);
            tracing::error!(
                %order, payment = %payment.id, total_cents,
                "order refunded at the provider: an admin must look at it"
            );
            notices::tell(app, &users::list_admins(app.db()).await?).await;
        }
        Outside::Unheard => {
            tracing::warn!(payment = %payment.id, "payment refunded before its callback came");
        }
        Outside::Repeated => {}
    }
    Ok(())
}

/// Those that wait for an admin, above `after`.
pub async fn list_outside(
    app: &App,
    session: &Session,
    after: Option<PaymentId>,
) -> Result<OutsidePage, Error> {
    admin(session)?;
    let after = after.unwrap_or(PaymentId::new(0));
    let refunds = payments::list_outside(app.db(), after, OUTSIDE_LIMIT).await?;
    let is_full = refunds.len() == OUTSIDE_LIMIT as usize;
    let next = refunds.last().map(|it| it.payment).filter(|_| is_full);
    Ok(OutsidePage { refunds, next })
}

/// A line for the next admin to read.
const NOTE_MAX_CHARS: usize = 500;

/// An admin has looked at it. An order that is held gets the rest of its money back.
pub async fn settle_outside(
    app: &App,
    session: &Session,
    id: PaymentId,
    note: &str,
) -> Result<(), Error> {
    admin(session)?;
    let note: String = note.trim().chars().take(NOTE_MAX_CHARS).collect();
    let actor = session.profile.user_id;
    if !payments::settle_outside(app.db(), actor, id, &note).await? {
        return Err(Refusal::PaymentNotFound.into());
    }
    app.outbox().wake();
    Ok(())
}
