//! Shows likes that were added past the site, by an import.

use domain::{NoteId, TieBreak};

use super::views;
use crate::{App, Error};

/// Reloads the likes of a note, if they are loaded.
pub(crate) async fn show_imported_likes(app: &App, note: NoteId) -> Result<(), Error> {
    for note in app.kv().list_loaded_likes(&[note]).await? {
        views::load_likes(app, note).await?;
    }
    Ok(())
}

/// Reloads the ranking, if it is loaded.
pub(crate) async fn rank_again(app: &App) -> Result<(), Error> {
    match app.kv().list_hot(0, 1, TieBreak::Newest).await? {
        Some(_) => views::load_hot(app).await,
        None => Ok(()),
    }
}
