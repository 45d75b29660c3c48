//! Check-in days: a month as bits, and streaks.

use jiff::civil::Date;
use jiff::{Span, ToSpan as _};

/// A month of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    first: Date,
}

/// Which days of a month: bit `day - 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DaysOfMonth(u32);

/// How far a streak reaches back in the given months.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streak {
    /// It ended: its length in days.
    Ended(u32),
    /// Every given day counts, so the month before may belong to it as well.
    GoesOn(u32),
}

impl Month {
    pub fn of(date: Date) -> Self {
        Self {
            first: date.first_of_month(),
        }
    }

    /// Reads `202611`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 6 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (year, month) = (text[..4].parse().ok()?, text[4..].parse().ok()?);
        let first = Date::new(year, month, 1).ok()?;
        Some(Self { first })
    }

    pub fn first(self) -> Date {
        self.first
    }

    pub fn last(self) -> Date {
        self.first.last_of_month()
    }

    /// The month before; the first month of all has none.
    pub fn before(self) -> Option<Self> {
        let first = self.first.checked_sub(Span::new().months(1)).ok()?;
        Some(Self { first })
    }
}

impl std::fmt::Display for Month {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}{:02}", self.first.year(), self.first.month())
    }
}

impl DaysOfMonth {
    pub fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub fn bits(self) -> u32 {
        self.0
    }

    pub fn insert(&mut self, date: Date) {
        self.0 |= bit(date.day());
    }

    pub fn contains(self, date: Date) -> bool {
        self.0 & bit(date.day()) != 0
    }

    /// Days of the month, from 1, ascending.
    pub fn list(self) -> Vec<i8> {
        (1..=31).filter(|day| self.0 & bit(*day) != 0).collect()
    }
}

impl FromIterator<Date> for DaysOfMonth {
    fn from_iter<T: IntoIterator<Item = Date>>(dates: T) -> Self {
        let mut days = Self::default();
        dates.into_iter().for_each(|date| days.insert(date));
        days
    }
}

/// How many days in a row end today, or yesterday while today is still open. `months` begins with the month of today and
/// goes back without a gap.
pub fn streak(today: Date, months: &[DaysOfMonth]) -> Streak {
    let mut day = today;
    let mut count = 0;
    for days in months {
        let month = Month::of(day);
        while Month::of(day) == month {
            if days.contains(day) {
                count += 1;
            } else if day != today {
                return Streak::Ended(count);
            }
            let Ok(before) = day.checked_sub(1.day()) else {
                return Streak::Ended(count);
            };
            day = before;
        }
    }
    Streak::GoesOn(count)
}

fn bit(day: i8) -> u32 {
    1 << (day.unsigned_abs() - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    const NOVEMBER: Date = date(2026, 11, 15);

    fn months_back(today: Date, count: usize, signed: &BTreeSet<Date>) -> Vec<DaysOfMonth> {
        let months = std::iter::successors(Some(Month::of(today)), |month| month.before());
        months
            .take(count)
            .map(|month| {
                let days = signed.iter().filter(|date| Month::of(**date) == month);
                days.copied().collect()
            })
            .collect()
    }

    fn streak_of(today: Date, signed: &[Date]) -> Streak {
        let signed = signed.iter().copied().collect();
        streak(today, &months_back(today, 14, &signed))
    }

    #[test]
    fn days_are_bits_from_the_lowest_and_are_listed_ascending() {
        let days: DaysOfMonth = [31, 1, 10]
            .map(|day| date(2026, 1, day))
            .into_iter()
            .collect();
        assert_eq!(days.bits(), 1 | 1 << 9 | 1 << 30);
        assert_eq!(DaysOfMonth::from_bits(days.bits()), days);
        assert_eq!(days.list(), [1, 10, 31]);
    }

    #[test]
    fn nobody_who_never_came_has_a_streak() {
        assert_eq!(streak_of(NOVEMBER, &[]), Streak::Ended(0));
    }

    #[test]
    fn today_may_still_be_open() {
        let (yesterday, before) = (date(2026, 11, 14), date(2026, 11, 13));
        assert_eq!(streak_of(NOVEMBER, &[yesterday, before]), Streak::Ended(2));
        assert_eq!(
            streak_of(NOVEMBER, &[NOVEMBER, yesterday]),
            Streak::Ended(2)
        );
        assert_eq!(streak_of(NOVEMBER, &[before]), Streak::Ended(0));
    }

    #[test]
    fn a_streak_crosses_months_years_and_leap_days() {
        let first_of_march = date(2028, 3, 1);
        let signed = [date(2028, 2, 28), date(2028, 2, 29), first_of_march];
        assert_eq!(streak_of(first_of_march, &signed), Streak::Ended(3));
        let new_year = date(2027, 1, 1);
        assert_eq!(streak_of(new_year, &[date(2026, 12, 31)]), Streak::Ended(1));
    }

    #[test]
    fn a_streak_that_fills_every_month_asked_about_may_go_on() {
        let today = date(2026, 11, 2);
        let november = [date(2026, 11, 1), today].into_iter().collect();
        assert_eq!(streak(today, &[november]), Streak::GoesOn(2));
        let october = DaysOfMonth::default();
        assert_eq!(streak(today, &[november, october]), Streak::Ended(2));
    }

    #[test]
    fn months_are_written_as_people_ask_for_them() {
        let month = Month::parse("202611").unwrap();
        assert_eq!(
            (month.first(), month.last()),
            (date(2026, 11, 1), date(2026, 11, 30))
        );
        assert_eq!(month.to_string(), "202611");
        assert_eq!(month.before().unwrap().to_string(), "202610");
        for text in ["", "2026-11", "202613", "202600", "20261", "-20261"] {
            assert_eq!(Month::parse(text), None, "{text}");
        }
    }

    proptest! {
        /// Counted on a calendar, one day after the other.
        #[test]
        fn streaks_agree_with_a_calendar(
            offset in 0..1_500_i64,
            ago in proptest::collection::btree_set(0..70_i64, 0..70),
        ) {
            let today = date(2024, 1, 1).saturating_add(Span::new().days(offset));
            let day = |ago: i64| today.saturating_sub(Span::new().days(ago));
            let signed: BTreeSet<Date> = ago.iter().map(|ago| day(*ago)).collect();
            let first = i64::from(!signed.contains(&today));
            let expected = (first..).take_while(|ago| signed.contains(&day(*ago))).count();
            let months = months_back(today, 5, &signed);
            prop_assert_eq!(streak(today, &months), Streak::Ended(u32::try_from(expected).unwrap()));
        }
    }
}
