//! Changing a published note.
//!
//! An edit names the state that its author read by the number of edits before it; of two edits of the same state the second
//! is refused. The text, the use of the pictures, the shop's score and the outbox row are one transaction.

use domain::{NoteId, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, DbErr, EntityTrait, IntoActiveModel, QuerySelect};
use thiserror::Error;

use super::shop_counts::{lock_shop, recount};
use super::{HIDDEN, NoteTextChanged, words_of};
use crate::db::DatabaseTransaction;
use crate::entity::blog::{Entity, Model};
use crate::search::{NoteWords, index_note};
use crate::{Db, Error, outbox, time, uploads};

/// What a note is to say, already validated and sanitised by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteEdit {
    pub author: UserId,
    pub id: NoteId,
    /// The number of edits of the text that the author changed.
    pub edits_before: u32,
    pub title: String,
    pub content: String,
    /// Addresses of pictures: those that the note has, and uploaded ones.
    pub addresses: Vec<String>,
    pub stars: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoteEditRefusal {
    /// Gone or hidden.
    #[error("there is no such note")]
    NoSuchNote,
    #[error("the note is someone else's")]
    NotAuthor,
    #[error("the note was changed meanwhile")]
    Changed,
    /// Not uploaded by the author, or in use elsewhere.
    #[error("the picture {0:?} cannot be used")]
    Picture(String),
}

/// Changes the note. Asking again for what is done already succeeds: the reply may have been lost.
pub async fn edit(db: &Db, edit: &NoteEdit) -> Result<Result<(), NoteEditRefusal>, Error> {
    let change = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(edit.id.get()).lock_exclusive();
        let row = find.one(&transaction).await?;
        let Some(row) = row.filter(|row| row.status != HIDDEN) else {
            return Ok(Err(NoteEditRefusal::NoSuchNote));
        };
        if row.user_id != edit.author.get() {
            return Ok(Err(NoteEditRefusal::NotAuthor));
        }
        let edits = row.edits.unsigned_abs();
        let says_so = edit.is_said_by(&row);
        if says_so
            && (edits == edit.edits_before || edit.edits_before.checked_add(1) == Some(edits))
        {
            return Ok(Ok(()));
        }
        if edits != edit.edits_before {
            return Ok(Err(NoteEditRefusal::Changed));
        }
        if let Err(refusal) = exchange_pictures(&transaction, &row, edit).await? {
            return Ok(Err(refusal));
        }
        write(&transaction, row, edit).await?;
        transaction.commit().await?;
        Ok(Ok(()))
    };
    db.run("edit note", change).await
}

/// Frees the pictures that go and claims those that come. What was never uploaded, such as demo data, needs no claim.
async fn exchange_pictures(
    transaction: &DatabaseTransaction,
    row: &Model,
    edit: &NoteEdit,
) -> Result<Result<(), NoteEditRefusal>, DbErr> {
    let before: Vec<&str> = row.images.split(',').collect();
    let stays = |address: &&str| edit.addresses.iter().any(|it| it == *address);
    let gone: Vec<&str> = before.iter().filter(|it| !stays(it)).copied().collect();
    let user = format!("note:{}", row.id);
    uploads::release_some(transaction, &gone.join(","), &user).await?;
    let comes = |address: &&String| !before.contains(&address.as_str());
    let mut names = Vec::new();
    for address in edit.addresses.iter().filter(comes) {
        match uploads::name_of(address) {
            Some(name) => names.push(name.to_owned()),
            None => return Ok(Err(NoteEditRefusal::Picture(address.clone()))),
        }
    }
    let claimed = uploads::claim(transaction, edit.author, &names, &user).await?;
    Ok(claimed.map_err(|uploads::PictureNotFree(name)| NoteEditRefusal::Picture(name)))
}

async fn write(
    transaction: &DatabaseTransaction,
    row: Model,
    edit: &NoteEdit,
) -> Result<(), DbErr> {
    let now = time::now();
    let (stars, shop_id, edits) = (edit.stars.map(i16::from), row.shop_id, row.edits);
    let is_rated_anew = stars != row.score;
    let words = NoteWords {
        title: &edit.title,
        content: &edit.content,
    };
    index_note(transaction, row.id, Some(words_of(&row)), Some(words)).await?;
    let mut changed = row.into_active_model();
    changed.title = Set(edit.title.clone());
    changed.content = Set(edit.content.clone());
    changed.images = Set(edit.images());
    changed.score = Set(stars);
    changed.edits = Set(edits + 1);
    changed.edited_at = Set(Some(now));
    changed.update_time = Set(now);
    changed.update(transaction).await?;
    if is_rated_anew && let Some(shop) = lock_shop(transaction, shop_id).await? {
        recount(transaction, &shop).await?;
    }
    let key = format!("note:{}", edit.id);
    let event = NoteTextChanged { id: edit.id };
    outbox::append(transaction, NoteTextChanged::KIND, &key, &event).await
}

impl NoteEdit {
    fn images(&self) -> String {
        self.addresses.join(",")
    }

    fn is_said_by(&self, row: &Model) -> bool {
        row.title == self.title
            && row.content == self.content
            && row.images == self.images()
            && row.score == self.stars.map(i16::from)
    }
}
