//! Who blocks whom: `tb_block`.
//!
//! A block locks both people's rows in `tb_user` as a follow does, and ends the follows between them in the same
//! transaction. So nobody follows across a block, whatever comes at once, and the limit holds.

use domain::UserId;
use domain::block::BLOCKS_MAX;
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select, Value,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::entity::block::{Column, Entity, Model};
use crate::follows::{self, FollowAction};
use crate::sql::IDS_PER_QUERY;
use crate::{Db, Error, MAX_PAGE_ROWS, outbox, sql, time};

/// Outbox payload of a person who blocked or unblocked somebody. The effect reads the present state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlocksChanged {
    pub user: UserId,
}

impl BlocksChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "blocks_changed";
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BlockRefusal {
    #[error("there is no such person")]
    NoSuchPerson,
    #[error("nobody blocks more than {BLOCKS_MAX} people")]
    TooMany,
}

/// Somebody whom a person blocks; the next page starts after `cursor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The row's own id: newer blocks have higher ones.
    pub cursor: i64,
    pub person: UserId,
    pub blocked_at: Timestamp,
}

/// Blocks a person and ends the follows between the two. Returns whether anything changed.
pub async fn block(
    db: &Db,
    user: UserId,
    person: UserId,
) -> Result<Result<bool, BlockRefusal>, Error> {
    let block = async {
        let transaction = db.begin().await?;
        let lock = follows::lock_both(&transaction, user, person, FollowAction::Follow);
        if !lock.await? {
            return Ok(Err(BlockRefusal::NoSuchPerson));
        }
        if of_pair(user, person).count(&transaction).await? > 0 {
            return Ok(Ok(false));
        }
        let mine = Entity::find().filter(Column::UserId.eq(user.get()));
        if mine.count(&transaction).await? >= u64::from(BLOCKS_MAX) {
            return Ok(Err(BlockRefusal::TooMany));
        }
        let insert =
            "INSERT INTO tb_block (user_id, blocked_user_id, create_time) VALUES (?, ?, ?)";
        let pair = [user.get(), person.get()].map(Value::from);
        let values = pair.into_iter().chain([time::now().into()]);
        sql::execute(&transaction, insert, values).await?;
        follows::end(&transaction, user, person).await?;
        follows::end(&transaction, person, user).await?;
        enqueue(&transaction, user).await?;
        transaction.commit().await?;
        Ok(Ok(true))
    };
    db.run("block person", block).await
}

/// Also of somebody who has no account any more. Returns whether anything changed.
pub async fn unblock(db: &Db, user: UserId, person: UserId) -> Result<bool, Error> {
    let unblock = async {
        let transaction = db.begin().await?;
        follows::lock_both(&transaction, user, person, FollowAction::Unfollow).await?;
        let delete = "DELETE FROM tb_block WHERE user_id = ? AND blocked_user_id = ?";
        let pair = [user.get(), person.get()].map(Value::from);
        if sql::execute(&transaction, delete, pair).await? == 0 {
            return Ok(false);
        }
        enqueue(&transaction, user).await?;
        transaction.commit().await?;
        Ok(true)
    };
    db.run("unblock person", unblock).await
}

/// Whether the user blocks the person. Never lags.
pub async fn is_blocked(db: &Db, user: UserId, person: UserId) -> Result<bool, Error> {
    let count = of_pair(user, person).count(db.reader());
    Ok(db.run("get block", count).await? > 0)
}

/// Which of these people block the person, in no particular order. Never lags.
pub async fn blockers_among(
    db: &Db,
    people: &[UserId],
    person: UserId,
) -> Result<Vec<UserId>, Error> {
    let mut blockers = Vec::new();
    for chunk in people.chunks(IDS_PER_QUERY) {
        let find = Entity::find()
            .select_only()
            .column(Column::UserId)
            .filter(Column::BlockedUserId.eq(person.get()))
            .filter(Column::UserId.is_in(chunk.iter().map(|it| it.get())));
        blockers.extend(ids(db, "look for blocks", find).await?);
    }
    Ok(blockers)
}

/// All whom the user blocks, by id. Reads the primary.
pub async fn list_all(db: &Db, user: UserId) -> Result<Vec<UserId>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::BlockedUserId)
        .filter(Column::UserId.eq(user.get()))
        .order_by_asc(Column::BlockedUserId)
        .limit(u64::from(BLOCKS_MAX));
    ids(db, "list all blocks", find).await
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) whom the user blocks before the cursor, newest first.
pub async fn list_page(
    db: &Db,
    user: UserId,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<Block>, Error> {
    let find = Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::Id.lt(before.unwrap_or(i64::MAX)))
        .order_by_desc(Column::Id)
        .limit(u64::from(limit.min(MAX_PAGE_ROWS)))
        .all(db.reader());
    let rows = db.run("list blocks", find).await?;
    let block = |row: Model| Block {
        cursor: row.id,
        person: UserId::new(row.blocked_user_id),
        blocked_at: time::from_sql(row.create_time),
    };
    Ok(rows.into_iter().map(block).collect())
}

/// Whether the user blocks the person, in a transaction.
pub(crate) async fn exists(
    transaction: &impl ConnectionTrait,
    user: UserId,
    person: UserId,
) -> Result<bool, DbErr> {
    Ok(of_pair(user, person).count(transaction).await? > 0)
}

/// SQL condition with one `?`, the reader: `author` names a column with somebody whom the reader does not block.
pub(crate) fn not_blocked(author: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM tb_block k WHERE k.user_id = ? AND k.blocked_user_id = {author})"
    )
}

/// SQL condition: the person in the column `owner` does not block the one in `other`.
pub(crate) fn does_not_block(owner: &str, other: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM tb_block k WHERE k.user_id = {owner} AND k.blocked_user_id = {other})"
    )
}

fn of_pair(user: UserId, person: UserId) -> Select<Entity> {
    Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::BlockedUserId.eq(person.get()))
}

/// The caller holds the user's lock.
async fn enqueue(transaction: &impl ConnectionTrait, user: UserId) -> Result<(), DbErr> {
    let key = format!("blocks:{user}");
    outbox::append(
        transaction,
        BlocksChanged::KIND,
        &key,
        &BlocksChanged { user },
    )
    .await
}

async fn ids(
    db: &Db,
    operation: &'static str,
    select: Select<Entity>,
) -> Result<Vec<UserId>, Error> {
    let find = select.into_tuple::<i64>().all(db.reader());
    let ids = db.run(operation, find).await?;
    Ok(ids.into_iter().map(UserId::new).collect())
}
