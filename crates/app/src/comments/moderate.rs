//! The moderation queue: reported and hidden comments.

use domain::CommentId;
use kv::Session;
use storage::comments::{self, Flagged, FlaggedComment};
use storage::notes::Visibility;

use crate::{App, Error, Page, PageSize, Refusal, permission};

/// Comments on a page of the queue.
const FLAGGED_PER_PAGE: PageSize = PageSize::new(50);

/// One page, newest first; for admins.
pub async fn list_flagged(
    app: &App,
    session: &Session,
    flagged: Flagged,
    before: Option<CommentId>,
) -> Result<Page<FlaggedComment, CommentId>, Error> {
    permission::require_admin(session)?;
    let rows = FLAGGED_PER_PAGE.rows();
    let comments = comments::list_flagged(app.db(), flagged, before, rows).await?;
    Ok(Page::new(comments, FLAGGED_PER_PAGE, |it| it.comment.id))
}

/// For admins. The audit log records who did it.
pub async fn set_visibility(
    app: &App,
    session: &Session,
    id: CommentId,
    visibility: Visibility,
) -> Result<(), Error> {
    permission::require_admin(session)?;
    let moderator = session.profile.user_id;
    match comments::set_visibility(app.db(), moderator, id, visibility).await? {
        true => Ok(()),
        false => Err(Refusal::CommentNotFound.into()),
    }
}
