//! One step in the life of an order: a conditional update. Whoever comes second finds that the condition fails, and is
//! told the status that stands there instead.

use domain::{OrderId, OrderStatus, ShopId, UserId, VoucherId};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};
use thiserror::Error;

use super::give_back::EndedOrder;
use crate::db::DatabaseTransaction;
use crate::sql::{by_primary_key, execute, statement};
use crate::time;

/// Why an order does not take a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OrderRefusal {
    /// Also when it is somebody else's.
    #[error("there is no such order")]
    NoSuchOrder,
    #[error("the order is {0}")]
    WrongStatus(OrderStatus),
}

/// What the steps need to know of an order; the status may be another by the time they are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) id: OrderId,
    pub(crate) user_id: UserId,
    pub(crate) voucher_id: VoucherId,
    pub(crate) shop_id: ShopId,
    pub(crate) status: OrderStatus,
    pub(crate) pay_value_cents: i64,
}

/// Columns that a step sets besides the status, with their values.
pub(crate) type Assignments<'a> = &'a [(&'static str, Value)];

/// Takes the step if the order still stands where it begins.
pub(crate) async fn step(
    transaction: &DatabaseTransaction,
    id: OrderId,
    (from, to): (OrderStatus, OrderStatus),
    assignments: Assignments<'_>,
) -> Result<Result<(), OrderRefusal>, DbErr> {
    assert!(from.may_become(to), "{from} -> {to} is no step");
    let columns: String = assignments
        .iter()
        .map(|(column, _)| format!(", {column} = ?"))
        .collect();
    let index = by_primary_key(transaction);
    let sql = format!(
        "UPDATE tb_voucher_order {index} SET status = ?, update_time = ?{columns} \
         WHERE id = ? AND status = ?"
    );
    let mut values: Vec<Value> = vec![to.code().into(), time::now().into()];
    values.extend(assignments.iter().map(|(_, value)| value.clone()));
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
) -> Result<Option<Standing>, DbErr> {
    find_where(connection, "o.id = ?", id.get().into()).await
}

/// `None` also for an order of somebody else.
pub(crate) async fn find_of(
    connection: &impl ConnectionTrait,
    owner: UserId,
    id: OrderId,
) -> Result<Option<Standing>, DbErr> {
    let order = find(connection, id).await?;
    Ok(order.filter(|order| order.user_id == owner))
}

pub(crate) async fn find_by_code(
    connection: &impl ConnectionTrait,
    code: &str,
) -> Result<Option<Standing>, DbErr> {
    find_where(connection, "o.redeem_code = ?", code.into()).await
}

async fn find_where(
    connection: &impl ConnectionTrait,
    condition: &str,
    value: Value,
) -> Result<Option<Standing>, DbErr> {
    // An archived order takes no step, and whoever tries is told where it stands.
    for table in ["tb_voucher_order", "tb_voucher_order_archive"] {
        let sql = format!(
            "SELECT o.id, o.user_id, o.voucher_id, o.shop_id, o.status, v.pay_value \
             FROM {table} o LEFT JOIN tb_voucher v ON v.id = o.voucher_id WHERE {condition}"
        );
        let statement = statement(connection, sql, [value.clone()]);
        let row = StandingRow::find_by_statement(statement)
            .one(connection)
            .await?;
        if let Some(row) = row {
            return Standing::from_row(row).map(Some);
        }
    }
    Ok(None)
}

#[derive(FromQueryResult)]
struct StandingRow {
    id: i64,
    user_id: i64,
    voucher_id: i64,
    shop_id: i64,
    status: i16,
    pay_value: Option<i64>,
}

impl Standing {
    pub(crate) fn ended(&self) -> EndedOrder {
        EndedOrder {
            id: self.id,
            voucher_id: self.voucher_id,
            user_id: self.user_id,
        }
    }

    fn from_row(row: StandingRow) -> Result<Self, DbErr> {
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
