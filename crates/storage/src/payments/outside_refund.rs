//! Outside refunds: made in a provider's console or by its support, without a request from this site.
//!
//! A full refund ends the order like one of ours. A partial refund holds the order: it counts as being refunded, so
//! it can neither be used nor refunded twice, and it ends when the rest is refunded, in the provider's console or
//! because an admin lets this site request it ([`settle_outside`]). A used order stays used and its row waits for an
//! admin. Each outside refund is one row of `tb_outside_refund`.

use domain::{OrderId, OrderStatus, UserId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use super::confirm::set_ref;
use super::payment::{read, read_where};
use super::refund::{BEGIN, enqueue_refund, finish_in};
use super::{Payment, PaymentId, PaymentState, Refunded, change_state};
use crate::db::DatabaseTransaction;
use crate::notices::{self, NewNotice};
use crate::orders::{OrderRefusal, transition};
use crate::sql::{codes, execute, statement};
use crate::{Db, Error, MAX_PAGE_ROWS, audit, time, users};

/// In `tb_audit`, where rows of earlier releases have it too.
const AUDIT_ACTION: &str = "refunded_outside";

/// The outcome for the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideRefundOutcome {
    /// Fully refunded; the order ended.
    Refunded { order: OrderId, user_id: UserId },
    /// Partly refunded; the order waits for the rest.
    Held { order: OrderId },
    /// The order was already used.
    Used { order: OrderId },
    /// The payment was refunded before it was confirmed; the order is unchanged.
    NeverConfirmed,
    /// Recorded before, or nothing to do.
    Repeated,
}

/// An outside refund, for admins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideRefund {
    pub payment: PaymentId,
    pub order: OrderId,
    pub amount_cents: i64,
    /// The total refunded so far.
    pub refunded_cents: i64,
    pub state: OutsideState,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideState {
    /// Partly refunded; the order waits for an admin or for the rest.
    Held = 0,
    /// The order was used and the shop has its money.
    Used = 1,
    /// Settled by an admin, or the rest was refunded.
    Settled = 2,
}

/// Records that a provider has refunded `total_cents` of a payment in total. Idempotent.
///
/// The caller has verified that the message is the provider's.
pub async fn record_outside_refund(
    db: &Db,
    id: PaymentId,
    provider_ref: &str,
    total_cents: i64,
) -> Result<OutsideRefundOutcome, Error> {
    let note = async {
        let transaction = db.begin().await?;
        let outside = record(&transaction, id, provider_ref, total_cents).await?;
        match outside {
            OutsideRefundOutcome::Repeated => transaction.rollback().await?,
            _ => transaction.commit().await?,
        }
        Ok(outside)
    };
    db.run("record outside refund", note).await
}

/// The amount of a payment that was refunded outside.
pub async fn refunded_cents(db: &Db, id: PaymentId) -> Result<i64, Error> {
    let read = async {
        let row = find_row(db.reader(), id).await?;
        Ok(row.map_or(0, |row| row.refunded_cents))
    };
    db.run("read outside refund", read).await
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) unsettled refunds above `after`.
pub async fn list_outside(
    db: &Db,
    after: PaymentId,
    limit: u32,
) -> Result<Vec<OutsideRefund>, Error> {
    let list = async {
        let unsettled = codes([OutsideState::Held as i16, OutsideState::Used as i16]);
        let sql = format!(
            "{SELECT} WHERE r.state IN ({unsettled}) AND r.payment_id > ? ORDER BY r.payment_id LIMIT ?"
        );
        let values: [Value; 2] = [after.get().into(), limit.min(MAX_PAGE_ROWS).into()];
        let statement = statement(db.reader(), sql, values);
        let rows = OutsideRefundRow::find_by_statement(statement)
            .all(db.reader())
            .await?;
        Ok(rows.into_iter().map(OutsideRefund::from_row).collect())
    };
    db.run("list outside refunds", list).await
}

/// Settles an outside refund for an admin: the rest of a held order is refunded through the outbox. `false` if
/// nothing is left to settle.
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
            enqueue_refund(&transaction, &payment).await?;
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

async fn record(
    transaction: &DatabaseTransaction,
    id: PaymentId,
    provider_ref: &str,
    total_cents: i64,
) -> Result<OutsideRefundOutcome, DbErr> {
    let Some(payment) = find_payment(transaction, id, provider_ref).await? else {
        return Ok(OutsideRefundOutcome::Repeated);
    };
    let Some(order) = payment.order else {
        return Ok(OutsideRefundOutcome::Repeated);
    };
    let is_whole = total_cents >= payment.amount_cents;
    match payment.state {
        PaymentState::Refunded => Ok(OutsideRefundOutcome::Repeated),
        PaymentState::Begun | PaymentState::Closed if is_whole => {
            refund_unconfirmed(transaction, &payment, provider_ref).await
        }
        // The caller confirms the payment first: a partial refund implies a full payment.
        PaymentState::Begun | PaymentState::Closed => Ok(OutsideRefundOutcome::Repeated),
        PaymentState::Refunding | PaymentState::Late if is_whole => {
            end(transaction, &payment, total_cents).await
        }
        PaymentState::Refunding | PaymentState::Late => {
            add_partial_refund(transaction, &payment, order, total_cents).await
        }
        PaymentState::Paid => stop_order(transaction, &payment, order, total_cents).await,
    }
}

