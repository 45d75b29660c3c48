//! Publishing a note, and deleting one.

use domain::{NoteDraft, NoteId, Role, ShopId, harmless};
use kv::Session;
use storage::notes::{self, NewNote, NoteDeleteRefusal, NotePublished, PublishRefusal};
use storage::shops::Principal;

use super::views;
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

pub async fn publish(app: &App, session: &Session, draft: SubmittedNote) -> Result<NoteId, Error> {
    let new = checked(session, draft)?;
    write_limits::take(app, session, Write::Note).await?;
    let published = notes::publish(app.db(), &new).await?;
    let note = published.map_err(|refusal| match refusal {
        PublishRefusal::NoSuchShop => Refusal::ShopNotFound,
        PublishRefusal::Picture(_) => Refusal::PictureNotYours,
    })?;
    app.outbox().wake();
    let event = NotePublished {
        id: note.id,
        author: new.author,
    };
    views::apply_now(views::apply_publication(app, &event)).await;
    Ok(note.id)
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

fn checked(session: &Session, draft: SubmittedNote) -> Result<NewNote, Refusal> {
    let shop_id = draft.shop_id.ok_or(Refusal::ShopIdMissing)?;
    let clean = NoteDraft {
        title: harmless::plain(&draft.title),
        content: harmless::content(&draft.content),
        images: draft.images,
        stars: draft.stars,
    };
    let note = clean.checked().map_err(Refusal::NoteInvalid)?;
    Ok(NewNote {
        author: session.profile.user_id,
        shop_id,
        title: note.title,
        content: note.content,
        pictures: note.pictures,
        stars: note.stars,
    })
}
