//! `/api/shop…` and `/api/shop-type…`: finding shops and reading them; running one's own is in `edit.rs`.

pub(super) mod edit;

use std::sync::Arc;

use app::shops::{
    self, Around, ListedShop, MAX_RADIUS_METRES, MAX_SHOPS_PER_PAGE, SHOPS_PER_PAGE, SortBy,
    TypeQuery,
};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::{Aspects, InvalidPosition, Position, RatingSum, ShopId, ShopTypeId};
use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Serialize};
use storage::shop_types::ShopType;
use storage::shops::{Shop, StarCounts};
use utoipa::{IntoParams, ToSchema};

use super::dialect::Dialect;
use super::envelope::{Envelope, Reply, data_of, write_json, written_reply};
use super::extract::{PathParam, QueryParams};
use super::failure::Failure;
use super::paging::PageParams;
use super::routes::IN_TABLE;
use super::state::HttpState;

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShopTypeView {
    #[schema(value_type = i64)]
    id: ShopTypeId,
    name: String,
    /// Below `/imgs`.
    icon: String,
    sort: i32,
}

impl From<&ShopType> for ShopTypeView {
    fn from(shop_type: &ShopType) -> Self {
        Self {
            id: shop_type.id,
            name: shop_type.name.clone(),
            icon: shop_type.icon.clone(),
            sort: shop_type.sort,
        }
    }
}

/// The kinds of shops, in the order in which the site shows them.
#[utoipa::path(
    get, path = IN_TABLE, tag = "shops",
    responses((status = 200, body = Envelope<Vec<ShopTypeView>>)),
)]
pub(super) async fn list_types(
    State(state): State<HttpState>,
) -> Result<Reply<Vec<ShopTypeView>>, Failure> {
    let types = shops::list_types(state.app()).await?;
    Ok(Reply::new(types.iter().map(ShopTypeView::from).collect()))
}

/// The mean of what notes give a shop for one aspect.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RatingMeanView {
    /// Ten times the mean.
    score: u32,
    /// How many ratings it rests on.
    count: u32,
}

/// The means of what notes give a shop; an aspect that nobody rated is absent.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShopRatingsView {
    /// Taste where one eats, effect or skill elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    main: Option<RatingMeanView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    surroundings: Option<RatingMeanView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    service: Option<RatingMeanView>,
}

impl ShopRatingsView {
    /// `None` while nobody rated any aspect.
    fn new(sums: Aspects<RatingSum>) -> Option<Self> {
        let mean = |of: RatingSum| {
            let score = of.mean_tenths()?;
            let count = of.count;
            Some(RatingMeanView { score, count })
        };
        let is_rated = sums.into_array().iter().any(|of| of.count > 0);
        let means = sums.map(mean);
        is_rated.then_some(Self {
            main: means.main,
            surroundings: means.surroundings,
            service: means.service,
        })
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShopView {
    #[schema(value_type = i64)]
    id: ShopId,
    name: String,
    #[schema(value_type = i64)]
    type_id: ShopTypeId,
    /// Addresses of pictures, separated by commas; empty when there are none.
    images: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    area: Option<String>,
    address: String,
    /// Longitude.
    x: f64,
    /// Latitude.
    y: f64,
    /// In yuan.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    avg_price: Option<i64>,
    sold: u32,
    comments: u32,
    /// Ten times the stars.
    score: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    open_hours: Option<String>,
    /// In the site's zone, such as `2026-11-15T18:10:39`.
    create_time: String,
    update_time: String,
    /// How many of its notes gave one star, two, three, four and five; absent while none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<Vec<u32>>)]
    stars: Option<StarCounts>,
    /// As people write it; absent while the shop names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    phone: Option<String>,
    /// Absent while nobody rated any aspect.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ratings: Option<ShopRatingsView>,
    /// Metres from the position of the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    distance: Option<f64>,
}

impl ShopView {
    pub(super) fn new(shop: &Shop, distance: Option<f64>, state: &HttpState) -> Self {
        let (dialect, zone) = (state.dialect(), &state.app().rules().zone);
        let is_rated = shop.stars.iter().any(|notes| *notes > 0);
        Self {
            id: shop.id,
            name: shop.name.clone(),
            type_id: shop.type_id,
            images: shop.images.clone(),
            area: shop.area.clone(),
            address: shop.address.clone(),
            x: shop.x,
            y: shop.y,
            avg_price: shop.avg_price_yuan,
            sold: shop.sold,
            comments: shop.comments,
            score: shop.score,
            open_hours: shop.open_hours.clone(),
            create_time: zone.wall_clock(shop.created_at),
            update_time: zone.wall_clock(shop.updated_at),
            stars: is_rated.then(|| dialect.addition(shop.stars)).flatten(),
            phone: shown_phone(shop).and_then(|phone| dialect.addition(phone)),
            ratings: ShopRatingsView::new(shop.ratings)
                .and_then(|ratings| dialect.addition(ratings)),
            distance,
        }
    }
}

fn shown_phone(shop: &Shop) -> Option<String> {
    shop.phone.clone().filter(|phone| !phone.is_empty())
}

/// One shop.
#[utoipa::path(
    get, path = IN_TABLE, tag = "shops", params(("id" = i64, Path)),
    responses((status = 200, body = Envelope<ShopView>)),
)]
pub(super) async fn get_shop(
    State(state): State<HttpState>,
    PathParam(id): PathParam<ShopId>,
) -> Result<impl IntoResponse, Failure> {
    let shop = shops::get(state.app(), id).await?;
    let reply = rendered(&state, &shop);
    Ok(([(CONTENT_TYPE, "application/json")], reply))
}

