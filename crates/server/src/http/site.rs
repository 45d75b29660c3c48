//! `/api/site`: what the web app must know of this site before anybody signs in.

use app::site::{self, DemoAccount};
use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::account::RoleView;
use super::envelope::{Envelope, Reply};
use super::routes::IN_TABLE;
use super::state::HttpState;
use crate::settings::{self, Environment, MapDatum};
use crate::tiles_file::{Bounds, TilesFile};

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SiteView {
    name: String,
    env: EnvView,
    /// Whether login codes are shown instead of sent.
    demo: bool,
    code_length: usize,
    code_letters: bool,
    code_ttl_secs: u64,
    /// Whether people may set a password and sign in with it.
    passwords: bool,
    /// What a code can be sent to.
    contacts: Vec<ContactKind>,
    /// The server's clock, in milliseconds since 1970.
    now_ms: i64,
    /// How far the site's clocks are ahead of UTC just now.
    utc_offset_secs: i32,
    /// What orders can be paid by: 1 balance, 2 Alipay, 3 WeChat Pay.
    pay_types: Vec<i16>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    demo_accounts: Vec<DemoAccountView>,
    /// Absent if the site has no file of streets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    map: Option<MapView>,
}

/// The file of vector tiles at `/tiles/map.pmtiles`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SiteMap)]
struct MapView {
    /// Who made the map, to be shown on it.
    attribution: String,
    datum: DatumView,
    bounds: BoundsView,
}

/// What a map shows, in degrees of its datum.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Bounds)]
struct BoundsView {
    west: f64,
    south: f64,
    east: f64,
    north: f64,
}

/// What coordinates mean.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Datum)]
enum DatumView {
    Wgs84,
    Gcj02,
}

impl MapView {
    fn of(tiles: &TilesFile, settings: &settings::Map) -> Self {
        let Bounds {
            west,
            south,
            east,
            north,
        } = tiles.bounds();
        Self {
            attribution: settings.attribution.clone(),
            datum: match settings.datum {
                MapDatum::Wgs84 => DatumView::Wgs84,
                MapDatum::Gcj02 => DatumView::Gcj02,
            },
            bounds: BoundsView {
                west,
                south,
                east,
                north,
            },
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Env)]
enum EnvView {
    Development,
    Production,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ContactKind {
    Phone,
    Email,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DemoAccountView {
    role: RoleView,
    phone: &'static str,
    nick_name: String,
    /// Empty when there is none.
    icon: String,
}

impl From<DemoAccount> for DemoAccountView {
    fn from(account: DemoAccount) -> Self {
        Self {
            role: account.role.into(),
            phone: account.phone,
            nick_name: account.nick_name,
            icon: account.icon,
        }
    }
}

/// The site's name and clock, and how one signs in and pays here.
#[utoipa::path(
    get, path = IN_TABLE, tag = "site",
    responses((status = 200, body = Envelope<SiteView>)),
)]
pub(super) async fn get_site(State(state): State<HttpState>) -> Reply<SiteView> {
    let settings = state.settings();
    let sender = state.app().sender();
    let phone = sender.reaches_phones().then_some(ContactKind::Phone);
    let email = sender.reaches_email().then_some(ContactKind::Email);
    // The page is useful without them, so it does not fail with the database.
    let demo_accounts = site::list_demo_accounts(state.app())
        .await
        .unwrap_or_default();
    let now = Timestamp::now();
    let ways = state.app().payments().ways().iter();
    Reply::new(SiteView {
        name: settings.site.name.clone(),
        env: match settings.env {
            Environment::Development => EnvView::Development,
            Environment::Production => EnvView::Production,
        },
        demo: sender.is_demo(),
        code_length: settings.code.length,
        code_letters: settings.code.letters,
        code_ttl_secs: settings.code.ttl_secs,
        passwords: settings.password.enabled,
        contacts: phone.into_iter().chain(email).collect(),
        now_ms: now.as_millisecond(),
        utc_offset_secs: state.app().rules().zone.offset_secs(now),
        pay_types: ways.map(|way| way.code()).collect(),
        demo_accounts: demo_accounts
            .into_iter()
            .map(DemoAccountView::from)
            .collect(),
        map: state
            .map_tiles()
            .map(|tiles| MapView::of(tiles, &settings.map)),
    })
}
