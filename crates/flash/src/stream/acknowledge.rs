//! The end of an entry's way: it is acknowledged, deleted and taken off the backlog in one script.
//!
//! An entry stays in the stream until the ledger has its orders, whatever transport carries it there. Settling lowers
//! the backlog by what it really deletes, so an entry that comes twice is counted once.

use std::collections::BTreeMap;

use link::{Link, LinkError, Script};

use super::entry::{EntryId, Undecodable};
use crate::{Keys, Partition, meter};

/// Lua's stack bounds the arguments of one call; a thousand ids are far from it.
const IDS_PER_CALL: usize = 1_000;

/// How long the word of a barrier waits for whoever asked; nobody waits longer.
const BARRIER_TTL_MS: u64 = 60_000;

static SETTLE: Script = Script::new(include_str!("../lua/ack.lua"));
static DISCARD: Script = Script::new(include_str!("../lua/undecodable.lua"));
static PASS_BARRIER: Script = Script::new(include_str!("../lua/pass_barrier.lua"));
static RECOUNT: Script = Script::new(include_str!("../lua/recount.lua"));
static LEAVE: Script = Script::new(include_str!("../lua/leave.lua"));

/// An entry that is over and done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) id: EntryId,
    /// The number under which a broker delivered it.
    pub(crate) tag: u64,
    pub(crate) orders: usize,
}

/// Settles entries of a partition that a group has read.
#[derive(Clone, Debug)]
pub(crate) struct Settler {
    link: Link,
    keys: Keys,
    partition: Partition,
    group: &'static str,
}

impl Settler {
    pub(crate) fn new(link: &Link, keys: &Keys, partition: Partition, group: &'static str) -> Self {
        Self {
            link: link.clone(),
            keys: keys.clone(),
            partition,
            group,
        }
    }

    /// To be called when the orders of these entries are in the ledger, and not before. Repeating it changes nothing.
    pub(crate) async fn settle(&self, settled: &[Settled]) -> Result<(), LinkError> {
        for chunk in settled.chunks(IDS_PER_CALL) {
            let args = settle_args(self.group, chunk);
            let left: i64 = self.link.eval(&SETTLE, &self.backlog_keys(), args).await?;
            meter::backlog(self.partition, left.max(0).unsigned_abs());
        }
        Ok(())
    }

    /// Keeps an entry that nobody can read with the dead ones, and makes way for the next.
    pub(crate) async fn discard(&self, id: EntryId, why: Undecodable) -> Result<(), LinkError> {
        let [orders, backlog] = self.backlog_keys();
        let keys = [orders, backlog, self.keys.dead(self.partition)];
        let args = (self.group, id.to_string(), why.to_string());
        self.link.eval(&DISCARD, &keys, args).await
    }

    /// Tells whoever waits on a barrier, unless an entry before it is still in somebody's hands.
    pub(crate) async fn pass_barrier(&self, id: EntryId, nonce: &str) -> Result<bool, LinkError> {
        let keys = [
            self.keys.orders(self.partition),
            self.keys.barrier(self.partition, nonce),
        ];
        let args = (self.group, id.to_string(), nonce, BARRIER_TTL_MS);
        self.link.eval(&PASS_BARRIER, &keys, args).await
    }

    /// Brings the backlog in line if nothing is on its way, and says by how many orders it was wrong: that many were
    /// granted and went missing before anybody read them.
    pub(crate) async fn recount(&self) -> Result<i64, LinkError> {
        let nothing: [&str; 0] = [];
        let keys = self.backlog_keys();
        self.link.eval(&RECOUNT, &keys, &nothing[..]).await
    }

    fn backlog_keys(&self) -> [String; 2] {
        [
            self.keys.orders(self.partition),
            self.keys.backlog(self.partition),
        ]
    }
}

/// The group, then for each number of orders: the number, how many entries have it, and these.
fn settle_args(group: &str, settled: &[Settled]) -> Vec<String> {
    let mut by_orders: BTreeMap<usize, Vec<EntryId>> = BTreeMap::new();
    for entry in settled {
        by_orders.entry(entry.orders).or_default().push(entry.id);
    }
    let mut args = vec![group.to_owned()];
    for (orders, ids) in by_orders {
        args.extend([orders.to_string(), ids.len().to_string()]);
        args.extend(ids.iter().map(EntryId::to_string));
    }
    args
}

/// Removes a consumer that has nothing in hand; its pending entries would go with it otherwise.
pub(super) async fn leave(
    link: &Link,
    stream: &str,
    group: &str,
    consumer: &str,
) -> Result<(), LinkError> {
    link.eval(&LEAVE, &[stream], (group, consumer)).await
}
