//! Favourite notes. Whether a reader keeps a note is a question of its own, so that reading notes costs nothing more.

use std::collections::HashMap;

use domain::NoteId;
use jiff::Timestamp;
use kv::Session;
use storage::favourites::{self, FavouriteNote, SaveNoteRefusal};

use crate::notes::{NoteSeen, describe, get_shown, seen_by};
use crate::write_limits::{self, Write};
use crate::{App, Error, Page, PageSize, Refusal};

const NOTES_PER_PAGE: PageSize = PageSize::new(20);

/// A saved note.
#[derive(Clone, Debug)]
pub struct SavedNote {
    pub id: NoteId,
    pub saved_at: Timestamp,
    /// Absent once the note is gone or hidden.
    pub note: Option<NoteSeen>,
}

/// Idempotent.
pub async fn save_note(app: &App, session: &Session, note: NoteId) -> Result<(), Error> {
    write_limits::take(app, session, Write::Favourite).await?;
    let saved = favourites::save_note(app.db(), session.profile.user_id, note).await?;
    saved.map_err(|refusal| {
        let refusal = match refusal {
            SaveNoteRefusal::NoSuchNote => Refusal::NoteNotFound,
            SaveNoteRefusal::TooMany => Refusal::FavouriteNoteLimit,
        };
        refusal.into()
    })
}

/// Idempotent.
pub async fn remove_note(app: &App, session: &Session, note: NoteId) -> Result<(), Error> {
    write_limits::take(app, session, Write::Favourite).await?;
    favourites::remove_note(app.db(), session.profile.user_id, note).await?;
    Ok(())
}

pub async fn is_note_saved(app: &App, session: &Session, note: NoteId) -> Result<bool, Error> {
    Ok(favourites::is_note_saved(app.db(), session.profile.user_id, note).await?)
}

/// A page of the caller's notes, what was saved last first.
pub async fn list_notes(
    app: &App,
    session: &Session,
    before: Option<i64>,
) -> Result<Page<SavedNote, i64>, Error> {
    let (user, rows) = (session.profile.user_id, NOTES_PER_PAGE.rows());
    let rows = favourites::list_notes_page(app.db(), user, before, rows).await?;
    let page = Page::new(rows, NOTES_PER_PAGE, |row: &FavouriteNote| row.cursor);
    let ids: Vec<NoteId> = page.items.iter().map(|row| row.note).collect();
    let shown = describe(app, get_shown(app, ids, None).await?).await?;
    let seen = seen_by(app, Some(session), &shown).await?;
    let mut seen: HashMap<NoteId, NoteSeen> =
        seen.into_iter().map(|note| (note.text.id, note)).collect();
    let saved = page.items.iter().map(|row| SavedNote {
        id: row.note,
        saved_at: row.saved_at,
        note: seen.remove(&row.note),
    });
    let saved = saved.collect();
    Ok(page.map_items(saved))
}
