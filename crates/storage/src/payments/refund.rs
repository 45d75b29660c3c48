//! Money that goes back: because its owner wants it, or because it came too late.
//!
//! A refund has two steps, because a provider stands between them. The first makes it due, with an outbox row that
//! keeps asking the provider until it is done; the second is taken when it is. A balance needs no provider, and takes the
//! same road.

use domain::{OrderId, OrderStatus, UserId};
use sea_orm::{DbErr, Value};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::payment::read;
use super::{BALANCE, Payment, PaymentId, PaymentState, change_state, count_sold, paid_for};
use crate::accounts;
use crate::db::DatabaseTransaction;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::orders::{OrderRefusal, Standing, find, find_of, give_back, step};
use crate::outbox::Lane;
use crate::sql::settle;
use crate::{Db, Error, outbox, time};

/// What the outbox says of money that is to go back: its provider is to be asked, and then [`finish_refund`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundDue {
    pub payment: PaymentId,
    /// The payment under whose number the provider knows the money, where it came a second time.
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

/// What [`finish_refund`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refunded {
    Now {
        order: OrderId,
        user_id: UserId,
    },
    Before,
    /// There is no such payment, or none that is to go back.
    NotDue,
}

pub(super) const BEGIN: (OrderStatus, OrderStatus) = (OrderStatus::Paid, OrderStatus::Refunding);
const FINISH: (OrderStatus, OrderStatus) = (OrderStatus::Refunding, OrderStatus::Refunded);

/// Begins to refund an order that its owner paid and did not use. The piece stays with the order until the money is back.
pub async fn begin_refund(
    db: &Db,
    owner: UserId,
    order: OrderId,
) -> Result<Result<PaymentId, RefundRefusal>, Error> {
    let begin = async {
        let transaction = db.begin().await?;
        let begun = begin_in(&transaction, owner, order).await?;
        settle(transaction, begun).await
    };
    db.run("begin refund", begin).await
}

/// The money of a payment is back where it came from; a balance gets it here. If its order was waiting for that, it ends
/// and gives its piece back. Repeating it changes nothing.
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
    if let Err(refusal) = step(transaction, order, BEGIN, &[]).await? {
        return Ok(Err(refusal.into()));
    }
    let Some(payment) = paid_for(transaction, order).await? else {
        return Ok(Err(RefundRefusal::NothingPaid));
    };
    let before = [PaymentState::Paid];
    if !change_state(transaction, payment.id, &before, PaymentState::Refunding).await? {
        return Ok(Err(RefundRefusal::NothingPaid));
    }
    announce_due(transaction, &payment).await?;
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

/// `None` if the order was not waiting for its money any more.
async fn end_order(
    transaction: &DatabaseTransaction,
    id: OrderId,
) -> Result<Option<Standing>, DbErr> {
    let assignments = [
        ("refund_time", time::now().into()),
        ("slot", Value::SmallInt(None)),
    ];
    if step(transaction, id, FINISH, &assignments).await?.is_err() {
        return Ok(None);
    }
    let order = find(transaction, id).await?;
    let order = order.ok_or_else(|| DbErr::RecordNotFound(format!("order {id}")))?;
    give_back(transaction, &[order.ended()]).await?;
    let notice = NewNotice::of_order(order.user_id, NoticeKind::OrderRefunded, id);
    notices::insert(transaction, &[notice]).await?;
    Ok(Some(order))
}

async fn return_money(transaction: &DatabaseTransaction, payment: &Payment) -> Result<(), DbErr> {
    if payment.provider == BALANCE {
        accounts::give(transaction, payment.user_id, payment.amount_cents).await?;
    }
    payment.return_from_escrow(transaction).await
}

pub(super) async fn announce_due(
    transaction: &DatabaseTransaction,
    payment: &Payment,
) -> Result<(), DbErr> {
    // A refund to a balance must not wait for a provider that does not answer.
    let lane = match payment.provider.as_str() {
        BALANCE => Lane::Balances,
        _ => Lane::Providers,
    };
    let (payment, under) = (payment.id, None);
    announce(transaction, lane, RefundDue { payment, under }).await
}

/// As [`announce_due`], for money that came under the number of another payment.
pub(super) async fn announce_second(
    transaction: &DatabaseTransaction,
    payment: PaymentId,
    first: PaymentId,
) -> Result<(), DbErr> {
    let under = Some(first);
    announce(transaction, Lane::Providers, RefundDue { payment, under }).await
}

async fn announce(
    transaction: &DatabaseTransaction,
    lane: Lane,
    due: RefundDue,
) -> Result<(), DbErr> {
    outbox::append_to(transaction, lane, RefundDue::KIND, &due.key(), &due).await
}
