//! Notices about what other people do with a user's notes and comments, about new followers, and about mentions.
//!
//! Effects of the outbox, which read the present state: a like that is there is told, one that is not is taken back. So
//! repeating an effect, or applying two in the wrong order, ends alike.

use domain::{NoteId, UserId};
use kv::Session;
use storage::comments::{self, CommentChanged, CommentPlace};
use storage::follows::{self, FollowChanged};
use storage::note_likes::{self, LikeChanged};
use storage::notes::{self, NoteState, NoteText, NoteTextChanged};
use storage::notices::{self, IN_NOTE, NoticeChange, SocialEvent};

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
    for user in &comment.mentioned {
        apply_mention(app, comment, &place, *user).await?;
    }
    if !place.is_shown {
        let (kind, about) = (SocialKind::CommentAnswered, comment.id.get());
        notices::forget(app.db(), kind, about).await?;
    }
    Ok(())
}

/// Deletes the notices about a note that is gone.
pub(crate) async fn forget_note(app: &App, note: NoteId) -> Result<(), Error> {
    for kind in [
        SocialKind::NoteLiked,
        SocialKind::NoteCommented,
        SocialKind::Mentioned,
    ] {
        notices::forget(app.db(), kind, note.get()).await?;
    }
    Ok(())
}

/// Applies the publication of a note, or that it is shown again: told to whom it mentions.
pub(crate) async fn apply_publication(app: &App, note: NoteId) -> Result<(), Error> {
    let Some(text) = get_seen(app, note).await? else {
        return Ok(());
    };
    for mention in &text.mentions {
        apply(app, &in_note(&text, mention.user), true).await?;
    }
    Ok(())
}

/// Applies a change of what a note says: told to whom it mentions and the text before did not. Who was mentioned before is
/// not told again, however long ago that was.
pub(crate) async fn apply_text_change(app: &App, change: &NoteTextChanged) -> Result<(), Error> {
    if change.mentioned.is_empty() && change.unmentioned.is_empty() {
        return Ok(());
    }
    let Some(text) = get_seen(app, change.id).await? else {
        return Ok(());
    };
    for user in change.mentioned.iter().chain(&change.unmentioned) {
        let is_there = text.mentions.iter().any(|it| it.user == *user);
        apply(app, &in_note(&text, *user), is_there).await?;
    }
    Ok(())
}

/// `None` for a note that nobody sees.
async fn get_seen(app: &App, note: NoteId) -> Result<Option<NoteText>, Error> {
    match notes::get_state(app.db(), note).await? {
        NoteState::Shown { .. } => {}
        NoteState::Hidden { .. } | NoteState::Gone => return Ok(None),
    }
    Ok(notes::get_texts_for_fill(app.db(), &[note]).await?.pop())
}

fn in_note(text: &NoteText, mentioned: UserId) -> SocialEvent {
    SocialEvent {
        kind: SocialKind::Mentioned,
        owner: mentioned,
        about: text.id.get(),
        actor: text.author,
        event: IN_NOTE,
    }
}

/// A mention in a comment. Whom the comment concerns anyway is told of the comment, and of the mention only if they do not
/// want to know of comments.
async fn apply_mention(
    app: &App,
    comment: &CommentChanged,
    place: &CommentPlace,
    mentioned: UserId,
) -> Result<(), Error> {
    let event = SocialEvent {
        kind: SocialKind::Mentioned,
        owner: mentioned,
        about: comment.note.get(),
        actor: comment.author,
        event: comment.id.get(),
    };
    let otherwise = events_of(comment, place).into_iter();
    let otherwise = otherwise
        .filter(|it| it.owner == mentioned)
        .map(|it| it.kind);
    if place.is_seen && is_any_wanted(app, mentioned, otherwise.collect()).await? {
        return Ok(());
    }
    apply(app, &event, place.is_seen).await
}

async fn is_any_wanted(app: &App, user: UserId, kinds: Vec<SocialKind>) -> Result<bool, Error> {
    if kinds.is_empty() {
        return Ok(false);
    }
    let muted = notices::list_muted(app.db(), user).await?;
    Ok(kinds.iter().any(|kind| !muted.contains(kind)))
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
