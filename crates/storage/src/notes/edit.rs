//! Changing a published note.
//!
//! An edit names the state that its author read by the number of edits before it; of two edits of the same state the second
//! is refused. The text, the use of the pictures, what counts for the shop and the outbox row are one transaction.

use domain::{Dish, Mention, NoteId, Opinion, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, DbErr, EntityTrait, IntoActiveModel, QuerySelect};
use thiserror::Error;

use super::opinion::{opinion_of, stored_dishes, stored_ratings};
use super::shop_counts::{RatingChange, lock_shop, recount};
use super::{HIDDEN, NoteTextChanged, dishes, words_of};
use crate::db::DatabaseTransaction;
use crate::entity::blog::{Entity, Model};
use crate::mentions::{self, MentionedIn};
use crate::search::{NoteWords, index_note};
use crate::topics::{self, TopicsOf};
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
    /// Who is named in the content.
    pub mentions: Vec<Mention>,
    pub opinion: Opinion,
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
        let mentioned = mentions::of_note(&transaction, row.id).await?;
        let says_so = edit.is_said_by(&row) && edit.mentions == mentioned;
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
        write(&transaction, row, &mentioned, edit).await?;
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
    mentioned: &[Mention],
    edit: &NoteEdit,
) -> Result<(), DbErr> {
    let now = time::now();
    let (stars, edits) = (edit.stars.map(i16::from), row.edits);
    let (before, after) = (opinion_of(&row), &edit.opinion);
    let is_rated_anew = stars != row.score || before != *after;
    let note = row.clone();
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
    let ratings = stored_ratings(after.ratings);
    changed.rating_main = Set(ratings.main);
    changed.rating_surroundings = Set(ratings.surroundings);
    changed.rating_service = Set(ratings.service);
    changed.dishes = Set(stored_dishes(&after.dishes));
    changed.edits = Set(edits + 1);
    changed.edited_at = Set(Some(now));
    changed.update_time = Set(now);
    changed.update(transaction).await?;
    if is_rated_anew && let Some(shop) = lock_shop(transaction, note.shop_id).await? {
        let ratings = RatingChange {
            before: before.ratings,
            after: after.ratings,
        };
        recount(transaction, &shop, ratings).await?;
        let lacks = |opinion: &Opinion, dish: &Dish| !opinion.dishes.contains(dish);
        let (mut gone, mut new) = (before.dishes.clone(), after.dishes.clone());
        gone.retain(|dish| lacks(after, dish));
        new.retain(|dish| lacks(&before, dish));
        dishes::remove(transaction, &note, &gone).await?;
        dishes::add(transaction, &note, &new).await?;
    }
    if edit.mentions != mentioned {
        mentions::forget_note(transaction, edit.id.get()).await?;
        let text = MentionedIn::Note(edit.id.get());
        mentions::write(transaction, text, &edit.mentions).await?;
    }
    let content = &edit.content;
    topics::replace(transaction, edit.id.get(), TopicsOf::Shown { content }).await?;
    let key = format!("note:{}", edit.id);
    let event = NoteTextChanged {
        id: edit.id,
        mentioned: missing(&edit.mentions, mentioned),
        unmentioned: missing(mentioned, &edit.mentions),
    };
    outbox::append(transaction, NoteTextChanged::KIND, &key, &event).await
}

/// Those of the people who are not among the others.
fn missing(people: &[Mention], others: &[Mention]) -> Vec<UserId> {
    let is_missing = |user: &UserId| others.iter().all(|it| it.user != *user);
    people.iter().map(|it| it.user).filter(is_missing).collect()
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
            && opinion_of(row) == self.opinion
    }
}
