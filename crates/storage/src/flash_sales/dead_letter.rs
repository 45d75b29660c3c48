//! Dead-letters orders that the gate granted and SQL cannot record: `tb_dead_order`.
//!
//! One transaction writes the row for admins, the buyer's notice, and the outbox row that returns the unit to the
//! gate. The stock in SQL stays: such an order was never counted there.

use domain::{OrderId, UserId, VoucherId};
use sea_orm::{DbErr, EntityTrait, Value};
use serde::{Deserialize, Serialize};

use super::leases::{DrainLease, Fenced, hold};
use super::write::SaleOrder;
use crate::db::DatabaseTransaction;
use crate::entity::{dead_order, voucher_order};
use crate::notices::{self, NewNotice, NoticeKind};
use crate::orders::DEAD_LETTER_WAITING;
use crate::sql::{commit_or_rollback, execute};
use crate::{Db, Error, outbox, time};

/// Whether an order that cannot be recorded holds a unit of stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StockUnit {
    Held,
    /// SQL had no unit left for it: there is nothing to return.
    None,
}

/// How a sale's order ended without being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was never recorded; it may have held no unit.
    DeadLettered,
    /// It was recorded and its unit was returned to stock.
    Returned,
}

/// Outbox payload of a dead-lettered order: the gate must forget it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderDeadLettered {
    pub order: OrderId,
    pub voucher: VoucherId,
    pub user: UserId,
    /// Whether the gate may sell its unit again.
    pub restock: bool,
}

impl OrderDeadLettered {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "order_buried";

    /// The outbox key. Not the sale: rows of one key are relayed one at a time.
    pub fn key(&self) -> String {
        format!("order:{}", self.order)
    }
}

/// The width of the column.
const REASON_MAX_CHARS: usize = 255;

/// Dead-letters an order. Idempotent, and a no-op for an order that was recorded after all: its unit must not be sold
/// twice.
pub async fn dead_letter(
    db: &Db,
    lease: DrainLease,
    order: &SaleOrder,
    reason: &str,
    unit: StockUnit,
) -> Result<Result<(), Fenced>, Error> {
    let dead_letter = async {
        let transaction = db.begin().await?;
        let held = hold(&transaction, lease).await?;
        if held.is_ok() && !is_settled(&transaction, order.id).await? {
            insert(&transaction, order, reason).await?;
            enqueue_effects(&transaction, order, unit).await?;
        }
        commit_or_rollback(transaction, held).await
    };
    db.run("dead-letter order", dead_letter).await
}

/// How an order ended; `None` for a live or unknown one.
pub async fn find_end(db: &Db, id: OrderId) -> Result<Option<Ended>, Error> {
    let find = async {
        let dead = dead_order::Entity::find_by_id(id.get());
        if dead.one(db.reader()).await?.is_some() {
            return Ok(Some(Ended::DeadLettered));
        }
        let recorded = voucher_order::Entity::find_by_id(id.get());
        let recorded = recorded.one(db.reader()).await?;
        let given_back = recorded.is_some_and(|order| order.slot.is_none());
        Ok(given_back.then_some(Ended::Returned))
    };
    db.run("find end of order", find).await
}

/// Dead-lettered or recorded already.
async fn is_settled(transaction: &DatabaseTransaction, id: OrderId) -> Result<bool, DbErr> {
    let dead = dead_order::Entity::find_by_id(id.get())
        .one(transaction)
        .await?;
    let recorded = voucher_order::Entity::find_by_id(id.get())
        .one(transaction)
        .await?;
    Ok(dead.is_some() || recorded.is_some())
}

async fn enqueue_effects(
    transaction: &DatabaseTransaction,
    order: &SaleOrder,
    unit: StockUnit,
) -> Result<(), DbErr> {
    let notice = NewNotice::of_order(order.user_id, NoticeKind::OrderLost, order.id);
    notices::insert(transaction, &[notice]).await?;
    let buried = OrderDeadLettered {
        order: order.id,
        voucher: order.voucher_id,
        user: order.user_id,
        restock: unit == StockUnit::Held,
    };
    outbox::append(transaction, OrderDeadLettered::KIND, &buried.key(), &buried).await
}

async fn insert(
    transaction: &DatabaseTransaction,
    order: &SaleOrder,
    reason: &str,
) -> Result<(), DbErr> {
    let reason: String = reason.chars().take(REASON_MAX_CHARS).collect();
    let payload = serde_json::json!({
        "slot": order.slot,
        "grantedAtMs": order.granted_at.as_millisecond(),
    });
    let sql = "INSERT INTO tb_dead_order \
        (order_id, voucher_id, user_id, reason, payload, state, create_time, update_time) \
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let now = time::now();
    let values: [Value; 8] = [
        order.id.get().into(),
        order.voucher_id.get().into(),
        order.user_id.get().into(),
        reason.into(),
        payload.to_string().into(),
        DEAD_LETTER_WAITING.into(),
        now.into(),
        now.into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}
