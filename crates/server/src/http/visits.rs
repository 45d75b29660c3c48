//! Visits: counting them on every request, and `/api/console/visits`, where admins read them.
//!
//! Counting costs a request next to nothing: the route's attribute says which page it is, and the request never waits for
//! the queue that takes the visit.

use app::visits::{self, DayRange, DayVisits, PageView, VisitedPage};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use domain::{NoteId, ShopId};
use jiff::civil::Date;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Envelope, Reply};
use super::extract::{QueryParams, Signed, caller_of, shown_token};
use super::failure::Failure;
use super::routes::{IN_TABLE, Visited};
use super::state::HttpState;

/// A request that is a visit, if it is answered with a page.
#[derive(Debug)]
pub(super) struct PendingVisit(PageView);

impl PendingVisit {
    pub(super) fn of(
        request: &Request,
        visited: Option<Visited>,
        state: &HttpState,
    ) -> Option<Self> {
        let page = page_of(request, visited?)?;
        let caller = caller_of(request.extensions(), request.headers(), state);
        Some(Self(PageView {
            page,
            at: Timestamp::now(),
            token: shown_token(request.headers(), state.is_https()),
            address: caller.address,
            user_agent: caller.user_agent,
        }))
    }

    /// Counts it, unless the reply is a refusal or an error. A page from the browser's cache counts as shown.
    pub(super) fn answered_with(self, answer: &Response, state: &HttpState) {
        let status = answer.status();
        let is_shown = status.is_success() || status == StatusCode::NOT_MODIFIED;
        if is_shown && answer.extensions().get::<Failure>().is_none() {
            state.visits().record(self.0);
        }
    }
}

/// The page that the viewer sees after this request. The web app reads shops and notes through the API.
fn page_of(request: &Request, visited: Visited) -> Option<VisitedPage> {
    if request.method() != Method::GET {
        return None;
    }
    let path = request.uri().path();
    match visited {
        Visited::Shop => id_of(path).map(ShopId::new).map(VisitedPage::Shop),
        Visited::Note => id_of(path).map(NoteId::new).map(VisitedPage::Note),
        Visited::ShopList => Some(VisitedPage::ShopList),
        Visited::WebApp => document_of(path),
    }
}

fn id_of(path: &str) -> Option<i64> {
    path.rsplit('/').next().and_then(|id| id.parse().ok())
}

/// A path outside the route table is a file or a page of the web app. A deep link counts as a visit of the site; the web
/// app then reads the shop or note through the API, which counts too.
fn document_of(path: &str) -> Option<VisitedPage> {
    if path == "/" || path == "/index.html" {
        return Some(VisitedPage::Home);
    }
    let is_page = !path.rsplit('/').next().unwrap_or_default().contains('.');
    is_page.then_some(VisitedPage::Site)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct VisitsQuery {
    /// The first day; 29 days before the last one if missing.
    #[param(format = Date, nullable = false)]
    from: Option<String>,
    /// The last day; today if missing. At most 366 days in all.
    #[param(format = Date, nullable = false)]
    to: Option<String>,
    /// `site` (all pages together), `home`, `shop-list`, `shop:<id>` or `note:<id>`; `site` if missing.
    #[param(nullable = false)]
    page: Option<String>,
}

/// The default range.
const USUAL_DAYS: i32 = 30;

impl VisitsQuery {
    fn page(&self) -> Result<VisitedPage, Failure> {
        let name = self.page.as_deref().unwrap_or("site");
        let page = name.parse();
        page.map_err(|error: visits::UnknownPage| Failure::malformed("page", error.to_string()))
    }

    fn range(&self, today: Date) -> Result<DayRange, Failure> {
        let last = day("to", self.to.as_deref())?.unwrap_or(today);
        let usual = last.saturating_sub(Span::new().days(USUAL_DAYS - 1));
        let first = day("from", self.from.as_deref())?.unwrap_or(usual);
        let range = DayRange::new(first, last);
        range.map_err(|error| Failure::malformed("from", error.to_string()))
    }
}

fn day(name: &str, text: Option<&str>) -> Result<Option<Date>, Failure> {
    let day = text
        .map(|text| Date::strptime("%Y-%m-%d", text))
        .transpose();
    day.map_err(|_| Failure::malformed(name, "is not a day such as 2026-11-15"))
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct VisitsView {
    /// In the site's zone.
    #[schema(format = Date)]
    day: String,
    /// Different visitors, by an estimate that is off by less than 1 % as a rule. They do not add up over days.
    uv: u64,
    /// Views.
    pv: u64,
}

impl From<DayVisits> for VisitsView {
    fn from(visits: DayVisits) -> Self {
        Self {
            day: visits.day.to_string(),
            uv: visits.totals.uv,
            pv: visits.totals.pv,
        }
    }
}

/// How often a page was seen and by how many people, day by day; for admins. Today's figures are live.
#[utoipa::path(
    get, path = IN_TABLE, tag = "console", params(VisitsQuery),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<Vec<VisitsView>>)),
)]
pub(super) async fn list_visits(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(query): QueryParams<VisitsQuery>,
) -> Result<Reply<Vec<VisitsView>>, Failure> {
    let today = state.app().rules().zone.date(Timestamp::now());
    let (range, page) = (query.range(today)?, query.page()?);
    let days = visits::list(state.app(), &signed.session, range, page).await?;
    Ok(Reply::new(days.into_iter().map(VisitsView::from).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_distinguished_from_files() {
        assert_eq!(document_of("/"), Some(VisitedPage::Home));
        assert_eq!(document_of("/index.html"), Some(VisitedPage::Home));
        assert_eq!(document_of("/shop/5"), Some(VisitedPage::Site));
        assert_eq!(document_of("/assets/index-1a2b.js"), None);
        assert_eq!(document_of("/favicon.ico"), None);
    }

    #[test]
    fn the_id_of_a_path_is_its_last_part() {
        assert_eq!(id_of("/api/shop/5"), Some(5));
        assert_eq!(id_of("/api/shop/x"), None);
    }
}
