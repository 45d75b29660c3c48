//! What a provider says about money that came: believed once, compared with what was asked, and never swallowed.

use domain::{OrderId, RedeemCode, UserId};
use sea_orm::{DbErr, Value};
use thiserror::Error;

use super::payment::read;
use super::refund::announce_due;
use super::{Payment, PaymentId, PaymentState, after_paid, change_state, make_paid};
use crate::db::DatabaseTransaction;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::orders::find;
use crate::sql::{execute, is_taken, settle};
use crate::{Db, Error};

/// What became of the money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    Paid {
        order: OrderId,
        user_id: UserId,
    },
    /// The same was said before.
    Repeated,
    /// The order does not want it any more; it will be returned.
    Late {
        order: OrderId,
        user_id: UserId,
    },
}

/// What a person has to look at. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfirmRefusal {
    #[error("there is no such payment for an order")]
    NoSuchPayment,
    #[error("{expected_cents} cents were asked for")]
    WrongAmount { expected_cents: i64 },
    #[error("the payment is known by another number of the provider: {known}")]
    OtherRef { known: String },
    #[error("the provider's number belongs to another payment")]
    RefTaken,
}

/// Takes note that a provider has the money of a payment. `code` is what the buyer will show at the counter.
///
/// The caller has made sure that it really is the provider who says so.
pub async fn confirm(
    db: &Db,
    id: PaymentId,
    provider_ref: &str,
    amount_cents: i64,
    code: &RedeemCode,
) -> Result<Result<Confirmed, ConfirmRefusal>, Error> {
    let confirm = async {
        let transaction = db.begin().await?;
        let (payment, order) = match check(&transaction, id, amount_cents).await? {
            Ok(found) => found,
            Err(refusal) => return settle(transaction, Err(refusal)).await,
        };
        match take(&transaction, &payment, order, provider_ref, code).await? {
            Ok(confirmed) => settle(transaction, Ok(confirmed)).await,
            Err(NotTaken::RefTaken) => settle(transaction, Err(ConfirmRefusal::RefTaken)).await,
            Err(NotTaken::ConfirmedBefore) => {
                transaction.rollback().await?;
                repeated(db, id, provider_ref).await
            }
        }
    };
    db.run("confirm payment", confirm).await
}

async fn check(
    transaction: &DatabaseTransaction,
    id: PaymentId,
    amount_cents: i64,
) -> Result<Result<(Payment, OrderId), ConfirmRefusal>, DbErr> {
    let Some(payment) = read(transaction, id).await? else {
        return Ok(Err(ConfirmRefusal::NoSuchPayment));
    };
    let expected_cents = payment.amount_cents;
    Ok(match payment.order {
        None => Err(ConfirmRefusal::NoSuchPayment),
        Some(_) if expected_cents != amount_cents => {
            Err(ConfirmRefusal::WrongAmount { expected_cents })
        }
        Some(order) => Ok((payment, order)),
    })
}

/// Why money changes nothing. Nothing of the attempt may stay.
enum NotTaken {
    ConfirmedBefore,
    RefTaken,
}

async fn take(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    order: OrderId,
    provider_ref: &str,
    code: &RedeemCode,
) -> Result<Result<Confirmed, NotTaken>, DbErr> {
    let is_wanted = make_paid(transaction, order, payment.pay_type, code)
        .await?
        .is_ok();
    let state = if is_wanted {
        PaymentState::Paid
    } else {
        PaymentState::Late
    };
    let unheard = [PaymentState::Begun, PaymentState::Closed];
    if !change_state(transaction, payment.id, &unheard, state).await? {
        return Ok(Err(NotTaken::ConfirmedBefore));
    }
    if !set_ref(transaction, payment.id, provider_ref).await? {
        return Ok(Err(NotTaken::RefTaken));
    }
    payment.pay_into_escrow(transaction).await?;
    let user_id = payment.user_id;
    let confirmed = if is_wanted {
        let standing = find(transaction, order).await?;
        let standing = standing.ok_or_else(|| DbErr::RecordNotFound(format!("order {order}")))?;
        after_paid(transaction, &standing).await?;
        Confirmed::Paid { order, user_id }
    } else {
        announce_due(transaction, payment).await?;
        let kind = NoticeKind::PaymentReturned;
        let notice = NewNotice::of_payment(user_id, kind, payment.id.get(), order);
        notices::insert(transaction, &[notice]).await?;
        Confirmed::Late { order, user_id }
    };
    Ok(Ok(confirmed))
}

/// `false` if another payment has this number: the same money pays once.
pub(super) async fn set_ref(
    transaction: &DatabaseTransaction,
    id: PaymentId,
    provider_ref: &str,
) -> Result<bool, DbErr> {
    let sql = "UPDATE tb_payment SET provider_ref = ? WHERE id = ?";
    let values: [Value; 2] = [provider_ref.into(), id.get().into()];
    match execute(transaction, sql, values).await {
        Ok(_) => Ok(true),
        Err(error) if is_taken(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Two different numbers for one payment are two payments to the provider: somebody must look at that.
async fn repeated(
    db: &Db,
    id: PaymentId,
    provider_ref: &str,
) -> Result<Result<Confirmed, ConfirmRefusal>, DbErr> {
    let payment = read(db.reader(), id).await?;
    let known = payment.and_then(|payment| payment.provider_ref);
    Ok(match known {
        Some(known) if known != provider_ref => Err(ConfirmRefusal::OtherRef { known }),
        _ => Ok(Confirmed::Repeated),
    })
}
