//! `/api/user/sign…`: checking in once a day, and what came of it.

use app::check_ins;
use axum::extract::State;
use domain::Month;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Done, Envelope, Reply};
use super::extract::{QueryParams, Signed};
use super::failure::Failure;
use super::routes::IN_TABLE;
use super::state::HttpState;

/// Check in for today, by the site's calendar. Twice is once.
#[utoipa::path(
    post, path = IN_TABLE, tag = "check-ins",
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Done)),
)]
pub(super) async fn check_in(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<()>, Failure> {
    check_ins::check_in(state.app(), &signed.session).await?;
    Ok(Reply::done())
}

/// Days in a row up to today, or up to yesterday while today is still open.
#[utoipa::path(
    get, path = IN_TABLE, tag = "check-ins",
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<u32>)),
)]
pub(super) async fn count_streak(
    State(state): State<HttpState>,
    signed: Signed,
) -> Result<Reply<u32>, Failure> {
    let count = check_ins::count_streak(state.app(), &signed.session).await?;
    Ok(Reply::new(count))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct CalendarQuery {
    /// The month, such as `202611`; the present one if missing.
    #[param(nullable = false, pattern = "^[0-9]{6}$")]
    ym: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CalendarView {
    /// Days of the month, from 1, ascending.
    days: Vec<i8>,
    /// How many they are.
    count: usize,
    /// Whether the signed-in user has checked in today, whatever month was asked for.
    today: bool,
    /// The present day, by the site's calendar.
    #[schema(value_type = String, format = Date)]
    date: jiff::civil::Date,
}

/// The days of a month on which the signed-in user checked in.
#[utoipa::path(
    get, path = IN_TABLE, tag = "check-ins", params(CalendarQuery),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Envelope<CalendarView>)),
)]
pub(super) async fn get_calendar(
    State(state): State<HttpState>,
    signed: Signed,
    QueryParams(query): QueryParams<CalendarQuery>,
) -> Result<Reply<CalendarView>, Failure> {
    let month = match query.ym.as_deref() {
        Some(text) => Month::parse(text)
            .ok_or_else(|| Failure::malformed("ym", "is not a month such as 202611"))?,
        None => check_ins::present_month(state.app()),
    };
    let calendar = check_ins::get_calendar(state.app(), &signed.session, month).await?;
    Ok(Reply::new(CalendarView {
        count: calendar.days.len(),
        days: calendar.days,
        today: calendar.today,
        date: calendar.date,
    }))
}
