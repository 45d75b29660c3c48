//! Inboxes: the newest notes of those whom a person follows, a sorted set by the moment of publishing.
//!
//! Notes are padded to sixteen digits, so that read backwards those of one millisecond come by id, the newest first. Two
//! members are marks, below every note: `loaded` means that SQL was read, and without it the inbox does not exist; `cut`
//! means that SQL has older notes.
//!
//! A note is pushed into inboxes that are loaded; to one that is being loaded the push is a change it has missed, and
//! its load is void (see `follows.rs`). An inbox may name notes that are gone and people who are followed no longer:
//! its reader gets the rest from SQL.
//!
//! People whose notes are not pushed, because too many follow them, are in a set of their own. It is not emptied when
//! their fans leave them, because then nothing would show the notes from before.

use domain::{NoteId, UserId};
use link::Script;

use crate::keys::ViewKeys;
use crate::{Error, Kv};

static READ: Script = Script::new(include_str!("lua/read_feed.lua"));
static PUSH: Script = Script::new(include_str!("lua/push_to_feed.lua"));
static PUBLISH: Script = Script::new(include_str!("lua/publish_feed.lua"));

/// Notes in an inbox: more than users scroll through, and less than a hundred kilobytes.
pub const FEED_LENGTH: usize = 1_000;

/// Members that are no notes.
const MARKS: [&str; 2] = ["loaded", "cut"];

/// After every note of its millisecond.
const AFTER_ALL: NoteId = NoteId::new(i64::MAX);

/// From its load on, however much it is read: then it is loaded anew, which repairs whatever Redis has lost.
const KEPT_SECS: u64 = 3 * 24 * 3600;

/// A note in an inbox. The order of a feed: by time, then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeedItem {
    pub published_at_ms: i64,
    pub note: NoteId,
}

/// A part of an inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPart {
    /// Newest first.
    pub items: Vec<FeedItem>,
    /// Whether there are notes older than the inbox holds. Of a part that was read it is known where the inbox ends.
    pub is_cut: bool,
}

impl Kv {
    /// At most `count` notes right before a moment; `None` if SQL was not read yet. One round trip, and no script for the
    /// first page.
    pub async fn read_feed(
        &self,
        reader: UserId,
        before: FeedItem,
        count: usize,
    ) -> Result<Option<FeedPart>, Error> {
        let key = self.keys.feed(reader).view;
        if before.note == AFTER_ALL {
            return self.read_whole_moments(&key, before, count).await;
        }
        let args = (before.published_at_ms, member(before.note), count);
        let found: Option<Vec<i64>> = self
            .link
            .eval(&READ, &[&key], args)
            .await
            .map_err(Error::during("read a feed"))?;
        Ok(found.as_deref().and_then(part_of))
    }

    /// The notes of that millisecond and before it, so that none has to be told from the others by its id: one range holds
    /// them, and behind them, if there are too few, the marks. A full range needs no mark, because only a load fills an inbox.
    async fn read_whole_moments(
        &self,
        key: &str,
        before: FeedItem,
        count: usize,
    ) -> Result<Option<FeedPart>, Error> {
        let mut range = redis::cmd("ZREVRANGEBYSCORE");
        range.arg(key).arg(before.published_at_ms).arg("-inf");
        range.arg("WITHSCORES");
        range.arg("LIMIT").arg(0).arg(count + MARKS.len());
        let found: Vec<(String, f64)> = self
            .link
            .run(&range)
            .await
            .map_err(Error::during("read a feed"))?;
        let has = |mark: &str| found.iter().any(|(member, _)| member == mark);
        let [loaded, cut] = MARKS.map(has);
        let notes = found.iter().filter_map(|(member, ms)| {
            Some(FeedItem {
                published_at_ms: *ms as i64,
                note: NoteId::new(member.parse().ok()?),
            })
        });
        let items: Vec<FeedItem> = notes.take(count).collect();
        let is_loaded = loaded || items.len() == count;
        Ok(is_loaded.then_some(FeedPart { items, is_cut: cut }))
    }

    /// Adds a note to an inbox that is loaded.
    pub async fn push_to_feed(&self, reader: UserId, item: FeedItem) -> Result<(), Error> {
        let ViewKeys { view, loading } = self.keys.feed(reader);
        let args = (member(item.note), item.published_at_ms, FEED_LENGTH);
        let pushed = self.link.eval(&PUSH, &[&view, &loading], args).await;
        pushed.map_err(Error::during("push into a feed"))
    }

    /// Announces a load: SQL must be read after this.
    pub async fn begin_feed(&self, reader: UserId, load: u64) -> Result<(), Error> {
        let begun = self.begin_view(&self.keys.feed(reader), load).await;
        begun.map_err(Error::during("begin to load a feed"))
    }

    /// Publishes what was read from SQL. `false` if it is stale: something changed, or another load began.
    pub async fn publish_feed(
        &self,
        reader: UserId,
        load: u64,
        part: &FeedPart,
    ) -> Result<bool, Error> {
        let ViewKeys { view, loading } = self.keys.feed(reader);
        let is_cut = u8::from(part.is_cut).to_string();
        let mut args = vec![load.to_string(), KEPT_SECS.to_string(), is_cut];
        for item in &part.items {
            args.extend([member(item.note), item.published_at_ms.to_string()]);
        }
        let published = self.link.eval(&PUBLISH, &[&view, &loading], args).await;
        published.map_err(Error::during("publish a feed"))
    }

    /// Has the inboxes of these people loaded anew.
    pub async fn forget_feeds(&self, readers: &[UserId]) -> Result<(), Error> {
        let keys = readers.iter().map(|reader| self.keys.feed(*reader));
        let forgotten = self.forget_views(keys).await;
        forgotten.map_err(Error::during("forget feeds"))
    }

    /// From here on the author's notes are not in every inbox.
    pub async fn add_unpushed_author(&self, author: UserId) -> Result<(), Error> {
        let mut add = redis::cmd("SADD");
        add.arg(self.keys.unpushed_authors()).arg(author.get());
        let added = self.link.run(&add).await;
        added.map_err(Error::during("note an author who is not pushed"))
    }

    /// Those whose notes are to be looked for beside the inbox.
    pub async fn list_unpushed_authors(&self) -> Result<Vec<UserId>, Error> {
        let mut list = redis::cmd("SMEMBERS");
        list.arg(self.keys.unpushed_authors());
        let listed: Result<Vec<i64>, _> = self.link.run(&list).await;
        let listed = listed.map_err(Error::during("list authors who are not pushed"))?;
        Ok(listed.into_iter().map(UserId::new).collect())
    }

    /// For a caller that reloads every feed afterwards.
    pub async fn forget_unpushed_authors(&self) -> Result<(), Error> {
        let mut forget = redis::cmd("DEL");
        forget.arg(self.keys.unpushed_authors());
        let forgotten = self.link.run(&forget).await;
        forgotten.map_err(Error::during("forget authors who are not pushed"))
    }
}

/// Ids on the wire have sixteen digits at most.
fn member(note: NoteId) -> String {
    format!("{:016}", note.get())
}

fn part_of(found: &[i64]) -> Option<FeedPart> {
    let (is_cut, found) = found.split_first()?;
    let items = found.chunks_exact(2).map(|pair| FeedItem {
        published_at_ms: pair[1],
        note: NoteId::new(pair[0]),
    });
    Some(FeedPart {
        items: items.collect(),
        is_cut: *is_cut == 1,
    })
}
