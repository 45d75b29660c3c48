//! The ranking of notes: a sorted set of all that are shown, by likes, with a mark in it that it is loaded.
//!
//! Notes are padded to sixteen digits, so that among equals the newest comes first when the set is read backwards, and the
//! oldest when it is read forwards. The mark is a member of the set itself with a score below every note's.
//!
//! A writer of a rank passes the note's revision, which SQL raises with every change and reads together with the likes. The
//! revisions of all notes in the ranking are remembered, for a while also those of notes that left it, and a lower one
//! changes nothing. So the changes of one note are ordered without a lock, and those of different notes do not wait for
//! each other. A load of the whole ranking holds a lock of its own and does not stop the others: from [`Kv::begin_hot`] on every change is
//! also appended to a log, and publishing the load applies that log. A change before the beginning was committed before
//! it, so the load has read it; a later one is applied on top, unless the load has read a higher revision of the note.
//!
//! A load replaces the revisions as well. It is how a ranking follows SQL after a backup was restored: its revisions are
//! lower then than those that Redis remembers.

use domain::{NoteId, TieBreak};
use link::Script;

use crate::{Error, Kv};

static RANK: Script = Script::new(include_str!("lua/rank_note.lua"));
static BEGIN: Script = Script::new(include_str!("lua/begin_hot.lua"));
static PUBLISH: Script = Script::new(include_str!("lua/publish_hot.lua"));
static LIST_NEWEST: Script = Script::new(include_str!("lua/list_hot.lua"));
static LIST_OLDEST: Script = Script::new(include_str!("lua/list_hot_oldest.lua"));

/// Members per command while a ranking is staged: about a millisecond of the server's time.
const MEMBERS_PER_COMMAND: usize = 1_000;

/// What a loader that died left behind is gone after this; a million notes are staged in less.
const STAGED_SECS: u64 = 600;

/// How long the revision of a note that left the ranking is remembered. A write that was sent before it left has timed out
/// by then.
const REVISION_OF_GONE_MS: u64 = 600_000;

/// A note and how many like it, as of a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedNote {
    pub note: NoteId,
    pub likes: u32,
    pub revision: u64,
}

impl Kv {
    /// `count` notes from the index `start` on, most liked first; `None` if the ranking is not loaded. One round trip.
    pub async fn list_hot(
        &self,
        start: u64,
        count: u64,
        tie_break: TieBreak,
    ) -> Result<Option<Vec<NoteId>>, Error> {
        let (script, args) = match tie_break {
            TieBreak::Newest => (&LIST_NEWEST, (start, start + count - 1)),
            TieBreak::Oldest => (&LIST_OLDEST, (start, count)),
        };
        let found: Option<Vec<String>> = self
            .link
            .eval(script, &[&self.keys.hot_notes().ranking], args)
            .await
            .map_err(Error::during("list hot notes"))?;
        // The mark itself is at the very end, and is no number.
        let note = |member: String| member.parse().ok().map(NoteId::new);
        Ok(found.map(|found| found.into_iter().filter_map(note).collect()))
    }

    /// Gives the note the place of so many likes, or none. `false` if a newer revision was ranked; nothing was changed then.
    pub async fn rank_note(
        &self,
        note: NoteId,
        likes: Option<u32>,
        revision: u64,
    ) -> Result<bool, Error> {
        let keys = self.keys.hot_notes();
        let gone = keys.revision_of_gone(&member(note));
        let mut args = vec![
            revision.to_string(),
            member(note),
            REVISION_OF_GONE_MS.to_string(),
        ];
        args.extend(likes.map(|likes| likes.to_string()));
        let touched = [
            &*keys.ranking,
            &*keys.revisions,
            &*keys.loading,
            &*keys.changes,
            &*gone,
        ];
        let ranked = self.link.eval(&RANK, &touched, args).await;
        ranked.map_err(Error::during("rank a note"))
    }

    /// Begins a load by the holder of `fence`, the ranking's own lock. `false` if a newer one has begun.
    pub async fn begin_hot(&self, fence: u64) -> Result<bool, Error> {
        let keys = self.keys.hot_notes();
        let touched = [&*keys.loading, &*keys.changes, &*keys.revisions];
        let begun = self.link.eval(&BEGIN, &touched, (fence, STAGED_SECS)).await;
        begun.map_err(Error::during("begin to load hot notes"))
    }

    /// Adds members to the ranking that the holder of `fence` is loading. Nobody sees them before they are published.
    pub async fn stage_hot(&self, notes: &[RankedNote], fence: u64) -> Result<(), Error> {
        if notes.is_empty() {
            return Ok(());
        }
        let keys = self.keys.hot_notes();
        let (next, next_revisions) = (keys.next(fence), keys.next_revisions(fence));
        let mut pipe = redis::pipe();
        for chunk in notes.chunks(MEMBERS_PER_COMMAND) {
            let add = pipe.cmd("ZADD").arg(&next);
            for ranked in chunk {
                add.arg(ranked.likes).arg(member(ranked.note));
            }
            add.ignore();
            // Most notes never change; no revision stands for the first.
            let mut changed = chunk.iter().filter(|ranked| ranked.revision > 0).peekable();
            if changed.peek().is_some() {
                let set = pipe.cmd("HSET").arg(&next_revisions);
                for ranked in changed {
                    set.arg(member(ranked.note)).arg(ranked.revision);
                }
                set.ignore();
            }
            for staged in [&next, &next_revisions] {
                pipe.cmd("EXPIRE").arg(staged).arg(STAGED_SECS).ignore();
            }
        }
        let staged = self.link.pipe::<()>(&pipe).await;
        staged.map_err(Error::during("stage hot notes"))
    }

    /// Puts the staged ranking of `count` members in force. `false` if it was not: the load was overtaken, took too long,
    /// or Redis lost members on the way.
    pub async fn publish_hot(&self, count: usize, fence: u64) -> Result<bool, Error> {
        let keys = self.keys.hot_notes();
        let (next, next_revisions) = (keys.next(fence), keys.next_revisions(fence));
        let touched = [
            &*keys.ranking,
            &*keys.revisions,
            &*keys.loading,
            &*keys.changes,
            &*next,
            &*next_revisions,
        ];
        let published = self.link.eval(&PUBLISH, &touched, (fence, count)).await;
        published.map_err(Error::during("publish hot notes"))
    }
}

/// Sixteen digits hold every id below 2^53.
fn member(note: NoteId) -> String {
    format!("{:016}", note.get())
}
