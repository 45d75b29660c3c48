//! How a session is written in Redis: one string, so that one `MGET` reads many of them and no script runs.
//!
//! | line | what |
//! |---|---|
//! | 1 | last use, absolute end, creation: 13 digits each, milliseconds of Redis' clock; the scripts rewrite the first in place |
//! | 2 – 7 | stamp, user id, role, number, device, address |
//! | 8 | picture |
//! | the rest | name |
//!
//! The scripts know that the first line has fixed columns and that picture and name follow the seventh line break.

use domain::{Role, UserId};

use crate::sessions::{NewSession, Session, SessionProfile};

const DIGITS: usize = 13;

/// What is written in Redis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionRecord<'a> {
    pub(crate) seen_ms: u64,
    pub(crate) ends_ms: u64,
    pub(crate) created_ms: u64,
    pub(crate) user_id: UserId,
    pub(crate) role: Role,
    pub(crate) number: u32,
    pub(crate) device: &'a str,
    pub(crate) address: &'a str,
    icon: &'a str,
    nick_name: &'a str,
}

/// Everything after the first line, which a script writes by Redis' clock.
pub(crate) fn record_after_times(stamp: &str, session: &NewSession<'_>) -> String {
    let profile = session.profile;
    format!(
        "{}\n{}\n{}\n{}\n{}\n{}\n{}",
        on_one_line(stamp),
        profile.user_id,
        profile.role.code(),
        session.number,
        on_one_line(session.device),
        on_one_line(session.address),
        profile_part(profile)
    )
}

/// The part that changes with a user's profile.
pub(crate) fn profile_part(profile: &SessionProfile) -> String {
    format!("{}\n{}", on_one_line(&profile.icon), profile.nick_name)
}

fn on_one_line(text: &str) -> String {
    text.replace('\n', " ")
}

impl<'a> SessionRecord<'a> {
    /// Nothing, if the record has another stamp or is none of ours.
    pub(crate) fn parse(record: &'a [u8], stamp: &str) -> Option<Self> {
        let mut lines = std::str::from_utf8(record).ok()?.splitn(9, '\n');
        let times = lines.next()?;
        let time = |at: usize| times.get(at * DIGITS..(at + 1) * DIGITS)?.parse().ok();
        let (seen_ms, ends_ms, created_ms) = (time(0)?, time(1)?, time(2)?);
        if lines.next()? != stamp {
            return None;
        }
        Some(Self {
            seen_ms,
            ends_ms,
            created_ms,
            user_id: UserId::new(lines.next()?.parse().ok()?),
            role: Role::from_code(lines.next()?.parse().ok()?),
            number: lines.next()?.parse().ok()?,
            device: lines.next()?,
            address: lines.next()?,
            icon: lines.next()?,
            nick_name: lines.next()?,
        })
    }

    pub(crate) fn to_session(&self) -> Session {
        Session {
            profile: SessionProfile {
                user_id: self.user_id,
                nick_name: self.nick_name.to_owned(),
                icon: self.icon.to_owned(),
                role: self.role,
            },
            number: self.number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: &str = "170000000000117000000000021700000000003";

    fn profile() -> SessionProfile {
        SessionProfile {
            user_id: UserId::new(7),
            nick_name: "小鱼\n两行".to_owned(),
            icon: "/imgs/a\nb.png".to_owned(),
            role: Role::Merchant,
        }
    }

    fn record(profile: &SessionProfile) -> String {
        let session = NewSession {
            profile,
            number: 9,
            device: "Firefox · Windows",
            address: "127.0.0.*",
        };
        format!("{TIMES}\n{}", record_after_times("stamp", &session))
    }

    #[test]
    fn a_record_is_read_as_it_is_written() {
        let profile = profile();
        let record = record(&profile);
        let read = SessionRecord::parse(record.as_bytes(), "stamp").unwrap();
        let times = (read.seen_ms, read.ends_ms, read.created_ms);
        assert_eq!(
            times,
            (1_700_000_000_001, 1_700_000_000_002, 1_700_000_000_003)
        );
        assert_eq!(
            (read.device, read.address),
            ("Firefox · Windows", "127.0.0.*")
        );
        let expected = SessionProfile {
            icon: "/imgs/a b.png".to_owned(),
            ..profile
        };
        let session = read.to_session();
        assert_eq!((session.profile, session.number), (expected, 9));
    }

    #[test]
    fn a_record_with_another_stamp_or_shape_is_no_session() {
        let record = record(&profile());
        assert!(SessionRecord::parse(record.as_bytes(), "other").is_none());
        for end in 0..TIMES.len() {
            assert!(SessionRecord::parse(&record.as_bytes()[..end], "stamp").is_none());
        }
        for junk in ["", "x", "\n\n\n\n\n\n\n\n\n", &record[1..]] {
            assert!(
                SessionRecord::parse(junk.as_bytes(), "stamp").is_none(),
                "{junk:?}"
            );
        }
    }
}
