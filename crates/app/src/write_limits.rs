//! Write rate limits per user and kind.
//!
//! Counted by GCRA in Redis over all processes. The limits only keep bots from flooding the site, so writes continue
//! while Redis is unavailable.

use std::time::Duration;

use domain::NoteId;
use kv::{Limit, OverLimit, Session};

use crate::{App, Error};

/// Writes per user and hour, by kind.
#[derive(Clone, Copy, Debug)]
pub struct WriteLimits {
    pub comments: u32,
    /// Toggles, of notes and comments.
    pub likes: u32,
    pub follows: u32,
    /// Changes of favourites, of shops and notes, and of their lists.
    pub favourites: u32,
    pub notes: u32,
    pub purchases: u32,
    pub named_requests: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    Comment,
    Report,
    Like,
    Follow,
    Favourite,
    Note,
    Draft,
    Purchase,
    NamedRequest,
    Contact,
}

/// Of notes and comments: more would only bury the reports of others.
const REPORTS_PER_HOUR: u32 = 60;
/// Changes of phone number and e-mail address: each takes two codes.
const CONTACT_CHANGES_PER_HOUR: u32 = 30;
/// Pages save a draft a few seconds after the last key, so this is an hour of writing without a pause.
const DRAFTS_PER_HOUR: u32 = 1_000;
const HOUR: Duration = Duration::from_secs(3600);

impl WriteLimits {
    fn of(&self, write: Write) -> Limit {
        let (what, burst) = match write {
            Write::Comment => ("comment", self.comments),
            Write::Report => ("report", REPORTS_PER_HOUR),
            Write::Like => ("like", self.likes),
            Write::Follow => ("follow", self.follows),
            Write::Favourite => ("favourite", self.favourites),
            Write::Note => ("note", self.notes),
            Write::Draft => ("draft", DRAFTS_PER_HOUR),
            Write::Purchase => ("purchase", self.purchases),
            Write::NamedRequest => ("named-request", self.named_requests),
            Write::Contact => ("contact", CONTACT_CHANGES_PER_HOUR),
        };
        Limit {
            what,
            burst,
            period: HOUR,
        }
    }
}

/// Counts a like of this user or refuses it, and marks it as changing. `None` if Redis is unavailable.
pub(crate) async fn begin_like(
    app: &App,
    session: &Session,
    note: NoteId,
) -> Result<Option<u64>, Error> {
    let limit = app.rules().write_limits.of(Write::Like);
    let (user, mark) = (session.profile.user_id, rand::random());
    let begun = app.kv().begin_like(&limit, user, note, mark).await;
    Ok(admitted(begun)?.then_some(mark))
}

/// Counts a write of this user or refuses it.
pub(crate) async fn take(app: &App, session: &Session, write: Write) -> Result<(), Error> {
    let limit = app.rules().write_limits.of(write);
    let user = session.profile.user_id;
    admitted(app.kv().take_for_user(&limit, user).await)?;
    Ok(())
}

/// Whether Redis has counted the write.
fn admitted(taken: Result<Result<(), OverLimit>, kv::Error>) -> Result<bool, Error> {
    match taken {
        Ok(Ok(())) => Ok(true),
        Ok(Err(OverLimit { retry_after })) => Err(Error::TooMany { retry_after }),
        Err(error) if error.is_outage() => {
            tracing::debug!(%error, "write not counted against its limit");
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}
