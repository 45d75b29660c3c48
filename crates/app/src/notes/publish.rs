//! Publishing a note, and deleting one.
//!
//! A note that is sent with a key is written once: the key is a row of the note's own transaction.

use domain::mention::NOTE_MENTIONS_MAX;
use domain::{NoteDraft, NoteId, Opinion, OpinionDraft, Role, ShopId, UserId, harmless};
use kv::Session;
use storage::notes::{self, NewNote, NoteDeleteRefusal, NotePublished, PublishRefusal};
use storage::shops::Principal;
use storage::write_keys::{self, KeyUsed, WriteKey, Written};

use super::views;
use crate::idempotency::{self, IdempotencyKey};
use crate::write_limits::{self, Write};
use crate::{App, Error, Refusal, mentions};

/// A note as submitted.
#[derive(Clone, Debug, Default)]
pub struct SubmittedNote {
    pub shop_id: Option<ShopId>,
    pub title: String,
    pub content: String,
    /// A comma list of pictures that the author uploaded.
    pub images: String,
    pub stars: Option<i64>,
    /// Whom the author chose to mention.
    pub mentions: Vec<UserId>,
    pub opinion: OpinionDraft,
}

/// Publishes the note, or returns what the key has published already.
pub async fn publish(
    app: &App,
    session: &Session,
    key: Option<&IdempotencyKey>,
    draft: SubmittedNote,
) -> Result<NoteId, Error> {
    let chosen = mentions::distinct(&draft.mentions, NOTE_MENTIONS_MAX);
    let chosen = chosen.ok_or(Refusal::NoteMentionsTooMany)?;
    let mut new = checked(session, key, &chosen, draft)?;
    if let Some(note) = published_before(app, &new).await? {
        return Ok(note);
    }
    write_limits::take(app, session, Write::Note).await?;
    new.mentions = mentions::resolve(app, new.author, &new.content, &chosen, &[]).await?;
    let note = match notes::publish(app.db(), &new).await? {
        Ok(note) => note,
        Err(PublishRefusal::NoSuchShop) => return Err(Refusal::ShopNotFound.into()),
        Err(PublishRefusal::Picture(_)) => return Err(Refusal::PictureNotYours.into()),
        // The same request was under way, and has ended.
        Err(PublishRefusal::KeyUsed) => {
            let found = published_before(app, &new).await?;
            return found.ok_or(Refusal::NoteNotFound.into());
        }
    };
    app.outbox().wake();
    let event = NotePublished {
        id: note.id,
        author: new.author,
    };
    views::apply_now(views::apply_publication(app, &event)).await;
    Ok(note.id)
}

/// The note that the key has made. Another text under the same key is refused.
async fn published_before(app: &App, new: &NewNote) -> Result<Option<NoteId>, Error> {
    let Some(key) = &new.key else {
        return Ok(None);
    };
    let used = write_keys::find(app.db(), new.author, key, Written::Note).await?;
    match used {
        None => Ok(None),
        Some(KeyUsed::Again(note)) => Ok(Some(NoteId::new(note))),
        Some(KeyUsed::ForOther(Some(note))) => {
            Err(Refusal::NoteAlreadyPublished(NoteId::new(note)).into())
        }
        Some(KeyUsed::ForOther(None)) => Err(Error::IdempotencyMismatch),
    }
}

/// Deletes a note for its author or an admin.
pub async fn delete(app: &App, session: &Session, id: NoteId) -> Result<(), Error> {
    let profile = &session.profile;
    let principal = match profile.role {
        Role::Admin => Principal::Admin,
        Role::Merchant | Role::User => Principal::Owner(profile.user_id),
    };
    let deleted = notes::delete(app.db(), principal, id).await?;
    deleted.map_err(|refusal| match refusal {
        NoteDeleteRefusal::NoSuchNote => Refusal::NoteNotFound,
        NoteDeleteRefusal::NotAuthor => Refusal::Forbidden,
    })?;
    app.outbox().wake();
    views::apply_now(views::show_note(app, id)).await;
    Ok(())
}

fn checked(
    session: &Session,
    key: Option<&IdempotencyKey>,
    chosen: &[UserId],
    draft: SubmittedNote,
) -> Result<NewNote, Refusal> {
    let shop_id = draft.shop_id.ok_or(Refusal::ShopIdMissing)?;
    let clean = cleaned(draft);
    let note = clean.checked().map_err(Refusal::NoteInvalid)?;
    let mut new = NewNote {
        author: session.profile.user_id,
        shop_id,
        title: note.title,
        content: note.content,
        pictures: note.pictures,
        stars: note.stars,
        mentions: Vec::new(),
        opinion: note.opinion,
        key: None,
    };
    new.key = key.map(|key| write_key(key, &new, chosen));
    Ok(new)
}

/// The texts without markup that could do harm.
pub(super) fn cleaned(draft: SubmittedNote) -> NoteDraft {
    NoteDraft {
        title: harmless::plain(&draft.title),
        content: harmless::content(&draft.content),
        images: draft.images,
        stars: draft.stars,
        opinion: draft.opinion,
    }
}

fn write_key(key: &IdempotencyKey, new: &NewNote, chosen: &[UserId]) -> WriteKey {
    let stars = new.stars.map(|stars| stars.to_string());
    let (shop, pictures) = (new.shop_id.to_string(), new.pictures.join(","));
    let (stars, opinion) = (stars.unwrap_or_default(), said_of(&new.opinion));
    let mentions = mentions::as_said(chosen);
    let mut said = vec!["note", &shop, &new.title, &new.content, &pictures, &stars];
    // A note without has the digest that earlier versions gave it.
    said.extend(opinion.iter().map(String::as_str));
    said.extend(mentions.as_deref());
    idempotency::write_key(key, &said)
}

/// Nothing of an empty opinion.
fn said_of(opinion: &Opinion) -> Vec<String> {
    if *opinion == Opinion::default() {
        return Vec::new();
    }
    let rating = |rating: Option<u8>| rating.map_or_else(String::new, |rating| rating.to_string());
    let ratings = opinion.ratings.map(rating).into_array();
    let dishes = opinion.dishes.iter().map(|dish| dish.name().to_owned());
    ratings.into_iter().chain(dishes).collect()
}
