//! `/api/favourite…`: the shops that a person keeps, and the lists that they are in; notes are in `notes.rs`.

pub(super) mod notes;

use app::favourites::{self, FavouriteList, SavedShop};
use axum::extract::State;
use domain::favourite::WANT_TO_TRY;
use domain::{FavouriteListId, ShopId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Done, Envelope, Reply};
use super::extract::{JsonBody, PathParam, QueryParams, Signed};
use super::failure::Failure;
use super::paging::{CursorPageView, CursorParams};
use super::routes::IN_TABLE;
use super::shop::ShopView;
use super::state::HttpState;

/// A list of favourite shops.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FavouriteListView {
    /// 0 is the list that everybody has.
    #[schema(value_type = i64)]
    id: FavouriteListId,
    /// Absent for the list that everybody has, "Want to try".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    name: Option<String>,
    /// How many shops are in it.
    shops: u64,
}

impl From<FavouriteList> for FavouriteListView {
    fn from(list: FavouriteList) -> Self {
        Self {
            id: list.id,
            name: list.name,
            shops: list.shops,
        }
    }
}

/// My lists: "Want to try", which everybody has, then those that I named, the oldest first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "favourites",
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<Vec<FavouriteListView>>)),
)]
pub(super) async fn list_lists(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<Vec<FavouriteListView>>, Failure> {
    let lists = favourites::list_lists(state.app(), &signed.session).await?;
    Ok(Reply::new(
        lists.into_iter().map(FavouriteListView::from).collect(),
    ))
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct FavouriteListInput {
    /// 1 to 20 characters, once among one's lists.
    name: String,
}

/// Make a list; there may be 20. The reply is its id, also if I have a list of this name.
#[utoipa::path(
    post, path = IN_TABLE, tag = "favourites", request_body = FavouriteListInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<i64>)),
)]
pub(super) async fn create_list(
    State(state): State<HttpState>,
    signed: Signed,
    JsonBody(input): JsonBody<FavouriteListInput>,
) -> Result<Reply<i64>, Failure> {
    let id = favourites::create_list(state.app(), &signed.session, &input.name).await?;
    Ok(Reply::new(id.get()))
}

/// Rename a list that I named.
#[utoipa::path(
    put, path = IN_TABLE, tag = "favourites", params(("id" = i64, Path)),
    request_body = FavouriteListInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn rename_list(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<FavouriteListId>,
    JsonBody(input): JsonBody<FavouriteListInput>,
) -> Result<Reply<()>, Failure> {
    favourites::rename_list(state.app(), &signed.session, id, &input.name).await?;
    Ok(Reply::done())
}

/// Delete a list that I named; its shops move to "Want to try".
#[utoipa::path(
    delete, path = IN_TABLE, tag = "favourites", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn delete_list(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(id): PathParam<FavouriteListId>,
) -> Result<Reply<()>, Failure> {
    favourites::delete_list(state.app(), &signed.session, id).await?;
    Ok(Reply::done())
}

/// A shop in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SavedShopView {
    #[schema(value_type = i64)]
    shop_id: ShopId,
    saved_at_ms: i64,
    /// Absent once the shop is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    shop: Option<ShopView>,
}

impl SavedShopView {
    fn new(saved: SavedShop, state: &HttpState) -> Self {
        let shop = saved.shop.as_deref();
        Self {
            shop_id: saved.id,
            saved_at_ms: saved.saved_at.as_millisecond(),
            shop: shop.map(|shop| ShopView::new(shop, None, state)),
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Which list; the one that everybody has if not given.
    #[param(value_type = Option<i64>, nullable = false)]
    list: Option<FavouriteListId>,
}

/// The shops in a list of mine, 20 a page, what was saved last first.
#[utoipa::path(
    get, path = IN_TABLE, tag = "favourites", params(ListParams, CursorParams),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CursorPageView<SavedShopView>>)),
)]
pub(super) async fn list_shops(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(params): QueryParams<ListParams>,
    QueryParams(cursor): QueryParams<CursorParams>,
) -> Result<Reply<CursorPageView<SavedShopView>>, Failure> {
    let list = params.list.unwrap_or(WANT_TO_TRY);
    let before = cursor.parse()?;
    let page = favourites::list_shops(state.app(), &signed.session, list, before).await?;
    let view = |saved| SavedShopView::new(saved, &state);
    Ok(Reply::new(CursorPageView::new(page, view)))
}

/// Whether I keep a shop.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FavouriteView {
    /// The list that it is in; absent if I do not keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>, nullable = false)]
    list_id: Option<FavouriteListId>,
}

/// Whether I keep a shop, and in which list.
#[utoipa::path(
    get, path = IN_TABLE, tag = "favourites", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<FavouriteView>)),
)]
pub(super) async fn get_favourite(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(shop): PathParam<ShopId>,
) -> Result<Reply<FavouriteView>, Failure> {
    let list_id = favourites::get_list_of(state.app(), &signed.session, shop).await?;
    Ok(Reply::new(FavouriteView { list_id }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FavouriteInput {
    /// Into which list; the one that everybody has if not given.
    #[schema(value_type = Option<i64>, nullable = false)]
    list_id: Option<FavouriteListId>,
}

/// Save a shop into a list of mine, or move it there. A person may keep 1,000 shops.
#[utoipa::path(
    put, path = IN_TABLE, tag = "favourites", params(("id" = i64, Path)),
    request_body = FavouriteInput,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn save_favourite(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(shop): PathParam<ShopId>,
    JsonBody(input): JsonBody<FavouriteInput>,
) -> Result<Reply<()>, Failure> {
    let list = input.list_id.unwrap_or(WANT_TO_TRY);
    favourites::save(state.app(), &signed.session, shop, list).await?;
    Ok(Reply::done())
}

/// Keep a shop no longer. Repeating it changes nothing.
#[utoipa::path(
    delete, path = IN_TABLE, tag = "favourites", params(("id" = i64, Path)),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn remove_favourite(
    State(state): State<HttpState>,
    signed: Signed,
    PathParam(shop): PathParam<ShopId>,
) -> Result<Reply<()>, Failure> {
    favourites::remove(state.app(), &signed.session, shop).await?;
    Ok(Reply::done())
}
