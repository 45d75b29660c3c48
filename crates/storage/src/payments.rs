//! Payments for orders (`tb_payment`) and every order transition that moves money.
//!
//! ```text
//! begun ─> paid ─> refunding ─> refunded
//!   │  └─> late ──────────────────^
//!   └──> closed ─> late, or paid after all
//! ```
//! A payment for an unpaid order makes it paid. A payment for any other order (cancelled, expired, paid already) is
//! late: it is kept in escrow and refunded through the outbox, never lost.
//!
//! Locks are taken in one order: order, payment, sale, account, shop. The shop comes last because all its buyers
//! contend for it.

mod balance;
mod confirm;
mod duplicate;
mod outside_refund;
mod payment;
mod refund;

use domain::{OrderId, OrderStatus, PayType, RedeemCode, UserId};
use jiff::Timestamp;
use sea_orm::{DbErr, Value};

pub use balance::{BalanceRefusal, pay_with_balance, top_up};
pub use confirm::{ConfirmRefusal, Confirmed, confirm};
pub use duplicate::confirm_duplicate;
pub use outside_refund::{
    OutsideRefund, OutsideRefundOutcome, OutsideState, list_outside, record_outside_refund,
    refunded_cents, settle_outside,
};
pub use payment::{Payment, PaymentId, PaymentState};
pub use refund::{RefundDue, RefundRefusal, Refunded, begin_refund, finish_refund};

use crate::db::DatabaseTransaction;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::orders::{OrderRefusal, OrderState, find_of, transition};
use crate::sql::{codes, commit_or_rollback, execute, force_primary_key};
use crate::{Db, Error, time};
use payment::{NewPayment, read, read_archived, read_where};

/// The provider of payments from a balance on this site.
pub const BALANCE: &str = "balance";

/// The longest page of [`list_unconfirmed`].
pub const LIST_LIMIT: u32 = 1_000;

const PAY: (OrderStatus, OrderStatus) = (OrderStatus::Unpaid, OrderStatus::Paid);

/// Starts a payment through a provider, or returns the one already started in the same way: a provider may take several
/// ways of paying, and what was started in one is not continued in another.
pub async fn begin(
    db: &Db,
    owner: UserId,
    order: OrderId,
    pay_type: PayType,
    provider: &str,
) -> Result<Result<Payment, OrderRefusal>, Error> {
    let begin = async {
        let transaction = db.begin().await?;
        let begun = begin_in(&transaction, owner, order, pay_type, provider).await?;
        commit_or_rollback(transaction, begun).await
    };
    db.run("begin payment", begin).await
}

pub async fn get(db: &Db, id: PaymentId) -> Result<Option<Payment>, Error> {
    db.run("get payment", read(db.reader(), id)).await
}

/// All payments for an order of its owner, by id.
pub async fn list_of_order(db: &Db, owner: UserId, order: OrderId) -> Result<Vec<Payment>, Error> {
    let condition = "order_id = ? AND user_id = ? ORDER BY id";
    let values: [Value; 2] = [order.get().into(), owner.get().into()];
    let list = async {
        let payments = read_where(db.reader(), condition, values.clone()).await?;
        if !payments.is_empty() {
            return Ok(payments);
        }
        read_archived(db.reader(), condition, values).await
    };
    db.run("list payments", list).await
}

/// Payments started before `before` without a confirmation, by id above `after`: the poller queries their providers.
pub async fn list_unconfirmed(
    db: &Db,
    before: Timestamp,
    after: PaymentId,
    limit: u32,
) -> Result<Vec<Payment>, Error> {
    let condition = "state = ? AND id > ? AND create_time < ? ORDER BY id LIMIT ?";
    let values: [Value; 4] = [
        PaymentState::Begun.code().into(),
        after.get().into(),
        time::to_sql(before).into(),
        limit.min(LIST_LIMIT).into(),
    ];
    let list = read_where(db.reader(), condition, values);
    db.run("list payments", list).await
}

