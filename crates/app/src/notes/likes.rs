//! Likes of notes: toggled, checked, and the first likers.

use std::collections::{HashMap, HashSet};

use domain::{NoteId, UserId};
use kv::Session;
use storage::note_likes::{self, LikeChanged, NoSuchNote};
use storage::notes::AuthoredNote;
use storage::users::{self, User};

use super::views::{self, View};
use super::{NoteSeen, apply_like};
use crate::write_limits::{self, Write};
use crate::{App, Error, Refusal};

/// How many likers a note's page shows.
const FIRST_LIKERS: usize = 5;

/// Toggles the caller's like.
pub async fn like(app: &App, session: &Session, note: NoteId) -> Result<(), Error> {
    let user = session.profile.user_id;
    write_limits::take(app, session, Write::Like).await?;
    let toggled = note_likes::toggle(app.db(), note, user).await?;
    toggled.map_err(|NoSuchNote| Refusal::NoteNotFound)?;
    app.outbox().wake();
    let event = LikeChanged { note, user };
    views::apply_now(Box::pin(apply_like(app, &event))).await;
    Ok(())
}

/// The first five who like the note, earliest first.
pub async fn list_first_likers(app: &App, note: NoteId) -> Result<Vec<User>, Error> {
    let ids = first_likers(app, note).await?;
    let mut people: HashMap<UserId, User> = users::get_many(app.db(), &ids)
        .await?
        .into_iter()
        .map(|user| (user.id, user))
        .collect();
    Ok(ids.iter().filter_map(|id| people.remove(id)).collect())
}

async fn first_likers(app: &App, note: NoteId) -> Result<Vec<UserId>, Error> {
    let known = match app.kv().first_likers(note, FIRST_LIKERS).await {
        Ok(Some(likers)) => return Ok(likers),
        Ok(None) => true,
        Err(error) if error.is_outage() => false,
        Err(error) => return Err(error.into()),
    };
    let first = note_likes::list_first(app.db(), note, FIRST_LIKERS as u64).await?;
    // An id without likers, possibly made up, gets no view.
    if known && !first.is_empty() {
        views::load_in_background(app, View::Likes(note));
    }
    Ok(first.into_iter().map(|liker| liker.user).collect())
}

/// The notes as this reader sees them: at most one query, however many they are.
pub(crate) async fn seen_by(
    app: &App,
    reader: Option<&Session>,
    notes: Vec<AuthoredNote>,
) -> Result<Vec<NoteSeen>, Error> {
    let ids: Vec<NoteId> = notes.iter().map(|it| it.note.id).collect();
    let liked = match reader {
        Some(session) => Some(liked_among(app, session.profile.user_id, &ids).await?),
        None => None,
    };
    let seen = |shown: AuthoredNote| NoteSeen {
        is_liked: liked.as_ref().map(|liked| liked.contains(&shown.note.id)),
        shown,
    };
    Ok(notes.into_iter().map(seen).collect())
}

/// From the views that are loaded, and from SQL for the others.
async fn liked_among(app: &App, user: UserId, notes: &[NoteId]) -> Result<HashSet<NoteId>, Error> {
    let known = match app.kv().likes_of(user, notes).await {
        Ok(known) => known,
        Err(error) if error.is_outage() => {
            let liked = note_likes::liked_among(app.db(), user, notes).await?;
            return Ok(liked.into_iter().collect());
        }
        Err(error) => return Err(error.into()),
    };
    let with_notes = || notes.iter().copied().zip(&known);
    let liked = with_notes().filter(|(_, is_liked)| **is_liked == Some(true));
    let mut liked: HashSet<NoteId> = liked.map(|(note, _)| note).collect();
    let unknown = with_notes().filter(|(_, is_liked)| is_liked.is_none());
    let unknown: Vec<NoteId> = unknown.map(|(note, _)| note).collect();
    liked.extend(note_likes::liked_among(app.db(), user, &unknown).await?);
    for note in unknown {
        views::load_in_background(app, View::Likes(note));
    }
    Ok(liked)
}
