//! Drafts of notes: `tb_blog_draft`. A draft has the key that publishes it, so it becomes one note, whichever device sends it.
//!
//! Saving locks the person's row in `tb_user`, as publishing with a key does, so that the limit holds under concurrency and no
//! draft is left of a note; and it names the revision that it changes: of two devices that change the same one the second is refused. Pictures of a draft are in use and are not cleared
//! away; publishing frees them for the note and deletes the draft in its own transaction.

use domain::unfinished_note::DRAFTS_MAX;
use domain::{NoteId, UnfinishedNote, UserId};
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    Value,
};
use thiserror::Error;

use crate::db::DatabaseTransaction;
use crate::entity::blog_draft::{Column, Entity, Model};
use crate::users::lock_user;
use crate::write_keys::{self, Written};
use crate::{Db, Error, sql, time, uploads};

/// A note that its author has not published yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What the request to publish it is called.
    pub key: String,
    pub revision: i64,
    pub saved_at: Timestamp,
    pub note: UnfinishedNote,
}

/// Where a draft is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    pub revision: i64,
    pub saved_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SaveDraftRefusal {
    #[error("the draft was changed elsewhere")]
    Changed,
    #[error("the draft was deleted")]
    Gone,
    /// With the note, unless the key has made something else.
    #[error("the draft was published")]
    Published(Option<NoteId>),
    #[error("nobody keeps more than {DRAFTS_MAX} drafts")]
    TooMany,
}

/// Saves what the author made of `revision`, which is 0 for a new draft. Asking again for what is done already succeeds: the
/// reply may have been lost.
pub async fn save(
    db: &Db,
    user: UserId,
    key: &str,
    revision: i64,
    note: &UnfinishedNote,
) -> Result<Result<Saved, SaveDraftRefusal>, Error> {
    let save = async {
        let body = serde_json::to_string(note).map_err(|error| DbErr::Json(error.to_string()))?;
        let transaction = db.begin().await?;
        lock_user(&transaction, user).await?;
        let note_made = write_keys::made(&transaction, user, key, Written::Note).await?;
        if let Some(id) = note_made {
            return Ok(Err(SaveDraftRefusal::Published(id.map(NoteId::new))));
        }
        let Some(row) = of_key(user, key).one(&transaction).await? else {
            if revision != 0 {
                return Ok(Err(SaveDraftRefusal::Gone));
            }
            let mine = Entity::find().filter(Column::UserId.eq(user.get()));
            if mine.count(&transaction).await? >= u64::from(DRAFTS_MAX) {
                return Ok(Err(SaveDraftRefusal::TooMany));
            }
            return insert(transaction, user, key, &body, &note.pictures).await;
        };
        let is_said = row.body == body;
        if is_said && (revision == row.revision || revision == row.revision - 1) {
            return Ok(Ok(saved(&row)));
        }
        if revision != row.revision {
            return Ok(Err(SaveDraftRefusal::Changed));
        }
        update(transaction, user, &row, &body, &note.pictures).await
    };
    db.run("save draft", save).await
}

/// What was saved last first.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<Draft>, Error> {
    let find = Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .order_by_desc(Column::UpdateTime)
        .order_by_desc(Column::Id)
        .limit(u64::from(DRAFTS_MAX))
        .all(db.reader());
    let rows = db.run("list drafts", find).await?;
    let draft = |row: Model| Draft {
        revision: row.revision,
        saved_at: time::from_sql(row.update_time),
        // What somebody else wrote there is an empty draft, which can be deleted.
        note: serde_json::from_str(&row.body).unwrap_or_default(),
        key: row.name,
    };
    Ok(rows.into_iter().map(draft).collect())
}

/// Deletes a draft and frees its pictures. Returns whether it was there.
pub async fn delete(db: &Db, user: UserId, key: &str) -> Result<bool, Error> {
    let delete = async {
        let transaction = db.begin().await?;
        let is_there = remove(&transaction, user, key).await?;
        transaction.commit().await?;
        Ok(is_there)
    };
    db.run("delete draft", delete).await
}

/// Deletes a draft in the transaction that publishes or deletes it.
pub(crate) async fn remove(
    transaction: &DatabaseTransaction,
    user: UserId,
    key: &str,
) -> Result<bool, DbErr> {
    let found = of_key(user, key).lock_exclusive().one(transaction).await?;
    let Some(row) = found else {
        return Ok(false);
    };
    uploads::release(transaction, &user_of(row.id)).await?;
    Entity::delete_by_id(row.id).exec(transaction).await?;
    Ok(true)
}

/// The keys of at most `limit` drafts.
pub(crate) async fn keys_of(db: &Db, user: UserId, limit: u32) -> Result<Vec<String>, Error> {
    let find = Entity::find()
        .select_only()
        .column(Column::Name)
        .filter(Column::UserId.eq(user.get()))
        .limit(u64::from(limit))
        .into_tuple()
        .all(db.reader());
    db.run("list keys of drafts", find).await
}

fn of_key(user: UserId, key: &str) -> Select<Entity> {
    Entity::find()
        .filter(Column::UserId.eq(user.get()))
        .filter(Column::Name.eq(key))
}

/// The `used_by` of its pictures.
fn user_of(id: i64) -> String {
    format!("draft:{id}")
}

fn saved(row: &Model) -> Saved {
    Saved {
        revision: row.revision,
        saved_at: time::from_sql(row.update_time),
    }
}

/// The caller holds the user's lock, and has found no draft of this key.
async fn insert(
    transaction: DatabaseTransaction,
    user: UserId,
    key: &str,
    body: &str,
    pictures: &[String],
) -> Result<Result<Saved, SaveDraftRefusal>, DbErr> {
    let insert = "INSERT INTO tb_blog_draft (user_id, name, revision, body, update_time) \
        VALUES (?, ?, 1, ?, ?)";
    let now = time::now();
    let values: [Value; 4] = [user.get().into(), key.into(), body.into(), now.into()];
    sql::execute(&transaction, insert, values).await?;
    let row = of_key(user, key).one(&transaction).await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("the draft just written".to_owned()))?;
    use_pictures(&transaction, user, row.id, pictures).await?;
    transaction.commit().await?;
    Ok(Ok(saved(&row)))
}

/// The caller holds the user's lock. The draft may be deleted at this moment, which does not take that lock.
async fn update(
    transaction: DatabaseTransaction,
    user: UserId,
    row: &Model,
    body: &str,
    pictures: &[String],
) -> Result<Result<Saved, SaveDraftRefusal>, DbErr> {
    let (now, revision) = (time::now(), row.revision + 1);
    let update = "UPDATE tb_blog_draft SET body = ?, revision = ?, update_time = ? WHERE id = ?";
    let values: [Value; 4] = [body.into(), revision.into(), now.into(), row.id.into()];
    if sql::execute(&transaction, update, values).await? == 0 {
        return Ok(Err(SaveDraftRefusal::Gone));
    }
    use_pictures(&transaction, user, row.id, pictures).await?;
    transaction.commit().await?;
    let saved_at = time::from_sql(now);
    Ok(Ok(Saved { revision, saved_at }))
}

async fn use_pictures(
    transaction: &DatabaseTransaction,
    user: UserId,
    draft: i64,
    pictures: &[String],
) -> Result<(), DbErr> {
    let addresses: Vec<String> = pictures.iter().map(|name| uploads::address(name)).collect();
    let addresses = addresses.join(",");
    uploads::assign(transaction, Some(user), &addresses, &user_of(draft)).await
}
