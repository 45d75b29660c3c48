//! `/api/console/notes…`: what admins do about notes that should not be seen.

use app::notes;
use axum::extract::State;
use domain::NoteId;
use storage::notes::Visibility;

use crate::http::envelope::{Done, Reply};
use crate::http::extract::{PathParam, Signed};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// Hide a note from everybody; for admins.
#[utoipa::path(
    post, path = IN_TABLE, tag = "console", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn hide_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<NoteId>,
) -> Result<Reply<()>, Failure> {
    notes::set_visibility(state.app(), &signed.session, id, Visibility::Hidden).await?;
    Ok(Reply::done())
}

/// Show a hidden note again; for admins.
#[utoipa::path(
    post, path = IN_TABLE, tag = "console", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn restore_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<NoteId>,
) -> Result<Reply<()>, Failure> {
    notes::set_visibility(state.app(), &signed.session, id, Visibility::Shown).await?;
    Ok(Reply::done())
}
