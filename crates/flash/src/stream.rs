//! Reads the stream of a partition as the one consumer of a group.
//!
//! Nothing is thought to be read because Redis said so once: an answer may get lost, a predecessor may have died with
//! entries in its hands, a predecessor that was paused may wake up and help itself. All of these leave entries that are
//! delivered and not acknowledged, so [`StreamReader::reclaim`] makes it begin with everything that is pending,
//! whoever had it. What the caller still has in hand comes again then, and is for the caller to skip.

mod acknowledge;
pub(crate) mod barrier;
pub(crate) mod entry;
mod reply;
mod unknown_version;

use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

use link::{Blocking, Link, LinkError, Script};
use redis::Value;

use crate::{Keys, Partition};
pub(crate) use acknowledge::{Settled, Settler};
pub(crate) use reply::RawEntry;
use reply::{Entries, Listed, Page};
pub(crate) use unknown_version::UnknownVersions;

static CREATE_GROUP: Script = Script::new(include_str!("lua/create_group.lua"));

/// Entries that were written in a range of time, by the clock of Redis; at most `max`.
pub(crate) async fn read_range(
    link: &Link,
    stream: &str,
    written_ms: Range<i64>,
    max: usize,
) -> Result<Vec<RawEntry>, LinkError> {
    let mut cmd = redis::cmd("XRANGE");
    cmd.arg(stream).arg(written_ms.start.max(0));
    cmd.arg(written_ms.end.max(0)).arg("COUNT").arg(max);
    let Listed(entries) = link.run(&cmd).await?;
    Ok(entries)
}

/// Where `XAUTOCLAIM` begins, and what it answers at the end.
const BEGINNING: &str = "0-0";

/// What one reading found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) entries: Vec<RawEntry>,
    /// Entries that somebody deleted before anybody acknowledged them: orders are lost.
    pub(crate) lost: usize,
    /// The group was gone and everything that is in the stream comes again.
    pub(crate) group_was_gone: bool,
}

#[derive(Debug)]
pub(crate) struct StreamReader {
    link: Link,
    /// Reading waits on the server, so it has a connection to itself.
    blocking: Blocking,
    stream: String,
    group: &'static str,
    /// Unique, so that what a predecessor has in hand can be told from what this one has.
    consumer: String,
    /// How far the pending entries were taken over, until all of them are.
    takeover: Option<String>,
    has_group: bool,
}

impl StreamReader {
    pub(crate) fn new(link: &Link, keys: &Keys, partition: Partition, group: &'static str) -> Self {
        Self {
            blocking: link.blocking(),
            link: link.clone(),
            stream: keys.orders(partition),
            group,
            consumer: format!("{:016x}", rand::random::<u64>()),
            takeover: Some(BEGINNING.to_owned()),
            has_group: false,
        }
    }

    /// Begins again with everything that is pending.
    pub(crate) fn reclaim(&mut self) {
        self.takeover = Some(BEGINNING.to_owned());
    }

    /// At most about `max` entries; none if there is nothing for `wait`.
    pub(crate) async fn next(&mut self, max: usize, wait: Duration) -> Result<Found, LinkError> {
        if !self.has_group {
            self.create_group().await?;
        }
        let found = match self.takeover.take() {
            Some(cursor) => self.take_over(cursor, max).await,
            None => self.read_new(max, wait).await,
        };
        match found {
            Err(error) if error.code() == Some("NOGROUP") => {
                self.has_group = false;
                self.reclaim();
                Ok(Found {
                    group_was_gone: true,
                    ..Found::default()
                })
            }
            Err(error) => {
                // The answer may have been lost on the way, with entries in it.
                self.reclaim();
                Err(error)
            }
            found => found,
        }
    }

    /// Whether others have entries in hand, which nobody but the reader should.
    pub(crate) async fn is_alone(&self) -> Result<bool, LinkError> {
        let mut cmd = redis::cmd("XPENDING");
        cmd.arg(&self.stream).arg(self.group);
        type Summary = (u64, Value, Value, Option<Vec<(String, u64)>>);
        let (.., consumers): Summary = self.link.run(&cmd).await?;
        let consumers = consumers.unwrap_or_default();
        Ok(consumers.iter().all(|(name, _)| *name == self.consumer))
    }

    /// Takes leave of the group, if nothing is in our hands; what is there is kept for whoever comes next.
    pub(crate) async fn leave(&self) -> Result<(), LinkError> {
        acknowledge::leave(&self.link, &self.stream, self.group, &self.consumer).await
    }

    async fn create_group(&mut self) -> Result<(), LinkError> {
        let keys = [self.stream.as_str()];
        let _made: i64 = self.link.eval(&CREATE_GROUP, &keys, self.group).await?;
        self.has_group = true;
        Ok(())
    }

    async fn take_over(&mut self, cursor: String, max: usize) -> Result<Found, LinkError> {
        let mut cmd = redis::cmd("XAUTOCLAIM");
        cmd.arg(&self.stream).arg(self.group).arg(&self.consumer);
        cmd.arg(0).arg(cursor).arg("COUNT").arg(max);
        let page: Page = self.link.run(&cmd).await?;
        if page.cursor != BEGINNING {
            self.takeover = Some(page.cursor);
        } else if let Err(error) = self.dismiss_others().await {
            tracing::debug!(%error, "names of earlier readers stay for now");
        }
        Ok(Found {
            entries: page.entries,
            lost: page.deleted,
            group_was_gone: false,
        })
    }

    /// Removes the names of readers before: whoever was killed left one, and what it had in hand is taken over. One that
    /// has helped itself since keeps its name, and one that comes back gets it again.
    async fn dismiss_others(&self) -> Result<(), LinkError> {
        let mut cmd = redis::cmd("XINFO");
        cmd.arg("CONSUMERS").arg(&self.stream).arg(self.group);
        let consumers: Vec<HashMap<String, Value>> = self.link.run(&cmd).await?;
        for mut consumer in consumers {
            let name = consumer
                .remove("name")
                .map(redis::from_redis_value::<String>);
            if let Some(Ok(name)) = name
                && name != self.consumer
            {
                acknowledge::leave(&self.link, &self.stream, self.group, &name).await?;
            }
        }
        Ok(())
    }

    async fn read_new(&mut self, max: usize, wait: Duration) -> Result<Found, LinkError> {
        let mut cmd = redis::cmd("XREADGROUP");
        cmd.arg("GROUP").arg(self.group).arg(&self.consumer);
        cmd.arg("COUNT").arg(max);
        if !wait.is_zero() {
            let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            cmd.arg("BLOCK").arg(wait_ms.max(1));
        }
        cmd.arg("STREAMS").arg(&self.stream).arg(">");
        let Entries(entries) = self.blocking.run(&cmd, wait).await?;
        Ok(Found {
            entries,
            ..Found::default()
        })
    }
}
