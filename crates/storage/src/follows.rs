//! Who follows whom: `tb_follow`, with the counters of both people in `tb_user_info`.
//!
//! A change locks both users' rows in `tb_user` first, by rising id, so changes of the same pair serialise, counters
//! stay exact, and no deadlock occurs.

use domain::UserId;
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    Value,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::db::DatabaseTransaction;
use crate::entity::follow::{Column, Entity};
use crate::entity::{user, user_info};
use crate::sql::IDS_PER_QUERY;
use crate::users::UserStatus;
use crate::{Db, Error, MAX_PAGE_ROWS, blocks, outbox, sql, time};

/// Outbox payload of a changed follow. The effect reads the present state from the row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowChanged {
    pub user: UserId,
    pub author: UserId,
}

impl FollowChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "follow_changed";
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowAction {
    Follow,
    Unfollow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FollowRefusal {
    #[error("there is no such person")]
    NoSuchAuthor,
    /// The author blocks the user.
    #[error("the author blocks the user")]
    Blocked,
    /// The user blocks the author.
    #[error("the user blocks the author")]
    Blocking,
    #[error("nobody follows more than {MAX_FOLLOWEES} people")]
    TooMany,
}

/// The most users that one user may follow: the feed and the list stay small enough to read at once.
pub const MAX_FOLLOWEES: u32 = 5_000;

/// One entry of a list of fans or followees; the next page starts after `cursor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follow {
    /// The row's own id: newer follows have higher ones.
    pub cursor: i64,
    pub other: UserId,
}

/// Which list of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowList {
    /// The user's followers.
    Fans,
    /// The users that the user follows.
    Followees,
}

/// Follows or unfollows; returns whether anything changed.
pub async fn set(
    db: &Db,
    user: UserId,
    author: UserId,
    action: FollowAction,
) -> Result<Result<bool, FollowRefusal>, Error> {
    let set = async {
        let transaction = db.begin().await?;
        if !lock_both(&transaction, user, author, action).await? {
            return Ok(Err(FollowRefusal::NoSuchAuthor));
        }
        if action == FollowAction::Follow {
            if blocks::exists(&transaction, author, user).await? {
                return Ok(Err(FollowRefusal::Blocked));
            }
            if blocks::exists(&transaction, user, author).await? {
                return Ok(Err(FollowRefusal::Blocking));
            }
        }
        let is_changed = write_row(&transaction, user, author, action).await?;
        if is_changed && action == FollowAction::Follow && has_too_many(&transaction, user).await? {
            return Ok(Err(FollowRefusal::TooMany));
        }
        if is_changed {
            record(&transaction, user, author, action).await?;
        }
        transaction.commit().await?;
        Ok(Ok(is_changed))
    };
    db.run("follow", set).await
}

/// Never lags.
pub async fn is_following(db: &Db, user: UserId, author: UserId) -> Result<bool, Error> {
    let find = between(user, author).one(db.reader());
    Ok(db.run("get follow", find).await?.is_some())
}

/// Which of these people the person follows, in no particular order. Never lags.
pub async fn followed_among(
    db: &Db,
    user: UserId,
    authors: &[UserId],
) -> Result<Vec<UserId>, Error> {
    let mut followed = Vec::new();
    for chunk in authors.chunks(IDS_PER_QUERY) {
        let find = Entity::find()
            .select_only()
            .column(Column::FollowUserId)
            .filter(Column::UserId.eq(user.get()))
            .filter(Column::FollowUserId.is_in(chunk.iter().map(|author| author.get())));
        followed.extend(ids(db, "look for follows", find).await?);
    }
    Ok(followed)
}

/// At most `limit` users above `after` who follow anyone, by id.
pub async fn list_followers(db: &Db, after: UserId, limit: u64) -> Result<Vec<UserId>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::UserId)
        .filter(Column::UserId.gt(after.get()))
        .distinct()
        .order_by_asc(Column::UserId)
        .limit(limit);
    ids(db, "list followers", find).await
}

/// At most `limit` followees of this user above `after`, by id. Reads the primary.
pub async fn list_followees(
    db: &Db,
    user: UserId,
    after: UserId,
    limit: u64,
) -> Result<Vec<UserId>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::FollowUserId)
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::FollowUserId.gt(after.get()))
        .order_by_asc(Column::FollowUserId)
        .limit(limit);
    ids(db, "list followees", find).await
}

