//! Visits end to end: pages that are answered are counted, admins read the figures, days go to SQL, nobody waits.

use std::time::{Duration, Instant};

use app::visits::{self, PageView, VisitedPage};
use domain::{Role, ShopId, ShopTypeId, UserId};
use futures_util::future::join_all;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use kv::VisitTotals;
use serde_json::{Value, json};
use storage::shops::{self, NewShop};
use testkit::{Client, Redis, TestApp, TestAppBuilder, wait_until};
use tokio_util::sync::CancellationToken;

const ADMIN: &str = "13900000001";
const USER: &str = "13900000002";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// On a site where it is noon, so that no midnight comes in between.
fn at_noon(builder: TestAppBuilder) -> TestAppBuilder {
    let hour = Timestamp::now().to_zoned(TimeZone::UTC).hour();
    // These zones are named after the hours west of Greenwich.
    builder.setting("site.time_zone", format!("Etc/GMT{:+}", hour - 12))
}

/// A flush is due four times a second; the rest is for a busy machine.
const COUNTED: Duration = Duration::from_secs(10);

async fn sign_in_admin(app: &TestApp) -> Client {
    crate::shops::sign_in(app, ADMIN, Role::Admin).await
}

/// The figures of a page today, as an admin reads them.
async fn today(admin: &Client, page: &str) -> (u64, u64) {
    let days = admin
        .get(&format!("/api/console/visits?page={page}"))
        .await
        .data();
    let last = days.as_array().and_then(|days| days.last().cloned());
    let number = |name| last.as_ref().map_or(0, |day| day[name].as_u64().unwrap());
    (number("uv"), number("pv"))
}

async fn wait_for_views(admin: &Client, page: &str, views: u64) {
    wait_until("the views are counted", COUNTED, || async {
        today(admin, page).await.1 == views
    })
    .await;
}

fn sighting(at: Timestamp, host: u32) -> PageView {
    PageView {
        page: VisitedPage::Home,
        at,
        token: None,
        address: std::net::Ipv4Addr::from_bits(host).into(),
        user_agent: FIREFOX.to_owned(),
    }
}

#[tokio::test]
async fn views_through_two_servers_are_counted_exactly() {
    let one = at_noon(TestApp::builder()).spawn().await;
    let two = at_noon(one.beside()).spawn().await;
    let admin = sign_in_admin(&one).await;
    let visitors = [one.visitor(), two.visitor()].map(|it| it.with_header("user-agent", FIREFOX));
    let loads = visitors.iter().flat_map(|visitor| {
        (0..100).map(async move |_| assert_eq!(visitor.get("/").await.status, 200))
    });
    join_all(loads).await;
    wait_for_views(&admin, "home", 200).await;
    assert_eq!(
        today(&admin, "home").await,
        (1, 200),
        "one guest, whichever the server"
    );
    assert_eq!(today(&admin, "site").await, (1, 200));
}

#[tokio::test]
async fn only_pages_that_people_are_shown_count() {
    let app = at_noon(TestApp::builder()).spawn().await;
    let admin = sign_in_admin(&app).await;
    let visitor = app.visitor().with_header("user-agent", FIREFOX);
    let bot = app.visitor().with_header("user-agent", "Googlebot/2.1");
    let shown = visitor.get("/").await;
    for path in [
        "/healthz",
        "/api/site",
        "/api/nothing",
        "/favicon.none",
        "/openapi.json",
        "/api/shop/x",
        "/some/unknown/link",
    ] {
        visitor.get(path).await;
    }
    visitor.send(reqwest::Method::HEAD, "/", None).await;
    visitor.post("/").await;
    bot.get("/").await;
    let again = visitor.with_header("if-none-match", shown.header("etag"));
    assert_eq!(again.get("/").await.status, 304);
    assert_eq!(again.get("/me/settings").await.status, 304);
    wait_for_views(&admin, "site", 3).await;
    assert_eq!(
        today(&admin, "home").await,
        (1, 2),
        "a kept copy is shown too"
    );
}

