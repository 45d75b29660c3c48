//! Drafts of notes, which their author finds on every device.

use domain::{UnfinishedNote, UserId};
use kv::Session;
use storage::note_drafts::{self, Draft, SaveDraftRefusal, Saved};

use crate::idempotency::IdempotencyKey;
use crate::write_limits::{self, Write};
use crate::{App, Error, Refusal};

/// Saves what the author made of a revision, which is 0 for a new draft. The key is that of the request that will publish it.
///
/// Pages save without a click, so they say whose text it is: in another tab somebody else may have signed in meanwhile.
pub async fn save_draft(
    app: &App,
    session: &Session,
    author: UserId,
    key: &IdempotencyKey,
    revision: i64,
    note: UnfinishedNote,
) -> Result<Saved, Error> {
    let user = session.profile.user_id;
    if author != user {
        return Err(Refusal::Forbidden.into());
    }
    write_limits::take(app, session, Write::Draft).await?;
    let note = note.checked().map_err(|_| Refusal::NoteDraftInvalid)?;
    let saved = note_drafts::save(app.db(), user, key.as_str(), revision, &note).await?;
    saved.map_err(|refusal| match refusal {
        SaveDraftRefusal::Changed => Refusal::NoteDraftChanged.into(),
        SaveDraftRefusal::Gone => Refusal::NoteDraftGone.into(),
        SaveDraftRefusal::Published(Some(note)) => Refusal::NoteAlreadyPublished(note).into(),
        SaveDraftRefusal::Published(None) => Error::IdempotencyMismatch,
        SaveDraftRefusal::TooMany => Refusal::NoteDraftLimit.into(),
    })
}

/// The caller's drafts, what was saved last first.
pub async fn list_drafts(app: &App, session: &Session) -> Result<Vec<Draft>, Error> {
    Ok(note_drafts::list(app.db(), session.profile.user_id).await?)
}

/// Idempotent.
pub async fn delete_draft(app: &App, session: &Session, key: &IdempotencyKey) -> Result<(), Error> {
    write_limits::take(app, session, Write::Draft).await?;
    note_drafts::delete(app.db(), session.profile.user_id, key.as_str()).await?;
    Ok(())
}