/// Closes a started payment that its provider says will not be paid. [`confirm`] still handles money that arrives
/// later.
pub async fn close(db: &Db, id: PaymentId) -> Result<bool, Error> {
    let index = force_primary_key(db.writer());
    let sql = format!(
        "UPDATE tb_payment {index} SET state = ?, update_time = ? WHERE id = ? AND state = ?"
    );
    let values: [Value; 4] = [
        PaymentState::Closed.code().into(),
        time::now().into(),
        id.get().into(),
        PaymentState::Begun.code().into(),
    ];
    let matched = db
        .run("close payment", execute(db.writer(), sql, values))
        .await?;
    Ok(matched == 1)
}

async fn begin_in(
    transaction: &DatabaseTransaction,
    owner: UserId,
    order: OrderId,
    pay_type: PayType,
    provider: &str,
) -> Result<Result<Payment, OrderRefusal>, DbErr> {
    let Some(order_state) = find_of(transaction, owner, order).await? else {
        return Ok(Err(OrderRefusal::NoSuchOrder));
    };
    if order_state.status != OrderStatus::Unpaid {
        return Ok(Err(OrderRefusal::WrongStatus(order_state.status)));
    }
    let begun = "order_id = ? AND state = ? AND provider = ? AND pay_type = ? \
        ORDER BY id DESC LIMIT 1";
    let values: [Value; 4] = [
        order.get().into(),
        PaymentState::Begun.code().into(),
        provider.into(),
        pay_type.code().into(),
    ];
    if let Some(payment) = read_where(transaction, begun, values).await?.pop() {
        return Ok(Ok(payment));
    }
    let payment = NewPayment {
        order: Some(order),
        user_id: owner,
        provider,
        pay_type,
        amount_cents: order_state.pay_value_cents,
        state: PaymentState::Begun,
        provider_ref: None,
    };
    Ok(Ok(payment.insert(transaction).await?))
}

/// The payment that paid an order.
pub(crate) async fn paid_for(
    transaction: &DatabaseTransaction,
    order: OrderId,
) -> Result<Option<Payment>, DbErr> {
    let paid = read_where(
        transaction,
        "order_id = ? AND state = ?",
        [order.get().into(), PaymentState::Paid.code().into()],
    );
    Ok(paid.await?.pop())
}

/// Marks an order paid if it is still unpaid.
async fn make_paid(
    transaction: &DatabaseTransaction,
    order: OrderId,
    pay_type: PayType,
    code: &RedeemCode,
) -> Result<Result<(), OrderRefusal>, DbErr> {
    let assignments = [
        ("pay_time", time::now().into()),
        ("pay_type", pay_type.code().into()),
        ("redeem_code", code.as_str().into()),
    ];
    transition(transaction, order, PAY, &assignments).await
}

/// Consequences of a paid order: the shop's `sold` counter and the buyer's notice.
async fn after_paid(transaction: &DatabaseTransaction, order: &OrderState) -> Result<(), DbErr> {
    count_sold(transaction, order, 1).await?;
    let notice = NewNotice::of_order(order.user_id, NoticeKind::OrderPaid, order.id);
    notices::insert(transaction, &[notice]).await?;
    Ok(())
}

/// `sold` counts orders that are paid, used or being refunded, as recounting does.
async fn count_sold(
    transaction: &DatabaseTransaction,
    order: &OrderState,
    change: i32,
) -> Result<(), DbErr> {
    let sql = "UPDATE tb_shop SET sold = sold + ? WHERE id = ?";
    execute(
        transaction,
        sql,
        [change.into(), order.shop_id.get().into()],
    )
    .await?;
    Ok(())
}

/// Changes a payment's state if it is still one of `before`.
async fn change_state(
    transaction: &DatabaseTransaction,
    id: PaymentId,
    before: &[PaymentState],
    after: PaymentState,
) -> Result<bool, DbErr> {
    let states = codes(before.iter().map(|state| state.code()));
    let index = force_primary_key(transaction);
    let sql = format!(
        "UPDATE tb_payment {index} SET state = ?, update_time = ? \
         WHERE id = ? AND state IN ({states})"
    );
    let values: [Value; 3] = [after.code().into(), time::now().into(), id.get().into()];
    Ok(execute(transaction, sql, values).await? == 1)
}
