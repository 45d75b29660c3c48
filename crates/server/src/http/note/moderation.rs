//! Reports of notes, and `/api/console/notes…`: what admins do about them.

use app::notes;
use axum::extract::State;
use domain::{NoteId, SiteZone, UserId};
use serde::Serialize;
use storage::notes::{FlaggedNote, Visibility};
use utoipa::ToSchema;

use crate::http::comment::ReportInput;
use crate::http::comment::moderation::FlaggedParams;
use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{JsonBody, PathParam, QueryParams, Signed};
use crate::http::failure::Failure;
use crate::http::paging::{CursorPageView, CursorParams};
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// Tell the moderators that something is wrong with a note. A person counts once.
#[utoipa::path(
    post, path = IN_TABLE, tag = "notes", params(("id" = i64, Path)),
    request_body = ReportInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn report_note(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<NoteId>,
    JsonBody(input): JsonBody<ReportInput>,
) -> Result<Reply<()>, Failure> {
    let reason = input.reason.unwrap_or_default();
    notes::report(state.app(), &signed.session, id, &reason).await?;
    Ok(Reply::done())
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct FlaggedNoteView {
    #[schema(value_type = i64)]
    id: NoteId,
    #[schema(value_type = i64)]
    user_id: UserId,
    name: String,
    title: String,
    /// How many people reported it.
    reports: u32,
    /// What one of them said.
    reason: String,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
}

impl FlaggedNoteView {
    fn new(flagged: FlaggedNote, zone: &SiteZone) -> Self {
        Self {
            id: flagged.id,
            user_id: flagged.author,
            name: flagged.author_name,
            title: flagged.title,
            reports: flagged.reports,
            reason: flagged.reason,
            create_time: zone.wall_clock(flagged.created_at),
        }
    }
}

/// Notes that readers reported, or that are hidden, newest first; for admins.
#[utoipa::path(
    get, path = IN_TABLE, tag = "console", params(FlaggedParams, CursorParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CursorPageView<FlaggedNoteView>>)),
)]
pub(in crate::http) async fn list_flagged_notes(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(params): QueryParams<FlaggedParams>,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<FlaggedNoteView>>, Failure> {
    let (flagged, before) = (params.flagged(), cursor.parse()?);
    let page = notes::list_flagged(state.app(), &signed.session, flagged, before).await?;
    let zone = &state.app().rules().zone;
    let view = |flagged| FlaggedNoteView::new(flagged, zone);
    Ok(Reply::new(CursorPageView::new(page, view)))
}

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

/// Let a reported note stand, or show a hidden one again; for admins.
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
