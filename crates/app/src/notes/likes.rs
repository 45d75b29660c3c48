//! Likes of notes: toggled, checked, and the first likers.

use std::collections::HashMap;

use domain::{NoteId, UserId};
use kv::{OwnLike, OwnLikes, Session};
use storage::note_likes::{self, NoSuchNote, Toggled};
use storage::notes::NoteState;
use storage::users::{self, User};

use super::NoteSeen;
use super::texts::DescribedNote;
use super::views::{self, View};
use crate::{App, Error, Refusal, write_limits};

/// How many likers a note's page shows.
const FIRST_LIKERS: usize = 5;

/// Toggles the caller's like.
///
/// Redis learns before the transaction that the like changes, so that the caller's pages ask SQL from then on, and after it
/// the new rank. Who likes the note is left to the outbox.
pub async fn like(app: &App, session: &Session, note: NoteId) -> Result<(), Error> {
    let user = session.profile.user_id;
    let mark = write_limits::begin_like(app, session, note).await?;
    let toggled = note_likes::toggle(app.db(), note, user, mark).await?;
    let Toggled {
        likes, revision, ..
    } = match toggled {
        Ok(toggled) => toggled,
        Err(NoSuchNote) => {
            forget_mark(app, user, note, mark).await;
            return Err(Refusal::NoteNotFound.into());
        }
    };
    app.outbox().wake();
    let state = NoteState::Shown { likes, revision };
    views::apply_now(views::rank(app, note, state)).await;
    Ok(())
}

/// Nothing changed. A mark that stays costs queries for an hour, so an error is none.
async fn forget_mark(app: &App, user: UserId, note: NoteId, mark: Option<u64>) {
    if mark.is_none() {
        return;
    }
    let new_epoch = rand::random();
    let forgotten = app.kv().settle_like(user, note, mark, None, new_epoch);
    if let Err(error) = forgotten.await {
        tracing::debug!(%error, "mark of a refused like not removed");
    }
}

/// The first five who like the note, earliest first.
pub async fn list_first_likers(
    app: &App,
    reader: Option<&Session>,
    note: NoteId,
) -> Result<Vec<User>, Error> {
    let ids = first_likers(app, reader, note).await?;
    let mut people: HashMap<UserId, User> = users::get_many(app.db(), &ids)
        .await?
        .into_iter()
        .map(|user| (user.id, user))
        .collect();
    Ok(ids.iter().filter_map(|id| people.remove(id)).collect())
}

async fn first_likers(
    app: &App,
    reader: Option<&Session>,
    note: NoteId,
) -> Result<Vec<UserId>, Error> {
    let known = match view_of_likers(app, reader, note).await {
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

/// `None` also for a reader who has just toggled the like: the outbox has yet to bring it into the view.
async fn view_of_likers(
    app: &App,
    reader: Option<&Session>,
    note: NoteId,
) -> Result<Option<Vec<UserId>>, kv::Error> {
    if let Some(session) = reader {
        let user = session.profile.user_id;
        if !app.kv().is_like_settled(user, note).await? {
            return Ok(None);
        }
    }
    app.kv().first_likers(note, FIRST_LIKERS).await
}

/// The notes as this reader sees them.
pub(crate) async fn seen_by(
    app: &App,
    reader: Option<&Session>,
    described: &[DescribedNote],
) -> Result<Vec<NoteSeen>, Error> {
    let ids: Vec<NoteId> = described.iter().map(|it| it.listed.id).collect();
    let liked = match reader {
        Some(session) => Some(likes_among(app, session.profile.user_id, &ids).await?),
        None => None,
    };
    Ok(see(described, liked.as_ref()))
}

/// `liked` says for each of the notes whether the reader likes it; absent for a guest.
pub(crate) fn see(
    described: &[DescribedNote],
    liked: Option<&HashMap<NoteId, bool>>,
) -> Vec<NoteSeen> {
    let seen = |it: &DescribedNote| NoteSeen {
        is_liked: liked.map(|liked| liked.get(&it.listed.id) == Some(&true)),
        likes: it.listed.likes,
        comments: it.listed.comments,
        text: it.text.clone(),
        author: it.author.clone(),
    };
    described.iter().map(seen).collect()
}

/// Whether the user likes each of the notes: one command, and at most one query for all that Redis does not know.
pub(crate) async fn likes_among(
    app: &App,
    user: UserId,
    notes: &[NoteId],
) -> Result<HashMap<NoteId, bool>, Error> {
    if notes.is_empty() {
        return Ok(HashMap::new());
    }
    let known = match app.kv().own_likes(user, notes, rand::random()).await {
        Ok(known) => known,
        Err(error) if error.is_outage() => return by_sql(app, user, notes.to_vec()).await,
        Err(error) => return Err(error.into()),
    };
    let OwnLikes { epoch, likes } = known;
    let with_notes = || notes.iter().copied().zip(likes.iter().copied());
    let mut liked: HashMap<NoteId, bool> = with_notes()
        .filter_map(|(note, like)| match like {
            OwnLike::Known(is_liked) => Some((note, is_liked)),
            OwnLike::Unknown | OwnLike::Changing => None,
        })
        .collect();
    if liked.len() == notes.len() {
        return Ok(liked);
    }
    let open = with_notes().filter(|(note, _)| !liked.contains_key(note));
    let open: Vec<NoteId> = open.map(|(note, _)| note).collect();
    let read = by_sql(app, user, open).await?;
    let may_keep = with_notes().filter(|(_, like)| *like == OwnLike::Unknown);
    let kept: Vec<(NoteId, bool)> = may_keep.map(|(note, _)| (note, read[&note])).collect();
    if !kept.is_empty()
        && let Err(error) = app.kv().keep_own_likes(user, epoch, &kept).await
    {
        tracing::debug!(%error, "likes of a reader not kept, the next page asks SQL again");
    }
    liked.extend(read);
    Ok(liked)
}

async fn by_sql(
    app: &App,
    user: UserId,
    notes: Vec<NoteId>,
) -> Result<HashMap<NoteId, bool>, Error> {
    let liked = note_likes::liked_among(app.db(), user, &notes).await?;
    let is_liked = |note: NoteId| (note, liked.contains(&note));
    Ok(notes.into_iter().map(is_liked).collect())
}
