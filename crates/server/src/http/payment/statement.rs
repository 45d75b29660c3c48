//! `/api/user/balance/entries`: what was booked on a person's balance.

use app::payments::{self, Booking, BookingKind};
use axum::extract::State;
use domain::{OrderId, ShopId, SiteZone};
use serde::Serialize;
use storage::orders::Order;
use utoipa::ToSchema;

use crate::http::envelope::{Envelope, Reply};
use crate::http::extract::{QueryParams, Signed};
use crate::http::failure::Failure;
use crate::http::paging::{CursorPageView, CursorParams};
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

/// An entry of my balance.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BalanceEntry)]
pub(in crate::http) struct BalanceEntryView {
    id: i64,
    kind: BookingKindView,
    /// In cents; negative for what was paid.
    amount: i64,
    /// What I had once this was booked, in cents.
    balance_after: i64,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
    /// Absent when the balance was topped up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order: Option<BookedOrderView>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = BookingKind)]
enum BookingKindView {
    /// The balance that a demo account begins with.
    OpeningCredit,
    /// Credited by the operator of the site.
    Credit,
    /// Came in through a payment provider.
    TopUp,
    /// Paid an order.
    Payment,
    /// An order was refunded.
    Refund,
}

/// The order that an entry of a balance is about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookedOrder)]
struct BookedOrderView {
    /// A string: it exceeds what a number keeps.
    #[serde(with = "domain::order::id_as_text")]
    #[schema(value_type = String)]
    id: OrderId,
    /// Empty if the voucher is gone.
    title: String,
    #[schema(value_type = i64)]
    shop_id: ShopId,
    /// Absent if the shop is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    shop_name: Option<String>,
}

impl BalanceEntryView {
    fn new(booking: Booking, zone: &SiteZone) -> Self {
        let entry = booking.entry;
        Self {
            id: entry.cursor,
            kind: booking.kind.into(),
            amount: entry.amount_cents,
            balance_after: entry.balance_cents,
            create_time: zone.wall_clock(entry.booked_at),
            order: booking.order.map(BookedOrderView::from),
        }
    }
}

impl From<BookingKind> for BookingKindView {
    fn from(kind: BookingKind) -> Self {
        match kind {
            BookingKind::OpeningCredit => Self::OpeningCredit,
            BookingKind::Credit => Self::Credit,
            BookingKind::TopUp => Self::TopUp,
            BookingKind::Payment => Self::Payment,
            BookingKind::Refund => Self::Refund,
        }
    }
}

impl From<Order> for BookedOrderView {
    fn from(order: Order) -> Self {
        Self {
            id: order.id,
            title: order.title,
            shop_id: order.shop_id,
            shop_name: order.shop_name,
        }
    }
}

/// What was booked on my balance, newest first, 20 a page. The newest entry shows what I have now.
#[utoipa::path(
    get, path = IN_TABLE, tag = "account", params(CursorParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CursorPageView<BalanceEntryView>>)),
)]
pub(in crate::http) async fn list_entries(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<BalanceEntryView>>, Failure> {
    let page = payments::list_bookings(state.app(), &signed.session, cursor.parse()?).await?;
    let zone = &state.app().rules().zone;
    let view = |booking| BalanceEntryView::new(booking, zone);
    Ok(Reply::new(CursorPageView::new(page, view)))
}
