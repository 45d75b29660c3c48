//! `/api/console/notes…`: what admins do about notes that should not be seen.

use app::notes;
use axum::extract::State;
use domain::NoteId;
use storage::notes::Visibility;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::envelope::{Done, Reply};
use crate::http::extract::{PathParam, Signed};
use crate::http::failure::Failure;
use crate::http::state::HttpState;

pub(super) fn routes() -> Api {
    Api::new()
        .routes(routes!(hide_note))
        .routes(routes!(restore_note))
}

/// Hide a note from everybody; for admins.
#[utoipa::path(
    post, path = "/console/notes/{id}/hide", tag = "console", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
async fn hide_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<NoteId>,
) -> Result<Reply<()>, Failure> {
    notes::set_visibility(state.app(), &signed.session, id, Visibility::Hidden).await?;
    Ok(Reply::done())
}

/// Show a hidden note again; for admins.
#[utoipa::path(
    post, path = "/console/notes/{id}/restore", tag = "console", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
async fn restore_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<NoteId>,
) -> Result<Reply<()>, Failure> {
    notes::set_visibility(state.app(), &signed.session, id, Visibility::Shown).await?;
    Ok(Reply::done())
}
