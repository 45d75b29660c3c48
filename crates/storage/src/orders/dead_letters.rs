//! Dead-lettered orders (`tb_dead_order`) as admins handle them.
//!
//! The drain worker dead-letters an order that SQL rejects ([`crate::flash_sales::dead_letter`]), which also
//! returns the unit that it held to the gate, through the outbox. An admin then either redrives it (claims again for the buyer) or compensates the buyer in
//! another way. The row stays and records which.
//!
//! A redrive runs outside SQL, so [`begin_redrive`] marks the row first: until the redrive succeeds or certainly
//! failed, nobody can compensate for the same order. Exactly one of the two happens.

use domain::{OrderId, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, Value,
};

use crate::entity::dead_order::{Column, Entity, Model};
use crate::sql::execute;
use crate::{Db, Error, MAX_PAGE_ROWS, audit, time};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetteredOrder {
    pub id: OrderId,
    pub voucher_id: VoucherId,
    pub user_id: UserId,
    pub reason: String,
    pub state: DeadLetterState,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeadLetterState {
    /// No admin has handled it.
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

/// `tb_dead_order.state` of a waiting order; remedies have their own codes.
pub(crate) const WAITING: i16 = 0;
/// `tb_dead_order.state` during a redrive. Shown as waiting.
const REDRIVING: i16 = 3;

/// Nothing is decided yet.
pub(crate) const OPEN: [i16; 2] = [WAITING, REDRIVING];

/// Whether this order of this user was dead-lettered.
pub async fn is_dead_lettered(db: &Db, owner: UserId, id: OrderId) -> Result<bool, Error> {
    let find = Entity::find_by_id(id.get())
        .filter(Column::UserId.eq(owner.get()))
        .one(db.reader());
    Ok(db.run("find dead-lettered order", find).await?.is_some())
}

pub async fn get_dead_lettered(db: &Db, id: OrderId) -> Result<Option<DeadLetteredOrder>, Error> {
    let find = Entity::find_by_id(id.get()).one(db.reader());
    let found = db.run("get dead-lettered order", find).await?;
    Ok(found.map(DeadLetteredOrder::from_row))
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) below `before`, newest first.
pub async fn list_dead_lettered(
    db: &Db,
    before: Option<OrderId>,
    limit: u32,
) -> Result<Vec<DeadLetteredOrder>, Error> {
    let before = before.map_or(i64::MAX, OrderId::get);
    let list = Entity::find()
        .filter(Column::OrderId.lt(before))
        .order_by_desc(Column::OrderId)
        .limit(u64::from(limit.min(MAX_PAGE_ROWS)))
        .all(db.reader());
    let rows = db.run("list dead-lettered orders", list).await?;
    Ok(rows.into_iter().map(DeadLetteredOrder::from_row).collect())
}

/// Marks the start of a redrive, also when a process that died had started one; `false` if the order was already
/// settled.
pub async fn begin_redrive(db: &Db, id: OrderId) -> Result<bool, Error> {
    let (from, to) = ([WAITING, REDRIVING], REDRIVING);
    db.run("begin redrive", change_state(db, id, from, to))
        .await
}

/// The redrive certainly failed: the order waits again.
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

/// Records the remedy and its admin. `false` if it does not apply (any more): another remedy came first, or a redrive
/// is under way and the buyer must not be compensated as well.
pub async fn settle_dead_lettered(
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
    db.run("settle dead-lettered order", settle).await
}

impl DeadLetterState {
    /// An unknown code of a newer version counts as waiting.
    const fn from_code(code: i16) -> Self {
        match code {
            code if code == Remedy::Redriven as i16 => Self::Remedied(Remedy::Redriven),
            code if code == Remedy::Compensated as i16 => Self::Remedied(Remedy::Compensated),
            _ => Self::Waiting,
        }
    }
}

impl Remedy {
    /// The audit action.
    const fn action(self) -> &'static str {
        match self {
            Self::Redriven => "dead_order_redriven",
            Self::Compensated => "dead_order_compensated",
        }
    }
}

impl DeadLetteredOrder {
    fn from_row(row: Model) -> Self {
        Self {
            id: OrderId::new(row.order_id),
            voucher_id: VoucherId::new(row.voucher_id),
            user_id: UserId::new(row.user_id),
            reason: row.reason,
            state: DeadLetterState::from_code(row.state),
            created_at: time::from_sql(row.create_time),
            updated_at: time::from_sql(row.update_time),
        }
    }
}
