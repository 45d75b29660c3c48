//! `/api/console/comments…`: the moderators' queue.

use app::comments;
use axum::extract::State;
use domain::{CommentId, NoteId, SiteZone, UserId};
use serde::{Deserialize, Serialize};
use storage::comments::{Flagged, FlaggedComment};
use storage::notes::Visibility;
use utoipa::{IntoParams, ToSchema};

use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{PathParam, QueryParams, Signed};
use crate::http::failure::Failure;
use crate::http::paging::{CursorPageView, CursorParams};
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::http) struct FlaggedParams {
    /// Which ones; those that wait for a decision if missing.
    #[param(nullable = false, inline)]
    state: Option<FlaggedParam>,
}

impl FlaggedParams {
    pub(in crate::http) fn flagged(&self) -> Flagged {
        match self.state {
            Some(FlaggedParam::Hidden) => Flagged::Hidden,
            Some(FlaggedParam::Reported) | None => Flagged::Reported,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FlaggedParam {
    Reported,
    Hidden,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct FlaggedView {
    #[schema(value_type = i64)]
    id: CommentId,
    #[schema(value_type = i64)]
    blog_id: NoteId,
    #[schema(value_type = i64)]
    user_id: UserId,
    name: String,
    content: String,
    /// How many people reported it.
    reports: u32,
    /// What one of them said.
    reason: String,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
}

impl FlaggedView {
    fn new(flagged: FlaggedComment, zone: &SiteZone) -> Self {
        let comment = flagged.comment;
        Self {
            id: comment.id,
            blog_id: comment.note,
            user_id: comment.author,
            name: comment.author_name,
            content: comment.content,
            reports: flagged.reports,
            reason: flagged.reason,
            create_time: zone.wall_clock(comment.created_at),
        }
    }
}

/// Comments that readers reported, or that are hidden, newest first; for admins.
#[utoipa::path(
    get, path = IN_TABLE, tag = "console", params(FlaggedParams, CursorParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CursorPageView<FlaggedView>>)),
)]
pub(in crate::http) async fn list_flagged(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(params): QueryParams<FlaggedParams>,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<FlaggedView>>, Failure> {
    let flagged = params.flagged();
    let before = cursor.parse()?;
    let page = comments::list_flagged(state.app(), &signed.session, flagged, before).await?;
    let zone = &state.app().rules().zone;
    let view = |flagged| FlaggedView::new(flagged, zone);
    Ok(Reply::new(CursorPageView::new(page, view)))
}

/// Hide a comment from everybody; for admins.
#[utoipa::path(
    post, path = IN_TABLE, tag = "console", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn hide_comment(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<CommentId>,
) -> Result<Reply<()>, Failure> {
    comments::set_visibility(state.app(), &signed.session, id, Visibility::Hidden).await?;
    Ok(Reply::done())
}

/// Let a reported or hidden comment stand; for admins.
#[utoipa::path(
    post, path = IN_TABLE, tag = "console", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn restore_comment(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<CommentId>,
) -> Result<Reply<()>, Failure> {
    comments::set_visibility(state.app(), &signed.session, id, Visibility::Shown).await?;
    Ok(Reply::done())
}
