//! Money that came a second time under the number of one payment: a person paid in two windows. The second goes back.

use sea_orm::Value;

use super::confirm::{ConfirmRefusal, Confirmed};
use super::payment::{NewPayment, read, read_where};
use super::refund::announce_second;
use super::{PaymentId, PaymentState};
use crate::notices::{self, NewNotice, NoticeKind};
use crate::sql::settle;
use crate::{Db, Error};

/// Takes note that a provider has taken money for `first` once more, under a number of its own, and that it is to be
/// returned. Repeating it changes nothing: the provider's number names it.
///
/// The caller has made sure that it really is the provider who says so.
pub async fn confirm_second(
    db: &Db,
    first: PaymentId,
    provider_ref: &str,
    amount_cents: i64,
) -> Result<Result<Confirmed, ConfirmRefusal>, Error> {
    let confirm = async {
        let transaction = db.begin().await?;
        let Some(known) = read(&transaction, first).await? else {
            return settle(transaction, Err(ConfirmRefusal::NoSuchPayment)).await;
        };
        let Some(order) = known.order else {
            return settle(transaction, Err(ConfirmRefusal::NoSuchPayment)).await;
        };
        let same = "provider = ? AND provider_ref = ?";
        let values: [Value; 2] = [known.provider.as_str().into(), provider_ref.into()];
        if !read_where(&transaction, same, values).await?.is_empty() {
            return settle(transaction, Ok(Confirmed::Repeated)).await;
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
        announce_second(&transaction, second.id, first).await?;
        let (user_id, kind) = (known.user_id, NoticeKind::PaymentReturned);
        let notice = NewNotice::of_payment(user_id, kind, second.id.get(), order);
        notices::insert(&transaction, &[notice]).await?;
        settle(transaction, Ok(Confirmed::Late { order, user_id })).await
    };
    db.run("confirm second payment", confirm).await
}
