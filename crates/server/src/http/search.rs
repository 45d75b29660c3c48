//! `/api/search/…`: shops, notes and people by words, a page at a time.

use app::search::{self, ShopFilter, ShopQuery};
use app::shops::ListedShop;
use axum::extract::State;
use axum::response::Response;
use domain::{Needle, Position};
use serde::Deserialize;
use utoipa::IntoParams;

use super::envelope::{Envelope, Reply, written_reply};
use super::extract::{MaybeSigned, QueryParams, RequestCaller};
use super::failure::Failure;
use super::follow::PersonView;
use super::note::NoteView;
use super::paging::{CursorPageView, CursorParams};
use super::rendered_notes::write_notes;
use super::routes::IN_TABLE;
use super::shop::{HereParams, ShopView, within};
use super::state::HttpState;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct NeedleParams {
    /// Words, of which each must be there; 64 characters count. Case, width and punctuation do not.
    q: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct RadiusParams {
    /// Metres around the caller, 50000 at most and if not given; without a place it does not count.
    #[param(nullable = false)]
    radius: Option<i64>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(super) struct FilterParams {
    /// Only shops that are open now; those whose hours are unknown are not.
    #[param(nullable = false)]
    open_now: Option<bool>,
    /// Only shops that sell a voucher.
    #[param(nullable = false)]
    deals: Option<bool>,
    /// Only shops with an average price of so many yuan at least; unknown prices are left out.
    #[param(nullable = false)]
    min_price: Option<i64>,
    /// And of so many at most.
    #[param(nullable = false)]
    max_price: Option<i64>,
    /// Only shops with ten times so many stars at least, from 1 to 50.
    #[param(nullable = false)]
    min_score: Option<i64>,
}

/// Ten times five stars.
const SCORE_MAX: u32 = 50;

impl RadiusParams {
    fn around(&self, here: &HereParams) -> Result<Option<(Position, u32)>, Failure> {
        let widest = app::shops::MAX_RADIUS_METRES;
        let radius = within("radius", self.radius, widest, widest)?;
        Ok(here.position()?.map(|position| (position, radius)))
    }
}

impl FilterParams {
    fn filter(&self) -> Result<ShopFilter, Failure> {
        let min_score = match self.min_score {
            Some(given) => Some(within("minScore", Some(given), SCORE_MAX, SCORE_MAX)?),
            None => None,
        };
        Ok(ShopFilter {
            is_open: self.open_now.unwrap_or(false),
            has_deals: self.deals.unwrap_or(false),
            min_price_yuan: self.min_price,
            max_price_yuan: self.max_price,
            min_score,
        })
    }
}

/// Shops by name, area, address and kind: a name that is what was searched first, then the nearest, or without a place
/// the best.
///
/// Each word must be there, and one character counts in names only. A page may be short, or even empty, while there is a
/// `cursor`.
#[utoipa::path(
    get, path = IN_TABLE, tag = "search",
    params(NeedleParams, HereParams, RadiusParams, FilterParams, CursorParams),
    responses((status = 200, body = Envelope<CursorPageView<ShopView>>)),
)]
pub(super) async fn search_shops(
    State(state): State<HttpState>,
    QueryParams(needle): QueryParams<NeedleParams>,
    QueryParams(here): QueryParams<HereParams>,
    QueryParams(radius): QueryParams<RadiusParams>,
    QueryParams(filter): QueryParams<FilterParams>,
    QueryParams(cursor): QueryParams<CursorParams>,
    RequestCaller(caller): RequestCaller,
) -> Result<Reply<CursorPageView<ShopView>>, Failure> {
    search::admit(state.app(), caller.address)?;
    let query = ShopQuery {
        needle: Needle::parse(&needle.q),
        around: radius.around(&here)?,
        filter: filter.filter()?,
    };
    let at = cursor.parse()?;
    let page = search::search_shops(state.app(), &query, at).await?;
    if at.is_none() && !page.items.is_empty() {
        search::count_search(state.app(), caller.address, &query.needle).await;
    }
    Ok(Reply::new(CursorPageView::new(page, |it| {
        view(&it, &state)
    })))
}

