//! Refunds that this site did not ask for: made in a provider's console, or by its support.
//!
//! All of the money back ends the order as a refund of ours does. Part of it stops the order: it counts as being
//! refunded, so it can neither be used nor refunded twice, and it ends when the rest is back, by the provider's console
//! or because an admin lets this site ask for it ([`settle_outside`]). An order that was used stays used; its row waits for
//! an admin. Each is one row of `tb_outside_refund`.

use domain::{OrderId, OrderStatus, UserId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use super::confirm::set_ref;
use super::payment::{read, read_where};
use super::refund::{BEGIN, announce_due, finish_in};
use super::{Payment, PaymentId, PaymentState, Refunded, change_state};
use crate::db::DatabaseTransaction;
use crate::notices::{self, NewNotice};
use crate::orders::{OrderRefusal, step};
use crate::sql::{execute, statement};
use crate::{Db, Error, audit, time, users};

/// What became of an order whose money went back without our asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// All of it is back, and the order has ended.
    Refunded { order: OrderId, user_id: UserId },
    /// Part of it is back, and the order waits for the rest.
    Held { order: OrderId },
    /// The order was used before.
    Used { order: OrderId },
    /// The money came and went before anything was heard of it; its order is as it was.
    Unheard,
    /// The same was said before, or nothing is to be done.
    Repeated,
}

/// A refund of which an admin should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideRefund {
    pub payment: PaymentId,
    pub order: OrderId,
    pub amount_cents: i64,
    /// All that went back so far.
    pub refunded_cents: i64,
    pub state: OutsideState,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideState {
    /// Part of the money is back; the order waits for an admin, or for the rest.
    Held = 0,
    /// The order had been used; the shop has its money.
    Used = 1,
    /// An admin has dealt with it, or the rest came back.
    Settled = 2,
}

/// The longest page of [`list_outside`].
pub const OUTSIDE_LIMIT: u32 = 50;

/// Takes note that a provider has returned `total_cents` of a payment in all, without our asking. Repeating it changes
/// nothing.
///
/// The caller has made sure that it really is the provider who says so.
pub async fn refunded_outside(
    db: &Db,
    id: PaymentId,
    provider_ref: &str,
    total_cents: i64,
) -> Result<Outside, Error> {
    let take = async {
        let transaction = db.begin().await?;
        let outside = take_note(&transaction, id, provider_ref, total_cents).await?;
        match outside {
            Outside::Repeated => transaction.rollback().await?,
            _ => transaction.commit().await?,
        }
        Ok(outside)
    };
    db.run("take note of outside refund", take).await
}

/// What went back of a payment without our asking.
pub async fn refunded_cents(db: &Db, id: PaymentId) -> Result<i64, Error> {
    let read = async {
        let row = find_row(db.reader(), id).await?;
        Ok(row.map_or(0, |row| row.refunded_cents))
    };
    db.run("read outside refund", read).await
}

/// The next `limit` (at most [`OUTSIDE_LIMIT`]) that wait for an admin, above `after`.
pub async fn list_outside(
    db: &Db,
    after: PaymentId,
    limit: u32,
) -> Result<Vec<OutsideRefund>, Error> {
    let list = async {
        let sql = format!(
            "{SELECT} WHERE r.state IN (0, 1) AND r.payment_id > ? ORDER BY r.payment_id LIMIT ?"
        );
        let values: [Value; 2] = [after.get().into(), limit.min(OUTSIDE_LIMIT).into()];
        let statement = statement(db.reader(), sql, values);
        let rows = Row::find_by_statement(statement).all(db.reader()).await?;
        Ok(rows.into_iter().map(OutsideRefund::from_row).collect())
    };
    db.run("list outside refunds", list).await
}

/// An admin has looked: an order that is held gets the rest of its money back through the outbox. `false` if nothing
/// waits (any more).
pub async fn settle_outside(
    db: &Db,
    actor: UserId,
    id: PaymentId,
    note: &str,
) -> Result<bool, Error> {
    let settle = async {
        let transaction = db.begin().await?;
        let Some(row) = find_row(&transaction, id).await? else {
            return Ok(false);
        };
        if !change_row(&transaction, id, row.state, OutsideState::Settled as i16).await? {
            return Ok(false);
        }
        if row.state == OutsideState::Held as i16 {
            let payment = super::payment::read(&transaction, id).await?;
            let payment = payment.ok_or_else(|| DbErr::RecordNotFound(format!("payment {id}")))?;
            announce_due(&transaction, &payment).await?;
        }
        let subject = format!("payment:{id}");
        audit::insert(
            &transaction,
            Some(actor),
            "outside_refund_settled",
            &subject,
            note,
        )
        .await?;
        transaction.commit().await?;
        Ok(true)
    };
    db.run("settle outside refund", settle).await
}

