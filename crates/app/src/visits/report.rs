//! Figures of a page by day, for admins.

use std::collections::BTreeMap;

use domain::Role;
use jiff::Span;
use jiff::civil::Date;
use kv::{Session, VisitTotals};
use storage::visits;
use thiserror::Error as ThisError;

use super::page::VisitedPage;
use crate::{App, Error, Refusal};

/// A year and the day after: enough to compare a day with itself.
const RANGE_MAX_DAYS: i32 = 366;

/// Days from the first to the last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRange {
    first: Date,
    last: Date,
}

#[derive(Debug, PartialEq, Eq, ThisError)]
pub enum InvalidRange {
    #[error("ends before it begins")]
    Backwards,
    #[error("is longer than {RANGE_MAX_DAYS} days")]
    TooLong,
}

/// The figures of one day. Visitors of several days do not add up: many return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayVisits {
    pub day: Date,
    pub totals: VisitTotals,
}

impl DayRange {
    pub fn new(first: Date, last: Date) -> Result<Self, InvalidRange> {
        if last < first {
            return Err(InvalidRange::Backwards);
        }
        match first.checked_add(Span::new().days(RANGE_MAX_DAYS)) {
            Ok(too_late) if last >= too_late => Err(InvalidRange::TooLong),
            // A range that ends before the end of all days is short enough when its bound lies behind that.
            _ => Ok(Self { first, last }),
        }
    }

    fn contains(&self, day: Date) -> bool {
        (self.first..=self.last).contains(&day)
    }
}

/// The figures of one page, for admins. Open days, including today, come from Redis, the others from SQL; days
/// without a visit are left out.
pub async fn list(
    app: &App,
    viewer: &Session,
    range: DayRange,
    page: VisitedPage,
) -> Result<Vec<DayVisits>, Error> {
    if viewer.profile.role < Role::Admin {
        return Err(Refusal::Forbidden.into());
    }
    let name = page.to_string();
    // Read first: a day closed meanwhile is then in both rather than in neither.
    let mut days = list_open(app, range, &name).await?;
    for visit in visits::list(app.db(), range.first, range.last, Some(&name)).await? {
        let totals = days.entry(visit.day).or_default();
        // Either may be behind: SQL until a day is folded again, Redis if it was flushed on that day.
        totals.uv = totals.uv.max(visit.uv);
        totals.pv = totals.pv.max(visit.pv);
    }
    let visited = |(day, totals): (Date, VisitTotals)| DayVisits { day, totals };
    Ok(days
        .into_iter()
        .filter(|(_, totals)| totals.pv > 0)
        .map(visited)
        .collect())
}

async fn list_open(
    app: &App,
    range: DayRange,
    page: &str,
) -> Result<BTreeMap<Date, VisitTotals>, Error> {
    let open = app.kv().list_open_visit_days().await?;
    let days: Vec<Date> = open
        .into_keys()
        .filter(|day| range.contains(*day))
        .collect();
    let places: Vec<(Date, &str)> = days.iter().map(|day| (*day, page)).collect();
    let totals = app.kv().get_visits(&places).await?;
    Ok(days.into_iter().zip(totals).collect())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_range_has_at_least_one_day_and_at_most_a_leap_year() {
        let first = date(2024, 1, 1);
        assert!(DayRange::new(first, first).is_ok());
        assert!(DayRange::new(first, date(2024, 12, 31)).is_ok());
        let too_long = DayRange::new(first, date(2025, 1, 1));
        assert_eq!(too_long, Err(InvalidRange::TooLong));
        let backwards = DayRange::new(first, date(2023, 12, 31));
        assert_eq!(backwards, Err(InvalidRange::Backwards));
    }

    #[test]
    fn the_ends_of_all_days_are_no_trouble() {
        assert!(DayRange::new(date(9999, 12, 1), Date::MAX).is_ok());
        assert!(DayRange::new(Date::MIN, Date::MAX).is_err());
    }
}
