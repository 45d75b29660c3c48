//! Orders that were granted and could not be recorded, as people deal with them: `tb_dead_order`.
//!
//! They are buried by the drainer ([`crate::flash_sales::bury`]), which gives their piece back. What is left to do is for a
//! person: to let the buyer claim again, or to make good in another way. Either way the row stays and says which.
//!
//! Claiming again takes a while and happens elsewhere, so it is begun here first ([`begin_redrive`]): from then on until
//! it succeeds or is certain to have failed, nobody can make good in another way. One of the two happens, never both.

use domain::{OrderId, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, Value,
};

use crate::entity::dead_order::{Column, Entity, Model};
use crate::sql::execute;
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
/// The number of those for which the buyer is claiming again. People see them as waiting.
const REDRIVING: i16 = 3;

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

/// Begins to claim again for the buyer, or goes on with it after a process died; `false` if something was done about the
/// order before.
pub async fn begin_redrive(db: &Db, id: OrderId) -> Result<bool, Error> {
    let (from, to) = ([WAITING, REDRIVING], REDRIVING);
    db.run("begin redrive", change_state(db, id, from, to))
        .await
}

/// The buyer certainly got nothing: the order waits again.
pub async fn abandon_redrive(db: &Db, id: OrderId) -> Result<bool, Error> {
    let (from, to) = ([REDRIVING, REDRIVING], WAITING);
    db.run("abandon redrive", change_state(db, id, from, to))
        .await
}

async fn change_state(db: &Db, id: OrderId, from: [i16; 2], to: i16) -> Result<bool, DbErr> {
    let sql = "UPDATE tb_dead_order SET state = ?, update_time = ? \
        WHERE order_id = ? AND state IN (?, ?)";
    let values: [Value; 5] = [
        to.into(),
        time::now().into(),
        id.get().into(),
        from[0].into(),
        from[1].into(),
    ];
    Ok(execute(db.writer(), sql, values).await? == 1)
}

/// Says what was done about an order, and who did it. `false` if that is not to be done (any more): another remedy came
/// first, or the buyer is just claiming again and must not be compensated as well.
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
        let may_be_settled = |state| match remedy {
            Remedy::Redriven => matches!(state, WAITING | REDRIVING),
            Remedy::Compensated => state == WAITING,
        };
        let Some(row) = row.filter(|row| may_be_settled(row.state)) else {
            transaction.rollback().await?;
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
