//! `/api/console/dead-orders…`: what admins do about orders that SQL could not take.

use app::orders;
use axum::extract::State;
use domain::{OrderId, SiteZone, UserId, VoucherId};
use serde::{Deserialize, Serialize};
use storage::orders::{DeadLetterState, DeadLetteredOrder, Remedy};
use utoipa::ToSchema;

use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{JsonBody, PathParam, QueryParams, Signed};
use crate::http::failure::Failure;
use crate::http::paging::{CursorPageView, CursorParams};
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct DeadOrderView {
    /// A string: it exceeds what a number keeps.
    #[serde(with = "domain::order::id_as_text")]
    #[schema(value_type = String)]
    id: OrderId,
    #[schema(value_type = i64)]
    voucher_id: VoucherId,
    #[schema(value_type = i64)]
    user_id: UserId,
    /// Why it could not be recorded.
    reason: String,
    state: DeadStateView,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
    update_time: String,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum DeadStateView {
    Waiting,
    Redriven,
    Compensated,
}

impl From<DeadLetterState> for DeadStateView {
    fn from(state: DeadLetterState) -> Self {
        match state {
            DeadLetterState::Waiting => Self::Waiting,
            DeadLetterState::Remedied(Remedy::Redriven) => Self::Redriven,
            DeadLetterState::Remedied(Remedy::Compensated) => Self::Compensated,
        }
    }
}

impl DeadOrderView {
    fn new(order: DeadLetteredOrder, zone: &SiteZone) -> Self {
        Self {
            id: order.id,
            voucher_id: order.voucher_id,
            user_id: order.user_id,
            reason: order.reason,
            state: order.state.into(),
            create_time: zone.wall_clock(order.created_at),
            update_time: zone.wall_clock(order.updated_at),
        }
    }
}

/// Orders that were granted and could not be recorded, newest first; for admins.
#[utoipa::path(
    get, path = IN_TABLE, tag = "console", params(CursorParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CursorPageView<DeadOrderView>>)),
)]
pub(in crate::http) async fn list_dead(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<DeadOrderView>>, Failure> {
    let before = cursor.parse()?;
    let page = orders::list_dead_lettered(state.app(), &signed.session, before).await?;
    let zone = &state.app().rules().zone;
    let view = |order| DeadOrderView::new(order, zone);
    Ok(Reply::new(CursorPageView::new(page, view)))
}

/// Claim once more for the buyer of a dead order. The reply is the new order's id.
#[utoipa::path(
    post, path = IN_TABLE, tag = "console", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<String>)),
)]
pub(in crate::http) async fn redrive(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<OrderId>,
) -> Result<Reply<String>, Failure> {
    let order = orders::redrive(state.app(), &signed.session, id).await?;
    Ok(Reply::new(order.to_string()))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(in crate::http) struct CompensationInput {
    /// What the buyer got instead, for the record; at most 500 characters of it are kept.
    note: String,
}

/// Note that the buyer of a dead order was compensated in another way.
#[utoipa::path(
    post, path = IN_TABLE, tag = "console", params(("id" = i64, Path)),
    request_body = CompensationInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn compensate(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<OrderId>,
    JsonBody(input): JsonBody<CompensationInput>,
) -> Result<Reply<()>, Failure> {
    orders::compensate(state.app(), &signed.session, id, &input.note).await?;
    Ok(Reply::done())
}
