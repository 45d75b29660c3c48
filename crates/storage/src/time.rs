//! Converts between `jiff` (callers) and `chrono` (the driver).
//!
//! Instants are stored in UTC and truncated to milliseconds, the columns' precision: MySQL would round up, and an
//! instant just before midnight would move to the next day.
//!
//! They go to the driver without a zone. With one the driver would use `TIMESTAMP`, which MariaDB refuses after 2038
//! whatever the column, and SQLite would hold two formats that do not compare.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime};
use jiff::Timestamp;
use jiff::civil::Date;

pub(crate) fn now() -> NaiveDateTime {
    to_sql(Timestamp::now())
}

pub(crate) fn to_sql(instant: Timestamp) -> NaiveDateTime {
    DateTime::from_timestamp_millis(instant.as_millisecond())
        .expect("chrono's range of instants includes that of jiff")
        .naive_utc()
}

/// The drivers' text format, for statements with literal values.
pub(crate) fn to_text(instant: NaiveDateTime) -> String {
    instant.format("%F %T%.f").to_string()
}

/// The last day of the year 9999, which SQL can hold and `jiff` cannot in every zone, reads as the last instant there is.
pub(crate) fn from_sql(instant: NaiveDateTime) -> Timestamp {
    Timestamp::from_millisecond(instant.and_utc().timestamp_millis()).unwrap_or(Timestamp::MAX)
}

pub(crate) fn date_to_sql(date: Date) -> NaiveDate {
    let (month, day) = (date.month().unsigned_abs(), date.day().unsigned_abs());
    NaiveDate::from_ymd_opt(i32::from(date.year()), u32::from(month), u32::from(day))
        .expect("a date of jiff is a date of chrono")
}

/// `None` for a date outside the range of `jiff`.
pub(crate) fn date_from_sql(date: NaiveDate) -> Option<Date> {
    let year = i16::try_from(date.year()).ok()?;
    let (month, day) = (
        i8::try_from(date.month()).ok()?,
        i8::try_from(date.day()).ok()?,
    );
    Date::new(year, month, day).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn instants_are_cut_to_milliseconds_not_rounded() {
        let instant: Timestamp = "2026-11-15T23:59:59.999999Z".parse().unwrap();
        let expected: Timestamp = "2026-11-15T23:59:59.999Z".parse().unwrap();
        assert_eq!(from_sql(to_sql(instant)), expected);
    }

    #[test]
    fn texts_compare_as_the_instants_do() {
        let texts = ["2026-11-15T00:00:00Z", "2026-11-15T00:00:00.050Z"]
            .map(|instant| to_text(to_sql(instant.parse().unwrap())));
        assert_eq!(texts, ["2026-11-15 00:00:00", "2026-11-15 00:00:00.050"]);
    }

    #[test]
    fn the_ends_of_time_survive() {
        for instant in [Timestamp::MIN, Timestamp::MAX] {
            assert_eq!(from_sql(to_sql(instant)).as_second(), instant.as_second());
        }
    }

    #[test]
    fn dates_round_trip() {
        for day in [date(1900, 1, 1), date(2024, 2, 29), date(9999, 12, 31)] {
            assert_eq!(date_from_sql(date_to_sql(day)), Some(day));
        }
    }
}
