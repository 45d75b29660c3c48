//! The keys of the original and of its copies, as their names tell.
//!
//! Everybody who took the course typed them anew, so dates come in several spellings. A name that is not understood is
//! left alone and listed.

use domain::{Month, NoteId, UserId, VoucherId};
use jiff::civil::Date;

/// What a key of the original holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OriginalKey {
    /// Who likes a note: a sorted set by the moment in milliseconds; a plain set in the first lessons.
    Likes(NoteId),
    /// Set: whom a user follows.
    Follows(UserId),
    /// Bitmap: the days of a month on which a user checked in.
    CheckIns(UserId, Month),
    /// HyperLogLog: the visitors of a page on a day. The page is as the key spells it, empty for the whole site.
    Visitors {
        page: String,
        day: Date,
    },
    /// Counter: the views of a page on a day.
    Views {
        page: String,
        day: Date,
    },
    /// Stream: orders on their way to SQL.
    OrderStream,
    /// Set: who bought in a flash sale.
    Buyers(VoucherId),
    /// Something that is derived or short-lived.
    LeftBehind(LeftBehind),
    Unknown,
}

/// Kinds of keys that are not brought along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftBehind {
    Sessions,
    Codes,
    Caches,
    Locks,
    /// Pushed inboxes: feeds are derived from follows and notes.
    Feeds,
    /// Positions of shops, which their rows have.
    GeoIndexes,
    /// Remaining units, which SQL has.
    Stock,
    /// Sequences of ids.
    IdSequences,
    /// A HyperLogLog without a day in its name.
    UndatedVisitors,
}

impl LeftBehind {
    /// The pattern of its keys, and why they stay.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Sessions => ("login:token:*", "sessions: people sign in again"),
            Self::Codes => ("login:code:*", "sign-in codes"),
            Self::Caches => ("cache:*", "caches: filled again from SQL"),
            Self::Locks => ("lock:*", "locks"),
            Self::Feeds => ("feed:*", "feeds: derived from follows and notes"),
            Self::GeoIndexes => ("shop:geo:*", "positions: derived from the shops"),
            Self::Stock => ("seckill:stock:*", "stock: SQL has it"),
            Self::IdSequences => ("icr:*", "sequences of ids"),
            Self::UndatedVisitors => ("uv:*, hl*", "visitors without a day in the key's name"),
        }
    }
}

impl OriginalKey {
    pub fn parse(name: &[u8]) -> Self {
        let Ok(name) = std::str::from_utf8(name) else {
            return Self::Unknown;
        };
        let known = brought_along(name).or_else(|| left_behind(name).map(Self::LeftBehind));
        known.unwrap_or(Self::Unknown)
    }
}

fn brought_along(name: &str) -> Option<OriginalKey> {
    if matches!(name, "stream.orders" | "stream:orders" | "s1") {
        return Some(OriginalKey::OrderStream);
    }
    let likes = ["blog:liked:", "blog:likes:", "blog:like:"];
    if let Some(note) = id_after(name, &likes) {
        return Some(OriginalKey::Likes(NoteId::new(note)));
    }
    if let Some(user) = id_after(name, &["follows:", "follow:", "follows:user:"]) {
        return Some(OriginalKey::Follows(UserId::new(user)));
    }
    if let Some(voucher) = id_after(name, &["seckill:order:", "seckill:orders:"]) {
        return Some(OriginalKey::Buyers(VoucherId::new(voucher)));
    }
    for prefix in ["sign:", "user:sign:", "sign:user:"] {
        if let Some((user, month)) = name.strip_prefix(prefix).and_then(user_and_month) {
            return Some(OriginalKey::CheckIns(user, month));
        }
    }
    if let Some((page, day)) = name.strip_prefix("uv:").and_then(page_and_day) {
        return Some(OriginalKey::Visitors { page, day });
    }
    let (page, day) = name.strip_prefix("pv:").and_then(page_and_day)?;
    Some(OriginalKey::Views { page, day })
}

fn left_behind(name: &str) -> Option<LeftBehind> {
    const PREFIXES: [(&str, LeftBehind); 12] = [
        ("login:token:", LeftBehind::Sessions),
        ("login:user:", LeftBehind::Sessions),
        ("login:code:", LeftBehind::Codes),
        ("cache:", LeftBehind::Caches),
        ("lock:", LeftBehind::Locks),
        ("redisson", LeftBehind::Locks),
        ("feed:", LeftBehind::Feeds),
        ("shop:geo:", LeftBehind::GeoIndexes),
        ("seckill:stock:", LeftBehind::Stock),
        ("icr:", LeftBehind::IdSequences),
        ("uv:", LeftBehind::UndatedVisitors),
        ("hl", LeftBehind::UndatedVisitors),
    ];
    let mut prefixes = PREFIXES.iter();
    let (_, kind) = prefixes.find(|(prefix, _)| name.starts_with(prefix))?;
    Some(*kind)
}

fn id_after(name: &str, prefixes: &[&str]) -> Option<i64> {
    let mut ids = prefixes.iter().filter_map(|it| id(name.strip_prefix(it)?));
    ids.next()
}

/// A positive number in its usual form.
fn id(text: &str) -> Option<i64> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    is_plain.then(|| text.parse().ok()).flatten()
}

/// `5:202203`, `5:2022:03`, `5:2022/3`, `5:2022-03`, `5202203`, or the month first.
fn user_and_month(text: &str) -> Option<(UserId, Month)> {
    let (first, rest) = match text.split_once(':') {
        Some(parts) => parts,
        None => text.split_at_checked(text.len().checked_sub(6)?)?,
    };
    let user_first = || Some((id(first)?, month(rest)?));
    let month_first = || {
        let (year_and_month, user) = text.rsplit_once(':')?;
        Some((id(user)?, month(year_and_month)?))
    };
    let (user, month) = user_first().or_else(month_first)?;
    Some((UserId::new(user), month))
}

