//! Publishing a note, and deleting one.
//!
//! A note that is sent with a key is written once: the key is a row of the note's own transaction.

use domain::{NoteDraft, NoteId, Role, ShopId, harmless};
use kv::Session;
use storage::notes::{self, NewNote, NoteDeleteRefusal, NotePublished, PublishRefusal};
use storage::shops::Principal;
use storage::write_keys::{self, KeyUsed, WriteKey, Written};

use super::views;
use crate::idempotency::{self, IdempotencyKey};
use crate::write_limits::{self, Write};
use crate::{App, Error, Refusal};

/// A note as submitted.
#[derive(Clone, Debug, Default)]
pub struct SubmittedNote {
    pub shop_id: Option<ShopId>,
    pub title: String,
    pub content: String,
    /// A comma list of pictures that the author uploaded.
    pub images: String,
    pub stars: Option<i64>,
}

/// Publishes the note, or returns what the key has published already.
pub async fn publish(
    app: &App,
    session: &Session,
    key: Option<&IdempotencyKey>,
    draft: SubmittedNote,
) -> Result<NoteId, Error> {
    let new = checked(session, key, draft)?;
    if let Some(note) = published_before(app, &new).await? {
        return Ok(note);
    }
    write_limits::take(app, session, Write::Note).await?;
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
        key: None,
    };
    new.key = key.map(|key| write_key(key, &new));
    Ok(new)
}

/// The texts without markup that could do harm.
pub(super) fn cleaned(draft: SubmittedNote) -> NoteDraft {
    NoteDraft {
        title: harmless::plain(&draft.title),
        content: harmless::content(&draft.content),
        images: draft.images,
        stars: draft.stars,
    }
}

fn write_key(key: &IdempotencyKey, new: &NewNote) -> WriteKey {
    let stars = new.stars.map(|stars| stars.to_string());
    let said = [
        "note",
        &new.shop_id.to_string(),
        &new.title,
        &new.content,
        &new.pictures.join(","),
        &stars.unwrap_or_default(),
    ];
    idempotency::write_key(key, &said)
}
