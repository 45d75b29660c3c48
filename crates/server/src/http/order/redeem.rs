//! Using an order at the counter of its shop.

use app::orders::{self, RedeemedOrder};
use axum::extract::State;
use domain::OrderId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::envelope::{Envelope, Reply};
use crate::http::extract::{JsonBody, RequestCaller, Signed};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

#[derive(Debug, Deserialize, ToSchema)]
pub(in crate::http) struct RedeemInput {
    /// What the buyer shows, scanned or typed: 16 digits, with or without spaces.
    code: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct UsedView {
    #[serde(with = "domain::order::id_as_text")]
    #[schema(value_type = String)]
    order_id: OrderId,
    title: String,
    /// What it is worth, in cents.
    actual_value: i64,
}

impl From<RedeemedOrder> for UsedView {
    fn from(used: RedeemedOrder) -> Self {
        Self {
            order_id: used.order,
            title: used.title,
            actual_value: used.actual_value_cents,
        }
    }
}

/// Redeem an order for a shop of mine, once.
#[utoipa::path(
    post, path = IN_TABLE, tag = "orders", request_body = RedeemInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<UsedView>)),
)]
pub(in crate::http) async fn redeem(
    State(state): State<HttpState>,
    signed: Signed,
    RequestCaller(caller): RequestCaller,
    JsonBody(input): JsonBody<RedeemInput>,
) -> Result<Reply<UsedView>, Failure> {
    let (session, address) = (&signed.session, caller.address);
    let used = orders::redeem(state.app(), session, address, &input.code).await?;
    Ok(Reply::new(used.into()))
}
