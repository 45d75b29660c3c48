//! `/api/console/outside-refunds…`: what admins do about money that a provider returned without our asking.

use app::payments;
use axum::extract::State;
use domain::{OrderId, SiteZone};
use serde::{Deserialize, Serialize};
use storage::payments::{OutsideRefund, OutsideState, PaymentId};
use utoipa::ToSchema;

use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{JsonBody, PathParam, QueryParams, Signed};
use crate::http::failure::Failure;
use crate::http::paging::{CursorPageView, CursorParams};
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct OutsideRefundView {
    payment_id: i64,
    /// A string: it exceeds what a number keeps.
    #[serde(with = "domain::order::id_as_text")]
    #[schema(value_type = String)]
    order_id: OrderId,
    /// What was paid, in cents.
    amount: i64,
    /// What is back so far, in cents.
    refunded: i64,
    state: OutsideStateView,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
    update_time: String,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum OutsideStateView {
    /// Part of the money is back; the order can be neither used nor refunded until the rest is.
    Held,
    /// The order had been used, and the shop has its money.
    Used,
    Settled,
}

impl From<OutsideState> for OutsideStateView {
    fn from(state: OutsideState) -> Self {
        match state {
            OutsideState::Held => Self::Held,
            OutsideState::Used => Self::Used,
            OutsideState::Settled => Self::Settled,
        }
    }
}

impl OutsideRefundView {
    fn new(refund: OutsideRefund, zone: &SiteZone) -> Self {
        Self {
            payment_id: refund.payment.get(),
            order_id: refund.order,
            amount: refund.amount_cents,
            refunded: refund.refunded_cents,
            state: refund.state.into(),
            create_time: zone.wall_clock(refund.created_at),
            update_time: zone.wall_clock(refund.updated_at),
        }
    }
}

/// Refunds made at a provider that wait for an admin's decision, oldest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "console", params(CursorParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CursorPageView<OutsideRefundView>>)),
)]
pub(in crate::http) async fn list_outside(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<OutsideRefundView>>, Failure> {
    let page = payments::list_outside(state.app(), &signed.session, cursor.parse()?).await?;
    let zone = &state.app().rules().zone;
    let view = |refund| OutsideRefundView::new(refund, zone);
    Ok(Reply::new(CursorPageView::new(page, view)))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(in crate::http) struct SettlementInput {
    /// What was decided, for the record; at most 500 characters of it are kept.
    note: String,
}

/// Settle a refund that was made at a provider: an order that is held gets the rest of its money back, an order that was
/// used stays as it is.
#[utoipa::path(
    post, path = IN_TABLE, tag = "console",
    params(("payment" = i64, Path)), request_body = SettlementInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn settle_outside(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(payment): PathParam<PaymentId>,
    JsonBody(input): JsonBody<SettlementInput>,
) -> Result<Reply<()>, Failure> {
    payments::settle_outside(state.app(), &signed.session, payment, &input.note).await?;
    Ok(Reply::done())
}
