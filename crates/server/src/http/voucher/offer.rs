//! Vouchers away from the shelf of their shop: one by its id, and the flash sales of all shops.

use app::vouchers::{self, Offer};
use axum::extract::State;
use domain::VoucherId;
use jiff::Timestamp;
use serde::Serialize;
use storage::shops::Shop;
use utoipa::ToSchema;

use super::VoucherView;
use crate::http::envelope::{Envelope, Reply};
use crate::http::extract::{PathParam, QueryParams};
use crate::http::failure::Failure;
use crate::http::paging::PageParams;
use crate::http::routes::IN_TABLE;
use crate::http::shop::HereParams;
use crate::http::state::HttpState;

/// A voucher and whose it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct OfferView {
    #[serde(flatten)]
    voucher: VoucherView,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    shop_name: Option<String>,
    /// The address of the shop's first picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    shop_image: Option<String>,
}

impl OfferView {
    fn new(offer: Offer, state: &HttpState, now: Timestamp) -> Self {
        let Offer { listed, shop } = offer;
        let shop = shop.as_deref();
        Self {
            shop_name: shop.map(|shop| shop.name.clone()),
            shop_image: shop.and_then(first_image).map(str::to_owned),
            voucher: VoucherView::new(listed, state, now),
        }
    }
}

fn first_image(shop: &Shop) -> Option<&str> {
    let mut images = shop.images.split(',').map(str::trim);
    images.find(|image| !image.is_empty())
}

/// The flash sales of all shops, 10 a page: open ones, the soonest to end first, then those that begin within 24 hours,
/// the soonest first. With live stock; at most 200 sales are reached.
///
/// With a position only those of shops within 50 kilometres: open ones, the nearest first, then those to come.
#[utoipa::path(
    get, path = IN_TABLE, tag = "vouchers", params(PageParams, HereParams),
    responses((status = 200, body = Envelope<Vec<OfferView>>)),
)]
pub(in crate::http) async fn list_running(
    State(state): State<HttpState>,
    QueryParams(page): QueryParams<PageParams>,
    QueryParams(here): QueryParams<HereParams>,
) -> Result<Reply<Vec<OfferView>>, Failure> {
    let here = here.position()?;
    let running = vouchers::list_running(state.app(), page.number(), here).await?;
    let now = Timestamp::now();
    let view = |sale| OfferView::new(sale, &state, now);
    Ok(Reply::new(running.into_iter().map(view).collect()))
}

/// One voucher that is on the shelf, with live stock if it is a flash sale, and whose it is.
#[utoipa::path(
    get, path = IN_TABLE, tag = "vouchers", params(("id" = i64, Path)),
    responses((status = 200, body = Envelope<OfferView>)),
)]
pub(in crate::http) async fn get_voucher(
    State(state): State<HttpState>,
    PathParam(id): PathParam<VoucherId>,
) -> Result<Reply<OfferView>, Failure> {
    let offer = vouchers::get(state.app(), id).await?;
    Ok(Reply::new(OfferView::new(offer, &state, Timestamp::now())))
}
