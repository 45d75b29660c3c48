//! Hiding a note, and showing it again.

use domain::NoteId;
use kv::Session;
use storage::notes::{self, Visibility};

use super::views;
use crate::{App, Error, Refusal, permission};

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