async fn take_note(
    transaction: &DatabaseTransaction,
    id: PaymentId,
    provider_ref: &str,
    total_cents: i64,
) -> Result<Outside, DbErr> {
    let Some(payment) = find_payment(transaction, id, provider_ref).await? else {
        return Ok(Outside::Repeated);
    };
    let Some(order) = payment.order else {
        return Ok(Outside::Repeated);
    };
    let is_whole = total_cents >= payment.amount_cents;
    match payment.state {
        PaymentState::Refunded => Ok(Outside::Repeated),
        PaymentState::Begun | PaymentState::Closed if is_whole => {
            came_and_went(transaction, &payment, provider_ref).await
        }
        // The caller takes the money first: part of it can only go back once all of it came.
        PaymentState::Begun | PaymentState::Closed => Ok(Outside::Repeated),
        PaymentState::Refunding | PaymentState::Late if is_whole => {
            end(transaction, &payment, total_cents).await
        }
        PaymentState::Refunding | PaymentState::Late => {
            grow(transaction, &payment, order, total_cents).await
        }
        PaymentState::Paid => stop_order(transaction, &payment, order, total_cents).await,
    }
}

/// Part of a payment that is on its way back anyhow: the outbox asks for what is left, unless an admin has to say so.
async fn grow(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    order: OrderId,
    total_cents: i64,
) -> Result<Outside, DbErr> {
    let known = find_row(transaction, payment.id).await?;
    let state = known.as_ref().map_or(OutsideState::Settled, |row| {
        OutsideState::from_code(row.state)
    });
    if known.is_some_and(|row| row.refunded_cents >= total_cents) {
        return Ok(Outside::Repeated);
    }
    write_row(transaction, payment, order, total_cents, state).await?;
    Ok(Outside::Held { order })
}

/// Stops an order that counts as paid, and ends it if all of its money is back.
async fn stop_order(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    order: OrderId,
    total_cents: i64,
) -> Result<Outside, DbErr> {
    match step(transaction, order, BEGIN, &[]).await? {
        Ok(()) => {}
        Err(OrderRefusal::WrongStatus(OrderStatus::Used)) => {
            let known = find_row(transaction, payment.id).await?;
            if known.is_some_and(|row| row.refunded_cents >= total_cents) {
                return Ok(Outside::Repeated);
            }
            write_row(transaction, payment, order, total_cents, OutsideState::Used).await?;
            notify_admins(transaction, payment, order).await?;
            return Ok(Outside::Used { order });
        }
        // Somebody was faster; their payment is not ours to judge by what was read before.
        Err(_) => return Ok(Outside::Repeated),
    }
    let before = [PaymentState::Paid];
    if !change_state(transaction, payment.id, &before, PaymentState::Refunding).await? {
        return Ok(Outside::Repeated);
    }
    if total_cents >= payment.amount_cents {
        return end(transaction, payment, total_cents).await;
    }
    write_row(transaction, payment, order, total_cents, OutsideState::Held).await?;
    notify_admins(transaction, payment, order).await?;
    Ok(Outside::Held { order })
}

async fn notify_admins(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    order: OrderId,
) -> Result<(), DbErr> {
    let admins = users::admins(transaction).await?;
    let notice = |admin: UserId| NewNotice::of_outside_refund(admin, payment.id.get(), order);
    let notices: Vec<NewNotice> = admins.into_iter().map(notice).collect();
    notices::insert(transaction, &notices).await?;
    Ok(())
}

async fn end(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    total_cents: i64,
) -> Result<Outside, DbErr> {
    let Refunded::Now { order, user_id } = finish_in(transaction, payment.id).await? else {
        return Ok(Outside::Repeated);
    };
    let state = OutsideState::Settled;
    write_row(transaction, payment, order, total_cents, state).await?;
    let (subject, detail) = (format!("payment:{}", payment.id), format!("order {order}"));
    audit::insert(transaction, None, "refunded_outside", &subject, &detail).await?;
    Ok(Outside::Refunded { order, user_id })
}

