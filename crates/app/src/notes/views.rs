//! Keeps Redis's views of notes in line with SQL.
//!
//! A rank carries the revision of its note: of two writes the higher one wins, whichever comes last. The ranking as a whole
//! is loaded beside changes of its notes (see `kv/src/hot_notes.rs`).
//!
//! Every writer of a note's likers holds the note's lock and reads SQL while holding it. So a write is never older than the
//! one before: a load of likers sees every change applied before it, and a change waits for a load and then reads the row
//! again. The fencing token stops a holder that lost its lock unnoticed.

mod load;

use std::future::Future;
use std::time::Duration;

use domain::NoteId;
use kv::LikeShown;
use lock::{Guard, LostReason, Mutex};
use storage::note_likes::{self, LikeChanged};
use storage::notes::{self, NoteDeleted, NotePublished, NoteState};

pub(super) use load::{View, ViewLoads, load_hot, load_in_background, load_likes};

use super::texts;
use crate::{App, Error, notices};

/// How long a caller waits for the views after the commit; the outbox updates them anyway.
const APPLY_TIMEOUT: Duration = Duration::from_millis(500);

/// The revision of a note that is gone for good. Every digit of it survives in Lua.
const AFTER_ALL: u64 = 1 << 52;

/// Applies a publication: ranks the note. Before a backup was restored, its id and its author's may have been those of other
/// rows, so both are invalidated.
pub(crate) async fn apply_publication(app: &App, event: &NotePublished) -> Result<(), Error> {
    texts::apply_text_change(app, event.id).await?;
    texts::forget_author(app, event.author).await?;
    show_note(app, event.id).await
}

/// Applies a deletion or hiding: removes the note from the views, and purges the likes and comments of a deleted one.
pub(crate) async fn apply_deletion(app: &App, event: &NoteDeleted) -> Result<(), Error> {
    show_note(app, event.id).await?;
    if notes::get_state(app.db(), event.id).await? == NoteState::Gone {
        while notes::purge(app.db(), event.id).await? {}
        notices::forget_note(app, event.id).await?;
    }
    Ok(())
}

/// Applies a changed like: updates the liker and the rank, and settles what the liker sees. In this order: until it is
/// settled, the liker's pages ask SQL.
pub(crate) async fn apply_like(app: &App, event: &LikeChanged) -> Result<(), Error> {
    let LikeChanged { note, user, mark } = *event;
    let guard = lock_of(app, note).lock().await?;
    let is_liked = guard
        .protect(show_like(app, event, fence(&guard)))
        .await??;
    drop(guard);
    show_note(app, note).await?;
    let new_epoch = rand::random();
    let settled = app
        .kv()
        .settle_like(user, note, mark, Some(is_liked), new_epoch);
    Ok(settled.await?)
}

/// Ranks the note by its state in SQL, or removes it.
pub(super) async fn show_note(app: &App, note: NoteId) -> Result<(), Error> {
    let state = notes::get_state(app.db(), note).await?;
    rank(app, note, state).await
}

/// Runs the outbox's work at once, so that the caller sees the change.
pub(super) async fn apply_now(work: impl Future<Output = Result<(), Error>>) {
    match tokio::time::timeout(APPLY_TIMEOUT, work).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "note view not updated, outbox retries"),
        Err(_) => tracing::debug!("note view update timed out, outbox retries"),
    }
}

/// Ranks the note by this state of it, unless a newer one was ranked.
pub(super) async fn rank(app: &App, note: NoteId, state: NoteState) -> Result<(), Error> {
    let (likes, revision) = match state {
        NoteState::Shown { likes, revision } => (Some(likes), revision),
        NoteState::Hidden { revision } => (None, revision),
        NoteState::Gone => (None, AFTER_ALL),
    };
    app.kv().rank_note(note, likes, revision).await?;
    if likes.is_none() {
        app.kv().drop_likes(note).await?;
    }
    Ok(())
}

/// Whether the user likes the note, as it was shown.
async fn show_like(app: &App, event: &LikeChanged, fence: u64) -> Result<bool, Error> {
    let LikeChanged { note, user, .. } = *event;
    let liked_at = note_likes::get(app.db(), note, user).await?;
    match app.kv().show_like(note, user, liked_at, fence).await? {
        LikeShown::Done | LikeShown::NotLoaded => Ok(liked_at.is_some()),
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
