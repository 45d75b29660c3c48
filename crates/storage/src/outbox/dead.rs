//! Dead letters: effects that the relay gave up, as an operator lists and redrives them.

use domain::UserId;
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, UpdateMany,
};

use super::lane::{Lane, Turn};
use super::{OutboxId, cut};
use crate::entity::outbox::{Column, Entity, Model};
use crate::{Db, Error, audit, time};

/// Why an effect is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Give {
    /// It was refused, and will be again until somebody changes something.
    Refused = 2,
    /// This version cannot read the row; another may.
    Unreadable = 3,
}

/// A row that an operator may want to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Troubled {
    pub id: OutboxId,
    pub kind: String,
    pub key: String,
    pub lane: Lane,
    pub attempts: u32,
    /// Given up, and tried no more until it is redriven.
    pub is_dead: bool,
    pub last_error: String,
    pub created_at: Timestamp,
    /// When it is tried again, unless it is dead.
    pub not_before: Timestamp,
}

/// What an operator redrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redrive {
    One(OutboxId),
    AllDead,
}

/// The longest page of [`list_troubled`].
pub const LIST_LIMIT: u32 = 1_000;

/// How a redrive is called in the record of deeds.
const AUDIT_ACTION: &str = "outbox_redriven";

/// Gives an effect up: the row stays, holds back nothing, and waits for an operator.
pub async fn dead_letter(db: &Db, id: OutboxId, why: Give, error: &str) -> Result<(), Error> {
    let update = Entity::update_many()
        .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1))
        .col_expr(Column::LastError, Expr::value(cut(error)))
        .col_expr(Column::State, Expr::value(why as i16))
        .filter(Column::Id.eq(id.get()))
        .exec(db.writer());
    db.run("dead-letter outbox row", update).await?;
    Ok(())
}

/// The next `limit` (at most [`LIST_LIMIT`]) rows above `after` that were dead-lettered or put off, by id.
pub async fn list_troubled(
    db: &Db,
    after: Option<OutboxId>,
    limit: u32,
) -> Result<Vec<Troubled>, Error> {
    let list = Entity::find()
        .filter(Column::Id.gt(after.map_or(0, OutboxId::get)))
        .filter(Column::State.ne(Turn::Fresh.code()))
        .order_by_asc(Column::Id)
        .limit(u64::from(Ord::min(limit, LIST_LIMIT)))
        .all(db.reader());
    let rows = db.run("list outbox", list).await?;
    Ok(rows.into_iter().map(Troubled::from_row).collect())
}

/// Lets the relay try again, from the first attempt, and records who wanted it. Returns how many rows that concerns;
/// those that were put off are tried at once.
pub async fn redrive(db: &Db, actor: Option<UserId>, what: Redrive) -> Result<u64, Error> {
    let redrive = async {
        let transaction = db.begin().await?;
        let (filter, subject) = match what {
            Redrive::One(id) => (
                Condition::all()
                    .add(Column::Id.eq(id.get()))
                    .add(Column::State.ne(Turn::Fresh.code())),
                format!("outbox:{id}"),
            ),
            Redrive::AllDead => (is_dead(), "outbox".to_owned()),
        };
        let redriven = try_again().filter(filter).exec(&transaction).await?;
        let count = redriven.rows_affected;
        if count > 0 {
            let detail = format!("{count} row(s)");
            audit::insert(&transaction, actor, AUDIT_ACTION, &subject, &detail).await?;
        }
        transaction.commit().await?;
        Ok(count)
    };
    db.run("redrive outbox", redrive).await
}

/// Lets a relay that begins try what an earlier one could not read: it may be of another version.
pub async fn revive_unreadable(db: &Db) -> Result<u64, Error> {
    let revive = try_again()
        .filter(Column::State.eq(Give::Unreadable as i16))
        .exec(db.writer());
    Ok(db.run("revive outbox rows", revive).await?.rows_affected)
}

fn is_dead() -> Condition {
    Condition::any()
        .add(Column::State.eq(Give::Refused as i16))
        .add(Column::State.eq(Give::Unreadable as i16))
}

fn try_again() -> UpdateMany<Entity> {
    Entity::update_many()
        .col_expr(Column::State, Expr::value(Turn::PutOff.code()))
        .col_expr(Column::Attempts, Expr::value(0))
        .col_expr(Column::NotBefore, Expr::value(time::now()))
}

impl Troubled {
    fn from_row(row: Model) -> Self {
        Self {
            id: OutboxId::new(row.id),
            lane: Lane::from_code(row.lane),
            kind: row.kind,
            key: row.key,
            attempts: u32::try_from(row.attempts).unwrap_or(0),
            is_dead: row.state > Turn::PutOff.code(),
            last_error: row.last_error.unwrap_or_default(),
            created_at: time::from_sql(row.create_time),
            not_before: time::from_sql(row.not_before),
        }
    }
}
