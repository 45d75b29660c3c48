//! Deleting an account: `tb_account_deletion`, and the erasure of everything that the data map ([`crate::data_map`]) marks.
//!
//! ```text
//! requested ──> closed ──> erasing ──> erased
//!     │            └─> (none): money came in the meantime, the account is open again
//!     └─> (none): the owner keeps the account
//! ```
//! A closed account has no session and nobody signs in to it, so nothing is bought or written on its behalf any more;
//! only after a while, when nothing can be in flight, is it checked once more for open money and erased. From then on there
//! is no way back: the contact is free, and whoever signs in with it gets a new account. Every step may be repeated by any
//! process, and one that dies leaves a state that says what is left to do.
//!
//! Orders, payments and ledger entries stay: the books must add up. They name a number that names nobody.

mod erase;
mod obstacles;

use domain::UserId;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};
use serde::{Deserialize, Serialize};

pub use erase::{EraseStep, finish, take_step};
pub use obstacles::{Obstacle, ObstacleKind, list_obstacles};

use crate::db::DatabaseTransaction;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::sql::{execute, for_update, statement};
use crate::users::{UserStatus, enqueue_change};
use crate::{Backend, Db, Error, audit, time};

/// A wish to have an account deleted that can still be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountDeletion {
    pub requested_at: Timestamp,
    pub due_at: Timestamp,
}

/// Outbox payload: everything of the account in SQL is erased, what Redis still has of it may go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountErased {
    pub id: UserId,
}

impl AccountErased {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "account_erased";
}

/// `tb_account_deletion.state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeletionState {
    Requested = 0,
    Closed = 1,
    Erasing = 2,
    Erased = 3,
}

/// The outcome of [`begin_erasure`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErasureBegun {
    Erasing,
    /// The account is open again, and its owner has a notice.
    Stopped(Vec<Obstacle>),
    /// Another process was faster.
    NothingToDo,
}

impl DeletionState {
    const fn code(self) -> i16 {
        self as i16
    }
}

/// Records the wish; a second one changes nothing and gets the reply to the first. Refused with what has to be settled
/// before.
pub async fn request(
    db: &Db,
    user: UserId,
    now: Timestamp,
    due_at: Timestamp,
) -> Result<Result<AccountDeletion, Vec<Obstacle>>, Error> {
    let request = async {
        let transaction = db.begin().await?;
        let status = lock_user(&transaction, user).await?;
        if let Some(known) = find(&transaction, user).await? {
            return Ok(Ok(known));
        }
        let obstacles = obstacles::list(&transaction, user).await?;
        if !obstacles.is_empty() || status != Some(UserStatus::Active) {
            return Ok(Err(obstacles));
        }
        let sql = "INSERT INTO tb_account_deletion \
            (user_id, state, requested_at, due_at, update_time) VALUES (?, ?, ?, ?, ?)";
        let values: [Value; 5] = [
            user.get().into(),
            DeletionState::Requested.code().into(),
            time::to_sql(now).into(),
            time::to_sql(due_at).into(),
            time::to_sql(now).into(),
        ];
        execute(&transaction, sql, values).await?;
        record(&transaction, Some(user), "request_account_deletion", user).await?;
        transaction.commit().await?;
        Ok(Ok(AccountDeletion {
            requested_at: now,
            due_at,
        }))
    };
    db.run("request account deletion", request).await
}

/// The wish, unless it is carried out already.
pub async fn get(db: &Db, user: UserId) -> Result<Option<AccountDeletion>, Error> {
    db.run("get account deletion", find(db.reader(), user))
        .await
}

/// Takes the wish back; returns whether there was one.
pub async fn keep(db: &Db, user: UserId) -> Result<bool, Error> {
    let keep = async {
        let transaction = db.begin().await?;
        lock_user(&transaction, user).await?;
        let sql = "DELETE FROM tb_account_deletion WHERE user_id = ? AND state = ?";
        let requested = DeletionState::Requested.code();
        let values: [Value; 2] = [user.get().into(), requested.into()];
        if execute(&transaction, sql, values).await? == 0 {
            return Ok(false);
        }
        record(&transaction, Some(user), "keep_account", user).await?;
        transaction.commit().await?;
        Ok(true)
    };
    db.run("keep account", keep).await
}

