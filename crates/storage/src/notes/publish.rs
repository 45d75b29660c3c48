//! Publishing a note.

use domain::{Mention, NoteId, Opinion, ShopId, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, DbErr};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::opinion::{stored_dishes, stored_ratings};
use super::shop_counts::{RatingChange, lock_shop, recount};
use super::{Note, SHOWN, dishes, words_of};
use crate::db::DatabaseTransaction;
use crate::entity::blog::{ActiveModel, Model};
use crate::mentions::{self, MentionedIn};
use crate::search::index_note;
use crate::topics::{self, TopicsOf};
use crate::users::lock_user;
use crate::write_keys::{self, WriteKey, Written};
use crate::{Db, Error, note_drafts, outbox, time, uploads};

/// A new note, already validated and sanitised by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNote {
    pub author: UserId,
    pub shop_id: ShopId,
    pub title: String,
    pub content: String,
    /// Names of pictures as they were given at the upload.
    pub pictures: Vec<String>,
    pub stars: Option<u8>,
    /// Who is named in the content; whoever does not exist is left out by the caller.
    pub mentions: Vec<Mention>,
    pub opinion: Opinion,
    /// What the author called the request, if anything.
    pub key: Option<WriteKey>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PublishRefusal {
    #[error("there is no such shop")]
    NoSuchShop,
    /// Not uploaded by the author, or in use elsewhere.
    #[error("the picture {0:?} cannot be used")]
    Picture(String),
    /// The key has made something before: [`write_keys::find`] says what.
    #[error("the key was used before")]
    KeyUsed,
}

/// Outbox payload of a published note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotePublished {
    pub id: NoteId,
    pub author: UserId,
}

impl NotePublished {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "note_published";
}

pub async fn publish(db: &Db, new: &NewNote) -> Result<Result<Note, PublishRefusal>, Error> {
    let publish = async {
        let transaction = db.begin().await?;
        // A draft that is saved meanwhile is saved before, or refused.
        if new.key.is_some() {
            lock_user(&transaction, new.author).await?;
        }
        let Some(shop) = lock_shop(&transaction, new.shop_id.get()).await? else {
            return Ok(Err(PublishRefusal::NoSuchShop));
        };
        let row = new_row(new).insert(&transaction).await?;
        if let Some(key) = &new.key {
            let what = Written::Note;
            if !write_keys::insert(&transaction, new.author, key, what, row.id).await? {
                return Ok(Err(PublishRefusal::KeyUsed));
            }
            note_drafts::remove(&transaction, new.author, &key.name).await?;
        }
        let user = format!("note:{}", row.id);
        let claimed = uploads::claim(&transaction, new.author, &new.pictures, &user).await?;
        if let Err(uploads::PictureNotFree(name)) = claimed {
            return Ok(Err(PublishRefusal::Picture(name)));
        }
        let ratings = RatingChange {
            after: new.opinion.ratings,
            ..Default::default()
        };
        recount(&transaction, &shop, ratings).await?;
        dishes::add(&transaction, &row, &new.opinion.dishes).await?;
        index_note(&transaction, row.id, None, Some(words_of(&row))).await?;
        mentions::write(&transaction, MentionedIn::Note(row.id), &new.mentions).await?;
        let content = &row.content;
        topics::replace(&transaction, row.id, TopicsOf::Shown { content }).await?;
        enqueue_change(&transaction, &row).await?;
        transaction.commit().await?;
        Ok(Ok(Note::from_row(row)))
    };
    db.run("publish note", publish).await
}

async fn enqueue_change(transaction: &DatabaseTransaction, row: &Model) -> Result<(), DbErr> {
    let published = NotePublished {
        id: NoteId::new(row.id),
        author: UserId::new(row.user_id),
    };
    let key = format!("note:{}", row.id);
    outbox::append(transaction, NotePublished::KIND, &key, &published).await
}

fn new_row(new: &NewNote) -> ActiveModel {
    let now = time::now();
    let ratings = stored_ratings(new.opinion.ratings);
    let images: Vec<String> = new
        .pictures
        .iter()
        .map(|name| uploads::address(name))
        .collect();
    ActiveModel {
        shop_id: Set(new.shop_id.get()),
        user_id: Set(new.author.get()),
        title: Set(new.title.clone()),
        images: Set(images.join(",")),
        content: Set(new.content.clone()),
        liked: Set(0),
        comments: Set(0),
        score: Set(new.stars.map(i16::from)),
        status: Set(SHOWN),
        create_time: Set(now),
        update_time: Set(now),
        revision: Set(0),
        edits: Set(0),
        edited_at: Set(None),
        rating_main: Set(ratings.main),
        rating_surroundings: Set(ratings.surroundings),
        rating_service: Set(ratings.service),
        dishes: Set(stored_dishes(&new.opinion.dishes)),
        ..Default::default()
    }
}
