//! Orders that were granted and could not be recorded, as people deal with them: `tb_dead_order`.
//!
//! They are buried by the drainer ([`crate::flash_sales::bury`]), which gives their piece back. What is left to do is for a
//! person: to let the buyer claim again, or to make good in another way. Either way the row stays and says which.

use domain::{OrderId, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect,
};

use crate::entity::dead_order::{Column, Entity, Model};
use crate::{Db, Error, audit, time};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadOrder {
    pub id: OrderId,
    pub voucher_id: VoucherId,
    pub user_id: UserId,
    pub reason: String,
    pub state: DeadState,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeadState {
    /// Nobody has dealt with it.
    Waiting,
    Remedied(Remedy),
}

/// What was done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Remedy {
    /// The buyer got another order.
    Redriven = 1,
    /// The buyer got something else.
    Compensated = 2,
}

/// The number of those that wait in `tb_dead_order.state`; remedies have theirs.
const WAITING: i16 = 0;

/// The longest page of [`list`].
pub const LIST_LIMIT: u32 = 50;

/// Whether an order of this person was buried.
pub async fn is_of(db: &Db, owner: UserId, id: OrderId) -> Result<bool, Error> {
    let find = Entity::find_by_id(id.get())
        .filter(Column::UserId.eq(owner.get()))
        .one(db.reader());
    Ok(db.run("find dead order", find).await?.is_some())
}

pub async fn get(db: &Db, id: OrderId) -> Result<Option<DeadOrder>, Error> {
    let find = Entity::find_by_id(id.get()).one(db.reader());
    let found = db.run("get dead order", find).await?;
    Ok(found.map(DeadOrder::from_row))
}

/// The next `limit` (at most [`LIST_LIMIT`]) below `before`, newest first.
pub async fn list(db: &Db, before: Option<OrderId>, limit: u32) -> Result<Vec<DeadOrder>, Error> {
    let before = before.map_or(i64::MAX, OrderId::get);
    let list = Entity::find()
        .filter(Column::OrderId.lt(before))
        .order_by_desc(Column::OrderId)
        .limit(u64::from(limit.min(LIST_LIMIT)))
        .all(db.reader());
    let rows = db.run("list dead orders", list).await?;
    Ok(rows.into_iter().map(DeadOrder::from_row).collect())
}

/// Says what was done about an order that waits, and who did it. `false` if it does not wait (any more).
pub async fn settle(
    db: &Db,
    actor: UserId,
    id: OrderId,
    remedy: Remedy,
    detail: &str,
) -> Result<bool, Error> {
    let settle = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(id.get()).lock_exclusive();
        let row = find.one(&transaction).await?;
        let Some(row) = row.filter(|row| row.state == WAITING) else {
            return Ok(false);
        };
        let mut settled = row.into_active_model();
        settled.state = Set(remedy as i16);
        settled.update_time = Set(time::now());
        settled.update(&transaction).await?;
        let (action, subject) = (remedy.action(), format!("order:{id}"));
        audit::insert(&transaction, Some(actor), action, &subject, detail).await?;
        transaction.commit().await?;
        Ok(true)
    };
    db.run("settle dead order", settle).await
}

impl DeadState {
    /// What nobody knows waits for somebody to look.
    const fn from_code(code: i16) -> Self {
        match code {
            1 => Self::Remedied(Remedy::Redriven),
            2 => Self::Remedied(Remedy::Compensated),
            _ => Self::Waiting,
        }
    }
}

impl Remedy {
    /// How it is called in the record of deeds.
    const fn action(self) -> &'static str {
        match self {
            Self::Redriven => "dead_order_redriven",
            Self::Compensated => "dead_order_compensated",
        }
    }
}

impl DeadOrder {
    fn from_row(row: Model) -> Self {
        Self {
            id: OrderId::new(row.order_id),
            voucher_id: VoucherId::new(row.voucher_id),
            user_id: UserId::new(row.user_id),
            reason: row.reason,
            state: DeadState::from_code(row.state),
            created_at: time::from_sql(row.create_time),
            updated_at: time::from_sql(row.update_time),
        }
    }
}