/// The reply about one shop.
fn rendered(state: &HttpState, shop: &Arc<Shop>) -> Bytes {
    state.rendered_shops().of(shop, |shop| {
        Reply::new(ShopView::new(shop, None, state)).into_bytes()
    })
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(super) struct TypeParams {
    #[param(value_type = i64)]
    type_id: ShopTypeId,
    /// Longitude of the caller; counts together with `y` only.
    #[param(nullable = false)]
    x: Option<f64>,
    /// Latitude of the caller.
    #[param(nullable = false)]
    y: Option<f64>,
    /// Counts together with `x` and `y` only; else shops come by id.
    #[param(value_type = Option<SortParam>, nullable = false, inline)]
    sort_by: Option<String>,
    /// Metres around the caller, 5000 if not given and 50000 at most.
    #[param(nullable = false)]
    radius: Option<i64>,
    /// Shops on a page, 5 if not given and 50 at most.
    #[param(nullable = false)]
    size: Option<i64>,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SortParam {
    /// The nearest first. Some clients send an empty text for it.
    #[serde(alias = "")]
    Distance,
    /// The most talked of first.
    Comments,
    /// The best first.
    Score,
    /// The cheapest first; unknown prices last.
    Price,
}

const DEFAULT_RADIUS_METRES: u32 = 5_000;

impl TypeParams {
    /// The original ignores it whatever it says, so a word that is none of ours is no mistake there.
    fn sort_by(&self, dialect: Dialect) -> Result<SortBy, Failure> {
        let Some(word) = &self.sort_by else {
            return Ok(SortBy::Distance);
        };
        let sort = SortParam::deserialize(word.as_str().into_deserializer());
        match (sort, dialect) {
            (Ok(sort), _) => Ok(sort.into()),
            (Err(_), Dialect::Original) => Ok(SortBy::Distance),
            (Err(error), Dialect::Site) => {
                let error: serde::de::value::Error = error;
                Err(Failure::malformed("query", error.to_string()))
            }
        }
    }

    fn on_page(&self, page: u32, dialect: Dialect) -> Result<TypeQuery, Failure> {
        let sort_by = self.sort_by(dialect)?;
        let around = match (self.x, self.y) {
            (Some(x), Some(y)) => Some(Around {
                position: position(x, y)?,
                radius_metres: radius(self.radius)?,
                sort_by,
            }),
            _ => None,
        };
        let per_page = within("size", self.size, SHOPS_PER_PAGE, MAX_SHOPS_PER_PAGE)?;
        Ok(TypeQuery {
            type_id: self.type_id,
            page,
            per_page,
            around,
        })
    }
}

fn radius(metres: Option<i64>) -> Result<u32, Failure> {
    within("radius", metres, DEFAULT_RADIUS_METRES, MAX_RADIUS_METRES)
}

/// From 1 to `max`, or what counts when nothing was said.
pub(super) fn within(
    name: &str,
    given: Option<i64>,
    default: u32,
    max: u32,
) -> Result<u32, Failure> {
    let Some(given) = given else {
        return Ok(default);
    };
    let number = u32::try_from(given).ok();
    let allowed = number.filter(|number| (1..=max).contains(number));
    allowed.ok_or_else(|| Failure::malformed(name, format!("must be from 1 to {max}")))
}

/// Where the caller is, or the city they chose.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct HereParams {
    /// Longitude of the caller; counts together with `y` only.
    #[param(nullable = false)]
    x: Option<f64>,
    /// Latitude of the caller.
    #[param(nullable = false)]
    y: Option<f64>,
}

impl HereParams {
    pub(super) fn position(&self) -> Result<Option<Position>, Failure> {
        match (self.x, self.y) {
            (Some(x), Some(y)) => position(x, y).map(Some),
            _ => Ok(None),
        }
    }
}

fn position(x: f64, y: f64) -> Result<Position, Failure> {
    Position::new(x, y).map_err(|problem| {
        let place = match problem {
            InvalidPosition::X => "x",
            InvalidPosition::Y => "y",
        };
        Failure::malformed(place, problem.to_string())
    })
}

impl From<SortParam> for SortBy {
    fn from(sort: SortParam) -> Self {
        match sort {
            SortParam::Distance => Self::Distance,
            SortParam::Comments => Self::Comments,
            SortParam::Score => Self::Score,
            SortParam::Price => Self::Price,
        }
    }
}

/// Shops of a type, page by page: around a place with their distance, or by id.
///
/// A list around a place reaches the 1,000 nearest shops, and sorts these.
#[utoipa::path(
    get, path = IN_TABLE, tag = "shops", params(TypeParams, PageParams),
    responses((status = 200, body = Envelope<Vec<ShopView>>)),
)]
pub(super) async fn list_of_type(
    State(state): State<HttpState>,
    QueryParams(params): QueryParams<TypeParams>,
    QueryParams(page): QueryParams<PageParams>,
) -> Result<Response, Failure> {
    let query = params.on_page(page.number(), state.dialect())?;
    let listed = shops::list_of_type(state.app(), query).await?;
    Ok(written_reply(|json| write_shops(json, &listed, &state)))
}

