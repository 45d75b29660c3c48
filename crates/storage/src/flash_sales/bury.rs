//! Orders that were granted and cannot be recorded: `tb_dead_order`.
//!
//! Burying is one transaction: the row that people look at later, the notice to the buyer, and the outbox row through
//! which the gate gets its piece back. The ledger's own stock stays: such an order never took a piece from it.

use domain::{OrderId, UserId, VoucherId};
use sea_orm::{DbErr, EntityTrait, Value};
use serde::{Deserialize, Serialize};

use super::seats::{Fenced, Seat, hold};
use super::write::SaleOrder;
use crate::db::DatabaseTransaction;
use crate::entity::{dead_order, voucher_order};
use crate::notices::{self, NewNotice, NoticeKind};
use crate::sql::{execute, settle};
use crate::{Db, Error, outbox, time};

/// Whether an order that cannot be recorded holds a piece of the ledger's stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    Held,
    /// The ledger had no piece left for it: there is nothing to sell again.
    None,
}

/// How an order of a sale came to its end without being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was never recorded, and there may have been no piece for it.
    Buried,
    /// It was recorded, and the stock has its piece back.
    GivenBack,
}

/// What the outbox says of a buried order: its gate is to forget it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderBuried {
    pub order: OrderId,
    pub voucher: VoucherId,
    pub user: UserId,
    /// Whether the gate may sell its piece again.
    pub restock: bool,
}

impl OrderBuried {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "order_buried";

    /// The key of its outbox rows: never the sale, whose rows would wait for each other.
    pub fn key(&self) -> String {
        format!("order:{}", self.order)
    }
}

/// The width of the column.
const REASON_MAX_CHARS: usize = 255;

/// Keeps an order that could not be recorded. Repeating it changes nothing, and an order that was recorded after all is
/// left alone: its piece is not to be sold twice.
pub async fn bury(
    db: &Db,
    seat: Seat,
    order: &SaleOrder,
    reason: &str,
    piece: Piece,
) -> Result<Result<(), Fenced>, Error> {
    let bury = async {
        let transaction = db.begin().await?;
        let held = hold(&transaction, seat).await?;
        if held.is_ok() && !is_settled(&transaction, order.id).await? {
            insert(&transaction, order, reason).await?;
            announce(&transaction, order, piece).await?;
        }
        settle(transaction, held).await
    };
    db.run("bury order", bury).await
}

/// How an order ended; nothing for one that is live, or not known here.
pub async fn end_of(db: &Db, id: OrderId) -> Result<Option<Ended>, Error> {
    let find = async {
        let dead = dead_order::Entity::find_by_id(id.get());
        if dead.one(db.reader()).await?.is_some() {
            return Ok(Some(Ended::Buried));
        }
        let recorded = voucher_order::Entity::find_by_id(id.get());
        let recorded = recorded.one(db.reader()).await?;
        let given_back = recorded.is_some_and(|order| order.slot.is_none());
        Ok(given_back.then_some(Ended::GivenBack))
    };
    db.run("find end of order", find).await
}

/// Buried or recorded already.
async fn is_settled(transaction: &DatabaseTransaction, id: OrderId) -> Result<bool, DbErr> {
    let dead = dead_order::Entity::find_by_id(id.get())
        .one(transaction)
        .await?;
    let recorded = voucher_order::Entity::find_by_id(id.get())
        .one(transaction)
        .await?;
    Ok(dead.is_some() || recorded.is_some())
}

async fn announce(
    transaction: &DatabaseTransaction,
    order: &SaleOrder,
    piece: Piece,
) -> Result<(), DbErr> {
    let notice = NewNotice::of_order(order.user_id, NoticeKind::OrderLost, order.id);
    notices::insert(transaction, &[notice]).await?;
    let buried = OrderBuried {
        order: order.id,
        voucher: order.voucher_id,
        user: order.user_id,
        restock: piece == Piece::Held,
    };
    outbox::append(transaction, OrderBuried::KIND, &buried.key(), &buried).await
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
        VALUES (?, ?, ?, ?, ?, 0, ?, ?)";
    let now = time::now();
    let values: [Value; 7] = [
        order.id.get().into(),
        order.voucher_id.get().into(),
        order.user_id.get().into(),
        reason.into(),
        payload.to_string().into(),
        now.into(),
        now.into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}
