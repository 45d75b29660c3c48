//! How processes tell each other of new ids: a short log in Redis, and its tip.
//!
//! Every announcement draws a new random tip and names the one before. A process whose own tip is the one in Redis has
//! heard of every id; another one reads what follows its tip. If the chain does not lead from the one to the other (the
//! log was trimmed, or flushed, or went back in time with a failover), it is told so and builds its filter anew.

use std::time::{Duration, Instant};

use link::{Link, LinkError, Script};
use redis::streams::{StreamId, StreamRangeReply};

use crate::{Key, breaker::Breaker};

static ANNOUNCE: Script = Script::new(include_str!("announce.lua"));
static BEGIN: Script = Script::new(include_str!("begin.lua"));

/// Announcements kept for those who did not look for a while; further behind, building anew is no slower.
const LOG_ENTRIES: usize = 10_000;

/// How long one who asks for an absent id may wait for Redis. Not knowing means asking the loader, which is no disaster.
const TIMEOUT: Duration = Duration::from_millis(500);

pub(super) struct Log {
    link: Link,
    keys: [String; 2],
    breaker: Breaker,
}

/// How far a process has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) tip: String,
    /// The entry of the log with that tip, or the beginning.
    position: String,
}

/// What follows a mark.
pub(super) enum News<K> {
    None,
    /// These ids, up to that mark.
    Ids(Vec<K>, Mark),
    /// The chain is broken.
    Gap,
}

impl Log {
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

    /// Breaks the chain for everybody.
    pub(super) async fn start_over(&self) -> Result<(), LinkError> {
        let mut both = redis::pipe();
        both.atomic();
        both.set(&self.keys[0], random_tip()).ignore();
        both.del(&self.keys[1]).ignore();
        self.link.pipe(&both).await
    }

    /// Where a filter that is built from now on begins, and the ids of late. Those may belong to rows that are not
    /// committed yet, which a look at the store would miss.
    pub(super) async fn begin<K: Key>(&self) -> Result<(Vec<K>, Mark), LinkError> {
        let args = [random_tip()];
        let (tip, log): (String, StreamRangeReply) =
            self.link.eval(&BEGIN, &self.keys, &args[..]).await?;
        let position = log.ids.last().map_or("0-0", |entry| &entry.id).to_owned();
        let ids = log.ids.iter().filter_map(id_of).collect();
        Ok((ids, Mark { tip, position }))
    }

    /// The present tip, or nothing if Redis cannot be asked.
    pub(super) async fn tip(&self) -> Option<String> {
        // An empty tip is nobody's: a flushed Redis leads to a gap.
        let tip: Option<String> = self.ask(redis::cmd("GET").arg(&self.keys[0])).await?;
        Some(tip.unwrap_or_default())
    }

    /// What was announced after the mark, or nothing if Redis cannot be asked.
    pub(super) async fn news<K: Key>(&self, mark: &Mark) -> Option<News<K>> {
        let tip = self.tip().await?;
        if tip == mark.tip {
            return Some(News::None);
        }
        let mut range = redis::cmd("XRANGE");
        let after = format!("({}", mark.position);
        range.arg(&self.keys[1]).arg(after).arg("+");
        let found: StreamRangeReply = self.ask(&range).await?;
        Some(follow(mark, &tip, &found.ids).map_or(News::Gap, |(ids, mark)| News::Ids(ids, mark)))
    }

    async fn ask<T: redis::FromRedisValue>(&self, cmd: &redis::Cmd) -> Option<T> {
        if !self.breaker.admits(Instant::now()) {
            return None;
        }
        match tokio::time::timeout(TIMEOUT, self.link.run(cmd)).await {
            Ok(Ok(answer)) => {
                self.breaker.succeeded();
                Some(answer)
            }
            _ => {
                self.breaker.failed(Instant::now());
                None
            }
        }
    }
}

/// Follows the chain from the mark to the end of what was found. It must come by the tip, which was there before.
fn follow<K: Key>(mark: &Mark, tip: &str, found: &[StreamId]) -> Option<(Vec<K>, Mark)> {
    let mut mark = mark.clone();
    let mut ids = Vec::with_capacity(found.len());
    let mut came_by = false;
    for entry in found {
        if text(entry, "before")? != mark.tip {
            return None;
        }
        ids.push(id_of(entry)?);
        mark = Mark {
            tip: text(entry, "tip")?,
            position: entry.id.clone(),
        };
        came_by |= mark.tip == tip;
    }
    came_by.then_some((ids, mark))
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
