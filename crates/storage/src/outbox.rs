//! Pending side effects of commits: `tb_outbox`.
//!
//! A row is written in the transaction that causes it, so it exists if and only if that transaction committed. The
//! relay reads rows, applies their effects and deletes them; a crash in between only delays the effect.
//!
//! **Order.** Rows of one key are relayed one at a time, oldest first. A failed row blocks younger rows of its key,
//! never other keys. Ids of one key follow commit order, because the writer holds the lock on the row that the key
//! names.
//!
//! **Lanes.** Each kind of effect waits in the queue of its dependency ([`Lane`]), and deferred rows wait apart from
//! fresh ones ([`RetryState`]), so a failing dependency delays only its own effects. Only the oldest row of a key is
//! ever relayed, whatever its lane: two queues never hold rows of one key at the same time.
//!
//! **At least once.** Reading a batch marks nothing, so a relay that died leaves nothing to wait for. One relay works
//! at a time under a lease; if two overlap, both may apply an effect, even an older one after a younger one. Effects
//! must tolerate that: they read the present state instead of carrying one.
//!
//! **Dead letters.** A dead-lettered row stays, is not relayed and blocks nothing until an operator redrives it
//! ([`redrive`]). The relay decides what to dead-letter.

mod backlog;
mod dead_letters;
mod due;
mod lane;

use domain::Id;
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait};
use serde::Serialize;

pub use backlog::{Backlog, LaneBacklog, backlog, backlog_by_lane};
pub use dead_letters::{
    DeadLetterReason, LIST_LIMIT, ProblemRow, Redrive, dead_letter, list_problems, redrive,
    requeue_unreadable,
};
pub use due::{complete, defer, list_due, list_due_all, list_next_due, record_failure};
pub use lane::{Lane, RetryState};

use crate::entity::outbox::{ActiveModel, Entity, Model};
use crate::{Backend, sql, time};

pub type OutboxId = Id<OutboxRow>;

/// One pending effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    pub id: OutboxId,
    /// The kind of effect.
    pub kind: String,
    /// The subject: rows of one key are relayed in order.
    pub key: String,
    /// JSON, as the kind says.
    pub payload: String,
    /// Failed attempts, without outages.
    pub attempts: u32,
    pub created_at: Timestamp,
}

/// Rows per statement: below SQLite's 32,766 and MySQL's 65,535 parameters with room to spare.
const ROWS_PER_STATEMENT: usize = 1_000;

/// The width of the column.
const LAST_ERROR_MAX_CHARS: usize = 255;

/// Appends a row in the transaction of the change, while the caller holds the lock on the row that `key` names: only
/// then do ids of one key follow commit order.
pub(crate) async fn append(
    transaction: &impl ConnectionTrait,
    kind: &str,
    key: &str,
    payload: &impl Serialize,
) -> Result<(), DbErr> {
    append_to(transaction, Lane::of_kind(kind), kind, key, payload).await
}

/// As [`append`], with an explicit lane.
pub(crate) async fn append_to(
    transaction: &impl ConnectionTrait,
    lane: Lane,
    kind: &str,
    key: &str,
    payload: &impl Serialize,
) -> Result<(), DbErr> {
    let row = new_row(lane, kind, key, payload)?;
    row.insert(transaction).await?;
    Ok(())
}

/// As [`append`], for many effects of one kind, each with its key.
pub(crate) async fn append_all<P: Serialize>(
    transaction: &impl ConnectionTrait,
    kind: &str,
    effects: &[(String, P)],
) -> Result<(), DbErr> {
    let lane = Lane::of_kind(kind);
    let row = |(key, payload): &(String, P)| new_row(lane, kind, key, payload);
    for chunk in effects.chunks(ROWS_PER_STATEMENT) {
        let rows = chunk.iter().map(row).collect::<Result<Vec<_>, DbErr>>()?;
        Entity::insert_many(rows)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// [`append`] as a statement with literal values, for [`crate::db::DatabaseTransaction::commit_with`].
pub(crate) fn append_sql(
    backend: Backend,
    kind: &str,
    key: &str,
    payload: &impl Serialize,
) -> Result<String, DbErr> {
    let payload = serde_json::to_string(payload).map_err(|error| DbErr::Json(error.to_string()))?;
    let [kind_text, key, payload] = [kind, key, &payload].map(|text| sql::quoted(backend, text));
    let (lane, state) = (Lane::of_kind(kind).code(), RetryState::Fresh.code());
    let now = sql::quoted(backend, &time::to_text(time::now()));
    Ok(format!(
        "INSERT INTO tb_outbox (kind, `key`, payload, attempts, not_before, create_time, lane, state) \
         VALUES ({kind_text}, {key}, {payload}, 0, {now}, {now}, {lane}, {state})"
    ))
}

fn new_row(
    lane: Lane,
    kind: &str,
    key: &str,
    payload: &impl Serialize,
) -> Result<ActiveModel, DbErr> {
    let payload = serde_json::to_string(payload).map_err(|error| DbErr::Json(error.to_string()))?;
    let now = time::now();
    Ok(ActiveModel {
        kind: Set(kind.to_owned()),
        key: Set(key.to_owned()),
        payload: Set(payload),
        attempts: Set(0),
        not_before: Set(now),
        create_time: Set(now),
        lane: Set(lane.code()),
        state: Set(RetryState::Fresh.code()),
        ..Default::default()
    })
}

/// As much of an error as the column holds.
fn cut(error: &str) -> String {
    error.chars().take(LAST_ERROR_MAX_CHARS).collect()
}

impl OutboxRow {
    fn from_row(row: Model) -> Self {
        Self {
            id: OutboxId::new(row.id),
            kind: row.kind,
            key: row.key,
            payload: row.payload,
            attempts: u32::try_from(row.attempts).unwrap_or(0),
            created_at: time::from_sql(row.create_time),
        }
    }
}
