//! `/api/block…`: people whom a person blocks.

use app::blocks::{self, BlockedPerson};
use axum::extract::State;
use domain::UserId;
use serde::Serialize;
use utoipa::ToSchema;

use super::account::UserView;
use super::envelope::{Done, Envelope, Reply};
use super::extract::{PathParam, QueryParams, Signed};
use super::failure::Failure;
use super::paging::{CursorPageView, CursorParams};
use super::routes::IN_TABLE;
use super::state::HttpState;

/// Somebody whom I block.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlockedPersonView {
    #[schema(value_type = i64)]
    user_id: UserId,
    blocked_at_ms: i64,
    /// Absent once the account is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    user: Option<UserView>,
}

impl From<BlockedPerson> for BlockedPersonView {
    fn from(person: BlockedPerson) -> Self {
        Self {
            user_id: person.id,
            blocked_at_ms: person.blocked_at.as_millisecond(),
            user: person.user.map(UserView::from),
        }
    }
}

/// Whom I block, 20 a page, the latest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "blocks", params(CursorParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CursorPageView<BlockedPersonView>>)),
)]
pub(super) async fn list_blocked(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<BlockedPersonView>>, Failure> {
    let page = blocks::list_mine(state.app(), &signed.session, cursor.parse()?).await?;
    let view = BlockedPersonView::from;
    Ok(Reply::new(CursorPageView::new(page, view)))
}

/// Whether I block this person.
#[utoipa::path(
    get, path = IN_TABLE, tag = "blocks", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<bool>)),
)]
pub(super) async fn is_blocked(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(person): PathParam<UserId>,
) -> Result<Reply<bool>, Failure> {
    let is_blocked = blocks::is_blocked_by_me(state.app(), &signed.session, person).await?;
    Ok(Reply::new(is_blocked))
}

/// Block a person: we no longer follow each other, they can no longer follow me or comment on what I write, and I no longer
/// see their notes and comments in lists. A person may block 1,000 people. Repeating it changes nothing.
#[utoipa::path(
    put, path = IN_TABLE, tag = "blocks", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn block(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(person): PathParam<UserId>,
) -> Result<Reply<()>, Failure> {
    blocks::block(state.app(), &signed.session, person).await?;
    Ok(Reply::done())
}

/// Unblock a person. Follows that the block has ended do not come back. Repeating it changes nothing.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "blocks", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn unblock(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(person): PathParam<UserId>,
) -> Result<Reply<()>, Failure> {
    blocks::unblock(state.app(), &signed.session, person).await?;
    Ok(Reply::done())
}
