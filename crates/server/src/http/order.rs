//! `/api/voucher-order…`: buying vouchers and looking after what one bought.

pub(super) mod claim;
mod claim_request;
pub(super) mod dead_letters;
mod keyed_request;
pub(super) mod lifecycle;
pub(super) mod redeem;

use app::PageSize;
use app::orders::{self, OrderLookup};
use axum::extract::State;
use domain::{OrderId, OrderStatus, RedeemCode, ShopId, SiteZone, UserId, VoucherId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use storage::orders::Order;
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Envelope, Reply};
use super::extract::{PathParam, QueryParams, Signed};
use super::failure::Failure;
use super::paging::{CursorPageView, CursorParams, PageSizeParams};
use super::routes::IN_TABLE;
use super::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderView {
    /// A string: it exceeds what a number keeps.
    #[serde(with = "domain::order::id_as_text")]
    #[schema(value_type = String)]
    id: OrderId,
    #[schema(value_type = i64)]
    user_id: UserId,
    #[schema(value_type = i64)]
    voucher_id: VoucherId,
    #[schema(value_type = i64)]
    shop_id: ShopId,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    shop_name: Option<String>,
    title: String,
    /// In cents.
    pay_value: i64,
    /// In cents.
    actual_value: i64,
    /// 1 balance, 2 Alipay, 3 WeChat.
    pay_type: i16,
    /// 1 unpaid, 2 paid, 3 used, 4 cancelled, 5 refunding, 6 refunded.
    status: i16,
    /// What is read out at the counter, in groups of four digits; only while the order is paid and not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    redeem_code: Option<String>,
    /// The same for a QR code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    redeem_qr: Option<String>,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pay_time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    use_time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    refund_time: Option<String>,
    /// Until when an unpaid order waits for its payment. Absent if it waits without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pay_deadline_ms: Option<i64>,
}

impl OrderView {
    fn new(order: Order, zone: &SiteZone) -> Self {
        let is_unpaid = order.status == OrderStatus::Unpaid;
        let is_paid = order.status == OrderStatus::Paid;
        let code = order.redeem_code.filter(|_| is_paid);
        Self {
            id: order.id,
            user_id: order.user_id,
            voucher_id: order.voucher_id,
            shop_id: order.shop_id,
            shop_name: order.shop_name,
            title: order.title,
            pay_value: order.pay_value_cents,
            actual_value: order.actual_value_cents,
            pay_type: order.pay_type.code(),
            status: order.status.code(),
            redeem_code: code.as_ref().map(RedeemCode::spaced),
            redeem_qr: code.map(|code| code.as_str().to_owned()),
            create_time: zone.wall_clock(order.created_at),
            pay_time: order.paid_at.map(|at| zone.wall_clock(at)),
            use_time: order.used_at.map(|at| zone.wall_clock(at)),
            refund_time: order.refunded_at.map(|at| zone.wall_clock(at)),
            pay_deadline_ms: order
                .pay_deadline
                .filter(|_| is_unpaid)
                .map(Timestamp::as_millisecond),
        }
    }
}

/// An order that was granted and is not in SQL yet: nothing more is known about it here.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OnItsWayView {
    #[serde(with = "domain::order::id_as_text")]
    #[schema(value_type = String)]
    id: OrderId,
    /// 0: on its way.
    #[schema(minimum = 0, maximum = 0)]
    status: i16,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum FoundOrderView {
    Recorded(Box<OrderView>),
    OnItsWay(OnItsWayView),
}

/// An order of mine; with `status` 0 and nothing else while it is on its way.
#[utoipa::path(
    get, path = IN_TABLE, tag = "orders", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<FoundOrderView>)),
)]
pub(super) async fn get_order(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<OrderId>,
) -> Result<Reply<FoundOrderView>, Failure> {
    let found = orders::get(state.app(), &signed.session, id).await?;
    let zone = &state.app().rules().zone;
    Ok(Reply::new(match found {
        OrderLookup::Recorded(order) => {
            FoundOrderView::Recorded(Box::new(OrderView::new(*order, zone)))
        }
        OrderLookup::Pending(id) => FoundOrderView::OnItsWay(OnItsWayView {
            id,
            status: OrderStatus::Pending.code(),
        }),
    }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct StatusParams {
    /// Only those of a status, from 1 to 6.
    #[param(nullable = false, minimum = 1, maximum = 6)]
    status: Option<i64>,
}

const USUAL_PAGE: PageSize = PageSize::new(10);

impl StatusParams {
    fn parse(&self) -> Result<Option<OrderStatus>, Failure> {
        let Some(code) = self.status else {
            return Ok(None);
        };
        let status = i16::try_from(code).ok();
        let status = status.and_then(|code| OrderStatus::try_from(code).ok());
        let recorded = status.filter(|status| *status != OrderStatus::Pending);
        let wrong = || Failure::malformed("status", "must be from 1 to 6");
        recorded.map(Some).ok_or_else(wrong)
    }
}

/// My orders, newest first, 10 a page if `size` is missing. One that was granted a moment ago may not be among them yet.
#[utoipa::path(
    get, path = IN_TABLE, tag = "orders", params(StatusParams, CursorParams, PageSizeParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CursorPageView<OrderView>>)),
)]
pub(super) async fn list_mine(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(status): QueryParams<StatusParams>,
    QueryParams(cursor): QueryParams<CursorParams>,
    QueryParams(size): QueryParams<PageSizeParams>,
) -> Result<Reply<CursorPageView<OrderView>>, Failure> {
    let (status, before, size) = (status.parse()?, cursor.parse()?, size.or(USUAL_PAGE));
    let page = orders::list_mine(state.app(), &signed.session, status, before, size).await?;
    let zone = &state.app().rules().zone;
    let view = |order| OrderView::new(order, zone);
    Ok(Reply::new(CursorPageView::new(page, view)))
}
