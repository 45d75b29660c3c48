//! The views that Redis keeps of notes, brought in line with SQL.
//!
//! Whoever writes a note's place or likes holds the note's lock and reads SQL while holding it. So what is written is never
//! older than what was written before, whoever wrote it: a load of the likes sees every change that was shown before it, and
//! a change waits for a load and then reads the row anew. A holder that lost its lock without noticing is stopped by its
//! fence. The ranking as a whole is loaded beside changes of its notes (see `kv/src/hot_notes.rs`).

mod load;

use std::future::Future;
use std::time::Duration;

use domain::NoteId;
use kv::LikeShown;
use lock::{Guard, LostReason, Mutex};
use storage::note_likes::{self, LikeChanged};
use storage::notes::{self, NoteDeleted, NotePublished, Standing};

pub(super) use load::{Loads, View, load_hot, load_in_background, load_likes};

use crate::{App, Error};

/// How long somebody waits for the views after their change is committed; the outbox will see to them anyway.
const AT_ONCE: Duration = Duration::from_millis(500);

/// Lets the ranking show a note that is new, or shown again.
pub(crate) async fn follow_publication(app: &App, told: &NotePublished) -> Result<(), Error> {
    show_note(app, told.id).await
}

/// Takes a note that is deleted or hidden out of the views. What hung on one that is gone for good is cleared away.
pub(crate) async fn follow_deletion(app: &App, told: &NoteDeleted) -> Result<(), Error> {
    show_note(app, told.id).await?;
    if notes::get_standing(app.db(), told.id).await? == Standing::Gone {
        while notes::purge(app.db(), told.id).await? {}
    }
    Ok(())
}

/// Lets the views show whether this person likes the note, and how many do.
pub(crate) async fn follow_like(app: &App, told: &LikeChanged) -> Result<(), Error> {
    let guard = lock_of(app, told.note).lock().await?;
    guard.protect(show_like(app, told, fence(&guard))).await?
}

/// Gives the note the place that SQL says, or none.
pub(super) async fn show_note(app: &App, note: NoteId) -> Result<(), Error> {
    let guard = lock_of(app, note).lock().await?;
    guard.protect(rank(app, note, fence(&guard))).await?
}

/// Does now what the outbox does sooner or later, for whoever looks right away.
pub(super) async fn at_once(work: impl Future<Output = Result<(), Error>>) {
    match tokio::time::timeout(AT_ONCE, work).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a change of a note will show a little later"),
        Err(_) => tracing::debug!("a change of a note takes a moment to show"),
    }
}

async fn rank(app: &App, note: NoteId, fence: u64) -> Result<(), Error> {
    let likes = match notes::get_standing(app.db(), note).await? {
        Standing::Shown { likes } => Some(likes),
        Standing::Hidden | Standing::Gone => None,
    };
    if !app.kv().rank_note(note, likes, fence).await? {
        return Err(outdated());
    }
    if likes.is_none() {
        app.kv().drop_likes(note).await?;
    }
    Ok(())
}

async fn show_like(app: &App, told: &LikeChanged, fence: u64) -> Result<(), Error> {
    let LikeChanged { note, user } = *told;
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

/// A newer holder of the lock has written: what this one read may be old.
fn outdated() -> Error {
    lock::Error::Lost(LostReason::Taken).into()
}
