//! Reads the stream of a partition as the one consumer of a group.
//!
//! A delivery proves nothing: a reply may get lost, a predecessor may have died with entries in flight, a paused
//! predecessor may wake up and read more. All of these leave entries that are delivered and not acknowledged, so
//! [`StreamReader::reclaim`] starts again with everything that is pending, for whichever consumer. Entries that the caller
//! has in flight are then redelivered, and the caller skips them.

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
pub(crate) use acknowledge::{Acknowledgement, Acknowledger};
pub(crate) use reply::RawEntry;
use reply::{AutoClaimReply, RangeReply, ReadGroupReply};
pub(crate) use unknown_version::UnknownVersions;

static ACKNOWLEDGE_DELETED: Script = Script::new(include_str!("lua/acknowledge_deleted.lua"));
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
    let RangeReply(entries) = link.run(&cmd).await?;
    Ok(entries)
}

/// Where `XAUTOCLAIM` begins, and what it replies at the end.
const BEGINNING: &str = "0-0";

/// The result of one read.
#[derive(Debug, Default)]
pub(crate) struct StreamRead {
    pub(crate) entries: Vec<RawEntry>,
    /// Entries that were deleted before they were acknowledged: orders are lost.
    pub(crate) lost: usize,
    /// The consumer group was gone; everything in the stream is redelivered.
    pub(crate) group_was_gone: bool,
}

#[derive(Debug)]
pub(crate) struct StreamReader {
    link: Link,
    /// Blocking reads have a connection of their own.
    blocking: Blocking,
    stream: String,
    group: &'static str,
    /// Unique, so that entries pending for a predecessor can be distinguished from those of this consumer.
    consumer: String,
    /// Cursor of `XAUTOCLAIM`, until all pending entries are claimed.
    claim_cursor: Option<String>,
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
            claim_cursor: Some(BEGINNING.to_owned()),
            has_group: false,
        }
    }

    /// Starts again with everything that is pending.
    pub(crate) fn reclaim(&mut self) {
        self.claim_cursor = Some(BEGINNING.to_owned());
    }

    /// At most about `max` entries; none if there is nothing for `wait`.
    pub(crate) async fn next(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<StreamRead, LinkError> {
        if !self.has_group {
            self.create_group().await?;
        }
        let result = match self.claim_cursor.take() {
            Some(cursor) => self.claim_pending(cursor, max).await,
            None => self.read_new(max, wait).await,
        };
        match result {
            Err(error) if error.code() == Some("NOGROUP") => {
                self.has_group = false;
                self.reclaim();
                Ok(StreamRead {
                    group_was_gone: true,
                    ..StreamRead::default()
                })
            }
            Err(error) => {
                // The reply may have been lost, with entries in it.
                self.reclaim();
                Err(error)
            }
            result => result,
        }
    }

    /// Whether all pending entries are pending for this consumer.
    pub(crate) async fn is_only_consumer(&self) -> Result<bool, LinkError> {
        let mut cmd = redis::cmd("XPENDING");
        cmd.arg(&self.stream).arg(self.group);
        type Summary = (u64, Value, Value, Option<Vec<(String, u64)>>);
        let (.., consumers): Summary = self.link.run(&cmd).await?;
        let consumers = consumers.unwrap_or_default();
        Ok(consumers.iter().all(|(name, _)| *name == self.consumer))
    }

    /// Leaves the consumer group, unless entries are pending for this consumer: those stay for the next one.
    pub(crate) async fn leave_group(&self) -> Result<(), LinkError> {
        acknowledge::delete_consumer(&self.link, &self.stream, self.group, &self.consumer).await
    }

    async fn create_group(&mut self) -> Result<(), LinkError> {
        let keys = [self.stream.as_str()];
        let _made: i64 = self.link.eval(&CREATE_GROUP, &keys, self.group).await?;
        self.has_group = true;
        Ok(())
    }

    async fn claim_pending(&mut self, cursor: String, max: usize) -> Result<StreamRead, LinkError> {
        let mut cmd = redis::cmd("XAUTOCLAIM");
        cmd.arg(&self.stream).arg(self.group).arg(&self.consumer);
        cmd.arg(0).arg(&cursor).arg("COUNT").arg(max);
        let page: AutoClaimReply = self.link.run(&cmd).await?;
        if page.still_pending {
            self.acknowledge_deleted(&cursor, max).await?;
        }
        if page.cursor != BEGINNING {
            self.claim_cursor = Some(page.cursor);
        } else if let Err(error) = self.delete_other_consumers().await {
            tracing::debug!(%error, "consumers of earlier drain workers not deleted, retrying");
        }
        Ok(StreamRead {
            entries: page.entries,
            lost: page.deleted,
            group_was_gone: false,
        })
    }

    /// Acknowledges what is deleted among the entries that were claimed from this cursor on. Redis 7 does so by itself.
    async fn acknowledge_deleted(&self, cursor: &str, max: usize) -> Result<(), LinkError> {
        let keys = [self.stream.as_str()];
        let args = (self.group, self.consumer.as_str(), cursor, max);
        let _count: i64 = self.link.eval(&ACKNOWLEDGE_DELETED, &keys, args).await?;
        Ok(())
    }

    /// Deletes the consumers of earlier workers: a killed worker leaves one behind, and its entries are claimed by now. One
    /// that has read since stays, and one that comes back is created again.
    async fn delete_other_consumers(&self) -> Result<(), LinkError> {
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
                acknowledge::delete_consumer(&self.link, &self.stream, self.group, &name).await?;
            }
        }
        Ok(())
    }

    async fn read_new(&mut self, max: usize, wait: Duration) -> Result<StreamRead, LinkError> {
        let mut cmd = redis::cmd("XREADGROUP");
        cmd.arg("GROUP").arg(self.group).arg(&self.consumer);
        cmd.arg("COUNT").arg(max);
        if !wait.is_zero() {
            let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            cmd.arg("BLOCK").arg(wait_ms.max(1));
        }
        cmd.arg("STREAMS").arg(&self.stream).arg(">");
        let ReadGroupReply(entries) = self.blocking.run(&cmd, wait).await?;
        Ok(StreamRead {
            entries,
            ..StreamRead::default()
        })
    }
}
