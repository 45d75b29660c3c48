//! Claiming a unit of a flash sale, by the path of the original and by the one that some of its clients use.
//!
//! This is the hot path: between the socket and the gate there is a session from memory and two counters, and the
//! answer is written without a detour.

use app::flash_sales;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::{OrderId, VoucherId};

use super::claim_request::ClaimRequest;
use crate::http::dialect::Dialect;
use crate::http::envelope::Envelope;
use crate::http::extract::PathParam;
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// Claim a unit of a flash sale. The reply is the order's id.
///
/// Claiming again after winning is refused with `already_bought` and the order's id in `data`; with the same
/// `Idempotency-Key` the first answer comes again. A reply 503 `processing` has the id of the order in `data` if there
/// will be one: claiming again tells.
#[utoipa::path(
    post, path = IN_TABLE, tag = "orders",
    params(
        ("id" = i64, Path, description = "The voucher."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false, description = "Names this claim, in 1 to 64 visible characters."),
        ("X-Claim-Token" = Option<String>, Header, nullable = false, description = "What the page of the open sale was given, on sites that ask for it."),
    ),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<String>)),
)]
pub(in crate::http) async fn claim(
    State(state): State<HttpState>,
    request: ClaimRequest,
    PathParam(voucher): PathParam<VoucherId>,
) -> Result<Response, Failure> {
    let ClaimRequest {
        claimant,
        key,
        token,
        language,
    } = request;
    let claimed = flash_sales::claim(state.app(), claimant, voucher, key, token.as_deref());
    match claimed.await {
        Ok(order) => Ok(granted(order, state.dialect())),
        Err(error) => Failure::from(error).reply_now(state.dialect(), language),
    }
}

/// The same as `/voucher-order/seckill/{id}`.
#[utoipa::path(
    post, path = IN_TABLE, tag = "orders",
    params(
        ("id" = i64, Path, description = "The voucher."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false, description = "Names this claim, in 1 to 64 visible characters."),
        ("X-Claim-Token" = Option<String>, Header, nullable = false, description = "What the page of the open sale was given, on sites that ask for it."),
    ),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<String>)),
)]
pub(in crate::http) async fn claim_by_other_path(
    state: State<HttpState>,
    request: ClaimRequest,
    voucher: PathParam<VoucherId>,
) -> Result<Response, Failure> {
    claim(state, request, voucher).await
}

/// The envelope around an order's id. Ids exceed 2^53, which JavaScript rounds: a text keeps every digit. Clients of the
/// original expect a number.
fn granted(order: OrderId, dialect: Dialect) -> Response {
    let body = match dialect {
        Dialect::Site => format!(r#"{{"success":true,"data":"{order}"}}"#),
        Dialect::Original => format!(r#"{{"success":true,"data":{order}}}"#),
    };
    let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (json, Bytes::from(body)).into_response()
}
