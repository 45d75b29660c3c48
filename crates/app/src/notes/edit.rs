//! Changing a note of one's own, by the rules of publishing.

use domain::NoteId;
use domain::mention::NOTE_MENTIONS_MAX;
use kv::Session;
use storage::notes::{self, NoteEdit, NoteEditRefusal};

use super::publish::cleaned;
use super::{SubmittedNote, texts, views};
use crate::write_limits::{self, Write};
use crate::{App, Error, Refusal, mentions};

/// Changes what the note says; its shop stays. `edits_before` is the number of edits of the text that the author read: a
/// text that was changed meanwhile is not overwritten.
pub async fn edit(
    app: &App,
    session: &Session,
    id: NoteId,
    edits_before: u32,
    draft: SubmittedNote,
) -> Result<(), Error> {
    let author = session.profile.user_id;
    let before = notes::get_texts_for_fill(app.db(), &[id]).await?.pop();
    let before = before.ok_or(Refusal::NoteNotFound)?;
    if before.author != author {
        return Err(Refusal::Forbidden.into());
    }
    let chosen = mentions::distinct(&draft.mentions, NOTE_MENTIONS_MAX);
    let chosen = chosen.ok_or(Refusal::NoteMentionsTooMany)?;
    let note = cleaned(draft).checked_edit(&before.images);
    let note = note.map_err(Refusal::NoteInvalid)?;
    write_limits::take(app, session, Write::Note).await?;
    let mentioned =
        mentions::resolve(app, author, &note.content, &chosen, &before.mentions).await?;
    let edit = NoteEdit {
        author,
        id,
        edits_before,
        title: note.title,
        content: note.content,
        addresses: note.addresses,
        stars: note.stars,
        mentions: mentioned,
        opinion: note.opinion,
    };
    let edited = notes::edit(app.db(), &edit).await?;
    edited.map_err(|refusal| match refusal {
        NoteEditRefusal::NoSuchNote => Refusal::NoteNotFound,
        NoteEditRefusal::NotAuthor => Refusal::Forbidden,
        NoteEditRefusal::Changed => Refusal::NoteChanged,
        NoteEditRefusal::Picture(_) => Refusal::PictureNotYours,
    })?;
    app.outbox().wake();
    views::apply_now(texts::apply_text_change(app, id)).await;
    Ok(())
}
