//! Check-ins end to end: twice is once, streaks cross months, and a flushed Redis forgets nothing.

use std::time::Duration;

use app::Progress;
use app::rebuild::{self, RebuildTarget};
use domain::UserId;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde_json::{Value, json};
use storage::bulk::Surplus;
use storage::check_ins;
use testkit::{Client, Redis, TestApp, TestAppBuilder, wait_until};

const PHONE: &str = "13900000001";
/// The relay looks five times a second; the rest is for a busy machine.
const RELAYED: Duration = Duration::from_secs(10);

/// On a site where it is noon, so that no midnight comes in between, and the day there.
fn at_noon(builder: TestAppBuilder) -> (TestAppBuilder, Date) {
    let now = Timestamp::now().to_zoned(TimeZone::UTC);
    // These zones are named after the hours west of Greenwich.
    let west = now.hour() - 12;
    let today = now.saturating_sub(Span::new().hours(west)).date();
    let builder = builder.setting("site.time_zone", format!("Etc/GMT{west:+}"));
    (builder, today)
}

fn days_before(today: Date, days: i64) -> Date {
    today.saturating_sub(Span::new().days(days))
}

async fn id_of(me: &Client) -> UserId {
    UserId::new(me.get("/api/user/me").await.data()["id"].as_i64().unwrap())
}

async fn streak(me: &Client) -> Value {
    me.get("/api/user/sign/count").await.data()
}

#[tokio::test]
async fn checking_in_twice_is_once() {
    for on_mariadb in [false, true] {
        let (builder, today) = at_noon(TestApp::builder());
        let builder = if on_mariadb {
            builder.on_mariadb()
        } else {
            builder
        };
        let app = builder.spawn().await;
        let me = app.sign_in(PHONE).await;
        assert_eq!(streak(&me).await, 0);
        for _ in 0..2 {
            let answer = me.post("/api/user/sign").await;
            assert_eq!(answer.json(), json!({"success": true}));
        }
        assert_eq!(streak(&me).await, 1);
        let calendar = me.get("/api/user/sign/month").await.data();
        let expected = json!({
            "days": [today.day()], "count": 1, "today": true, "date": today.to_string(),
        });
        assert_eq!(calendar, expected);
    }
}

#[tokio::test]
async fn a_streak_of_more_than_a_year_is_counted_to_its_end() {
    let (builder, today) = at_noon(TestApp::builder());
    let app = builder.spawn().await;
    let me = app.sign_in(PHONE).await;
    let user = id_of(&me).await;
    // Today is open, and a hole ends it.
    for ago in (1..=400).chain([402]) {
        let day = days_before(today, ago);
        check_ins::check_in(app.core().db(), user, day)
            .await
            .unwrap();
    }
    assert_eq!(streak(&me).await, 400);
    me.post("/api/user/sign").await;
    assert_eq!(streak(&me).await, 401);
}

#[tokio::test]
async fn a_check_in_that_only_sql_saw_shows_by_itself() {
    let (builder, today) = at_noon(TestApp::builder());
    let app = builder.spawn().await;
    let me = app.sign_in(PHONE).await;
    let user = id_of(&me).await;
    assert_eq!(streak(&me).await, 0);
    // As if the process had died between its commit and Redis.
    check_ins::check_in(app.core().db(), user, today)
        .await
        .unwrap();
    wait_until("the relay has shown it", RELAYED, || async {
        streak(&me).await == 1
    })
    .await;
}

#[tokio::test]
async fn a_flushed_redis_forgets_no_check_in() {
    let redis = Redis::start().await;
    let (builder, today) = at_noon(TestApp::builder());
    let app = builder.redis_url(redis.url()).spawn().await;
    let me = app.sign_in(PHONE).await;
    let user = id_of(&me).await;
    let yesterday = days_before(today, 1);
    check_ins::check_in(app.core().db(), user, yesterday)
        .await
        .unwrap();
    me.post("/api/user/sign").await;
    assert_eq!(streak(&me).await, 2);
    redis.flush().await;
    let me = app.sign_in(PHONE).await;
    assert_eq!(streak(&me).await, 2);
}

#[tokio::test]
async fn a_rebuild_takes_away_what_sql_does_not_know_and_keeps_the_rest() {
    let (builder, today) = at_noon(TestApp::builder());
    let app = builder.spawn().await;
    let me = app.sign_in(PHONE).await;
    let user = id_of(&me).await;
    me.post("/api/user/sign").await;
    assert_eq!(streak(&me).await, 1);
    for ago in 1..=40 {
        let made_up = days_before(today, ago);
        let shown = app.core().kv().show_check_in(user, made_up).await;
        shown.unwrap();
    }
    assert_ne!(streak(&me).await, 1);
    let mut people = 0;
    let mut tell = |progress: Progress| people = progress.done;
    rebuild::rebuild(
        app.core(),
        RebuildTarget::CheckIns,
        Surplus::Drop,
        &mut tell,
    )
    .await
    .unwrap();
    assert_eq!((streak(&me).await, people), (json!(1), 1));
}

#[tokio::test]
async fn a_months_calendar_is_requested_by_its_name() {
    let (builder, today) = at_noon(TestApp::builder());
    let app = builder.spawn().await;
    let me = app.sign_in(PHONE).await;
    let user = id_of(&me).await;
    let day = today.first_of_month().saturating_sub(Span::new().days(1));
    check_ins::check_in(app.core().db(), user, day)
        .await
        .unwrap();
    let month = format!("{:04}{:02}", day.year(), day.month());
    let calendar = me.get(&format!("/api/user/sign/month?ym={month}")).await;
    let date = today.to_string();
    let expected = json!({"days": [day.day()], "count": 1, "today": false, "date": date});
    assert_eq!(calendar.data(), expected);
    for wrong in ["2026", "202613", "2026-11", "abcdef"] {
        let answer = me.get(&format!("/api/user/sign/month?ym={wrong}")).await;
        assert_eq!(answer.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn checking_in_needs_a_person() {
    let app = TestApp::spawn().await;
    let nobody = app.visitor();
    assert_eq!(nobody.post("/api/user/sign").await.status, 401);
    assert_eq!(nobody.get("/api/user/sign/count").await.status, 401);
    assert_eq!(nobody.get("/api/user/sign/month").await.status, 401);
}
