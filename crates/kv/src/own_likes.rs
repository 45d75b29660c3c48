//! What is known of a person's own likes: a hash of notes, filled from SQL as the person sees them.
//!
//! A page asks for all of its notes at once, in one command, however many they are. A note has one of four states: liked,
//! not liked, unknown, and changing. **Changing** is written before the transaction of a toggle begins and carries a mark of
//! its own; from then on readers ask SQL. The outbox ends it after the commit, and only the change that wrote the mark: a
//! later toggle has a mark of its own. So nobody needs a lock, and no reader sees a like older than its commit, even if
//! the process dies right after it.
//!
//! A reader keeps what SQL said only where nothing was known or marked meanwhile, and only under the same `epoch`: a random
//! number in the hash, which is there before SQL is read and tells a hash that was flushed and written anew from the one
//! that was read. A mark that is never settled costs a query, never a wrong answer, and expires with the hash.
//!
//! If the outbox does not find its mark, the hash was lost meanwhile, or a later change was settled and what the outbox read
//! is old. Then the like becomes unknown and the epoch another, so that only what SQL says from then on is kept.

use domain::{NoteId, UserId};
use link::Script;

use crate::limits::{Limit, OverLimit, interval_us, outcome};
use crate::{Error, Kv};

static BEGIN: Script = Script::new(include_str!("lua/begin_like.lua"));
static READ: Script = Script::new(include_str!("lua/read_own_likes.lua"));
static KEEP: Script = Script::new(include_str!("lua/keep_own_likes.lua"));
static SETTLE: Script = Script::new(include_str!("lua/settle_like.lua"));

/// From the first read or toggle on. Rows that came past the site show after this, or after a pause of [`MARK_SECS`] if the
/// person toggles on and on.
const KEPT_SECS: i64 = 3600;

/// The least time that a hash lives after a toggle, so that it does not expire with the mark of a change that is under way.
/// The outbox settles a change within seconds.
const MARK_SECS: i64 = 60;

/// More than a person scrolls through in an hour; about 100 kB.
const MOST_FIELDS: usize = 2_000;

/// What is known of a person's likes of some notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnLikes {
    /// For [`Kv::keep_own_likes`].
    pub epoch: u64,
    /// In the order of the notes.
    pub likes: Vec<OwnLike>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnLike {
    Known(bool),
    /// SQL decides, and its answer may be kept.
    Unknown,
    /// SQL decides, and its answer may be old by the time it could be kept.
    Changing,
}

impl Kv {
    /// Takes one from the person's limit and marks their like of the note as changing. `mark` is a random number. One round
    /// trip.
    pub async fn begin_like(
        &self,
        limit: &Limit,
        user: UserId,
        note: NoteId,
        mark: u64,
    ) -> Result<Result<(), OverLimit>, Error> {
        let tat = self.keys.user_limit(limit.what, user);
        let args = (
            interval_us(limit, limit.burst),
            limit.burst,
            // Random as an epoch has to be.
            mark,
            note.get(),
            mark,
            KEPT_SECS,
            MARK_SECS,
        );
        let taken = self
            .link
            .eval(&BEGIN, &[&tat, &self.keys.own_likes(user)], args)
            .await;
        Ok(outcome(taken.map_err(Error::during("begin a like"))?))
    }

    /// `new_epoch` is a random number, for a hash that is not there. One round trip and a plain command, and a script more for
    /// that hash.
    pub async fn own_likes(
        &self,
        user: UserId,
        notes: &[NoteId],
        new_epoch: u32,
    ) -> Result<OwnLikes, Error> {
        let key = self.keys.own_likes(user);
        let mut get = redis::cmd("HMGET");
        get.arg(&key).arg("epoch");
        for note in notes {
            get.arg(note.get());
        }
        let found: Result<Vec<Option<String>>, _> = self.link.run(&get).await;
        let mut found = found.map_err(Error::during("read own likes"))?;
        if found.first().is_none_or(Option::is_none) {
            let mut args = vec![i64::from(new_epoch), KEPT_SECS];
            args.extend(notes.iter().map(|note| note.get()));
            let read = self.link.eval(&READ, &[&key], args).await;
            found = read.map_err(Error::during("read own likes"))?;
        }
        let epoch = found.first().and_then(Option::as_deref);
        Ok(OwnLikes {
            epoch: epoch.and_then(|text| text.parse().ok()).unwrap_or(0),
            likes: found.iter().skip(1).map(OwnLike::from_field).collect(),
        })
    }

    /// Keeps what SQL said after `epoch` was read.
    pub async fn keep_own_likes(
        &self,
        user: UserId,
        epoch: u64,
        likes: &[(NoteId, bool)],
    ) -> Result<(), Error> {
        let mut args = vec![epoch.to_string(), MOST_FIELDS.to_string()];
        for (note, is_liked) in likes {
            args.extend([note.to_string(), u8::from(*is_liked).to_string()]);
        }
        let key = self.keys.own_likes(user);
        let kept = self.link.eval(&KEEP, &[&key], args).await;
        kept.map_err(Error::during("keep own likes"))
    }

    /// Ends the change that wrote `mark`, or one that could not be marked, with what SQL says after it. Without that, or
    /// without the mark, the like is forgotten. `new_epoch` is a random number, for the latter.
    pub async fn settle_like(
        &self,
        user: UserId,
        note: NoteId,
        mark: Option<u64>,
        is_liked: Option<bool>,
        new_epoch: u32,
    ) -> Result<(), Error> {
        let mark = mark.map_or_else(String::new, |mark| format!("?{mark}"));
        let is_liked = is_liked.map_or("", |is_liked| if is_liked { "1" } else { "0" });
        let key = self.keys.own_likes(user);
        let settled = self
            .link
            .eval(&SETTLE, &[&key], (note.get(), mark, is_liked, new_epoch))
            .await;
        settled.map_err(Error::during("settle a like"))
    }

    /// Whether the person's like of the note is known to be as SQL has it: no change of it waits for the outbox.
    pub async fn is_like_settled(&self, user: UserId, note: NoteId) -> Result<bool, Error> {
        let mut get = redis::cmd("HGET");
        get.arg(self.keys.own_likes(user)).arg(note.get());
        let field: Option<String> = self
            .link
            .run(&get)
            .await
            .map_err(Error::during("look at a like"))?;
        Ok(OwnLike::from_field(&field) != OwnLike::Changing)
    }

    /// Forgets what is known of these people's likes.
    pub async fn forget_own_likes(&self, users: &[UserId]) -> Result<(), Error> {
        let mut pipe = redis::pipe();
        for user in users {
            pipe.cmd("UNLINK").arg(self.keys.own_likes(*user)).ignore();
        }
        if pipe.is_empty() {
            return Ok(());
        }
        let forgotten = self.link.pipe::<()>(&pipe).await;
        forgotten.map_err(Error::during("forget own likes"))
    }
}

impl OwnLike {
    fn from_field(field: &Option<String>) -> Self {
        match field.as_deref() {
            Some("1") => Self::Known(true),
            Some("0") => Self::Known(false),
            Some(_) => Self::Changing,
            None => Self::Unknown,
        }
    }
}