fn month(text: &str) -> Option<Month> {
    let digits = numbers(text);
    let compact = match digits.as_slice() {
        [compact] => (*compact).to_owned(),
        [year, month] if year.len() == 4 && month.len() <= 2 => format!("{year}{month:0>2}"),
        _ => return None,
    };
    let month = Month::parse(&compact)?;
    is_of_our_time(month.first()).then_some(month)
}

/// `20220301`, `home:2022-03-01`, `shop:5:2022:03:01`: the day is last.
fn page_and_day(text: &str) -> Option<(String, Date)> {
    let starts = text.match_indices(':').map(|(at, _)| at + 1);
    let mut days = [0].into_iter().chain(starts).filter_map(|start| {
        let day = day(&text[start..])?;
        Some((text[..start].trim_end_matches(':').to_owned(), day))
    });
    days.next()
}

fn day(text: &str) -> Option<Date> {
    let digits = numbers(text);
    let compact = match digits.as_slice() {
        [compact] => (*compact).to_owned(),
        [year, month, day] if year.len() == 4 && month.len() <= 2 && day.len() <= 2 => {
            format!("{year}{month:0>2}{day:0>2}")
        }
        _ => return None,
    };
    let date = Date::strptime("%Y%m%d", compact).ok()?;
    is_of_our_time(date).then_some(date)
}

/// The numbers between separators; none if there is anything else.
fn numbers(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text.split(['/', '-', ':', '.', '_']).collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match parts.iter().all(is_number) {
        true => parts,
        false => Vec::new(),
    }
}

/// The course is of 2022; anything far from it is no date.
fn is_of_our_time(date: Date) -> bool {
    (2015..2100).contains(&date.year())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn parse(name: &str) -> OriginalKey {
        OriginalKey::parse(name.as_bytes())
    }

    fn check_ins(user: i64, month: &str) -> OriginalKey {
        OriginalKey::CheckIns(UserId::new(user), Month::parse(month).unwrap())
    }

    #[test]
    fn the_keys_of_the_course_are_understood() {
        assert_eq!(parse("blog:liked:23"), OriginalKey::Likes(NoteId::new(23)));
        assert_eq!(parse("follows:5"), OriginalKey::Follows(UserId::new(5)));
        assert_eq!(parse("stream.orders"), OriginalKey::OrderStream);
        let buyers = OriginalKey::Buyers(VoucherId::new(10));
        assert_eq!(parse("seckill:order:10"), buyers);
        for (name, kind) in [
            ("login:token:2f3c", LeftBehind::Sessions),
            ("login:code:13686869696", LeftBehind::Codes),
            ("cache:shop:1", LeftBehind::Caches),
            ("lock:order:5", LeftBehind::Locks),
            ("feed:5", LeftBehind::Feeds),
            ("shop:geo:1", LeftBehind::GeoIndexes),
            ("seckill:stock:10", LeftBehind::Stock),
            ("icr:order:2022:03:02", LeftBehind::IdSequences),
            ("hl2", LeftBehind::UndatedVisitors),
        ] {
            assert_eq!(parse(name), OriginalKey::LeftBehind(kind), "{name}");
        }
    }

    #[test]
    fn months_are_read_in_every_spelling() {
        for name in [
            "sign:5:202203",
            "sign:5:2022/03",
            "sign:5:2022-03",
            "sign:5:2022:03",
            "sign:5:2022:3",
            "sign:5202203",
            "sign:202203:5",
            "sign:2022:03:5",
            "user:sign:5:202203",
        ] {
            assert_eq!(parse(name), check_ins(5, "202203"), "{name}");
        }
        for name in [
            "sign:",
            "sign:5",
            "sign:5:",
            "sign:5:202213",
            "sign:x:202203",
            "sign:5:1022:03",
            "sign:-5:202203",
            "sign:5:2022:03:01",
            "sign:202203",
        ] {
            assert_eq!(parse(name), OriginalKey::Unknown, "{name}");
        }
    }

    #[test]
    fn days_are_read_with_their_page() {
        let visitors = |page: &str| OriginalKey::Visitors {
            page: page.to_owned(),
            day: date(2022, 3, 1),
        };
        assert_eq!(parse("uv:20220301"), visitors(""));
        assert_eq!(parse("uv:2022:03:01"), visitors(""));
        assert_eq!(parse("uv:2022-3-1"), visitors(""));
        assert_eq!(parse("uv:home:20220301"), visitors("home"));
        assert_eq!(parse("uv:shop:5:2022/03/01"), visitors("shop:5"));
        assert!(matches!(parse("pv:20220301"), OriginalKey::Views { .. }));
        let undated = OriginalKey::LeftBehind(LeftBehind::UndatedVisitors);
        assert_eq!(parse("uv:home"), undated);
        assert_eq!(parse("uv:20221301"), undated);
    }

    #[test]
    fn other_names_are_unknown() {
        for name in [
            "",
            "x",
            "blog:liked:",
            "blog:liked:{5}",
            "blog:liked:05",
            "follows:{5}",
        ] {
            assert_eq!(parse(name), OriginalKey::Unknown, "{name}");
        }
        assert_eq!(
            OriginalKey::parse(b"\xac\xed\x00\x05t"),
            OriginalKey::Unknown
        );
    }
}
