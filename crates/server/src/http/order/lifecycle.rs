//! Buying an ordinary voucher, paying, cancelling, asking for money back.

use app::orders;
use app::payments::{PayWay, Paying};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;
use axum::response::Response;
use domain::{OrderId, OrderStatus, PayType, VoucherId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::keyed_request::KeyedRequest;
use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::PathParam;
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// Buy an ordinary voucher. The reply is the order's id, to be paid before its deadline.
#[utoipa::path(
    post, path = IN_TABLE, tag = "orders",
    params(
        ("id" = i64, Path, description = "The voucher."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false, description = "Names this purchase for a day, in 1 to 64 visible characters: the same answer comes again."),
    ),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<String>)),
)]
pub(in crate::http) async fn purchase(
    State(state): State<HttpState>,
    PathParam(voucher): PathParam<VoucherId>,
    request: KeyedRequest,
) -> Result<Response, Failure> {
    let bought = request.answer(&state, async |turn| {
        let order = orders::purchase(state.app(), &request.session, voucher, turn).await?;
        Ok(Reply::new(order.to_string()))
    });
    bought.await
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PayInput {
    /// 1 balance, 2 Alipay, 3 WeChat.
    #[schema(minimum = 1, maximum = 3)]
    pay_type: i64,
    /// With the sandbox: go to the page that plays the cashier, instead of paying at once.
    #[serde(default)]
    cashier: bool,
}

#[derive(Debug, Serialize, ToSchema)]
struct PayView {
    /// 2 if the order is paid, 1 if the payment goes on elsewhere.
    status: i16,
    /// Where to send the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    redirect: Option<String>,
}

impl From<Paying> for PayView {
    fn from(paying: Paying) -> Self {
        let (status, redirect) = match paying {
            Paying::Paid => (OrderStatus::Paid, None),
            Paying::Redirect(url) => (OrderStatus::Unpaid, Some(url)),
        };
        Self {
            status: status.code(),
            redirect,
        }
    }
}

/// Pay for an unpaid order of mine.
#[utoipa::path(
    post, path = IN_TABLE, tag = "orders",
    params(
        ("id" = i64, Path),
        ("Idempotency-Key" = Option<String>, Header, nullable = false, description = "Names this payment for a day, in 1 to 64 visible characters: the same answer comes again."),
    ),
    request_body = PayInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<PayView>)),
)]
pub(in crate::http) async fn pay(
    State(state): State<HttpState>,
    PathParam(id): PathParam<OrderId>,
    headers: HeaderMap,
    request: KeyedRequest,
) -> Result<Response, Failure> {
    let input: PayInput = request.json()?;
    let way = PayWay {
        pay_type: pay_type(input.pay_type)?,
        cashier: input.cashier,
        is_phone: is_phone(&headers),
    };
    let paid = request.answer(&state, async |_| {
        let paying = orders::pay(state.app(), &request.session, id, way).await?;
        Ok(Reply::new(PayView::from(paying)))
    });
    paid.await
}

fn pay_type(code: i64) -> Result<PayType, Failure> {
    let known = i16::try_from(code).ok();
    let known = known.and_then(|code| PayType::try_from(code).ok());
    known.ok_or_else(|| Failure::malformed("payType", "must be 1, 2 or 3"))
}

/// Browsers of phones say so.
fn is_phone(headers: &HeaderMap) -> bool {
    let agent = headers.get(USER_AGENT).and_then(|it| it.to_str().ok());
    agent.is_some_and(|agent| agent.contains("Mobile"))
}

/// Cancel an unpaid order of mine. Its unit is for sale again at once.
#[utoipa::path(
    post, path = IN_TABLE, tag = "orders",
    params(
        ("id" = i64, Path),
        ("Idempotency-Key" = Option<String>, Header, nullable = false, description = "Names this request for a day, in 1 to 64 visible characters: the same answer comes again."),
    ),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn cancel(
    State(state): State<HttpState>,
    PathParam(id): PathParam<OrderId>,
    request: KeyedRequest,
) -> Result<Response, Failure> {
    let cancelled = request.answer(&state, async |_| {
        orders::cancel(state.app(), &request.session, id).await?;
        Ok(Reply::done())
    });
    cancelled.await
}

/// Ask for the money of a paid and unused order of mine. It is `refunding` until the money is back, then `refunded`.
#[utoipa::path(
    post, path = IN_TABLE, tag = "orders",
    params(
        ("id" = i64, Path),
        ("Idempotency-Key" = Option<String>, Header, nullable = false, description = "Names this request for a day, in 1 to 64 visible characters: the same answer comes again."),
    ),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn refund(
    State(state): State<HttpState>,
    PathParam(id): PathParam<OrderId>,
    request: KeyedRequest,
) -> Result<Response, Failure> {
    let refunded = request.answer(&state, async |_| {
        orders::refund(state.app(), &request.session, id).await?;
        Ok(Reply::done())
    });
    refunded.await
}
