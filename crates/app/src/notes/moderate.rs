//! Reporting a note; the queue of reported and hidden ones; hiding a note, and showing it again.

use domain::{NoteId, harmless, note};
use kv::Session;
use storage::comments::Flagged;
use storage::notes::{self, FlaggedNote, Visibility};

use super::views;
use crate::write_limits::{self, Write};
use crate::{App, Error, Page, PageSize, Refusal, permission};

/// Notes on a page of the queue.
const FLAGGED_PER_PAGE: PageSize = PageSize::new(50);

/// Reports a note to the moderators.
pub async fn report(app: &App, session: &Session, id: NoteId, reason: &str) -> Result<(), Error> {
    write_limits::take(app, session, Write::Report).await?;
    let reason = note::clipped_reason(&harmless::plain(reason));
    let reporter = session.profile.user_id;
    match notes::report(app.db(), reporter, id, &reason).await? {
        true => Ok(()),
        false => Err(Refusal::NoteNotFound.into()),
    }
}

/// One page, newest first; for admins.
pub async fn list_flagged(
    app: &App,
    session: &Session,
    flagged: Flagged,
    before: Option<NoteId>,
) -> Result<Page<FlaggedNote, NoteId>, Error> {
    permission::require_admin(session)?;
    let rows = FLAGGED_PER_PAGE.rows();
    let notes = notes::list_flagged(app.db(), flagged, before, rows).await?;
    Ok(Page::new(notes, FLAGGED_PER_PAGE, |note| note.id))
}

/// For admins. The audit log records who did it.
pub async fn set_visibility(
    app: &App,
    session: &Session,
    id: NoteId,
    visibility: Visibility,
) -> Result<(), Error> {
    permission::require_admin(session)?;
    let moderator = session.profile.user_id;
    if !notes::set_visibility(app.db(), moderator, id, visibility).await? {
        return Err(Refusal::NoteNotFound.into());
    }
    app.outbox().wake();
    views::apply_now(views::show_note(app, id)).await;
    Ok(())
}
