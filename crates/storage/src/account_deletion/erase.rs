//! The steps of an erasure, in small batches that can be repeated.
//!
//! What others see or count is removed by the functions that remove it for its owner, with their outbox rows, so caches,
//! feeds and counters follow. The rest is deleted by statement.

use domain::{CommentId, NoteId, UserId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::{AccountErased, DeletionState, advance, lock_user};
use crate::db::DatabaseTransaction;
use crate::follows::{self, FollowAction};
use crate::search::{self, IndexedText};
use crate::shops::Principal;
use crate::sql::{execute, statement};
use crate::users::{UserStatus, enqueue_change};
use crate::{Backend, Db, Error, comments, note_drafts, note_likes, notes, outbox, time, uploads};

/// What a step removes. Follows come before profiles, which have their counters; notes and drafts before pictures, which they use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EraseStep {
    Notes,
    Drafts,
    Comments,
    NoteLikes,
    CommentLikes,
    Followees,
    Fans,
    Rows(OwnRows),
    /// Rows in which others block the account.
    BlockedBy,
    Pictures,
}

/// Rows that nobody else sees or counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnRows {
    CommentReports,
    NoteReports,
    CommentMentions,
    NoteMentions,
    CheckIns,
    Favourites,
    FavouriteLists,
    FavouriteNotes,
    Blocks,
    WriteKeys,
    NoticeMutes,
    Notices,
    ShownFields,
    PhoneProof,
    Profile,
}

impl EraseStep {
    pub const ALL: [Self; 24] = [
        Self::Notes,
        Self::Drafts,
        Self::Comments,
        Self::NoteLikes,
        Self::CommentLikes,
        Self::Followees,
        Self::Fans,
        Self::Rows(OwnRows::CommentReports),
        Self::Rows(OwnRows::NoteReports),
        Self::Rows(OwnRows::CommentMentions),
        Self::Rows(OwnRows::NoteMentions),
        Self::Rows(OwnRows::CheckIns),
        Self::Rows(OwnRows::Favourites),
        Self::Rows(OwnRows::FavouriteLists),
        Self::Rows(OwnRows::FavouriteNotes),
        Self::Rows(OwnRows::Blocks),
        Self::BlockedBy,
        Self::Rows(OwnRows::WriteKeys),
        Self::Rows(OwnRows::NoticeMutes),
        Self::Rows(OwnRows::Notices),
        Self::Rows(OwnRows::ShownFields),
        Self::Rows(OwnRows::PhoneProof),
        Self::Rows(OwnRows::Profile),
        Self::Pictures,
    ];
}

impl OwnRows {
    const fn table(self) -> &'static str {
        match self {
            Self::CommentReports => "tb_blog_comment_report",
            Self::NoteReports => "tb_blog_report",
            Self::CommentMentions => "tb_blog_comment_mention",
            Self::NoteMentions => "tb_blog_mention",
            Self::CheckIns => "tb_sign",
            Self::Favourites => "tb_favourite",
            Self::FavouriteLists => "tb_favourite_list",
            Self::FavouriteNotes => "tb_blog_favourite",
            Self::Blocks => "tb_block",
            Self::WriteKeys => "tb_write_key",
            Self::NoticeMutes => "tb_notice_mute",
            Self::Notices => "tb_notice",
            Self::ShownFields => "tb_profile_shown",
            Self::PhoneProof => "tb_phone_proof",
            Self::Profile => "tb_user_info",
        }
    }
}

/// Removes at most `limit` things and returns how many there were; 0 when the step is done.
pub async fn take_step(db: &Db, user: UserId, step: EraseStep, limit: u32) -> Result<u64, Error> {
    match step {
        EraseStep::Notes => {
            let ids = list_ids(db, user, "SELECT id FROM tb_blog WHERE user_id = ?", limit).await?;
            for id in &ids {
                // One may be gone: another process is at work.
                let _ = notes::delete(db, Principal::Owner(user), NoteId::new(*id)).await?;
            }
            Ok(ids.len() as u64)
        }
        EraseStep::Drafts => {
            let keys = note_drafts::keys_of(db, user, limit).await?;
            for key in &keys {
                // One may be gone: another process is at work.
                note_drafts::delete(db, user, key).await?;
            }
            Ok(keys.len() as u64)
        }
        EraseStep::Comments => {
            let sql = "SELECT id FROM tb_blog_comments WHERE user_id = ?";
            let ids = list_ids(db, user, sql, limit).await?;
            for id in &ids {
                let (owner, id) = (Principal::Owner(user), CommentId::new(*id));
                // One may have gone with the thread of another.
                let _ = comments::delete(db, owner, id).await?;
            }
            Ok(ids.len() as u64)
        }
        EraseStep::NoteLikes => {
            let sql = "SELECT blog_id AS id FROM tb_blog_like WHERE user_id = ?";
            let ids = list_ids(db, user, sql, limit).await?;
            for id in &ids {
                note_likes::remove(db, NoteId::new(*id), user).await?;
            }
            Ok(ids.len() as u64)
        }
        EraseStep::CommentLikes => {
            let sql = "SELECT comment_id AS id FROM tb_blog_comment_like WHERE user_id = ?";
            let ids = list_ids(db, user, sql, limit).await?;
            for id in &ids {
                comments::remove_like(db, CommentId::new(*id), user).await?;
            }
            Ok(ids.len() as u64)
        }
        EraseStep::Followees => {
            let sql = "SELECT follow_user_id AS id FROM tb_follow WHERE user_id = ?";
            let ids = list_ids(db, user, sql, limit).await?;
            for id in &ids {
                unfollow(db, user, UserId::new(*id)).await?;
            }
            Ok(ids.len() as u64)
        }
        EraseStep::Fans => {
            let sql = "SELECT user_id AS id FROM tb_follow WHERE follow_user_id = ?";
            let ids = list_ids(db, user, sql, limit).await?;
            for id in &ids {
                unfollow(db, UserId::new(*id), user).await?;
            }
            Ok(ids.len() as u64)
        }
        EraseStep::Rows(rows) => delete_rows(db, user, rows.table(), "user_id", limit).await,
        EraseStep::BlockedBy => delete_rows(db, user, "tb_block", "blocked_user_id", limit).await,
        EraseStep::Pictures => uploads::abandon(db, user).await,
    }
}

