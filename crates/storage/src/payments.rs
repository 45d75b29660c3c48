//! Payments for orders: `tb_payment`, and every step of an order that moves money.
//!
//! ```text
//! begun ─> paid ─> refunding ─> refunded
//!   │  └─> late ──────────────────^
//!   └──> closed ─> late, or paid after all
//! ```
//! A payment that its order wants makes it paid. One that comes for an order that does not want it (cancelled, out of
//! time, paid already) is late: it is kept in escrow and returned through the outbox, never swallowed.
//!
//! Locks are taken in one order: the order, its payment, the sale, the account, the shop. The shop is last because all its
//! buyers meet there.

mod balance;
mod confirm;
mod outside;
mod payment;
mod refund;
mod second;

use domain::{OrderId, OrderStatus, PayType, RedeemCode, UserId};
use jiff::Timestamp;
use sea_orm::{DbErr, Value};

pub use balance::{BalanceRefusal, pay_with_balance, top_up};
pub use confirm::{ConfirmRefusal, Confirmed, confirm};
pub use outside::{
    OUTSIDE_LIMIT, Outside, OutsideRefund, OutsideState, list_outside, refunded_cents,
    refunded_outside, settle_outside,
};
pub use payment::{Payment, PaymentId, PaymentState};
pub use refund::{RefundDue, RefundRefusal, Refunded, begin_refund, finish_refund};
pub use second::confirm_second;

use crate::db::DatabaseTransaction;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::orders::{OrderRefusal, Standing, find_of, step};
use crate::sql::{by_primary_key, execute, settle};
use crate::{Db, Error, time};
use payment::{NewPayment, read, read_archived, read_where};

/// The provider of payments from a balance on this site.
pub const BALANCE: &str = "balance";

/// What [`list_unheard`] returns at most.
pub const LIST_LIMIT: u32 = 1_000;

const PAY: (OrderStatus, OrderStatus) = (OrderStatus::Unpaid, OrderStatus::Paid);

/// Begins to pay an unpaid order through a provider. The same provider again continues the payment that was begun.
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
        settle(transaction, begun).await
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

/// Payments begun before `before` that nothing was heard of, by id above `after`: their providers are to be asked.
pub async fn list_unheard(
    db: &Db,
    before: Timestamp,
    after: PaymentId,
    limit: u32,
) -> Result<Vec<Payment>, Error> {
    let condition = "state = 0 AND id > ? AND create_time < ? ORDER BY id LIMIT ?";
    let values: [Value; 3] = [
        after.get().into(),
        time::to_sql(before).into(),
        limit.min(LIST_LIMIT).into(),
    ];
    let list = read_where(db.reader(), condition, values);
    db.run("list payments", list).await
}

/// Gives up a payment that was begun and that its provider says will not come. Money that comes all the same is taken
/// for what it is by [`confirm`].
pub async fn close(db: &Db, id: PaymentId) -> Result<bool, Error> {
    let index = by_primary_key(db.writer());
    let sql = format!(
        "UPDATE tb_payment {index} SET state = 2, update_time = ? WHERE id = ? AND state = 0"
    );
    let values: [Value; 2] = [time::now().into(), id.get().into()];
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
    let Some(standing) = find_of(transaction, owner, order).await? else {
        return Ok(Err(OrderRefusal::NoSuchOrder));
    };
    if standing.status != OrderStatus::Unpaid {
        return Ok(Err(OrderRefusal::WrongStatus(standing.status)));
    }
    let begun = "order_id = ? AND state = 0 AND provider = ? ORDER BY id DESC LIMIT 1";
    let values: [Value; 2] = [order.get().into(), provider.into()];
    if let Some(payment) = read_where(transaction, begun, values).await?.pop() {
        return Ok(Ok(payment));
    }
    let payment = NewPayment {
        order: Some(order),
        user_id: owner,
        provider,
        pay_type,
        amount_cents: standing.pay_value_cents,
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
        "order_id = ? AND state = 1",
        [order.get().into()],
    );
    Ok(paid.await?.pop())
}

/// Makes an order paid, if it still is unpaid.
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
    step(transaction, order, PAY, &assignments).await
}

/// What follows from an order being paid: the shop has sold one more, and its owner is told.
async fn after_paid(transaction: &DatabaseTransaction, order: &Standing) -> Result<(), DbErr> {
    count_sold(transaction, order, 1).await?;
    let notice = NewNotice::of_order(order.user_id, NoticeKind::OrderPaid, order.id);
    notices::insert(transaction, &[notice]).await?;
    Ok(())
}

/// `sold` counts orders that are paid, used or being refunded, as recounting does.
async fn count_sold(
    transaction: &DatabaseTransaction,
    order: &Standing,
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

/// Changes the state of a payment, if it still is in one of those before.
async fn change_state(
    transaction: &DatabaseTransaction,
    id: PaymentId,
    before: &[PaymentState],
    after: PaymentState,
) -> Result<bool, DbErr> {
    let states: Vec<String> = before
        .iter()
        .map(|state| state.code().to_string())
        .collect();
    let (index, states) = (by_primary_key(transaction), states.join(", "));
    let sql = format!(
        "UPDATE tb_payment {index} SET state = ?, update_time = ? \
         WHERE id = ? AND state IN ({states})"
    );
    let values: [Value; 3] = [after.code().into(), time::now().into(), id.get().into()];
    Ok(execute(transaction, sql, values).await? == 1)
}