/// At most `limit` accounts in this state that have been due since before `before`, the oldest first. For `Closed` it is
/// the moment of closing that counts; of those `Requested`, the ones that are not blocked.
pub async fn list(
    db: &Db,
    state: DeletionState,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<UserId>, Error> {
    let since = match state {
        DeletionState::Closed => "update_time",
        _ => "due_at",
    };
    let status = match state {
        DeletionState::Requested => UserStatus::Active,
        _ => UserStatus::Closed,
    };
    let sql = format!(
        "SELECT d.user_id AS user_id FROM tb_account_deletion d \
         JOIN tb_user u ON u.id = d.user_id AND u.status = {} \
         WHERE d.state = ? AND d.{since} <= ? ORDER BY d.due_at, d.user_id LIMIT ?",
        status.code()
    );
    let values: [Value; 3] = [
        state.code().into(),
        time::to_sql(before).into(),
        limit.into(),
    ];
    let list = async {
        let asked = statement(db.reader(), sql, values);
        let rows = db.reader().query_all_raw(asked).await?;
        let ids = rows.iter().map(|row| row.try_get("", "user_id"));
        ids.map(|id| id.map(UserId::new)).collect()
    };
    db.run("list account deletions", list).await
}

/// Closes an account whose wish is due: its sessions end, by the outbox too, and nobody signs in to it. With money open the
/// wish ends instead, so that nobody is kept from a voucher that was bought since.
pub async fn close(db: &Db, user: UserId, now: Timestamp) -> Result<bool, Error> {
    let close = async {
        let transaction = db.begin().await?;
        // The wish of somebody who is blocked waits: its end would undo the block.
        if lock_user(&transaction, user).await? != Some(UserStatus::Active) {
            return Ok(false);
        }
        let (before, after) = (DeletionState::Requested, DeletionState::Closed);
        if !advance(&transaction, user, before, after, now).await? {
            return Ok(false);
        }
        if !obstacles::list(&transaction, user).await?.is_empty() {
            reopen(&transaction, user, now).await?;
            transaction.commit().await?;
            return Ok(false);
        }
        set_status(&transaction, user, UserStatus::Closed, now).await?;
        record(&transaction, None, "close_account", user).await?;
        enqueue_change(&transaction, user).await?;
        transaction.commit().await?;
        Ok(true)
    };
    db.run("close account", close).await
}

/// Makes a closed account nobody's, unless money is open after all: then it is opened again.
pub async fn begin_erasure(db: &Db, user: UserId, now: Timestamp) -> Result<ErasureBegun, Error> {
    let begin = async {
        let transaction = db.begin().await?;
        lock_user(&transaction, user).await?;
        let (before, after) = (DeletionState::Closed, DeletionState::Erasing);
        if !advance(&transaction, user, before, after, now).await? {
            return Ok(ErasureBegun::NothingToDo);
        }
        let obstacles = obstacles::list(&transaction, user).await?;
        let begun = if obstacles.is_empty() {
            erase::clear_user(&transaction, user, now).await?;
            record(&transaction, None, "erase_account", user).await?;
            ErasureBegun::Erasing
        } else {
            reopen(&transaction, user, now).await?;
            ErasureBegun::Stopped(obstacles)
        };
        enqueue_change(&transaction, user).await?;
        transaction.commit().await?;
        Ok(begun)
    };
    db.run("begin account erasure", begin).await
}

async fn reopen(
    transaction: &DatabaseTransaction,
    user: UserId,
    now: Timestamp,
) -> Result<(), DbErr> {
    let delete = "DELETE FROM tb_account_deletion WHERE user_id = ?";
    execute(transaction, delete, [user.get().into()]).await?;
    set_status(transaction, user, UserStatus::Active, now).await?;
    record(transaction, None, "reopen_account", user).await?;
    let notice = NewNotice::of_account(user, NoticeKind::AccountKept, now);
    notices::insert(transaction, &[notice]).await?;
    Ok(())
}

/// Locks the user's row; all changes of the wish take this lock. `None` if there is no such user.
async fn lock_user(
    transaction: &DatabaseTransaction,
    user: UserId,
) -> Result<Option<UserStatus>, DbErr> {
    let lock = for_update(Backend::of(transaction));
    let sql = format!("SELECT status FROM tb_user WHERE id = ? {lock}");
    let row = statement(transaction, sql, [user.get().into()]);
    let row = transaction.query_one_raw(row).await?;
    let code = row
        .map(|row| row.try_get::<i16>("", "status"))
        .transpose()?;
    Ok(code.map(UserStatus::from_code))
}

/// Whether the wish was in the state `before`.
async fn advance(
    transaction: &DatabaseTransaction,
    user: UserId,
    before: DeletionState,
    after: DeletionState,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let sql = "UPDATE tb_account_deletion SET state = ?, update_time = ? \
        WHERE user_id = ? AND state = ?";
    let values: [Value; 4] = [
        after.code().into(),
        time::to_sql(now).into(),
        user.get().into(),
        before.code().into(),
    ];
    Ok(execute(transaction, sql, values).await? == 1)
}

async fn set_status(
    transaction: &DatabaseTransaction,
    user: UserId,
    status: UserStatus,
    now: Timestamp,
) -> Result<(), DbErr> {
    let sql = "UPDATE tb_user SET status = ?, update_time = ? WHERE id = ?";
    let values: [Value; 3] = [
        status.code().into(),
        time::to_sql(now).into(),
        user.get().into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}

async fn record(
    transaction: &DatabaseTransaction,
    actor: Option<UserId>,
    action: &str,
    user: UserId,
) -> Result<(), DbErr> {
    audit::insert(transaction, actor, action, &format!("user:{user}"), "").await
}

#[derive(FromQueryResult)]
struct DeletionRow {
    requested_at: chrono::NaiveDateTime,
    due_at: chrono::NaiveDateTime,
}

async fn find(
    connection: &impl ConnectionTrait,
    user: UserId,
) -> Result<Option<AccountDeletion>, DbErr> {
    let sql =
        "SELECT requested_at, due_at FROM tb_account_deletion WHERE user_id = ? AND state = ?";
    let values: [Value; 2] = [user.get().into(), DeletionState::Requested.code().into()];
    let row = DeletionRow::find_by_statement(statement(connection, sql, values))
        .one(connection)
        .await?;
    Ok(row.map(|row| AccountDeletion {
        requested_at: time::from_sql(row.requested_at),
        due_at: time::from_sql(row.due_at),
    }))
}
