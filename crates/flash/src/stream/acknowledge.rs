//! Acknowledges entries: XACK, XDEL and the backlog counter, in one script.
//!
//! An entry stays in the stream until the ledger has its orders, whatever the transport. The script lowers the backlog by
//! the entries that it really deletes, so a redelivered entry counts once.

use std::collections::BTreeMap;

use link::{Link, LinkError, Script};

use super::entry::{EntryId, Undecodable};
use crate::{Keys, Partition, meter};

/// Lua's stack bounds the arguments of one call; a thousand ids are far from it.
const IDS_PER_CALL: usize = 1_000;

/// How long a passed barrier waits to be read; no caller waits longer.
const BARRIER_TTL_MS: u64 = 60_000;

static ACKNOWLEDGE: Script = Script::new(include_str!("../lua/acknowledge.lua"));
static DEAD_LETTER: Script = Script::new(include_str!("../lua/dead_letter_entry.lua"));
static PASS_BARRIER: Script = Script::new(include_str!("../lua/pass_barrier.lua"));
static RESET_BACKLOG: Script = Script::new(include_str!("../lua/reset_backlog.lua"));
static DELETE_CONSUMER: Script = Script::new(include_str!("../lua/delete_consumer.lua"));

/// Identifies an entry to acknowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Acknowledgement {
    pub(crate) id: EntryId,
    /// The delivery tag of a broker.
    pub(crate) tag: u64,
    pub(crate) orders: usize,
}

/// Acknowledges entries of a partition that a consumer group has read.
#[derive(Clone, Debug)]
pub(crate) struct Acknowledger {
    link: Link,
    keys: Keys,
    partition: Partition,
    group: &'static str,
}

impl Acknowledger {
    pub(crate) fn new(link: &Link, keys: &Keys, partition: Partition, group: &'static str) -> Self {
        Self {
            link: link.clone(),
            keys: keys.clone(),
            partition,
            group,
        }
    }

    /// To be called when the orders of these entries are in the ledger, and not before. Idempotent.
    pub(crate) async fn acknowledge(&self, entries: &[Acknowledgement]) -> Result<(), LinkError> {
        for chunk in entries.chunks(IDS_PER_CALL) {
            let args = ack_args(self.group, chunk);
            let left: i64 = self
                .link
                .eval(&ACKNOWLEDGE, &self.backlog_keys(), args)
                .await?;
            meter::backlog(self.partition, left.max(0).unsigned_abs());
        }
        Ok(())
    }

    /// Moves an entry that cannot be decoded to the dead-letter stream.
    pub(crate) async fn dead_letter(&self, id: EntryId, why: Undecodable) -> Result<(), LinkError> {
        let [orders, backlog] = self.backlog_keys();
        let keys = [orders, backlog, self.keys.dead_letters(self.partition)];
        let args = (self.group, id.to_string(), why.to_string());
        self.link.eval(&DEAD_LETTER, &keys, args).await
    }

    /// Notifies the caller that waits for a barrier; `false` if an entry before it is still pending.
    pub(crate) async fn pass_barrier(&self, id: EntryId, nonce: &str) -> Result<bool, LinkError> {
        let keys = [
            self.keys.orders(self.partition),
            self.keys.barrier(self.partition, nonce),
        ];
        let args = (self.group, id.to_string(), nonce, BARRIER_TTL_MS);
        self.link.eval(&PASS_BARRIER, &keys, args).await
    }

    /// Resets the backlog counter if the stream is empty. Returns by how many orders it was wrong: so many were granted and
    /// their entries disappeared before a consumer read them.
    pub(crate) async fn reset_backlog(&self) -> Result<i64, LinkError> {
        let nothing: [&str; 0] = [];
        let keys = self.backlog_keys();
        self.link.eval(&RESET_BACKLOG, &keys, &nothing[..]).await
    }

    fn backlog_keys(&self) -> [String; 2] {
        [
            self.keys.orders(self.partition),
            self.keys.backlog(self.partition),
        ]
    }
}

/// The group, then for each number of orders: the number, how many entries have it, and these.
fn ack_args(group: &str, entries: &[Acknowledgement]) -> Vec<String> {
    let mut by_orders: BTreeMap<usize, Vec<EntryId>> = BTreeMap::new();
    for entry in entries {
        by_orders.entry(entry.orders).or_default().push(entry.id);
    }
    let mut args = vec![group.to_owned()];
    for (orders, ids) in by_orders {
        args.extend([orders.to_string(), ids.len().to_string()]);
        args.extend(ids.iter().map(EntryId::to_string));
    }
    args
}

/// Deletes a consumer without pending entries; Redis would delete pending entries together with it.
pub(super) async fn delete_consumer(
    link: &Link,
    stream: &str,
    group: &str,
    consumer: &str,
) -> Result<(), LinkError> {
    link.eval(&DELETE_CONSUMER, &[stream], (group, consumer))
        .await
}
