//! One status transition of an order: a conditional update. If another transaction changed the status first, the
//! condition fails and the caller gets the present status.

use domain::{OrderId, OrderStatus, ShopId, UserId, VoucherId};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};
use thiserror::Error;

use super::deadline;
use super::return_stock::EndedOrder;
use crate::db::DatabaseTransaction;
use crate::sql::{execute, force_primary_key, statement};
use crate::time;

/// Why a transition is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OrderRefusal {
    /// Also for another user's order.
    #[error("there is no such order")]
    NoSuchOrder,
    #[error("the order is {0}")]
    WrongStatus(OrderStatus),
}

/// The fields that transitions need. The status may have changed by the time of the update.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderState {
    pub(crate) id: OrderId,
    pub(crate) user_id: UserId,
    pub(crate) voucher_id: VoucherId,
    pub(crate) shop_id: ShopId,
    pub(crate) status: OrderStatus,
    pub(crate) pay_value_cents: i64,
}

/// Columns that a transition sets besides the status, with their values.
pub(crate) type Assignments<'a> = &'a [(&'static str, Value)];

/// Changes the status if the order still has the expected one.
pub(crate) async fn transition(
    transaction: &DatabaseTransaction,
    id: OrderId,
    (from, to): (OrderStatus, OrderStatus),
    assignments: Assignments<'_>,
) -> Result<Result<(), OrderRefusal>, DbErr> {
    assert!(from.may_become(to), "{from} -> {to} is no transition");
    let mut columns: String = assignments
        .iter()
        .map(|(column, _)| format!(", {column} = ?"))
        .collect();
    let mut values: Vec<Value> = vec![to.code().into(), time::now().into()];
    values.extend(assignments.iter().map(|(_, value)| value.clone()));
    if from == OrderStatus::Unpaid {
        let (sql, more) = deadline::end_waiting();
        columns.push_str(sql);
        values.extend(more);
    }
    let index = force_primary_key(transaction);
    let sql = format!(
        "UPDATE tb_voucher_order {index} SET status = ?, update_time = ?{columns} \
         WHERE id = ? AND status = ?"
    );
    values.extend([Value::from(id.get()), from.code().into()]);
    if execute(transaction, sql, values).await? == 1 {
        return Ok(Ok(()));
    }
    Ok(Err(match find(transaction, id).await? {
        Some(order) => OrderRefusal::WrongStatus(order.status),
        None => OrderRefusal::NoSuchOrder,
    }))
}

pub(crate) async fn find(
    connection: &impl ConnectionTrait,
    id: OrderId,
) -> Result<Option<OrderState>, DbErr> {
    find_where(connection, "o.id = ?", id.get().into()).await
}

/// `None` also for another user's order.
pub(crate) async fn find_of(
    connection: &impl ConnectionTrait,
    owner: UserId,
    id: OrderId,
) -> Result<Option<OrderState>, DbErr> {
    let order = find(connection, id).await?;
    Ok(order.filter(|order| order.user_id == owner))
}

pub(crate) async fn find_by_code(
    connection: &impl ConnectionTrait,
    code: &str,
) -> Result<Option<OrderState>, DbErr> {
    find_where(connection, "o.redeem_code = ?", code.into()).await
}

async fn find_where(
    connection: &impl ConnectionTrait,
    condition: &str,
    value: Value,
) -> Result<Option<OrderState>, DbErr> {
    // An archived order allows no transition; the caller gets its final status.
    for table in ["tb_voucher_order", "tb_voucher_order_archive"] {
        let sql = format!(
            "SELECT o.id, o.user_id, o.voucher_id, o.shop_id, o.status, v.pay_value \
             FROM {table} o LEFT JOIN tb_voucher v ON v.id = o.voucher_id WHERE {condition}"
        );
        let statement = statement(connection, sql, [value.clone()]);
        let row = OrderStateRow::find_by_statement(statement)
            .one(connection)
            .await?;
        if let Some(row) = row {
            return OrderState::from_row(row).map(Some);
        }
    }
    Ok(None)
}

#[derive(FromQueryResult)]
struct OrderStateRow {
    id: i64,
    user_id: i64,
    voucher_id: i64,
    shop_id: i64,
    status: i16,
    pay_value: Option<i64>,
}

impl OrderState {
    pub(crate) fn ended(&self) -> EndedOrder {
        EndedOrder {
            id: self.id,
            voucher_id: self.voucher_id,
            user_id: self.user_id,
        }
    }

    fn from_row(row: OrderStateRow) -> Result<Self, DbErr> {
        Ok(Self {
            id: OrderId::new(row.id),
            user_id: UserId::new(row.user_id),
            voucher_id: VoucherId::new(row.voucher_id),
            shop_id: ShopId::new(row.shop_id),
            status: super::status_of(row.id, row.status)?,
            pay_value_cents: row.pay_value.unwrap_or_default(),
        })
    }
}
