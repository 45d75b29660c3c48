//! Dead-lettered effects, as an operator lists and redrives them.

use domain::UserId;
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, UpdateMany,
};

use super::lane::{Lane, RetryState};
use super::{OutboxId, cut};
use crate::entity::outbox::{Column, Entity, Model};
use crate::{Db, Error, audit, time};

/// Why an effect was dead-lettered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadLetterReason {
    /// The provider refuses it until an operator changes something.
    Refused = 2,
    /// This version cannot read the row; another may.
    Unreadable = 3,
}

/// A deferred or dead-lettered row, for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemRow {
    pub id: OutboxId,
    pub kind: String,
    pub key: String,
    pub lane: Lane,
    pub attempts: u32,
    /// Dead-lettered: not retried until it is redriven.
    pub is_dead: bool,
    pub last_error: String,
    pub created_at: Timestamp,
    /// When it is retried, unless it is dead-lettered.
    pub not_before: Timestamp,
}

/// What an operator redrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redrive {
    One(OutboxId),
    AllDead,
}

/// The longest page of [`list_problems`].
pub const LIST_LIMIT: u32 = 1_000;

/// The audit action of a redrive.
const AUDIT_ACTION: &str = "outbox_redriven";

/// Dead-letters a row: it stays, blocks nothing and waits for an operator.
pub async fn dead_letter(
    db: &Db,
    id: OutboxId,
    why: DeadLetterReason,
    error: &str,
) -> Result<(), Error> {
    let update = Entity::update_many()
        .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1))
        .col_expr(Column::LastError, Expr::value(cut(error)))
        .col_expr(Column::State, Expr::value(why as i16))
        .filter(Column::Id.eq(id.get()))
        .exec(db.writer());
    db.run("dead-letter outbox row", update).await?;
    Ok(())
}

/// The next `limit` (at most [`LIST_LIMIT`]) deferred or dead-lettered rows above `after`, by id.
pub async fn list_problems(
    db: &Db,
    after: Option<OutboxId>,
    limit: u32,
) -> Result<Vec<ProblemRow>, Error> {
    let list = Entity::find()
        .filter(Column::Id.gt(after.map_or(0, OutboxId::get)))
        .filter(Column::State.ne(RetryState::Fresh.code()))
        .order_by_asc(Column::Id)
        .limit(u64::from(Ord::min(limit, LIST_LIMIT)))
        .all(db.reader());
    let rows = db.run("list outbox", list).await?;
    Ok(rows.into_iter().map(ProblemRow::from_row).collect())
}

/// Requeues rows with their attempts reset and records who did. Returns the number of rows; deferred ones are retried
/// at once.
pub async fn redrive(db: &Db, actor: Option<UserId>, what: Redrive) -> Result<u64, Error> {
    let redrive = async {
        let transaction = db.begin().await?;
        let (filter, subject) = match what {
            Redrive::One(id) => (
                Condition::all()
                    .add(Column::Id.eq(id.get()))
                    .add(Column::State.ne(RetryState::Fresh.code())),
                format!("outbox:{id}"),
            ),
            Redrive::AllDead => (is_dead(), "outbox".to_owned()),
        };
        let redriven = requeue().filter(filter).exec(&transaction).await?;
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

/// Requeues rows that an earlier relay could not read: this one may be of another version.
pub async fn requeue_unreadable(db: &Db) -> Result<u64, Error> {
    let requeue = requeue()
        .filter(Column::State.eq(DeadLetterReason::Unreadable as i16))
        .exec(db.writer());
    Ok(db
        .run("requeue unreadable outbox rows", requeue)
        .await?
        .rows_affected)
}

fn is_dead() -> Condition {
    Condition::any()
        .add(Column::State.eq(DeadLetterReason::Refused as i16))
        .add(Column::State.eq(DeadLetterReason::Unreadable as i16))
}

fn requeue() -> UpdateMany<Entity> {
    Entity::update_many()
        .col_expr(Column::State, Expr::value(RetryState::Deferred.code()))
        .col_expr(Column::Attempts, Expr::value(0))
        .col_expr(Column::NotBefore, Expr::value(time::now()))
}

impl ProblemRow {
    fn from_row(row: Model) -> Self {
        Self {
            id: OutboxId::new(row.id),
            lane: Lane::from_code(row.lane),
            kind: row.kind,
            key: row.key,
            attempts: u32::try_from(row.attempts).unwrap_or(0),
            is_dead: row.state > RetryState::Deferred.code(),
            last_error: row.last_error.unwrap_or_default(),
            created_at: time::from_sql(row.create_time),
            not_before: time::from_sql(row.not_before),
        }
    }
}
