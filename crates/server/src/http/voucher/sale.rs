//! A flash sale's own page: how it stands, once and live.

use std::convert::Infallible;
use std::time::Duration;

use app::flash_sales::{self, SalePage, SaleSubscription};
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::{OrderId, VoucherId};
use flash::{SalePhase, SaleState};
use futures_util::Stream;
use futures_util::stream;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use crate::http::envelope::{Envelope, Reply};
use crate::http::extract::{ClientAddress, MaybeSigned, PathParam};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;
use crate::http::streams;

/// So that proxies do not take a quiet stream for a dead one.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PhaseView {
    Waiting,
    Open,
    SoldOut,
    Ended,
}

impl From<SalePhase> for PhaseView {
    fn from(phase: SalePhase) -> Self {
        match phase {
            SalePhase::Waiting => Self::Waiting,
            SalePhase::Open => Self::Open,
            SalePhase::SoldOut => Self::SoldOut,
            SalePhase::Ended => Self::Ended,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct SaleStateView {
    state: PhaseView,
    /// Pieces left.
    stock: u32,
    begin_at_ms: i64,
    end_at_ms: i64,
    /// By the clock that decides.
    now_ms: i64,
    /// The signed-in user's latest order of this sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order_id: Option<String>,
    /// What a claim must carry in `X-Claim-Token`, on sites that ask for it; only while the sale is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    claim_token: Option<String>,
}

impl SaleStateView {
    fn new(sale: &SaleState, order: Option<OrderId>, claim_token: Option<String>) -> Self {
        Self {
            state: sale.phase.into(),
            stock: sale.stock,
            begin_at_ms: sale.begin_ms,
            end_at_ms: sale.end_ms,
            now_ms: sale.now_ms,
            order_id: order.map(|order| order.to_string()),
            claim_token,
        }
    }
}

/// How a flash sale stands, by the server's clock, and what I have of it if I am signed in.
#[utoipa::path(
    get, path = IN_TABLE, tag = "vouchers", params(("id" = i64, Path)),
    responses((status = 200, body = Envelope<SaleStateView>)),
)]
pub(in crate::http) async fn get_sale(
    State(state): State<HttpState>,
    MaybeSigned(viewer): MaybeSigned,
    PathParam(id): PathParam<VoucherId>,
) -> Result<Reply<SaleStateView>, Failure> {
    let viewer = viewer.map(|session| session.profile.user_id);
    let SalePage {
        sale,
        order,
        claim_token,
    } = flash_sales::get_sale_page(state.app(), viewer, id).await?;
    Ok(Reply::new(SaleStateView::new(&sale, order, claim_token)))
}

/// How a flash sale stands, live: server-sent events of what `/voucher/seckill/{id}` shows to anybody, at most two a
/// second. The server may end the stream at any time; browsers begin it again by themselves.
#[utoipa::path(
    get, path = IN_TABLE, tag = "vouchers", params(("id" = i64, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String)),
)]
pub(in crate::http) async fn follow_sale(
    State(state): State<HttpState>,
    ClientAddress(address): ClientAddress,
    PathParam(id): PathParam<VoucherId>,
) -> Result<impl IntoResponse, Failure> {
    let permit = state.open_stream(address)?;
    let watch = flash_sales::subscribe(state.app(), id).await?;
    let events = streams::with_permit(events(watch, state.shutdown().clone()), permit);
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    Ok((streams::UNBUFFERED, events))
}

/// Ends at shutdown: an open page must not delay it.
fn events(
    watch: SaleSubscription,
    shutdown: CancellationToken,
) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((watch, shutdown), |(mut watch, shutdown)| async move {
        let state = tokio::select! {
            () = shutdown.cancelled() => None,
            state = watch.next() => state,
        };
        let view = SaleStateView::new(&state?, None, None);
        let event = Event::default().json_data(view);
        let event = event.expect("views are plain structs");
        Some((Ok(event), (watch, shutdown)))
    })
}
