//! The moderators' queue: comments that readers reported, and those that are hidden.

use domain::CommentId;
use kv::Session;
use storage::comments::{self, Flagged, FlaggedComment};
use storage::notes::Visibility;

use crate::{App, Error, Refusal, permission};

/// Comments on a page of the queue.
const FLAGGED_PER_PAGE: u32 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlaggedPage {
    pub comments: Vec<FlaggedComment>,
    /// Where the next page begins, if there is one.
    pub next: Option<CommentId>,
}

/// One page, newest first; for admins.
pub async fn list_flagged(
    app: &App,
    session: &Session,
    flagged: Flagged,
    before: Option<CommentId>,
) -> Result<FlaggedPage, Error> {
    permission::admin(session)?;
    // One more than is shown tells whether there is a next page.
    let limit = FLAGGED_PER_PAGE + 1;
    let mut comments = comments::list_flagged(app.db(), flagged, before, limit).await?;
    let has_more = comments.len() > FLAGGED_PER_PAGE as usize;
    comments.truncate(FLAGGED_PER_PAGE as usize);
    let last = comments.last().map(|it| it.comment.id);
    Ok(FlaggedPage {
        comments,
        next: last.filter(|_| has_more),
    })
}

/// For admins; the record says who did it.
pub async fn set_visibility(
    app: &App,
    session: &Session,
    id: CommentId,
    visibility: Visibility,
) -> Result<(), Error> {
    permission::admin(session)?;
    let moderator = session.profile.user_id;
    match comments::set_visibility(app.db(), moderator, id, visibility).await? {
        true => Ok(()),
        false => Err(Refusal::CommentNotFound.into()),
    }
}