/// Appends a list of shops. Those with a distance come from the cache, so their JSON is there but for the distance, which is
/// the last field of a [`ShopView`].
fn write_shops(json: &mut Vec<u8>, listed: &[ListedShop], state: &HttpState) {
    json.push(b'[');
    for (place, ListedShop { shop, metres }) in listed.iter().enumerate() {
        if place > 0 {
            json.push(b',');
        }
        match metres {
            Some(metres) => {
                let reply = rendered(state, shop);
                let shop = data_of(&reply).strip_suffix(b"}");
                json.extend_from_slice(shop.expect("a shop is an object"));
                json.extend_from_slice(b",\"distance\":");
                write_json(json, metres);
                json.push(b'}');
            }
            None => write_json(json, &ShopView::new(shop, None, state)),
        }
    }
    json.push(b']');
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(super) struct AroundParams {
    /// Longitude of the middle.
    x: f64,
    /// Latitude of the middle.
    y: f64,
    /// Metres around the middle, 5000 if not given and 50000 at most.
    #[param(nullable = false)]
    radius: Option<i64>,
    /// One kind of shops only.
    #[param(value_type = Option<i64>, nullable = false)]
    type_id: Option<ShopTypeId>,
}

/// The shops of a map: the nearest to its middle, of all kinds or of one, 200 at most.
#[utoipa::path(
    get, path = IN_TABLE, tag = "shops", params(AroundParams),
    responses((status = 200, body = Envelope<Vec<ShopView>>)),
)]
pub(super) async fn list_around(
    State(state): State<HttpState>,
    QueryParams(params): QueryParams<AroundParams>,
) -> Result<Response, Failure> {
    let around = Around {
        position: position(params.x, params.y)?,
        radius_metres: radius(params.radius)?,
        sort_by: SortBy::Distance,
    };
    let listed = shops::list_around(state.app(), around, params.type_id).await?;
    Ok(written_reply(|json| write_shops(json, &listed, &state)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct NameParams {
    /// What the name holds; nothing finds all.
    #[param(nullable = false)]
    name: Option<String>,
}

/// Shops by a part of their name, 10 a page, with their distance if the position of the caller is given. Every
/// character stands for itself.
#[utoipa::path(
    get, path = IN_TABLE, tag = "shops", params(NameParams, HereParams, PageParams),
    responses((status = 200, body = Envelope<Vec<ShopView>>)),
)]
pub(super) async fn list_of_name(
    State(state): State<HttpState>,
    QueryParams(params): QueryParams<NameParams>,
    QueryParams(here): QueryParams<HereParams>,
    QueryParams(page): QueryParams<PageParams>,
) -> Result<Reply<Vec<ShopView>>, Failure> {
    let name = params.name.unwrap_or_default();
    let here = here.position()?;
    let found = shops::search(state.app(), &name, page.number()).await?;
    let view = |shop| ShopView::new(shop, metres_between(here, shop), &state);
    Ok(Reply::new(found.iter().map(view).collect()))
}

/// To a tenth of a millimetre, as Redis returns distances.
fn metres_between(here: Option<Position>, shop: &Shop) -> Option<f64> {
    let there = Position::new(shop.x, shop.y).ok()?;
    let metres = here?.metres_to(there);
    Some((metres * 10_000.0).round() / 10_000.0)
}
