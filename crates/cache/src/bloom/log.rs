//! The announcement log: a short stream of new ids in Redis, and its tip.
//!
//! Every announcement has a new random tip and names the tip before it. A process whose tip equals the one in Redis has
//! every id; another process reads the entries after its tip. If the chain does not connect the two (the log was trimmed or
//! flushed, or a failover lost entries), the reader gets [`Announcements::Gap`] and rebuilds its filter.

use std::time::{Duration, Instant};

use link::{Link, LinkError, Script};
use redis::streams::{StreamId, StreamRangeReply};

use crate::{Key, breaker::Breaker};

static ANNOUNCE: Script = Script::new(include_str!("announce.lua"));
static BEGIN: Script = Script::new(include_str!("begin.lua"));

/// Announcements that the log keeps; a process further behind rebuilds its filter, which is no slower.
const LOG_ENTRIES: usize = 10_000;

/// How long a read of an absent id may wait for Redis. At the timeout the id passes, which costs one call of the loader.
const TIMEOUT: Duration = Duration::from_millis(500);

pub(super) struct AnnouncementLog {
    link: Link,
    keys: [String; 2],
    breaker: Breaker,
}

/// The position up to which a process has read the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) tip: String,
    /// The stream id of the entry with that tip, or `0-0`.
    position: String,
}

/// The announcements after a mark.
pub(super) enum Announcements<K> {
    UpToDate,
    /// These ids, up to that mark.
    New(Vec<K>, Mark),
    /// The chain is broken.
    Gap,
}

impl AnnouncementLog {
    pub(super) fn new(link: Link, prefix: &str, name: &str) -> Self {
        let key = |what| format!("{prefix}bloom:{{{name}}}:{what}");
        Self {
            link,
            keys: [key("tip"), key("log")],
            breaker: Breaker::new(Instant::now()),
        }
    }

    pub(super) async fn announce<K: Key>(&self, ids: &[K]) -> Result<(), LinkError> {
        let mut args = vec![random_tip(), LOG_ENTRIES.to_string()];
        args.extend(ids.iter().map(ToString::to_string));
        self.link.eval(&ANNOUNCE, &self.keys, args).await
    }

    /// Breaks the chain, so that all processes rebuild their filters.
    pub(super) async fn reset(&self) -> Result<(), LinkError> {
        let mut both = redis::pipe();
        both.atomic();
        both.set(&self.keys[0], random_tip()).ignore();
        both.del(&self.keys[1]).ignore();
        self.link.pipe(&both).await
    }

    /// Returns the mark at which a new filter starts, and all ids in the log. Those may belong to rows that are not committed
    /// yet, which a query of the store would miss.
    pub(super) async fn read_all<K: Key>(&self) -> Result<(Vec<K>, Mark), LinkError> {
        let args = [random_tip()];
        let (tip, log): (String, StreamRangeReply) =
            self.link.eval(&BEGIN, &self.keys, &args[..]).await?;
        let position = log.ids.last().map_or("0-0", |entry| &entry.id).to_owned();
        let ids = log.ids.iter().filter_map(id_of).collect();
        Ok((ids, Mark { tip, position }))
    }

    /// The present tip; `None` if Redis is unavailable.
    pub(super) async fn tip(&self) -> Option<String> {
        // An empty tip matches no mark: a flushed Redis is a gap.
        let tip: Option<String> = self.call(redis::cmd("GET").arg(&self.keys[0])).await?;
        Some(tip.unwrap_or_default())
    }

    /// Reads the announcements after the mark; `None` if Redis is unavailable.
    pub(super) async fn read_after<K: Key>(&self, mark: &Mark) -> Option<Announcements<K>> {
        let tip = self.tip().await?;
        if tip == mark.tip {
            return Some(Announcements::UpToDate);
        }
        let mut range = redis::cmd("XRANGE");
        let after = format!("({}", mark.position);
        range.arg(&self.keys[1]).arg(after).arg("+");
        let found: StreamRangeReply = self.call(&range).await?;
        Some(
            follow_chain(mark, &tip, &found.ids).map_or(Announcements::Gap, |(ids, mark)| {
                Announcements::New(ids, mark)
            }),
        )
    }

    async fn call<T: redis::FromRedisValue>(&self, cmd: &redis::Cmd) -> Option<T> {
        if !self.breaker.admits(Instant::now()) {
            return None;
        }
        match tokio::time::timeout(TIMEOUT, self.link.run(cmd)).await {
            Ok(Ok(reply)) => {
                self.breaker.succeeded();
                Some(reply)
            }
            _ => {
                self.breaker.failed(Instant::now());
                None
            }
        }
    }
}

/// Follows the chain from the mark to the last entry. The chain must contain `tip`, which was read before the entries.
fn follow_chain<K: Key>(mark: &Mark, tip: &str, found: &[StreamId]) -> Option<(Vec<K>, Mark)> {
    let mut mark = mark.clone();
    let mut ids = Vec::with_capacity(found.len());
    let mut has_tip = false;
    for entry in found {
        if text(entry, "before")? != mark.tip {
            return None;
        }
        ids.push(id_of(entry)?);
        mark = Mark {
            tip: text(entry, "tip")?,
            position: entry.id.clone(),
        };
        has_tip |= mark.tip == tip;
    }
    has_tip.then_some((ids, mark))
}

fn id_of<K: Key>(entry: &StreamId) -> Option<K> {
    text(entry, "id")?.parse().ok()
}

fn text(entry: &StreamId, field: &str) -> Option<String> {
    entry.get(field)
}

fn random_tip() -> String {
    format!("{:032x}", rand::random::<u128>())
}
