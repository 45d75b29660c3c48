//! Confirms money that a provider received: applied once, compared with the requested amount, never lost.

use domain::{OrderId, RedeemCode, UserId};
use sea_orm::{DbErr, Value};
use thiserror::Error;

use super::payment::read;
use super::refund::enqueue_refund;
use super::{Payment, PaymentId, PaymentState, after_paid, change_state, make_paid};
use crate::db::DatabaseTransaction;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::orders::find;
use crate::sql::{commit_or_rollback, execute, is_unique_violation};
use crate::{Db, Error};

/// The outcome of a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    Paid {
        order: OrderId,
        user_id: UserId,
    },
    /// Confirmed before.
    Repeated,
    /// The order is no longer payable; the money is refunded.
    Late {
        order: OrderId,
        user_id: UserId,
    },
}

/// Needs an admin's attention. Nothing was changed.
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

/// Records that a provider has the money of a payment. `code` becomes the redeem code.
///
/// The caller has verified that the message is the provider's.
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
            Err(refusal) => return commit_or_rollback(transaction, Err(refusal)).await,
        };
        match take(&transaction, &payment, order, provider_ref, code).await? {
            Ok(confirmed) => commit_or_rollback(transaction, Ok(confirmed)).await,
            Err(NotConfirmed::RefTaken) => {
                commit_or_rollback(transaction, Err(ConfirmRefusal::RefTaken)).await
            }
            Err(NotConfirmed::ConfirmedBefore) => {
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

/// Why the confirmation is rolled back.
enum NotConfirmed {
    ConfirmedBefore,
    RefTaken,
}

async fn take(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    order: OrderId,
    provider_ref: &str,
    code: &RedeemCode,
) -> Result<Result<Confirmed, NotConfirmed>, DbErr> {
    let is_wanted = make_paid(transaction, order, payment.pay_type, code)
        .await?
        .is_ok();
    let state = if is_wanted {
        PaymentState::Paid
    } else {
        PaymentState::Late
    };
    let unconfirmed = [PaymentState::Begun, PaymentState::Closed];
    if !change_state(transaction, payment.id, &unconfirmed, state).await? {
        return Ok(Err(NotConfirmed::ConfirmedBefore));
    }
    if !set_ref(transaction, payment.id, provider_ref).await? {
        return Ok(Err(NotConfirmed::RefTaken));
    }
    payment.pay_into_escrow(transaction).await?;
    let user_id = payment.user_id;
    let confirmed = if is_wanted {
        let order_state = find(transaction, order).await?;
        let order_state =
            order_state.ok_or_else(|| DbErr::RecordNotFound(format!("order {order}")))?;
        after_paid(transaction, &order_state).await?;
        Confirmed::Paid { order, user_id }
    } else {
        enqueue_refund(transaction, payment).await?;
        let kind = NoticeKind::PaymentReturned;
        let notice = NewNotice::of_payment(user_id, kind, payment.id.get(), order);
        notices::insert(transaction, &[notice]).await?;
        Confirmed::Late { order, user_id }
    };
    Ok(Ok(confirmed))
}

/// `false` if another payment has this reference: the same money pays once.
pub(super) async fn set_ref(
    transaction: &DatabaseTransaction,
    id: PaymentId,
    provider_ref: &str,
) -> Result<bool, DbErr> {
    let sql = "UPDATE tb_payment SET provider_ref = ? WHERE id = ?";
    let values: [Value; 2] = [provider_ref.into(), id.get().into()];
    match execute(transaction, sql, values).await {
        Ok(_) => Ok(true),
        Err(error) if is_unique_violation(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Two references for one payment are two payments at the provider; an admin must look at them.
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
