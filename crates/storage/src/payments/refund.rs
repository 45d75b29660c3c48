//! Refunds: requested by the owner, or of late payments.
//!
//! A refund has two transactions because a provider stands between them. The first marks it due and enqueues an
//! outbox row that retries the provider until it succeeds; the second books it. A refund to a balance needs no
//! provider and takes the same path.

use domain::{OrderId, OrderStatus, UserId};
use sea_orm::{DbErr, Value};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::payment::read;
use super::{BALANCE, Payment, PaymentId, PaymentState, change_state, count_sold, paid_for};
use crate::accounts;
use crate::db::DatabaseTransaction;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::orders::{OrderRefusal, OrderState, find, find_of, return_units, transition};
use crate::outbox::Lane;
use crate::sql::commit_or_rollback;
use crate::{Db, Error, outbox, time};

/// Outbox payload of a due refund: ask the provider, then call [`finish_refund`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundDue {
    pub payment: PaymentId,
    /// The payment whose trade number the provider knows, if this is a duplicate payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<PaymentId>,
}

impl RefundDue {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "refund_due";

    /// The key of its outbox rows.
    pub fn key(&self) -> String {
        format!("payment:{}", self.payment)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RefundRefusal {
    #[error(transparent)]
    Order(#[from] OrderRefusal),
    /// An order of an adopted database was paid elsewhere.
    #[error("there is no payment on this site to return")]
    NothingPaid,
}

/// The outcome of [`finish_refund`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refunded {
    Now {
        order: OrderId,
        user_id: UserId,
    },
    Before,
    /// The payment does not exist or is not due for a refund.
    NotDue,
}

pub(super) const BEGIN: (OrderStatus, OrderStatus) = (OrderStatus::Paid, OrderStatus::Refunding);
const FINISH: (OrderStatus, OrderStatus) = (OrderStatus::Refunding, OrderStatus::Refunded);

/// Starts the refund of a paid, unused order. The order keeps its unit until the money is back.
pub async fn begin_refund(
    db: &Db,
    owner: UserId,
    order: OrderId,
) -> Result<Result<PaymentId, RefundRefusal>, Error> {
    let begin = async {
        let transaction = db.begin().await?;
        let begun = begin_in(&transaction, owner, order).await?;
        commit_or_rollback(transaction, begun).await
    };
    db.run("begin refund", begin).await
}

/// Books a completed refund; a balance is credited here. If the order was waiting for it, the order ends and its unit
/// is returned to stock. Idempotent.
pub async fn finish_refund(db: &Db, id: PaymentId) -> Result<Refunded, Error> {
    let finish = async {
        let transaction = db.begin().await?;
        let finished = finish_in(&transaction, id).await?;
        if matches!(finished, Refunded::Now { .. }) {
            transaction.commit().await?;
        } else {
            transaction.rollback().await?;
        }
        Ok(finished)
    };
    db.run("finish refund", finish).await
}

async fn begin_in(
    transaction: &DatabaseTransaction,
    owner: UserId,
    order: OrderId,
) -> Result<Result<PaymentId, RefundRefusal>, DbErr> {
    if find_of(transaction, owner, order).await?.is_none() {
        return Ok(Err(OrderRefusal::NoSuchOrder.into()));
    }
    if let Err(refusal) = transition(transaction, order, BEGIN, &[]).await? {
        return Ok(Err(refusal.into()));
    }
    let Some(payment) = paid_for(transaction, order).await? else {
        return Ok(Err(RefundRefusal::NothingPaid));
    };
    let before = [PaymentState::Paid];
    if !change_state(transaction, payment.id, &before, PaymentState::Refunding).await? {
        return Ok(Err(RefundRefusal::NothingPaid));
    }
    enqueue_refund(transaction, &payment).await?;
    Ok(Ok(payment.id))
}

pub(super) async fn finish_in(
    transaction: &DatabaseTransaction,
    id: PaymentId,
) -> Result<Refunded, DbErr> {
    let Some(payment) = read(transaction, id).await? else {
        return Ok(Refunded::NotDue);
    };
    let Some(order) = payment.order else {
        return Ok(Refunded::NotDue);
    };
    let ended = match payment.state {
        PaymentState::Refunding => match end_order(transaction, order).await? {
            Some(order) => Some(order),
            None => return Ok(Refunded::Before),
        },
        PaymentState::Late => None,
        PaymentState::Refunded => return Ok(Refunded::Before),
        PaymentState::Begun | PaymentState::Paid | PaymentState::Closed => {
            return Ok(Refunded::NotDue);
        }
    };
    if !change_state(transaction, id, &[payment.state], PaymentState::Refunded).await? {
        return Ok(Refunded::Before);
    }
    return_money(transaction, &payment).await?;
    if let Some(order) = ended {
        count_sold(transaction, &order, -1).await?;
    }
    let user_id = payment.user_id;
    Ok(Refunded::Now { order, user_id })
}

/// `None` if the order was no longer being refunded.
async fn end_order(
    transaction: &DatabaseTransaction,
    id: OrderId,
) -> Result<Option<OrderState>, DbErr> {
    let assignments = [
        ("refund_time", time::now().into()),
        ("slot", Value::SmallInt(None)),
    ];
    if transition(transaction, id, FINISH, &assignments)
        .await?
        .is_err()
    {
        return Ok(None);
    }
    let order = find(transaction, id).await?;
    let order = order.ok_or_else(|| DbErr::RecordNotFound(format!("order {id}")))?;
    return_units(transaction, &[order.ended()]).await?;
    let notice = NewNotice::of_order(order.user_id, NoticeKind::OrderRefunded, id);
    notices::insert(transaction, &[notice]).await?;
    Ok(Some(order))
}

async fn return_money(transaction: &DatabaseTransaction, payment: &Payment) -> Result<(), DbErr> {
    if payment.provider == BALANCE {
        accounts::credit(transaction, payment.user_id, payment.amount_cents).await?;
    }
    payment.return_from_escrow(transaction).await
}

pub(super) async fn enqueue_refund(
    transaction: &DatabaseTransaction,
    payment: &Payment,
) -> Result<(), DbErr> {
    // A refund to a balance must not queue behind a provider that does not answer.
    let lane = match payment.provider.as_str() {
        BALANCE => Lane::Balances,
        _ => Lane::Providers,
    };
    let (payment, under) = (payment.id, None);
    enqueue(transaction, lane, RefundDue { payment, under }).await
}

/// As [`enqueue_refund`], for a duplicate payment under the trade number of another.
pub(super) async fn enqueue_duplicate_refund(
    transaction: &DatabaseTransaction,
    payment: PaymentId,
    first: PaymentId,
) -> Result<(), DbErr> {
    let under = Some(first);
    enqueue(transaction, Lane::Providers, RefundDue { payment, under }).await
}

async fn enqueue(
    transaction: &DatabaseTransaction,
    lane: Lane,
    due: RefundDue,
) -> Result<(), DbErr> {
    outbox::append_to(transaction, lane, RefundDue::KIND, &due.key(), &due).await
}
