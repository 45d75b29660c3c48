//! Loads views from SQL in the background, each once at a time. Meanwhile SQL answers.

use domain::{NoteId, TieBreak, UserId};
use kv::{Like, RankedNote};
use storage::{note_likes, notes};
use supervise::SingleFlight;

use super::{fence, lock_of, outdated};
use crate::{App, Error};

/// Concurrent loads per process: a flushed Redis must not turn every page into a query for all likes of ten notes.
const MAX_LOADS: usize = 4;

/// Rows per query.
const BATCH: u64 = 5_000;

/// The lock for loading the ranking.
const HOT_LOCK: &str = "blog:hot";

/// A view that can be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::notes) enum View {
    Hot,
    Likes(NoteId),
}

/// The loads of this process, in tasks of their own.
#[derive(Debug)]
pub(in crate::notes) struct ViewLoads(SingleFlight<View, ()>);

impl Default for ViewLoads {
    fn default() -> Self {
        Self(SingleFlight::new("note view load", MAX_LOADS))
    }
}

/// Starts loading the view, unless it is being loaded or enough others are.
pub(in crate::notes) fn load_in_background(app: &App, view: View) {
    app.notes().loads.0.start(view, || {
        let app = app.clone();
        async move { load_and_log(&app, view).await }
    });
}

async fn load_and_log(app: &App, view: View) {
    if let Err(error) = load_if_missing(app, view).await {
        tracing::warn!(
            ?view,
            error = &error as &dyn std::error::Error,
            "note view not loaded"
        );
    }
}

/// Another process may have loaded it meanwhile.
async fn load_if_missing(app: &App, view: View) -> Result<(), Error> {
    match view {
        View::Hot if app.kv().list_hot(0, 1, TieBreak::Newest).await?.is_none() => {
            load_hot(app).await
        }
        View::Likes(note) if app.kv().list_loaded_likes(&[note]).await?.is_empty() => {
            load_likes(app, note).await
        }
        View::Hot | View::Likes(_) => Ok(()),
    }
}

/// Reloads the likes of a note.
pub(in crate::notes) async fn load_likes(app: &App, note: NoteId) -> Result<(), Error> {
    let guard = lock_of(app, note).lock().await?;
    guard.protect(read_likes(app, note, fence(&guard))).await?
}

async fn read_likes(app: &App, note: NoteId, fence: u64) -> Result<(), Error> {
    let (mut after, mut count) = (UserId::new(0), 0);
    loop {
        let likers = note_likes::list_after(app.db(), note, after, BATCH).await?;
        let Some(last) = likers.last() else { break };
        after = last.user;
        let likes = likers.iter().map(|liker| Like {
            user: liker.user,
            at: liker.liked_at,
        });
        let likes: Vec<Like> = likes.collect();
        app.kv().stage_likes(note, &likes, fence).await?;
        count += likes.len();
    }
    match app.kv().publish_likes(note, count, fence).await? {
        true => Ok(()),
        false => Err(outdated()),
    }
}

/// Reloads the ranking.
pub(in crate::notes) async fn load_hot(app: &App) -> Result<(), Error> {
    let guard = app.locks().mutex(HOT_LOCK).lock().await?;
    guard.protect(read_ranking(app, fence(&guard))).await?
}

async fn read_ranking(app: &App, fence: u64) -> Result<(), Error> {
    // Before the first row is read: changes are journaled from here on.
    if !app.kv().begin_hot(fence).await? {
        return Err(outdated());
    }
    let (mut after, mut count) = (NoteId::new(0), 0);
    loop {
        let rows = notes::list_likes(app.db(), after, BATCH).await?;
        let Some(last) = rows.last() else { break };
        after = last.id;
        let ranked = rows.iter().map(|row| RankedNote {
            note: row.id,
            likes: row.likes,
            revision: row.revision,
        });
        let ranked: Vec<RankedNote> = ranked.collect();
        app.kv().stage_hot(&ranked, fence).await?;
        count += ranked.len();
    }
    match app.kv().publish_hot(count, fence).await? {
        true => Ok(()),
        false => Err(outdated()),
    }
}
