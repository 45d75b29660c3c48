//! `GET /api/shop/{id}/dishes`: what people recommend at a shop. The notes that do are a list of `/api/blog/of/shop`.

use app::notes::{self, DISHES_PER_SHOP_MAX, RecommendedDish};
use axum::extract::State;
use domain::ShopId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::envelope::{Envelope, Reply};
use crate::http::extract::{PathParam, QueryParams};
use crate::http::failure::Failure;
use crate::http::routes::IN_TABLE;
use crate::http::shop::within;
use crate::http::state::HttpState;

/// As many as a page shows.
const DEFAULT_DISHES: u32 = 10;

/// Something that people recommend at a shop.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::http) struct DishView {
    name: String,
    /// How many people recommend it.
    people: u32,
}

impl From<RecommendedDish> for DishView {
    fn from(RecommendedDish { name, people }: RecommendedDish) -> Self {
        Self { name, people }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::http) struct DishParams {
    /// How many, 10 if not given and 50 at most.
    #[param(nullable = false)]
    size: Option<i64>,
}

/// What people recommend at a shop, the most recommended first. A person counts once for each.
#[utoipa::path(
    get, path = IN_TABLE, tag = "shops", params(("id" = i64, Path), DishParams),
    responses((status = 200, body = Envelope<Vec<DishView>>)),
)]
pub(in crate::http) async fn list_dishes(
    State(state): State<HttpState>,
    PathParam(id): PathParam<ShopId>,
    QueryParams(params): QueryParams<DishParams>,
) -> Result<Reply<Vec<DishView>>, Failure> {
    let limit = within("size", params.size, DEFAULT_DISHES, DISHES_PER_SHOP_MAX)?;
    let dishes = notes::list_dishes(state.app(), id, limit).await?;
    Ok(Reply::new(dishes.into_iter().map(DishView::from).collect()))
}
