//! `POST` and `PUT /api/shop`: what merchants say about their shops.
//!
//! Only what the input types name is bound; what is counted or owned cannot be said.

use app::shops;
use axum::extract::State;
use domain::{ShopDraft, ShopId, ShopTypeId};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::envelope::{Done, Envelope, Reply};
use crate::http::extract::{JsonBody, Signed};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::state::HttpState;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct NewShopInput {
    name: String,
    #[schema(value_type = i64)]
    type_id: ShopTypeId,
    /// At most 9 pictures of this site, separated by commas.
    #[schema(nullable = false)]
    images: Option<String>,
    #[schema(nullable = false)]
    area: Option<String>,
    address: String,
    /// Longitude.
    x: f64,
    /// Latitude.
    y: f64,
    /// In yuan.
    #[schema(nullable = false)]
    avg_price: Option<i64>,
    /// Such as `10:00-22:00`.
    #[schema(nullable = false)]
    open_hours: Option<String>,
    /// One number with 3 to 15 digits, such as `0571-0001 2345`; empty takes it away.
    #[schema(nullable = false)]
    phone: Option<String>,
}

impl From<NewShopInput> for ShopDraft {
    fn from(input: NewShopInput) -> Self {
        Self {
            name: Some(input.name),
            type_id: Some(input.type_id),
            images: input.images,
            area: input.area,
            address: Some(input.address),
            x: Some(input.x),
            y: Some(input.y),
            avg_price_yuan: input.avg_price,
            open_hours: input.open_hours,
            phone: input.phone,
        }
    }
}

/// Open a shop. The reply is its id; it belongs to the caller.
#[utoipa::path(
    post, path = IN_TABLE, tag = "shops", request_body = NewShopInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<i64>)),
)]
pub(in crate::http) async fn create_shop(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(input): JsonBody<NewShopInput>,
) -> Result<Reply<i64>, Failure> {
    let id = shops::create(state.app(), &signed.session, input.into()).await?;
    Ok(Reply::new(id.get()))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct ShopChangeInput {
    #[schema(nullable = false, value_type = Option<i64>)]
    id: Option<ShopId>,
    #[schema(nullable = false)]
    name: Option<String>,
    #[schema(nullable = false, value_type = Option<i64>)]
    type_id: Option<ShopTypeId>,
    /// At most 9 pictures of this site, separated by commas.
    #[schema(nullable = false)]
    images: Option<String>,
    #[schema(nullable = false)]
    area: Option<String>,
    #[schema(nullable = false)]
    address: Option<String>,
    /// Longitude.
    #[schema(nullable = false)]
    x: Option<f64>,
    /// Latitude.
    #[schema(nullable = false)]
    y: Option<f64>,
    /// In yuan.
    #[schema(nullable = false)]
    avg_price: Option<i64>,
    /// Such as `10:00-22:00`.
    #[schema(nullable = false)]
    open_hours: Option<String>,
    /// One number with 3 to 15 digits, such as `0571-0001 2345`; empty takes it away.
    #[schema(nullable = false)]
    phone: Option<String>,
}

impl From<ShopChangeInput> for ShopDraft {
    fn from(input: ShopChangeInput) -> Self {
        Self {
            name: input.name,
            type_id: input.type_id,
            images: input.images,
            area: input.area,
            address: input.address,
            x: input.x,
            y: input.y,
            avg_price_yuan: input.avg_price,
            open_hours: input.open_hours,
            phone: input.phone,
        }
    }
}

/// Change a shop of mine: absent fields stay as they are. Everybody sees the change within a second.
#[utoipa::path(
    put, path = IN_TABLE, tag = "shops", request_body = ShopChangeInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(in crate::http) async fn update_shop(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(input): JsonBody<ShopChangeInput>,
) -> Result<Reply<()>, Failure> {
    let id = input.id;
    shops::update(state.app(), &signed.session, id, input.into()).await?;
    Ok(Reply::done())
}