/// Ends an erasure of which every step is done. The outbox cleans Redis up.
pub async fn finish(db: &Db, user: UserId, now: Timestamp) -> Result<bool, Error> {
    let finish = async {
        let transaction = db.begin().await?;
        lock_user(&transaction, user).await?;
        let (before, after) = (DeletionState::Erasing, DeletionState::Erased);
        if !advance(&transaction, user, before, after, now).await? {
            return Ok(false);
        }
        enqueue_change(&transaction, user).await?;
        let (key, erased) = (format!("user:{user}"), AccountErased { id: user });
        outbox::append(&transaction, AccountErased::KIND, &key, &erased).await?;
        transaction.commit().await?;
        Ok(true)
    };
    db.run("finish account erasure", finish).await
}

/// The row stays: orders and the ledger refer to its id.
pub(super) async fn clear_user(
    transaction: &DatabaseTransaction,
    user: UserId,
    now: Timestamp,
) -> Result<(), DbErr> {
    let named = statement(
        transaction,
        "SELECT nick_name FROM tb_user WHERE id = ?",
        [user.get().into()],
    );
    if let Some(row) = transaction.query_one_raw(named).await? {
        let nick_name: String = row.try_get("", "nick_name")?;
        let found_by = IndexedText::of_person(user.get(), &nick_name);
        search::replace(transaction, Some(&found_by), None).await?;
    }
    let sql = "UPDATE tb_user SET phone = NULL, email = NULL, password = '', nick_name = '', \
        icon = '', status = ?, update_time = ? WHERE id = ?";
    let values: [Value; 3] = [
        UserStatus::Closed.code().into(),
        time::to_sql(now).into(),
        user.get().into(),
    ];
    execute(transaction, sql, values).await?;
    uploads::release(transaction, &format!("user:{user}")).await
}

/// A follow of somebody who has no row, as an adopted database may have, is deleted without a counter.
async fn unfollow(db: &Db, user: UserId, author: UserId) -> Result<(), Error> {
    if follows::set(db, user, author, FollowAction::Unfollow)
        .await?
        .is_ok_and(|is_changed| is_changed)
    {
        return Ok(());
    }
    let sql = "DELETE FROM tb_follow WHERE user_id = ? AND follow_user_id = ?";
    let pair: [Value; 2] = [user.get().into(), author.get().into()];
    db.run("delete follow", execute(db.writer(), sql, pair))
        .await?;
    Ok(())
}

/// The `id` of at most `limit` rows of a query whose only `?` is the user.
async fn list_ids(db: &Db, user: UserId, query: &str, limit: u32) -> Result<Vec<i64>, Error> {
    let sql = format!("{query} LIMIT {limit}");
    let list = async {
        let asked = statement(db.reader(), sql, [user.get().into()]);
        let rows = db.reader().query_all_raw(asked).await?;
        rows.iter().map(|row| row.try_get("", "id")).collect()
    };
    db.run("list rows to erase", list).await
}

/// The rows of a table whose column names the user.
async fn delete_rows(
    db: &Db,
    user: UserId,
    table: &str,
    column: &str,
    limit: u32,
) -> Result<u64, Error> {
    let sql = match db.backend() {
        Backend::MySql => format!("DELETE FROM {table} WHERE {column} = ? LIMIT {limit}"),
        // This build of SQLite has no `LIMIT` on `DELETE`.
        Backend::Sqlite => format!(
            "DELETE FROM {table} WHERE rowid IN \
             (SELECT rowid FROM {table} WHERE {column} = ? LIMIT {limit})"
        ),
    };
    let delete = execute(db.writer(), sql, [user.get().into()]);
    db.run("erase rows", delete).await
}