/// The first shops of the search, 6 at most, for a text that is still being typed.
#[utoipa::path(
    get, path = IN_TABLE, tag = "search", params(NeedleParams, HereParams, RadiusParams),
    responses((status = 200, body = Envelope<Vec<ShopView>>)),
)]
pub(super) async fn suggest_shops(
    State(state): State<HttpState>,
    QueryParams(needle): QueryParams<NeedleParams>,
    QueryParams(here): QueryParams<HereParams>,
    QueryParams(radius): QueryParams<RadiusParams>,
    RequestCaller(caller): RequestCaller,
) -> Result<Reply<Vec<ShopView>>, Failure> {
    search::admit(state.app(), caller.address)?;
    let query = ShopQuery {
        needle: Needle::parse(&needle.q),
        around: radius.around(&here)?,
        filter: ShopFilter::default(),
    };
    let found = search::suggest_shops(state.app(), &query).await?;
    Ok(Reply::new(
        found.iter().map(|it| view(it, &state)).collect(),
    ))
}

fn view(listed: &ListedShop, state: &HttpState) -> ShopView {
    ShopView::new(&listed.shop, listed.metres, state)
}

/// Notes by title and text: those with what was searched in the title first, then the most liked, of the newest few hundred
/// at a time.
///
/// Each word must be there, and one character counts in titles only. A page may be short, or even empty, while there is a
/// `cursor`.
#[utoipa::path(
    get, path = IN_TABLE, tag = "search", params(NeedleParams, CursorParams),
    responses((status = 200, body = Envelope<CursorPageView<NoteView>>)),
)]
pub(super) async fn search_notes(
    State(state): State<HttpState>,
    MaybeSigned(reader): MaybeSigned,
    QueryParams(needle): QueryParams<NeedleParams>,
    QueryParams(cursor): QueryParams<CursorParams>,
    RequestCaller(caller): RequestCaller,
) -> Result<Response, Failure> {
    search::admit(state.app(), caller.address)?;
    let (reader, needle) = (reader.as_deref(), Needle::parse(&needle.q));
    let at = cursor.parse()?;
    let page = search::search_notes(state.app(), reader, &needle, at).await?;
    if at.is_none() && !page.items.is_empty() {
        search::count_search(state.app(), caller.address, &needle).await;
    }
    Ok(written_reply(|json| {
        json.extend_from_slice(b"{\"list\":");
        write_notes(json, &page.items, &state);
        if let Some(next) = page.next {
            // Letters, digits, `-` and `_`.
            json.extend_from_slice(format!(",\"cursor\":\"{next}\"").as_bytes());
        }
        json.push(b'}');
    }))
}

/// People by name: a name that is what was searched first, then those with most fans.
#[utoipa::path(
    get, path = IN_TABLE, tag = "search", params(NeedleParams, CursorParams),
    responses((status = 200, body = Envelope<CursorPageView<PersonView>>)),
)]
pub(super) async fn search_people(
    State(state): State<HttpState>,
    MaybeSigned(viewer): MaybeSigned,
    QueryParams(needle): QueryParams<NeedleParams>,
    QueryParams(cursor): QueryParams<CursorParams>,
    RequestCaller(caller): RequestCaller,
) -> Result<Reply<CursorPageView<PersonView>>, Failure> {
    search::admit(state.app(), caller.address)?;
    let (viewer, needle) = (viewer.as_deref(), Needle::parse(&needle.q));
    let page = search::search_people(state.app(), viewer, &needle, cursor.parse()?).await?;
    Ok(Reply::new(CursorPageView::new(page, PersonView::from)))
}

/// What many people searched for and found in the last days, the most popular first; 10 at most.
#[utoipa::path(
    get, path = IN_TABLE, tag = "search",
    responses((status = 200, body = Envelope<Vec<String>>)),
)]
pub(super) async fn list_hot_words(State(state): State<HttpState>) -> Reply<Vec<String>> {
    Reply::new(search::list_hot_words(state.app()).await)
}
