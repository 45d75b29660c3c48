//! Deletes a note and purges its likes and comments.

use domain::{NoteId, UserId};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, QuerySelect, Statement};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::opinion::counted_opinion;
use super::shop_counts::{RatingChange, lock_shop, recount};
use super::{dishes, words_of};
use crate::db::DatabaseTransaction;
use crate::entity::blog::{Entity, Model};
use crate::search::index_note;
use crate::shops::Principal;
use crate::topics::{self, TopicsOf};
use crate::write_keys::{self, Written};
use crate::{Backend, Db, Error, comments, mentions, outbox, sql, uploads};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoteDeleteRefusal {
    #[error("there is no such note")]
    NoSuchNote,
    #[error("the note is someone else's")]
    NotAuthor,
}

/// Outbox payload of a deleted or hidden note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteDeleted {
    pub id: NoteId,
    pub author: UserId,
}

impl NoteDeleted {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "note_deleted";
}

/// Rows per statement: a few milliseconds, so that other writers get in between.
const PURGE_BATCH: u64 = 1_000;

/// Deletes a note for its author or an admin.
pub async fn delete(
    db: &Db,
    principal: Principal,
    id: NoteId,
) -> Result<Result<(), NoteDeleteRefusal>, Error> {
    let delete = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(id.get()).lock_exclusive();
        let Some(row) = find.one(&transaction).await? else {
            return Ok(Err(NoteDeleteRefusal::NoSuchNote));
        };
        if !may_delete(principal, &row) {
            return Ok(Err(NoteDeleteRefusal::NotAuthor));
        }
        erase(&transaction, &row).await?;
        transaction.commit().await?;
        Ok(Ok(()))
    };
    db.run("delete note", delete).await
}

/// Deletes a batch of likes and comments of a deleted note; returns whether there may be more.
pub async fn purge(db: &Db, id: NoteId) -> Result<bool, Error> {
    let delete = db.writer().execute_raw(purge_likes(db, id));
    let likes = db.run("purge likes", delete).await?.rows_affected();
    let had_comments = comments::purge(db, id).await?;
    Ok(likes > 0 || had_comments)
}

fn may_delete(principal: Principal, row: &Model) -> bool {
    match principal {
        Principal::Admin => true,
        Principal::Owner(user) => row.user_id == user.get(),
    }
}

async fn erase(transaction: &DatabaseTransaction, row: &Model) -> Result<(), DbErr> {
    let shop = lock_shop(transaction, row.shop_id).await?;
    Entity::delete_by_id(row.id).exec(transaction).await?;
    index_note(transaction, row.id, Some(words_of(row)), None).await?;
    uploads::release(transaction, &format!("note:{}", row.id)).await?;
    write_keys::forget(transaction, Written::Note, &[row.id]).await?;
    let reports = "DELETE FROM tb_blog_report WHERE blog_id = ?";
    sql::execute(transaction, reports, [row.id.into()]).await?;
    let opinion = counted_opinion(row);
    dishes::remove(transaction, row, &opinion.dishes).await?;
    // A note of an adopted database may be about a shop that is gone.
    if let Some(shop) = shop {
        let ratings = RatingChange {
            before: opinion.ratings,
            ..Default::default()
        };
        recount(transaction, &shop, ratings).await?;
    }
    mentions::forget_note(transaction, row.id).await?;
    topics::replace(transaction, row.id, TopicsOf::Gone).await?;
    let deleted = NoteDeleted {
        id: NoteId::new(row.id),
        author: UserId::new(row.user_id),
    };
    let key = format!("note:{}", row.id);
    outbox::append(transaction, NoteDeleted::KIND, &key, &deleted).await
}

fn purge_likes(db: &Db, id: NoteId) -> Statement {
    let sql = match db.backend() {
        Backend::MySql => format!("DELETE FROM tb_blog_like WHERE blog_id = ? LIMIT {PURGE_BATCH}"),
        // This build of SQLite has no `LIMIT` on `DELETE`.
        Backend::Sqlite => format!(
            "DELETE FROM tb_blog_like WHERE blog_id = ?1 AND user_id IN \
             (SELECT user_id FROM tb_blog_like WHERE blog_id = ?1 LIMIT {PURGE_BATCH})"
        ),
    };
    sql::statement(db.reader(), sql, [id.get().into()])
}
