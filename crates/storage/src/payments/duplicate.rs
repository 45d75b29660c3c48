//! Duplicate payments: a buyer paid the same trade number twice, in two windows. The second payment is refunded.

use sea_orm::Value;

use super::confirm::{ConfirmRefusal, Confirmed};
use super::payment::{NewPayment, read, read_where};
use super::refund::enqueue_duplicate_refund;
use super::{PaymentId, PaymentState};
use crate::notices::{self, NewNotice, NoticeKind};
use crate::sql::commit_or_rollback;
use crate::{Db, Error};

/// Records that a provider received a second payment for `first` under another reference, and enqueues its refund.
/// Idempotent by the provider's reference.
///
/// The caller has verified that the message is the provider's.
pub async fn confirm_duplicate(
    db: &Db,
    first: PaymentId,
    provider_ref: &str,
    amount_cents: i64,
) -> Result<Result<Confirmed, ConfirmRefusal>, Error> {
    let confirm = async {
        let transaction = db.begin().await?;
        let Some(known) = read(&transaction, first).await? else {
            return commit_or_rollback(transaction, Err(ConfirmRefusal::NoSuchPayment)).await;
        };
        let Some(order) = known.order else {
            return commit_or_rollback(transaction, Err(ConfirmRefusal::NoSuchPayment)).await;
        };
        let same = "provider = ? AND provider_ref = ?";
        let values: [Value; 2] = [known.provider.as_str().into(), provider_ref.into()];
        if !read_where(&transaction, same, values).await?.is_empty() {
            return commit_or_rollback(transaction, Ok(Confirmed::Repeated)).await;
        }
        let second = NewPayment {
            order: Some(order),
            user_id: known.user_id,
            provider: &known.provider,
            pay_type: known.pay_type,
            amount_cents,
            state: PaymentState::Late,
            provider_ref: Some(provider_ref),
        };
        let second = second.insert(&transaction).await?;
        second.pay_into_escrow(&transaction).await?;
        enqueue_duplicate_refund(&transaction, second.id, first).await?;
        let (user_id, kind) = (known.user_id, NoticeKind::PaymentReturned);
        let notice = NewNotice::of_payment(user_id, kind, second.id.get(), order);
        notices::insert(&transaction, &[notice]).await?;
        commit_or_rollback(transaction, Ok(Confirmed::Late { order, user_id })).await
    };
    db.run("confirm second payment", confirm).await
}
