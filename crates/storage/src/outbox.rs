//! Effects of commits that are still to happen: `tb_outbox`.
//!
//! A row is written in the transaction that causes it, so it exists if and only if that transaction committed. A relay
//! reads the rows, makes the effects happen, and deletes them; a crash anywhere in between only delays the effect.
//!
//! **Order.** Rows of one key are handed out one at a time, the oldest first, and a row that failed holds back the
//! younger ones of its key, never those of other keys. Ids of one key follow the order of the commits, because whoever
//! appends holds the lock on the row that the key names.
//!
//! **Lanes.** Each kind of effect waits in the queue of what it depends on ([`Lane`]), and rows that were put off wait
//! apart from fresh ones ([`Turn`]), so that a dependency that is sick delays its own effects alone. Only the oldest row
//! of a key is ever handed out, whatever its lane: two queues never hold rows of one key at the same time.
//!
//! **At least once.** Reading a batch marks nothing: a relay that died leaves nothing to wait for. One relay works at a
//! time, by a lease outside; should two overlap, both may make an effect happen, even an older one after a younger.
//! Effects must bear that: they read the present state instead of carrying one.
//!
//! **Dead letters.** What the relay gives up stays as a row that is not handed out and holds back nothing, until an
//! operator redrives it ([`redrive`]). What may be given up is the relay's decision.

mod backlog;
mod dead;
mod due;
mod lane;

use domain::Id;
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait};
use serde::Serialize;

pub use backlog::{Backlog, LaneBacklog, backlog, backlog_by_lane};
pub use dead::{
    Give, LIST_LIMIT, Redrive, Troubled, dead_letter, list_troubled, redrive, revive_unreadable,
};
pub use due::{claim, claim_batch, done, failed, look, put_off};
pub use lane::{Lane, Turn};

use crate::entity::outbox::{ActiveModel, Entity, Model};
use crate::time;

pub type OutboxId = Id<OutboxRow>;

/// One effect that is still to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    pub id: OutboxId,
    /// What is to happen.
    pub kind: String,
    /// To what: rows of one key are relayed in order.
    pub key: String,
    /// JSON, as the kind says.
    pub payload: String,
    /// How often it has failed for a reason of its own; outages do not count.
    pub attempts: u32,
    pub created_at: Timestamp,
}

/// Rows per statement: below SQLite's 32,766 and MySQL's 65,535 parameters with room to spare.
const ROWS_PER_STATEMENT: usize = 1_000;

/// The width of the column.
const LAST_ERROR_MAX_CHARS: usize = 255;

/// For functions that append in the transaction of the change itself, while they hold the lock on the row that `key`
/// names: only then do the ids of one key follow the order of the commits.
pub(crate) async fn append(
    transaction: &impl ConnectionTrait,
    kind: &str,
    key: &str,
    payload: &impl Serialize,
) -> Result<(), DbErr> {
    append_to(transaction, Lane::of_kind(kind), kind, key, payload).await
}

/// As [`append`], for a kind whose lane depends on more than the kind.
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
        state: Set(Turn::Fresh.code()),
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
