//! Keeps Redis's views of notes in line with SQL.
//!
//! Every writer of a note's rank or likes holds the note's lock and reads SQL while holding it. So a write is never
//! older than the one before: a load of likes sees every change applied before it, and a change waits for a load and
//! then reads the row again. The fencing token stops a holder that lost its lock unnoticed. The ranking as a whole is
//! loaded beside changes of its notes (see `kv/src/hot_notes.rs`).

mod load;

use std::future::Future;
use std::time::Duration;

use domain::NoteId;
use kv::LikeShown;
use lock::{Guard, LostReason, Mutex};
use storage::note_likes::{self, LikeChanged};
use storage::notes::{self, NoteDeleted, NotePublished, NoteState};

pub(super) use load::{View, ViewLoads, load_hot, load_in_background, load_likes};

use crate::{App, Error};

/// How long a caller waits for the views after the commit; the outbox updates them anyway.
const APPLY_TIMEOUT: Duration = Duration::from_millis(500);

/// Applies a publication: ranks the note.
pub(crate) async fn apply_publication(app: &App, event: &NotePublished) -> Result<(), Error> {
    show_note(app, event.id).await
}

/// Applies a deletion or hiding: removes the note from the views, and purges the likes and comments of a deleted one.
pub(crate) async fn apply_deletion(app: &App, event: &NoteDeleted) -> Result<(), Error> {
    show_note(app, event.id).await?;
    if notes::get_state(app.db(), event.id).await? == NoteState::Gone {
        while notes::purge(app.db(), event.id).await? {}
    }
    Ok(())
}

/// Applies a changed like: updates the liker and the rank.
pub(crate) async fn apply_like(app: &App, event: &LikeChanged) -> Result<(), Error> {
    let guard = lock_of(app, event.note).lock().await?;
    guard.protect(show_like(app, event, fence(&guard))).await?
}

/// Ranks the note by its state in SQL, or removes it.
pub(super) async fn show_note(app: &App, note: NoteId) -> Result<(), Error> {
    let guard = lock_of(app, note).lock().await?;
    guard.protect(rank(app, note, fence(&guard))).await?
}

/// Runs the outbox's work at once, so that the caller sees the change.
pub(super) async fn apply_now(work: impl Future<Output = Result<(), Error>>) {
    match tokio::time::timeout(APPLY_TIMEOUT, work).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "note view not updated, outbox retries"),
        Err(_) => tracing::debug!("note view update timed out, outbox retries"),
    }
}

async fn rank(app: &App, note: NoteId, fence: u64) -> Result<(), Error> {
    let likes = match notes::get_state(app.db(), note).await? {
        NoteState::Shown { likes } => Some(likes),
        NoteState::Hidden | NoteState::Gone => None,
    };
    if !app.kv().rank_note(note, likes, fence).await? {
        return Err(outdated());
    }
    if likes.is_none() {
        app.kv().drop_likes(note).await?;
    }
    Ok(())
}

async fn show_like(app: &App, event: &LikeChanged, fence: u64) -> Result<(), Error> {
    let LikeChanged { note, user } = *event;
    let liked_at = note_likes::get(app.db(), note, user).await?;
    match app.kv().show_like(note, user, liked_at, fence).await? {
        LikeShown::Done | LikeShown::NotLoaded => rank(app, note, fence).await,
        LikeShown::Outdated => Err(outdated()),
    }
}

fn lock_of(app: &App, note: NoteId) -> Mutex {
    app.locks().mutex(&format!("blog:{note}"))
}

fn fence(guard: &Guard) -> u64 {
    guard.fence().get()
}

/// A newer holder of the lock has written: this one's data may be stale.
fn outdated() -> Error {
    lock::Error::Lost(LostReason::Taken).into()
}
