//! Times on the wire: Beijing's, to the second, without a zone.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::{Offset, TimeZone};

const FORMAT: &str = "%Y-%m-%d %H:%M:%S";

/// China has one zone and no summer time, so an offset is enough and no table is asked.
const BEIJING: Offset = Offset::constant(8);

/// The second that has begun, never the next one: an expiry told early does no harm, one told late does.
pub(crate) fn to_beijing(at: Timestamp) -> String {
    at.to_zoned(TimeZone::fixed(BEIJING))
        .strftime(FORMAT)
        .to_string()
}

/// Alipay adds milliseconds to some times; they are left off.
pub(crate) fn from_beijing(text: &str) -> Option<Timestamp> {
    let seconds = text.split_once('.').map_or(text, |(seconds, _)| seconds);
    let local: DateTime = strtime::parse(FORMAT, seconds).ok()?.to_datetime().ok()?;
    BEIJING.to_timestamp(local).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beijing_is_eight_hours_ahead() {
        let at: Timestamp = "2026-07-01T16:30:00.9Z".parse().unwrap();
        assert_eq!(to_beijing(at), "2026-07-02 00:30:00");
        let back: Timestamp = "2026-07-01T16:30:00Z".parse().unwrap();
        assert_eq!(from_beijing("2026-07-02 00:30:00"), Some(back));
        assert_eq!(from_beijing("2026-07-02 00:30:00.123"), Some(back));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for bad in [
            "",
            "2026-13-01 00:00:00",
            "2026-07-02T00:30:00",
            "2026-07-02",
            "soon",
        ] {
            assert_eq!(from_beijing(bad), None, "{bad:?}");
        }
    }
}
