//! Notices about what other people do with a user's notes and comments, and about new followers.
//!
//! Effects of the outbox, which read the present state: a like that is there is told, one that is not is taken back. So
//! repeating an effect, or applying two in the wrong order, ends alike.

use domain::NoteId;
use kv::Session;
use storage::comments::{self, CommentChanged, CommentPlace};
use storage::follows::{self, FollowChanged};
use storage::note_likes::{self, LikeChanged};
use storage::notes;
use storage::notices::{self, NoticeChange, SocialEvent};

pub use storage::notices::SocialKind;

use crate::{App, Error};

/// The kinds that the caller has switched off.
pub async fn list_muted(app: &App, session: &Session) -> Result<Vec<SocialKind>, Error> {
    Ok(notices::list_muted(app.db(), session.profile.user_id).await?)
}

/// Switches exactly these kinds off, and the others on. Notices that are there stay.
pub async fn set_muted(app: &App, session: &Session, muted: &[SocialKind]) -> Result<(), Error> {
    Ok(notices::set_muted(app.db(), session.profile.user_id, muted).await?)
}

/// Applies a like that was given or taken back.
pub(crate) async fn apply_like(app: &App, like: &LikeChanged) -> Result<(), Error> {
    let Some(text) = notes::get_texts_for_fill(app.db(), &[like.note])
        .await?
        .pop()
    else {
        return Ok(());
    };
    let event = SocialEvent {
        kind: SocialKind::NoteLiked,
        owner: text.author,
        about: like.note.get(),
        actor: like.user,
        event: like.user.get(),
    };
    let is_liked = note_likes::get(app.db(), like.note, like.user)
        .await?
        .is_some();
    apply(app, &event, is_liked).await
}

/// Applies a follow that began or ended.
pub(crate) async fn apply_follow(app: &App, follow: &FollowChanged) -> Result<(), Error> {
    let event = SocialEvent {
        kind: SocialKind::Followed,
        owner: follow.author,
        about: follow.author.get(),
        actor: follow.user,
        event: follow.user.get(),
    };
    let is_following = follows::is_following(app.db(), follow.user, follow.author).await?;
    apply(app, &event, is_following).await
}

/// Applies a comment that was written, deleted, hidden or shown: told to whom it answers, and else to the note's author.
pub(crate) async fn apply_comment(app: &App, comment: &CommentChanged) -> Result<(), Error> {
    let place = comments::get_place(app.db(), comment).await?;
    for event in events_of(comment, &place) {
        apply(app, &event, place.is_shown).await?;
    }
    if !place.is_shown {
        let (kind, about) = (SocialKind::CommentAnswered, comment.id.get());
        notices::forget(app.db(), kind, about).await?;
    }
    Ok(())
}

/// Deletes the notices about a note that is gone.
pub(crate) async fn forget_note(app: &App, note: NoteId) -> Result<(), Error> {
    for kind in [SocialKind::NoteLiked, SocialKind::NoteCommented] {
        notices::forget(app.db(), kind, note.get()).await?;
    }
    Ok(())
}

/// A person is told once: of the answer to their comment rather than of the comment on their note.
fn events_of(comment: &CommentChanged, place: &CommentPlace) -> Vec<SocialEvent> {
    let event = |kind, owner, about| SocialEvent {
        kind,
        owner,
        about,
        actor: comment.author,
        event: comment.id.get(),
    };
    let answer = comment.answered.zip(place.answered_author);
    let answer = answer.map(|(id, owner)| event(SocialKind::CommentAnswered, owner, id.get()));
    let on_note = place
        .note_author
        .filter(|author| place.answered_author != Some(*author));
    let on_note = on_note.map(|owner| event(SocialKind::NoteCommented, owner, comment.note.get()));
    answer.into_iter().chain(on_note).collect()
}

async fn apply(app: &App, event: &SocialEvent, is_there: bool) -> Result<(), Error> {
    if !is_there {
        return Ok(notices::take_back(app.db(), event).await?);
    }
    if notices::add(app.db(), event).await? == NoticeChange::News {
        super::notify(app, &[event.owner]).await;
    }
    Ok(())
}
