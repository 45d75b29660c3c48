//! Comments on notes: written, read in threads, liked, reported and moderated.
//!
//! Everything is in SQL: a page of comments is two queries, and one more for a signed-in viewer.

mod moderate;

use std::collections::HashSet;

use domain::mention::COMMENT_MENTIONS_MAX;
use domain::{CommentId, NoteId, Role, UserId, harmless, note};
use kv::Session;
use storage::comments::{self, Comment, CommentDeleteRefusal, CommentRefusal, NewComment, Thread};
use storage::notes::{self, NoteState};
use storage::shops::Principal;
use storage::write_keys::{self, KeyUsed, WriteKey, Written};

pub use moderate::{list_flagged, set_visibility};

use crate::idempotency::{self, IdempotencyKey};
use crate::write_limits::{self, Write};
use crate::{App, Error, Refusal, mentions};

pub const THREADS_PER_PAGE: u32 = 10;
pub const REPLIES_PER_PAGE: u32 = 10;

/// Replies included with a thread.
const REPLIES_WITH_THREAD: u32 = 3;

/// A comment as submitted.
#[derive(Clone, Debug)]
pub struct SubmittedComment {
    pub note: NoteId,
    pub parent: Option<CommentId>,
    pub answers: Option<CommentId>,
    pub content: String,
    /// Whom the author chose to mention.
    pub mentions: Vec<UserId>,
}

/// A comment as one reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentSeen {
    pub comment: Comment,
    /// Whether the viewer likes it; absent for a guest.
    pub is_liked: Option<bool>,
}

/// A thread as one reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadSeen {
    pub first: CommentSeen,
    pub replies: Vec<CommentSeen>,
    pub reply_count: u32,
}

/// Writes the comment, or returns what the key has written already.
pub async fn create(
    app: &App,
    session: &Session,
    key: Option<&IdempotencyKey>,
    draft: SubmittedComment,
) -> Result<CommentId, Error> {
    let chosen = mentions::distinct(&draft.mentions, COMMENT_MENTIONS_MAX);
    let chosen = chosen.ok_or(Refusal::CommentMentionsTooMany)?;
    let content = note::checked_comment(&harmless::plain(&draft.content));
    let mut new = NewComment {
        author: session.profile.user_id,
        note: draft.note,
        parent: draft.parent,
        answers: draft.answers,
        content: content.ok_or(Refusal::CommentInvalid)?,
        mentions: Vec::new(),
        key: None,
    };
    new.key = key.map(|key| write_key(key, &new, &chosen));
    if let Some(comment) = written_before(app, &new).await? {
        return Ok(comment);
    }
    write_limits::take(app, session, Write::Comment).await?;
    new.mentions = mentions::resolve(app, new.author, &new.content, &chosen, &[]).await?;
    match comments::create(app.db(), &new).await? {
        Ok(comment) => {
            app.outbox().wake();
            Ok(comment)
        }
        Err(CommentRefusal::NoSuchNote) => Err(Refusal::NoteNotFound.into()),
        Err(CommentRefusal::NoSuchComment) => Err(Refusal::CommentNotFound.into()),
        Err(CommentRefusal::Blocked) => Err(Refusal::InteractionRefused.into()),
        // The same request was under way, and has ended.
        Err(CommentRefusal::KeyUsed) => {
            let found = written_before(app, &new).await?;
            found.ok_or(Refusal::CommentNotFound.into())
        }
    }
}

/// The comment that the key has made. Another text under the same key is refused.
async fn written_before(app: &App, new: &NewComment) -> Result<Option<CommentId>, Error> {
    let Some(key) = &new.key else {
        return Ok(None);
    };
    match write_keys::find(app.db(), new.author, key, Written::Comment).await? {
        None => Ok(None),
        Some(KeyUsed::Again(comment)) => Ok(Some(CommentId::new(comment))),
        Some(KeyUsed::ForOther(_)) => Err(Error::IdempotencyMismatch),
    }
}

fn write_key(key: &IdempotencyKey, new: &NewComment, chosen: &[UserId]) -> WriteKey {
    let named = |id: Option<CommentId>| id.map(|id| id.to_string()).unwrap_or_default();
    let note = new.note.to_string();
    let (parent, answers) = (named(new.parent), named(new.answers));
    let mentions = mentions::as_said(chosen);
    let mut said = vec!["comment", &note, &parent, &answers, &new.content];
    said.extend(mentions.as_deref());
    idempotency::write_key(key, &said)
}