/// Both ways stand in the books, so that a callback about the first that comes last pays nothing.
async fn came_and_went(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    provider_ref: &str,
) -> Result<Outside, DbErr> {
    let unheard = [PaymentState::Begun, PaymentState::Closed];
    if !change_state(transaction, payment.id, &unheard, PaymentState::Refunded).await?
        || !set_ref(transaction, payment.id, provider_ref).await?
    {
        return Ok(Outside::Repeated);
    }
    payment.pay_into_escrow(transaction).await?;
    payment.return_from_escrow(transaction).await?;
    Ok(Outside::Unheard)
}

/// The payment that the provider means: it may have taken money twice under one number of ours.
async fn find_payment(
    transaction: &DatabaseTransaction,
    id: PaymentId,
    provider_ref: &str,
) -> Result<Option<Payment>, DbErr> {
    let Some(named) = read(transaction, id).await? else {
        return Ok(None);
    };
    if named
        .provider_ref
        .as_deref()
        .is_none_or(|known| known == provider_ref)
    {
        return Ok(Some(named));
    }
    let same = "provider = ? AND provider_ref = ?";
    let values: [Value; 2] = [named.provider.as_str().into(), provider_ref.into()];
    let found = read_where(transaction, same, values).await?.pop();
    Ok(found.filter(|other| other.order == named.order))
}

const SELECT: &str = "SELECT r.payment_id, r.order_id, r.refunded_cents, r.state, r.create_time, \
    r.update_time, p.amount_cents FROM tb_outside_refund r JOIN tb_payment p ON p.id = r.payment_id";

async fn find_row(connection: &impl ConnectionTrait, id: PaymentId) -> Result<Option<Row>, DbErr> {
    let sql = format!("{SELECT} WHERE r.payment_id = ?");
    let statement = statement(connection, sql, [id.get().into()]);
    Row::find_by_statement(statement).one(connection).await
}

/// The sum only ever grows, whatever order the callbacks come in.
async fn write_row(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    order: OrderId,
    total_cents: i64,
    state: OutsideState,
) -> Result<(), DbErr> {
    let now = time::now();
    let known = find_row(transaction, payment.id).await?;
    if let Some(known) = known {
        let sql = "UPDATE tb_outside_refund SET refunded_cents = ?, state = ?, update_time = ? \
            WHERE payment_id = ?";
        let cents = total_cents.max(known.refunded_cents);
        let values: [Value; 4] = [
            cents.into(),
            (state as i16).into(),
            now.into(),
            payment.id.get().into(),
        ];
        execute(transaction, sql, values).await?;
        return Ok(());
    }
    let sql = "INSERT INTO tb_outside_refund \
        (payment_id, order_id, refunded_cents, state, create_time, update_time) \
        VALUES (?, ?, ?, ?, ?, ?)";
    let values: [Value; 6] = [
        payment.id.get().into(),
        order.get().into(),
        total_cents.into(),
        (state as i16).into(),
        now.into(),
        now.into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}

async fn change_row(
    transaction: &DatabaseTransaction,
    id: PaymentId,
    before: i16,
    after: i16,
) -> Result<bool, DbErr> {
    if before == after {
        return Ok(false);
    }
    let sql = "UPDATE tb_outside_refund SET state = ?, update_time = ? \
        WHERE payment_id = ? AND state = ?";
    let values: [Value; 4] = [
        after.into(),
        time::now().into(),
        id.get().into(),
        before.into(),
    ];
    Ok(execute(transaction, sql, values).await? == 1)
}

#[derive(FromQueryResult)]
struct Row {
    payment_id: i64,
    order_id: i64,
    refunded_cents: i64,
    state: i16,
    amount_cents: i64,
    create_time: chrono::NaiveDateTime,
    update_time: chrono::NaiveDateTime,
}

impl OutsideRefund {
    fn from_row(row: Row) -> Self {
        Self {
            payment: PaymentId::new(row.payment_id),
            order: OrderId::new(row.order_id),
            amount_cents: row.amount_cents,
            refunded_cents: row.refunded_cents,
            state: OutsideState::from_code(row.state),
            created_at: time::from_sql(row.create_time),
            updated_at: time::from_sql(row.update_time),
        }
    }
}

impl OutsideState {
    /// What nobody knows waits for somebody to look.
    const fn from_code(code: i16) -> Self {
        match code {
            1 => Self::Used,
            2 => Self::Settled,
            _ => Self::Held,
        }
    }
}
