//! `Range` of a request: the one part of a file that a client wants (RFC 9110, section 14).

use axum::http::HeaderMap;
use axum::http::header::{IF_RANGE, RANGE};

/// What to send of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Whole,
    /// At least one byte, within the file.
    Part {
        first: u64,
        last: u64,
    },
    /// No byte of the file, several parts of it, or nothing that can be understood.
    Unsatisfiable,
}

impl Wanted {
    /// `tag` is the file's strong ETag. A part is at most `most_bytes` long: the reply names what it holds, so a client that
    /// wanted more asks for the rest.
    pub(super) fn of(headers: &HeaderMap, tag: &str, file_bytes: u64, most_bytes: u64) -> Self {
        let mut lines = headers.get_all(RANGE).iter();
        let Some(line) = lines.next() else {
            return Self::Whole;
        };
        let condition = headers.get(IF_RANGE);
        if condition.is_some_and(|condition| condition != tag) {
            return Self::Whole;
        }
        if lines.next().is_some() {
            return Self::Unsatisfiable;
        }
        let Ok(line) = line.to_str() else {
            return Self::Unsatisfiable;
        };
        match line.split_once('=') {
            Some((unit, range)) if unit.trim().eq_ignore_ascii_case("bytes") => {
                part(range.trim(), file_bytes, most_bytes).unwrap_or(Self::Unsatisfiable)
            }
            // Units that a server does not know are to be ignored.
            Some(_) => Self::Whole,
            None => Self::Unsatisfiable,
        }
    }
}

fn part(range: &str, file_bytes: u64, most_bytes: u64) -> Option<Wanted> {
    let end = file_bytes.checked_sub(1)?;
    let (first, last) = match range.split_once('-')? {
        ("", length) => (file_bytes.saturating_sub(number(length)?), end),
        (first, "") => (number(first)?, end),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some((first, last.min(end)))?
        }
    };
    let last = last.min(first.saturating_add(most_bytes - 1));
    (first <= end).then_some(Wanted::Part { first, last })
}

/// Digits alone; more than fit are more than any file has.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const TAG: &str = "\"t\"";

    fn wanted(range: &'static str) -> Wanted {
        let headers = HeaderMap::from_iter([(RANGE, HeaderValue::from_static(range))]);
        Wanted::of(&headers, TAG, 1_000, 100)
    }

    #[test]
    fn one_part_is_sent_as_far_as_the_file_and_the_bound_go() {
        for (range, first, last) in [
            ("bytes=0-0", 0, 0),
            ("bytes=0-99", 0, 99),
            ("BYTES = 5-9", 5, 9),
            ("bytes=0-100", 0, 99),
            ("bytes=10-", 10, 109),
            ("bytes=950-", 950, 999),
            ("bytes=990-5000", 990, 999),
            ("bytes=999-99999999999999999999999999", 999, 999),
            ("bytes=-10", 990, 999),
            ("bytes=-5000", 0, 99),
        ] {
            assert_eq!(wanted(range), Wanted::Part { first, last }, "{range}");
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for range in [
            "bytes=1000-",
            "bytes=1000-1001",
            "bytes=99999999999999999999999999-",
            "bytes=-0",
            "bytes=9-5",
            "bytes=-",
            "bytes=",
            "bytes",
            "bytes=a-b",
            "bytes=+1-2",
            "bytes=1--2",
            "bytes=0-1,3-4",
            "bytes=0x1-0x2",
        ] {
            assert_eq!(wanted(range), Wanted::Unsatisfiable, "{range}");
        }
        let twice = [(RANGE, "bytes=0-1"), (RANGE, "bytes=3-4")];
        let mut headers = HeaderMap::new();
        for (name, value) in twice {
            headers.append(name, HeaderValue::from_static(value));
        }
        assert_eq!(Wanted::of(&headers, TAG, 1_000, 100), Wanted::Unsatisfiable);
    }

    #[test]
    fn an_empty_file_has_no_part() {
        let headers = HeaderMap::from_iter([(RANGE, HeaderValue::from_static("bytes=0-"))]);
        assert_eq!(Wanted::of(&headers, TAG, 0, 100), Wanted::Unsatisfiable);
        assert_eq!(Wanted::of(&HeaderMap::new(), TAG, 0, 100), Wanted::Whole);
    }

    #[test]
    fn another_unit_and_a_part_of_another_file_mean_the_whole() {
        assert_eq!(wanted("lines=1-2"), Wanted::Whole);
        for (condition, expected) in [
            (TAG, Wanted::Part { first: 0, last: 1 }),
            ("\"u\"", Wanted::Whole),
            ("W/\"t\"", Wanted::Whole),
            ("Thu, 19 Nov 2026 10:00:00 GMT", Wanted::Whole),
        ] {
            let headers = HeaderMap::from_iter([
                (RANGE, HeaderValue::from_static("bytes=0-1")),
                (IF_RANGE, HeaderValue::from_static(condition)),
            ]);
            assert_eq!(
                Wanted::of(&headers, TAG, 1_000, 100),
                expected,
                "{condition}"
            );
        }
    }
}