#[tokio::test]
async fn shops_are_counted_one_by_one_and_so_is_their_list() {
    let app = at_noon(TestApp::builder()).spawn().await;
    let admin = sign_in_admin(&app).await;
    let visitor = app.visitor().with_header("user-agent", FIREFOX);
    let shop = create_shop(&app).await;
    for _ in 0..3 {
        let seen = visitor.get(&format!("/api/shop/{shop}")).await.data();
        assert_eq!(seen["name"], "茶馆");
    }
    visitor.get("/api/shop/of/type?&typeId=1").await.data();
    visitor.get("/api/shop/of/name?name=茶").await.data();
    let absent = visitor.get("/api/shop/987654321").await;
    assert_eq!(
        absent.status, 200,
        "a refusal is no page whatever its status"
    );
    wait_for_views(&admin, "site", 5).await;
    assert_eq!(today(&admin, &format!("shop:{shop}")).await, (1, 3));
    assert_eq!(today(&admin, "shop-list").await, (1, 2));
    assert_eq!(today(&admin, "shop:987654321").await, (0, 0));
}

async fn create_shop(app: &TestApp) -> ShopId {
    let shop = NewShop {
        name: "茶馆".to_owned(),
        type_id: ShopTypeId::new(1),
        images: String::new(),
        area: None,
        address: "西湖边".to_owned(),
        x: 120.15,
        y: 30.33,
        avg_price_yuan: None,
        open_hours: None,
        phone: None,
    };
    let created = shops::create(app.core().db(), UserId::new(1), &shop).await;
    app::shops::rebuild_id_filter(app.core()).await.unwrap();
    created.unwrap().id
}

#[tokio::test]
async fn a_person_is_one_visitor_from_any_address_and_a_false_token_makes_nobody() {
    let app = at_noon(TestApp::builder()).spawn().await;
    let admin = sign_in_admin(&app).await;
    let person = app.sign_in(USER).await;
    person
        .clone()
        .with_header("user-agent", "one")
        .get("/")
        .await;
    person
        .clone()
        .with_header("user-agent", "two")
        .get("/")
        .await;
    wait_for_views(&admin, "home", 2).await;
    assert_eq!(today(&admin, "home").await.0, 1);
    let guest = app.visitor().with_header("user-agent", FIREFOX);
    for byte in ["a", "b", "c"] {
        guest.clone().with_token(byte.repeat(40)).get("/").await;
    }
    wait_for_views(&admin, "home", 5).await;
    assert_eq!(today(&admin, "home").await.0, 2);
}

#[tokio::test]
async fn only_admins_read_the_figures() {
    let app = TestApp::spawn().await;
    let path = "/api/console/visits";
    let nobody = app.visitor().get(path).await;
    assert_eq!(
        (nobody.status.as_u16(), nobody.code().as_str()),
        (401, "not_signed_in")
    );
    for (phone, role) in [(USER, Role::User), ("13900000099", Role::Merchant)] {
        let person = crate::shops::sign_in(&app, phone, role).await;
        let refused = person.get(path).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (403, "forbidden")
        );
    }
    let admin = sign_in_admin(&app).await;
    assert_eq!(admin.get(path).await.data(), json!([]));
}