/// A partial refund of a payment that is being refunded anyway: the outbox requests the rest, unless an admin must
/// decide.
async fn add_partial_refund(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    order: OrderId,
    total_cents: i64,
) -> Result<OutsideRefundOutcome, DbErr> {
    let known = find_row(transaction, payment.id).await?;
    let state = known.as_ref().map_or(OutsideState::Settled, |row| {
        OutsideState::from_code(row.state)
    });
    if known.is_some_and(|row| row.refunded_cents >= total_cents) {
        return Ok(OutsideRefundOutcome::Repeated);
    }
    write_row(transaction, payment, order, total_cents, state).await?;
    Ok(OutsideRefundOutcome::Held { order })
}

/// Holds a paid order, and ends it if it is fully refunded.
async fn stop_order(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    order: OrderId,
    total_cents: i64,
) -> Result<OutsideRefundOutcome, DbErr> {
    match transition(transaction, order, BEGIN, &[]).await? {
        Ok(()) => {}
        Err(OrderRefusal::WrongStatus(OrderStatus::Used)) => {
            let known = find_row(transaction, payment.id).await?;
            if known.is_some_and(|row| row.refunded_cents >= total_cents) {
                return Ok(OutsideRefundOutcome::Repeated);
            }
            write_row(transaction, payment, order, total_cents, OutsideState::Used).await?;
            notify_admins(transaction, payment, order).await?;
            return Ok(OutsideRefundOutcome::Used { order });
        }
        // Another transaction changed the order first; the data read before is stale.
        Err(_) => return Ok(OutsideRefundOutcome::Repeated),
    }
    let before = [PaymentState::Paid];
    if !change_state(transaction, payment.id, &before, PaymentState::Refunding).await? {
        return Ok(OutsideRefundOutcome::Repeated);
    }
    if total_cents >= payment.amount_cents {
        return end(transaction, payment, total_cents).await;
    }
    write_row(transaction, payment, order, total_cents, OutsideState::Held).await?;
    notify_admins(transaction, payment, order).await?;
    Ok(OutsideRefundOutcome::Held { order })
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
) -> Result<OutsideRefundOutcome, DbErr> {
    let Refunded::Now { order, user_id } = finish_in(transaction, payment.id).await? else {
        return Ok(OutsideRefundOutcome::Repeated);
    };
    let state = OutsideState::Settled;
    write_row(transaction, payment, order, total_cents, state).await?;
    let (subject, detail) = (format!("payment:{}", payment.id), format!("order {order}"));
    audit::insert(transaction, None, AUDIT_ACTION, &subject, &detail).await?;
    Ok(OutsideRefundOutcome::Refunded { order, user_id })
}

/// Books both the payment and the refund, so that a late callback about the payment changes nothing.
async fn refund_unconfirmed(
    transaction: &DatabaseTransaction,
    payment: &Payment,
    provider_ref: &str,
) -> Result<OutsideRefundOutcome, DbErr> {
    let unconfirmed = [PaymentState::Begun, PaymentState::Closed];
    if !change_state(
        transaction,
        payment.id,
        &unconfirmed,
        PaymentState::Refunded,
    )
    .await?
        || !set_ref(transaction, payment.id, provider_ref).await?
    {
        return Ok(OutsideRefundOutcome::Repeated);
    }
    payment.pay_into_escrow(transaction).await?;
    payment.return_from_escrow(transaction).await?;
    Ok(OutsideRefundOutcome::NeverConfirmed)
}

/// The payment that the provider means: it may have received two payments under one trade number.
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

async fn find_row(
    connection: &impl ConnectionTrait,
    id: PaymentId,
) -> Result<Option<OutsideRefundRow>, DbErr> {
    let sql = format!("{SELECT} WHERE r.payment_id = ?");
    let statement = statement(connection, sql, [id.get().into()]);
    OutsideRefundRow::find_by_statement(statement)
        .one(connection)
        .await
}

/// The sum never falls, whatever order the callbacks come in.
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
struct OutsideRefundRow {
    payment_id: i64,
    order_id: i64,
    refunded_cents: i64,
    state: i16,
    amount_cents: i64,
    create_time: chrono::NaiveDateTime,
    update_time: chrono::NaiveDateTime,
}

impl OutsideRefund {
    fn from_row(row: OutsideRefundRow) -> Self {
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
    /// An unknown code of a newer version counts as held.
    const fn from_code(code: i16) -> Self {
        match code {
            code if code == Self::Used as i16 => Self::Used,
            code if code == Self::Settled as i16 => Self::Settled,
            _ => Self::Held,
        }
    }
}