/// One page of a note's threads, newest first; `page` counts from 1.
pub async fn list_threads(
    app: &App,
    reader: Option<&Session>,
    note: NoteId,
    page: u32,
) -> Result<Vec<ThreadSeen>, Error> {
    match notes::get_state(app.db(), note).await? {
        NoteState::Shown { .. } => {}
        NoteState::Hidden { .. } | NoteState::Gone => return Err(Refusal::NoteNotFound.into()),
    }
    let (size, each) = (THREADS_PER_PAGE, REPLIES_WITH_THREAD);
    let user = user_of(reader);
    let threads = comments::list_threads(app.db(), user, note, page, size, each).await?;
    let all = threads.iter().flat_map(comments_of).map(|it| it.id);
    let liked = liked_among(app, reader, all.collect()).await?;
    let seen = |thread: Thread| ThreadSeen {
        first: liked.see(thread.first),
        replies: thread.replies.into_iter().map(|it| liked.see(it)).collect(),
        reply_count: thread.reply_count,
    };
    Ok(threads.into_iter().map(seen).collect())
}

/// One page of a thread's replies, oldest first; `page` counts from 1.
pub async fn list_replies(
    app: &App,
    reader: Option<&Session>,
    thread: CommentId,
    page: u32,
) -> Result<Vec<CommentSeen>, Error> {
    let (user, size) = (user_of(reader), REPLIES_PER_PAGE);
    let replies = comments::list_replies(app.db(), user, thread, page, size).await?;
    let ids = replies.iter().map(|it| it.id).collect();
    let liked = liked_among(app, reader, ids).await?;
    Ok(replies.into_iter().map(|it| liked.see(it)).collect())
}

/// Toggles the caller's like.
pub async fn like(app: &App, session: &Session, id: CommentId) -> Result<(), Error> {
    write_limits::take(app, session, Write::Like).await?;
    let toggled = comments::toggle_like(app.db(), id, session.profile.user_id).await?;
    match toggled {
        Some(_) => Ok(()),
        None => Err(Refusal::CommentNotFound.into()),
    }
}

/// Deletes a comment for its author or an admin.
pub async fn delete(app: &App, session: &Session, id: CommentId) -> Result<(), Error> {
    let profile = &session.profile;
    let principal = match profile.role {
        Role::Admin => Principal::Admin,
        Role::Merchant | Role::User => Principal::Owner(profile.user_id),
    };
    let deleted = comments::delete(app.db(), principal, id).await?;
    Ok(deleted.map_err(|refusal| match refusal {
        CommentDeleteRefusal::NoSuchComment => Refusal::CommentNotFound,
        CommentDeleteRefusal::NotAuthor => Refusal::Forbidden,
    })?)
}

/// Reports a comment to the moderators.
pub async fn report(
    app: &App,
    session: &Session,
    id: CommentId,
    reason: &str,
) -> Result<(), Error> {
    write_limits::take(app, session, Write::Report).await?;
    let reason = note::clipped_reason(&harmless::plain(reason));
    let reporter = session.profile.user_id;
    match comments::report(app.db(), reporter, id, &reason).await? {
        true => Ok(()),
        false => Err(Refusal::CommentNotFound.into()),
    }
}

fn user_of(reader: Option<&Session>) -> Option<UserId> {
    reader.map(|session| session.profile.user_id)
}

fn comments_of(thread: &Thread) -> impl Iterator<Item = &Comment> {
    std::iter::once(&thread.first).chain(&thread.replies)
}

/// The viewer's liked comments; `None` for a guest.
struct Liked(Option<HashSet<CommentId>>);

impl Liked {
    fn see(&self, comment: Comment) -> CommentSeen {
        CommentSeen {
            is_liked: self.0.as_ref().map(|liked| liked.contains(&comment.id)),
            comment,
        }
    }
}

async fn liked_among(
    app: &App,
    reader: Option<&Session>,
    ids: Vec<CommentId>,
) -> Result<Liked, Error> {
    let Some(session) = reader else {
        return Ok(Liked(None));
    };
    let user: UserId = session.profile.user_id;
    let liked = comments::liked_among(app.db(), user, &ids).await?;
    Ok(Liked(Some(liked.into_iter().collect())))
}
