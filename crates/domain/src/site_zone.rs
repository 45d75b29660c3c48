//! The site's time zone: legacy fields are wall-clock times in it, and "today" and "midnight" are its.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use thiserror::Error;

#[derive(Clone, Debug)]
pub struct SiteZone(TimeZone);

#[derive(Debug, Error, PartialEq, Eq)]
#[error("unknown time zone {0:?}: expected a name such as Asia/Shanghai")]
pub struct UnknownZone(String);

impl SiteZone {
    pub fn named(name: &str) -> Result<Self, UnknownZone> {
        TimeZone::get(name)
            .map(Self)
            .map_err(|_| UnknownZone(name.to_owned()))
    }

    pub fn date(&self, at: Timestamp) -> Date {
        at.to_zoned(self.0.clone()).date()
    }

    /// Minutes since midnight.
    pub fn minute_of_day(&self, at: Timestamp) -> u32 {
        let time = self.0.to_datetime(at).time();
        u32::from(time.hour().unsigned_abs()) * 60 + u32::from(time.minute().unsigned_abs())
    }

    /// How far the clocks here are ahead of UTC at that moment.
    pub fn offset_secs(&self, at: Timestamp) -> i32 {
        self.0.to_offset(at).seconds()
    }

    /// `2026-11-15T18:10:39`: the original's form, in this zone, without zone and fraction.
    pub fn wall_clock(&self, at: Timestamp) -> String {
        let local = self.0.to_datetime(at);
        let whole_second = local.with().subsec_nanosecond(0).build();
        // A date and time without a fraction is written in just this form.
        whole_second.unwrap_or(local).to_string()
    }

    /// The moment of a wall-clock time in this zone, as [`SiteZone::wall_clock`] writes it. A time that the clocks skip
    /// is the moment after the skip, one that they show twice the first.
    pub fn moment(&self, wall_clock: &str) -> Option<Timestamp> {
        // A date alone would read as its midnight, which the text does not state.
        let says_when = wall_clock.contains(['T', ' ']);
        let local: DateTime = says_when.then(|| wall_clock.parse().ok())??;
        let zoned = local.to_zoned(self.0.clone()).ok()?;
        Some(zoned.timestamp())
    }

    /// Seconds until the next day begins here; at least one, so that it can be a lifetime.
    pub fn secs_to_midnight(&self, at: Timestamp) -> u64 {
        let tomorrow = self
            .date(at)
            .checked_add(Span::new().days(1))
            .and_then(|day| day.to_zoned(self.0.clone()));
        let secs = tomorrow.map_or(1, |midnight| {
            midnight.timestamp().as_second() - at.as_second()
        });
        u64::try_from(secs).unwrap_or(1).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shanghai() -> SiteZone {
        SiteZone::named("Asia/Shanghai").unwrap()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn wall_clock_times_are_the_sites_own() {
        assert_eq!(
            shanghai().wall_clock(at("2026-11-15T16:00:05.9Z")),
            "2026-11-16T00:00:05"
        );
    }

    #[test]
    fn clocks_are_ahead_by_what_the_season_says() {
        let berlin = SiteZone::named("Europe/Berlin").unwrap();
        assert_eq!(berlin.offset_secs(at("2026-07-01T00:00:00Z")), 7_200);
        assert_eq!(berlin.offset_secs(at("2026-12-01T00:00:00Z")), 3_600);
    }

    #[test]
    fn a_wall_clock_time_is_a_moment_here() {
        let moment = shanghai().moment("2026-11-16T00:00:05");
        assert_eq!(moment, Some(at("2026-11-15T16:00:05Z")));
        for text in ["", "2026-11-16", "2026-11-16T25:00:00", "tomorrow"] {
            assert_eq!(shanghai().moment(text).map(|_| text), None);
        }
        let berlin = SiteZone::named("Europe/Berlin").unwrap();
        let skipped = berlin.moment("2026-03-29T02:30:00");
        assert_eq!(skipped, Some(at("2026-03-29T01:30:00Z")));
    }

    #[test]
    fn a_day_ends_at_the_sites_midnight() {
        assert_eq!(shanghai().secs_to_midnight(at("2026-11-15T15:59:59Z")), 1);
        assert_eq!(
            shanghai().secs_to_midnight(at("2026-11-15T16:00:00Z")),
            86_400
        );
    }

    #[test]
    fn a_day_of_changing_clocks_has_its_true_length() {
        let berlin = SiteZone::named("Europe/Berlin").unwrap();
        assert_eq!(
            berlin.secs_to_midnight(at("2026-10-24T22:00:00Z")),
            25 * 3600
        );
    }

    #[test]
    fn an_unknown_zone_is_named_in_the_error() {
        let error = SiteZone::named("Asia/Shangai").unwrap_err();
        assert!(error.to_string().contains("Asia/Shangai"));
    }
}
