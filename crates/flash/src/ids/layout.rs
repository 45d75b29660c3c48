//! The bit layouts of both kinds of ids, and the days of counted ids.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::IdError;
use crate::{IdKind, OrderId};

/// 2022-01-01T00:00:00Z, in seconds since 1970: where the time in ids begins.
const EPOCH_SECS: i64 = 1_640_995_200;

const SECS_PER_DAY: i64 = 86_400;

/// The time of a counted id has 31 bits, which last until 2090.
const MAX_SECOND: i64 = (1 << 31) - 1;

/// The counter of a day has 32 bits.
pub(super) const MAX_COUNT: i64 = (1 << 32) - 1;

/// The time of a snowflake has 41 bits, which last until 2091.
const MAX_MILLISECOND: i64 = (1 << 41) - 1;

pub(super) const WORKERS: u16 = 1 << 10;

pub(super) const SEQUENCES: u16 = 1 << 12;

/// Seconds since the epoch of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Second(i64);

/// A day of UTC, counted from the epoch of ids, which began at midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(i64);

/// Milliseconds since the epoch of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Millisecond(i64);

/// When an id was chosen, in milliseconds since 1970, by the clock of the process that chose it; `None` if it does not tell.
pub(crate) fn chosen_at_ms(kind: &IdKind, id: OrderId) -> Option<i64> {
    let since_epoch_ms = match kind {
        IdKind::Counted => (id.0 >> 32) * 1_000,
        IdKind::Snowflake => id.0 >> 22,
        IdKind::Custom(source) => return source.chosen_at_ms(id),
    };
    Some(EPOCH_SECS * 1_000 + since_epoch_ms)
}

impl Second {
    pub(super) fn at(unix_ms: i64) -> Result<Self, IdError> {
        let second = unix_ms.div_euclid(1000) - EPOCH_SECS;
        if (0..=MAX_SECOND).contains(&second) {
            Ok(Self(second))
        } else {
            Err(IdError::ClockOutOfRange)
        }
    }

    pub(super) fn day(self) -> Day {
        Day(self.0 / SECS_PER_DAY)
    }

    /// Seconds until the next day begins.
    pub(super) fn left_today(self) -> i64 {
        SECS_PER_DAY - self.0 % SECS_PER_DAY
    }

    pub(super) fn secs_after(self, earlier: Self) -> i64 {
        self.0 - earlier.0
    }

    /// `count` must belong to the counter of this second's day, and to no other id.
    pub(super) fn with_count(self, count: i64) -> OrderId {
        debug_assert!((1..=MAX_COUNT).contains(&count));
        OrderId((self.0 << 32) | count)
    }
}

impl Day {
    pub(super) fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// As keys name it: `2026:11:15`.
    pub(super) fn name(self) -> String {
        let midnight = Timestamp::from_second(EPOCH_SECS + self.0 * SECS_PER_DAY)
            .expect("days of ids end in 2090");
        let date = midnight.to_zoned(TimeZone::UTC).date();
        format!("{:04}:{:02}:{:02}", date.year(), date.month(), date.day())
    }
}

impl Millisecond {
    pub(super) fn at(unix_ms: i64) -> Result<Self, IdError> {
        let ms = unix_ms - EPOCH_SECS * 1000;
        if (0..=MAX_MILLISECOND).contains(&ms) {
            Ok(Self(ms))
        } else {
            Err(IdError::ClockOutOfRange)
        }
    }

    pub(super) fn get(self) -> i64 {
        self.0
    }

    /// `sequence` must be below [`SEQUENCES`], and new in this millisecond of this worker.
    pub(super) fn with_sequence(self, worker: u16, sequence: u16) -> OrderId {
        debug_assert!(worker < WORKERS && sequence < SEQUENCES);
        OrderId((self.0 << 22) | (i64::from(worker) << 12) | i64::from(sequence))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EPOCH_MS: i64 = EPOCH_SECS * 1000;

    #[test]
    fn the_first_id_of_the_epoch_is_one() {
        let second = Second::at(EPOCH_MS).unwrap();
        assert_eq!(second.with_count(1), OrderId(1));
        assert_eq!(second.day().name(), "2022:01:01");
    }

    #[test]
    fn the_last_id_of_all_is_the_largest_number() {
        let second = Second::at(EPOCH_MS + MAX_SECOND * 1000 + 999).unwrap();
        assert_eq!(second.with_count(MAX_COUNT), OrderId(i64::MAX));
        let ms = Millisecond::at(EPOCH_MS + MAX_MILLISECOND).unwrap();
        assert_eq!(ms.with_sequence(1023, 4095), OrderId(i64::MAX));
    }

    #[test]
    fn a_clock_before_the_epoch_or_beyond_its_bits_is_refused() {
        for ms in [EPOCH_MS - 1, EPOCH_MS + (MAX_SECOND + 1) * 1000] {
            assert!(matches!(Second::at(ms), Err(IdError::ClockOutOfRange)));
        }
        for ms in [EPOCH_MS - 1, EPOCH_MS + MAX_MILLISECOND + 1] {
            assert!(matches!(Millisecond::at(ms), Err(IdError::ClockOutOfRange)));
        }
    }

    #[test]
    fn a_day_ends_at_midnight_utc() {
        let last: Timestamp = "2026-11-15T23:59:59.999Z".parse().unwrap();
        let last = Second::at(last.as_millisecond()).unwrap();
        let first: Timestamp = "2026-11-16T00:00:00Z".parse().unwrap();
        let first = Second::at(first.as_millisecond()).unwrap();
        assert_eq!(last.day().name(), "2026:11:15");
        assert_eq!(last.left_today(), 1);
        assert_eq!(first.day(), last.day().next());
        assert_eq!(first.day().name(), "2026:11:16");
    }

    proptest! {
        #[test]
        fn ids_differ_if_second_or_count_does(
            a in (0..=MAX_SECOND, 1..=MAX_COUNT),
            b in (0..=MAX_SECOND, 1..=MAX_COUNT),
        ) {
            let id = |(second, count)| Second(second).with_count(count);
            prop_assert_eq!(id(a).cmp(&id(b)), a.cmp(&b));
            prop_assert!(id(a).0 > 0);
        }

        #[test]
        fn snowflakes_are_ordered_by_time_then_worker_then_sequence(
            a in (0..=MAX_MILLISECOND, 0..WORKERS, 0..SEQUENCES),
            b in (0..=MAX_MILLISECOND, 0..WORKERS, 0..SEQUENCES),
        ) {
            let id = |(ms, worker, sequence)| Millisecond(ms).with_sequence(worker, sequence);
            prop_assert_eq!(id(a).cmp(&id(b)), a.cmp(&b));
            prop_assert!(id(a).0 >= 0);
        }
    }
}
