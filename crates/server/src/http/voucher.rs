//! `/api/voucher…`: what shops have on their shelves. One voucher, and the sales of all shops, are in `offer.rs`,
//! publishing in `publish.rs`, a sale's own page in `sale.rs`, the view behind the counter in `monitor.rs`.

pub(super) mod monitor;
pub(super) mod offer;
pub(super) mod publish;
pub(super) mod sale;

use app::vouchers::{self, ListedVoucher};
use axum::extract::State;
use domain::{ShopId, VoucherId};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::envelope::{Envelope, Reply};
use super::extract::PathParam;
use super::failure::Failure;
use super::routes::IN_TABLE;
use super::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct VoucherView {
    #[schema(value_type = i64)]
    id: VoucherId,
    #[schema(value_type = i64)]
    shop_id: ShopId,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    sub_title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rules: Option<String>,
    /// What the buyer pays, in cents.
    pay_value: i64,
    /// What the shop takes it for, in cents.
    actual_value: i64,
    /// 0 ordinary, 1 flash sale.
    #[serde(rename = "type")]
    kind: i16,
    /// Pieces left of a flash sale, by its live gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    stock: Option<u32>,
    /// When a flash sale begins, in the site's zone, such as `2026-11-15T18:10:39`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    begin_time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    end_time: Option<String>,
    /// Pieces of a flash sale in all, sold ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    initial: Option<u32>,
    /// Pieces of a flash sale that one person may hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    limit_per_user: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    begin_at_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    end_at_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    now_ms: Option<i64>,
}

impl VoucherView {
    fn new(listed: ListedVoucher, state: &HttpState, now: Timestamp) -> Self {
        let zone = &state.app().rules().zone;
        let ListedVoucher {
            voucher,
            live_stock,
        } = listed;
        let sale = voucher.sale;
        let (begin_at, end_at) = (sale.map(|sale| sale.begin_at), sale.map(|sale| sale.end_at));
        let added = sale.and_then(|sale| state.dialect().addition(sale));
        Self {
            id: voucher.id,
            shop_id: voucher.shop_id,
            title: voucher.title,
            sub_title: voucher.sub_title,
            rules: voucher.rules,
            pay_value: voucher.pay_value_cents,
            actual_value: voucher.actual_value_cents,
            kind: voucher.kind.code(),
            stock: live_stock,
            begin_time: begin_at.map(|at| zone.wall_clock(at)),
            end_time: end_at.map(|at| zone.wall_clock(at)),
            // Nobody publishes a sale of none: an adopted one does not know.
            initial: added
                .map(|sale| sale.initial_stock)
                .filter(|pieces| *pieces > 0),
            limit_per_user: added.map(|sale| sale.limit_per_user),
            begin_at_ms: added.map(|sale| sale.begin_at.as_millisecond()),
            end_at_ms: added.map(|sale| sale.end_at.as_millisecond()),
            now_ms: added.map(|_| now.as_millisecond()),
        }
    }
}

/// The vouchers of a shop that are on the shelf, by id, with the live stock of flash sales.
#[utoipa::path(
    get, path = IN_TABLE, tag = "vouchers", params(("shopId" = i64, Path)),
    responses((status = 200, body = Envelope<Vec<VoucherView>>)),
)]
pub(super) async fn list_of_shop(
    State(state): State<HttpState>,
    PathParam(shop): PathParam<ShopId>,
) -> Result<Reply<Vec<VoucherView>>, Failure> {
    let listed = vouchers::list_of_shop(state.app(), shop).await?;
    let now = Timestamp::now();
    let view = |listed| VoucherView::new(listed, &state, now);
    Ok(Reply::new(listed.into_iter().map(view).collect()))
}
