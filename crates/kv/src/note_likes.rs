//! Who likes a note: a sorted set of people by the moment, with a mark in it that it is loaded. It tells who came first; what
//! one person likes is asked of `own_likes.rs`.
//!
//! The mark is a member of the set itself, so it comes and goes with it: a set without the mark does not exist, whatever
//! else it holds. Then the result is `None`, and the caller reads SQL. Loading stages all members under a key of its own
//! and publishes them in one step. Changes of single people go into a loaded set only; one that is being loaded will read
//! the changed row.
//!
//! A writer holds the note's lock and passes its fencing token. The mark's score remembers the highest fence
//! (below zero, so that it stands before every person), and a writer with a lower one, who was paused while its lock went
//! to another, changes nothing.
//!
//! People are padded to a fixed width: those who liked in the same millisecond stand by id, as in SQL.

use domain::{NoteId, UserId};
use jiff::Timestamp;
use link::Script;

use crate::{Error, Kv};

static SHOW: Script = Script::new(include_str!("lua/show_like.lua"));
static PUBLISH: Script = Script::new(include_str!("lua/publish_likes.lua"));

/// The mark. No padded number looks like it.
const LOADED: &str = "loaded";

/// A week after it was loaded a set expires and is loaded again when needed: old notes cost no memory.
const KEPT_SECS: u64 = 7 * 24 * 3600;

/// Members per command while a set is staged: about a millisecond of the server's time.
const MEMBERS_PER_COMMAND: usize = 1_000;

/// What a loader that died left behind is gone after this; a million likes are staged in less.
const STAGED_SECS: u64 = 600;

/// A user who likes a note, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Like {
    pub user: UserId,
    pub at: Timestamp,
}

/// What became of a change of one like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeShown {
    Done,
    /// Nothing to change: the next reader loads the view from SQL.
    NotLoaded,
    /// A newer holder of the lock has written; nothing was changed.
    Outdated,
}

impl Kv {
    /// The first `count` likers, earliest first; `None` if the view is not loaded.
    pub async fn first_likers(
        &self,
        note: NoteId,
        count: usize,
    ) -> Result<Option<Vec<UserId>>, Error> {
        // The mark stands first, so the index of the last liker is their number.
        let mut range = redis::cmd("ZRANGE");
        range.arg(self.keys.note_likes(note)).arg(0).arg(count);
        let found: Vec<String> = self
            .link
            .run(&range)
            .await
            .map_err(Error::during("list likers"))?;
        Ok(match found.split_first() {
            Some((mark, likers)) if mark == LOADED => {
                Some(likers.iter().filter_map(|text| user_of(text)).collect())
            }
            _ => None,
        })
    }

    /// Those of the notes whose views are loaded. One round trip.
    pub async fn list_loaded_likes(&self, notes: &[NoteId]) -> Result<Vec<NoteId>, Error> {
        if notes.is_empty() {
            return Ok(Vec::new());
        }
        let mut pipe = redis::pipe();
        for note in notes {
            let key = self.keys.note_likes(*note);
            pipe.cmd("ZSCORE").arg(key).arg(LOADED);
        }
        let marks: Vec<Option<f64>> = self
            .link
            .pipe(&pipe)
            .await
            .map_err(Error::during("look for views of likes"))?;
        let marked = notes.iter().zip(marks);
        Ok(marked
            .filter_map(|(note, mark)| mark.map(|_| *note))
            .collect())
    }

    /// Lets the view show that the user likes the note since `at`, or does not.
    pub async fn show_like(
        &self,
        note: NoteId,
        user: UserId,
        at: Option<Timestamp>,
        fence: u64,
    ) -> Result<LikeShown, Error> {
        let mut args = vec![fence.to_string(), member(user)];
        args.extend(at.map(|at| at.as_millisecond().to_string()));
        let shown: i64 = self
            .link
            .eval(&SHOW, &[&self.keys.note_likes(note)], args)
            .await
            .map_err(Error::during("show a like"))?;
        Ok(match shown {
            1 => LikeShown::Done,
            0 => LikeShown::NotLoaded,
            _ => LikeShown::Outdated,
        })
    }

    /// Adds members to the view that the holder of `fence` is loading. Nobody sees them before they are published.
    pub async fn stage_likes(&self, note: NoteId, likes: &[Like], fence: u64) -> Result<(), Error> {
        if likes.is_empty() {
            return Ok(());
        }
        let next = self.keys.next_note_likes(note, fence);
        let mut pipe = redis::pipe();
        for chunk in likes.chunks(MEMBERS_PER_COMMAND) {
            let add = pipe.cmd("ZADD").arg(&next);
            for like in chunk {
                add.arg(like.at.as_millisecond()).arg(member(like.user));
            }
            add.ignore();
            pipe.cmd("EXPIRE").arg(&next).arg(STAGED_SECS).ignore();
        }
        let staged = self.link.pipe::<()>(&pipe).await;
        staged.map_err(Error::during("stage likes"))
    }

    /// Puts the staged view of `count` members in force. `false` if it was not: a newer holder of the lock has written,
    /// or Redis lost members on the way.
    pub async fn publish_likes(
        &self,
        note: NoteId,
        count: usize,
        fence: u64,
    ) -> Result<bool, Error> {
        let (likes, next) = (
            self.keys.note_likes(note),
            self.keys.next_note_likes(note, fence),
        );
        let published = self
            .link
            .eval(&PUBLISH, &[&likes, &next], (fence, count, KEPT_SECS))
            .await;
        published.map_err(Error::during("publish likes"))
    }

    /// Forgets the view of a note that is not shown any more.
    pub async fn drop_likes(&self, note: NoteId) -> Result<(), Error> {
        let likes = self.keys.note_likes(note);
        let dropped = self.link.run(redis::cmd("UNLINK").arg(likes)).await;
        dropped.map_err(Error::during("drop likes"))
    }
}

/// Sixteen digits hold every id below 2^53.
fn member(user: UserId) -> String {
    format!("{:016}", user.get())
}

fn user_of(member: &str) -> Option<UserId> {
    member.parse().ok().map(UserId::new)
}