/// At most `limit` followers of this author above `after`, by id. Reads the primary.
pub async fn list_fans(
    db: &Db,
    author: UserId,
    after: UserId,
    limit: u64,
) -> Result<Vec<UserId>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::UserId)
        .filter(Column::FollowUserId.eq(author.get()))
        .filter(Column::UserId.gt(after.get()))
        .order_by_asc(Column::UserId)
        .limit(limit);
    ids(db, "list fans", find).await
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) of a list before the cursor, newest first.
pub async fn list_page(
    db: &Db,
    person: UserId,
    list: FollowList,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<Follow>, Error> {
    let (mine, other) = match list {
        FollowList::Fans => (Column::FollowUserId, Column::UserId),
        FollowList::Followees => (Column::UserId, Column::FollowUserId),
    };
    let find = Entity::find()
        .select_only()
        .columns([Column::Id, other])
        .filter(mine.eq(person.get()))
        .filter(Column::Id.lt(before.unwrap_or(i64::MAX)))
        .order_by_desc(Column::Id)
        .limit(u64::from(limit.min(MAX_PAGE_ROWS)))
        .into_tuple::<(i64, i64)>()
        .all(db.reader());
    let rows = db.run("list follows", find).await?;
    let line = |(cursor, other)| Follow {
        cursor,
        other: UserId::new(other),
    };
    Ok(rows.into_iter().map(line).collect())
}

/// At most `limit` users that both follow, by id. Reads the primary.
pub async fn list_common(
    db: &Db,
    one: UserId,
    other: UserId,
    limit: u64,
) -> Result<Vec<UserId>, Error> {
    let of_other = Entity::find()
        .select_only()
        .column(Column::FollowUserId)
        .filter(Column::UserId.eq(other.get()));
    let find = Entity::find()
        .select_only()
        .column(Column::FollowUserId)
        .filter(Column::UserId.eq(one.get()))
        .filter(Column::FollowUserId.in_subquery(of_other.into_query()))
        .order_by_asc(Column::FollowUserId)
        .limit(limit);
    ids(db, "list common followees", find).await
}

/// Ends a follow, if there is one, in a transaction that holds the locks of both people.
pub(crate) async fn end(
    transaction: &DatabaseTransaction,
    user: UserId,
    author: UserId,
) -> Result<(), DbErr> {
    let action = FollowAction::Unfollow;
    if write_row(transaction, user, author, action).await? {
        record(transaction, user, author, action).await?;
    }
    Ok(())
}

fn between(user: UserId, author: UserId) -> Select<Entity> {
    Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::FollowUserId.eq(author.get()))
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

/// Locks both users; returns whether the author exists, and can be followed if that is the wish. SQLite has one writer and needs no lock.
pub(crate) async fn lock_both(
    transaction: &DatabaseTransaction,
    user: UserId,
    author: UserId,
    action: FollowAction,
) -> Result<bool, DbErr> {
    let found: Vec<(i64, i16)> = user::Entity::find()
        .select_only()
        .columns([user::Column::Id, user::Column::Status])
        .filter(user::Column::Id.is_in([user.get(), author.get()]))
        .order_by_asc(user::Column::Id)
        .lock_exclusive()
        .into_tuple()
        .all(transaction)
        .await?;
    let is_there = |&(id, status): &(i64, i16)| {
        let is_open = UserStatus::from_code(status) != UserStatus::Closed;
        id == author.get() && (is_open || action == FollowAction::Unfollow)
    };
    Ok(found.iter().any(is_there))
}

/// Whether the user's counter has reached the limit. The caller holds its lock.
async fn has_too_many(transaction: &DatabaseTransaction, user: UserId) -> Result<bool, DbErr> {
    let find = user_info::Entity::find_by_id(user.get()).one(transaction);
    let followees = find.await?.map_or(0, |row| row.followee);
    Ok(u32::try_from(followees).unwrap_or(0) >= MAX_FOLLOWEES)
}

/// Returns whether the row changed.
async fn write_row(
    transaction: &DatabaseTransaction,
    user: UserId,
    author: UserId,
    action: FollowAction,
) -> Result<bool, DbErr> {
    let pair: [Value; 2] = [user.get().into(), author.get().into()];
    let written = match action {
        FollowAction::Unfollow => {
            let delete = "DELETE FROM tb_follow WHERE user_id = ? AND follow_user_id = ?";
            sql::execute(transaction, delete, pair).await?
        }
        FollowAction::Follow => {
            let insert = format!(
                "{} tb_follow (user_id, follow_user_id, create_time) VALUES (?, ?, ?)",
                sql::insert_ignore(transaction)
            );
            let values = pair.into_iter().chain([time::now().into()]);
            sql::execute(transaction, insert, values).await?
        }
    };
    Ok(written == 1)
}

/// Counts a changed row and tells the outbox.
async fn record(
    transaction: &DatabaseTransaction,
    user: UserId,
    author: UserId,
    action: FollowAction,
) -> Result<(), DbErr> {
    count(transaction, user, author, action).await?;
    let key = format!("follow:{user}:{author}");
    let changed = FollowChanged { user, author };
    outbox::append(transaction, FollowChanged::KIND, &key, &changed).await
}

/// Adjusts both users' counters and creates missing counter rows.
async fn count(
    transaction: &DatabaseTransaction,
    user: UserId,
    author: UserId,
    action: FollowAction,
) -> Result<(), DbErr> {
    let step = match action {
        FollowAction::Follow => 1,
        FollowAction::Unfollow => -1,
    };
    for (person, column) in [(user, "followee"), (author, "fans")] {
        let insert_ignore = sql::insert_ignore(transaction);
        let make = format!("{insert_ignore} tb_user_info (user_id) VALUES (?)");
        sql::execute(transaction, make, [person.get().into()]).await?;
        // An adopted counter may be too low; it must not become negative.
        let add = format!(
            "UPDATE tb_user_info SET {column} = CASE WHEN {column} + ? < 0 THEN 0 ELSE {column} + ? END \
             WHERE user_id = ?"
        );
        let values: [Value; 3] = [step.into(), step.into(), person.get().into()];
        sql::execute(transaction, add, values).await?;
    }
    Ok(())
}