#[tokio::test]
async fn a_query_that_makes_no_sense_names_the_field() {
    let app = TestApp::spawn().await;
    let admin = sign_in_admin(&app).await;
    for (query, place) in [
        ("from=yesterday", "from"),
        ("to=2026-13-01", "to"),
        ("from=2026-02-02&to=2026-02-01", "from"),
        ("from=2025-01-01&to=2026-01-02", "from"),
        ("page=everything", "page"),
        ("page=site&page=home", "query"),
    ] {
        let answer = admin.get(&format!("/api/console/visits?{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
        assert!(answer.json()["fields"][place].is_string(), "{answer:?}");
    }
    let year = "/api/console/visits?&from=2025-01-01&to=2026-01-01&other=1";
    assert_eq!(admin.get(year).await.data(), json!([]));
}

/// A day that the server's own worker does not take for a finished one.
const FUTURE_NOON: &str = "2099-03-01T04:00:00Z";

/// Both databases, one after the other.
async fn on_both(test: impl AsyncFn(TestApp)) {
    test(TestApp::spawn().await).await;
    test(TestApp::builder().on_mariadb().spawn().await).await;
}

/// The figures of the home page, as an admin reads them.
async fn days_of(admin: &Client, from: &str, to: &str) -> Value {
    let query = format!("page=home&from={from}&to={to}");
    admin
        .get(&format!("/api/console/visits?{query}"))
        .await
        .data()
}

#[tokio::test]
async fn a_day_ends_at_the_sites_midnight_and_is_folded_once_it_is_over() {
    on_both(async |app| {
        let core = app.core();
        let before: Timestamp = "2099-03-01T15:59:59.999Z".parse().unwrap();
        let after: Timestamp = "2099-03-01T16:00:00Z".parse().unwrap();
        let seen = [(before, 1), (before, 2), (after, 1)];
        let seen = seen.map(|(at, host)| sighting(at, host));
        visits::count(core, seen).await.unwrap();

        let still_today = "2099-03-01T15:00:00Z".parse().unwrap();
        assert_eq!(
            visits::fold_finished_days(core, still_today).await.unwrap(),
            0
        );
        let next_day = "2099-03-01T17:00:00Z".parse().unwrap();
        assert_eq!(visits::fold_finished_days(core, next_day).await.unwrap(), 1);
        let folded = storage::visits::list(
            core.db(),
            "2099-03-01".parse().unwrap(),
            "2099-03-02".parse().unwrap(),
            Some("home"),
        )
        .await
        .unwrap();
        let folded: Vec<_> = folded
            .iter()
            .map(|it| (it.day.day(), it.uv, it.pv))
            .collect();
        assert_eq!(folded, [(1, 2, 2)], "the second day goes on");
        assert_eq!(
            days_of(&sign_in_admin(&app).await, "2099-03-01", "2099-03-02").await,
            json!([
                { "day": "2099-03-01", "uv": 2, "pv": 2 },
                { "day": "2099-03-02", "uv": 1, "pv": 1 },
            ])
        );
    })
    .await;
}

#[tokio::test]
async fn folding_again_changes_nothing_and_a_late_batch_is_folded_too() {
    on_both(async |app| {
        let (core, admin) = (app.core(), sign_in_admin(&app).await);
        let noon: Timestamp = FUTURE_NOON.parse().unwrap();
        let later = noon + 48.hours();
        visits::count(core, [sighting(noon, 1)]).await.unwrap();
        let march = ("2099-03-01", "2099-03-01");
        let mut expected = json!([{ "day": "2099-03-01", "uv": 1, "pv": 1 }]);
        for due in [1, 0] {
            let folded = visits::fold_finished_days(core, later).await.unwrap();
            assert_eq!(folded, due);
            assert_eq!(days_of(&admin, march.0, march.1).await, expected);
        }
        visits::count(core, [sighting(noon, 2)]).await.unwrap();
        assert_eq!(visits::fold_finished_days(core, later).await.unwrap(), 1);
        expected[0]["uv"] = json!(2);
        expected[0]["pv"] = json!(2);
        assert_eq!(days_of(&admin, march.0, march.1).await, expected);
    })
    .await;
}

#[tokio::test]
async fn days_without_a_server_are_folded_by_the_next_one() {
    let app = TestApp::spawn().await;
    let (core, next) = (app.core().clone(), app.beside());
    app.stop().await;
    let long_ago = Timestamp::now() - (24 * 60).hours();
    let seen = [sighting(long_ago, 1), sighting(long_ago + 24.hours(), 2)];
    visits::count(&core, seen).await.unwrap();
    let next = next.spawn().await;
    wait_until("both days are in SQL", COUNTED, || async {
        next.core()
            .kv()
            .list_open_visit_days()
            .await
            .unwrap()
            .is_empty()
    })
    .await;
    let zone = &next.core().rules().zone;
    let (first, last) = (zone.date(long_ago), zone.date(long_ago + 24.hours()));
    let site = storage::visits::list(next.core().db(), first, last, Some("site")).await;
    assert_eq!(site.unwrap().len(), 2);
}

#[tokio::test]
async fn what_was_seen_before_the_end_is_counted() {
    let app = at_noon(TestApp::builder()).spawn().await;
    let visitor = app.visitor().with_header("user-agent", FIREFOX);
    for _ in 0..20 {
        visitor.get("/").await;
    }
    let core = app.core().clone();
    let day = core.rules().zone.date(Timestamp::now());
    app.stop().await;
    let totals = core.kv().get_visits(&[(day, "home")]).await.unwrap();
    assert_eq!(totals[0], VisitTotals { uv: 1, pv: 20 });
}

#[tokio::test]
async fn what_is_in_the_queue_at_the_end_is_counted() {
    let app = TestApp::spawn().await;
    let (counter, mut intake) = visits::counter();
    let noon: Timestamp = FUTURE_NOON.parse().unwrap();
    (0..20).for_each(|host| counter.record(sighting(noon, host)));
    let stop = CancellationToken::new();
    stop.cancel();
    intake.run(app.core(), &stop).await;
    assert_eq!(views(&app, noon).await, 20);
}

#[tokio::test]
async fn a_full_queue_drops_visits_without_waiting() {
    let app = TestApp::spawn().await;
    let (counter, mut intake) = visits::counter();
    let noon: Timestamp = FUTURE_NOON.parse().unwrap();
    (0..100_000).for_each(|_| counter.record(sighting(noon, 1)));
    let stop = CancellationToken::new();
    stop.cancel();
    intake.run(app.core(), &stop).await;
    let counted = views(&app, noon).await;
    assert!((1..100_000).contains(&counted), "{counted}");
}

/// Views of the home page on the day of this moment.
async fn views(app: &TestApp, at: Timestamp) -> u64 {
    let day = app.core().rules().zone.date(at);
    let totals = app.core().kv().get_visits(&[(day, "home")]).await;
    totals.unwrap()[0].pv
}

#[tokio::test]
async fn requests_do_not_wait_for_a_frozen_redis() {
    let redis = Redis::start().await;
    let app = at_noon(TestApp::builder())
        .redis_url(redis.url())
        .spawn()
        .await;
    let admin = sign_in_admin(&app).await;
    let visitor = app.visitor().with_header("user-agent", FIREFOX);
    visitor.get("/").await;
    wait_for_views(&admin, "home", 1).await;
    redis.freeze().await;
    let started = Instant::now();
    for _ in 0..200 {
        assert_eq!(visitor.get("/").await.status, 200);
    }
    // Asking Redis once would take as long as this process waits for it: ten seconds.
    assert!(started.elapsed() < Duration::from_secs(5));
    redis.thaw();
    wait_until("visits are counted again", COUNTED, || async {
        visitor.get("/").await;
        today(&admin, "home").await.1 > 1
    })
    .await;
}

#[tokio::test]
async fn ten_thousand_visitors_are_counted_to_within_two_percent() {
    let app = TestApp::spawn().await;
    let noon: Timestamp = FUTURE_NOON.parse().unwrap();
    let day = app.core().rules().zone.date(noon);
    // With a salt of its own every run would be another throw of the dice.
    app.core().kv().visit_salt(day, "salt").await.unwrap();
    for _ in 0..2 {
        let seen = (0..10_000).map(|host| sighting(noon, host));
        visits::count(app.core(), seen).await.unwrap();
    }
    let totals = app.core().kv().get_visits(&[(day, "home")]).await.unwrap();
    assert_eq!(totals[0].pv, 20_000);
    assert!((9_800..=10_200).contains(&totals[0].uv), "{totals:?}");
}
