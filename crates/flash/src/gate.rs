//! The gate: what Redis knows of a sale, and the one script that decides who gets a piece.
//!
//! # What is there
//! Per sale and bucket, in the partition of the bucket, a hash `sale:<id>` whose fields are
//!
//! | field | |
//! |---|---|
//! | `state` | `loading` or `open`; nothing is sold unless it is `open` |
//! | `load` | the ledger's epoch at the load that wrote it, against loaders that come late |
//! | `master` | the replication id of the master that it was loaded on; on any other it counts as not loaded |
//! | `epoch` | begins at `load × 2^20`; rises whenever pieces or forgotten buyers may have come back, or the terms have changed |
//! | `spread` | over how many buckets the sale is spread; whoever believes otherwise asks in the wrong place |
//! | `stock` | pieces nobody holds |
//! | `initial` | `stock` + live items of the buyers, always |
//! | `total` | in bucket 0: the ledger's `initial`, for which all buckets together stand |
//! | `begin`, `end` | the window, in milliseconds; `begin <= now < end` by the clock of Redis |
//! | `limit` | live items a buyer may hold |
//! | `shelf` | `1`, or `0` for a sale that was taken off: it has ended for everybody |
//! | `terms` | the ledger's epoch of the terms last applied |
//! | `withheld`, `withheld_until` | in bucket 0: pieces taken out for a ledger that is about to have fewer, and until when it may take (ms) |
//!
//! and a hash `buyers:<id>` from buyer to [items](Item). A message `<sale>:<epoch>` on the partition's `epochs` channel
//! follows every rise of an epoch.
//!
//! # How it decides
//! In the order of the batch, for each claimant: the same order id again is granted again; the same key is granted
//! under the earlier id; whoever holds as many pieces as the limit allows is told so, with the latest id; then the
//! window, then the stock. So whoever bought gets the order back, whatever has happened to the sale since, and a call
//! whose answer was lost is repeated rather than guessed.
//!
//! # How it fails
//! A script runs as a whole or, refused by a server that takes no writes, not at all. An append-only file has all its
//! effects or none.
//!
//! A replica that takes over may lack the last of these effects, and a server that was restarted may have lost some. Redis
//! gives itself a new replication id in both cases, so the gate that such a server has is another master's, and the sale is
//! loaded from the ledger before it goes on. Each script that sells or moves pieces asks its own server for that id:
//! what a connection saw when it was opened may be out of date.

pub(crate) mod adjust;
pub(crate) mod amend;
pub(crate) mod bucket;
mod item;
pub(crate) mod known_sales;
mod reply;
pub(crate) mod return_units;
pub(crate) mod spread;
pub(crate) mod state;
#[cfg(test)]
mod tests;

use std::io::Write as _;

use link::{Fate, Link, LinkError, Script};
use redis::{Pipeline, RedisWrite, ToRedisArgs};
use thiserror::Error;

pub(crate) use item::items;
pub(crate) use reply::{Decision, Reply, Verdict};

use crate::gate::known_sales::Bucket;
use crate::{BuyerId, KeyHash, OrderId, SaleId};

static CLAIM: Script = Script::new(include_str!("lua/claim.lua"));
static CURRENT: Script = Script::new(include_str!("lua/current.lua"));

/// Whoever wants a piece, and the id of the order if there will be one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claimant {
    pub(crate) buyer: BuyerId,
    pub(crate) order: OrderId,
    pub(crate) key: Option<KeyHash>,
}

/// Claimants of one bucket of one sale.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    pub(crate) sale: SaleId,
    pub(crate) spread: u16,
    pub(crate) claimants: &'a [Claimant],
}

/// Why there is no decision.
#[derive(Debug, Error)]
pub(crate) enum GateError {
    #[error("the gate could not be asked")]
    Link(#[from] LinkError),
    #[error("the gate's answer cannot be read")]
    Garbled,
}

impl GateError {
    /// Whether the script certainly did nothing.
    pub(crate) fn is_without_effect(&self) -> bool {
        match self {
            // The script makes its first write last of all it decides, so a refusal comes before any effect.
            Self::Link(error) => matches!(error.fate(), Fate::NotSent | Fate::Refused),
            Self::Garbled => false,
        }
    }
}

/// Asks the gate of a bucket. Asking again with the same batch gets the same answer.
pub(crate) async fn ask(
    link: &Link,
    bucket: &Bucket,
    partition_keys: &PartitionKeys,
    batch: &Batch<'_>,
) -> Result<Reply, GateError> {
    let keys = [
        bucket.sale_key.as_str(),
        bucket.buyers_key.as_str(),
        partition_keys.orders.as_str(),
        partition_keys.backlog.as_str(),
    ];
    let answer: Vec<u8> = link.eval(&CLAIM, &keys, batch).await?;
    Reply::read(&answer, batch.claimants).ok_or(GateError::Garbled)
}

/// Appends a question for fields of a gate; the answer is nil if the gate belongs to another master, or does not exist.
///
/// By source, because a pipeline cannot be repeated for a server that does not know the script: it is short.
pub(crate) fn ask_fields(pipeline: &mut Pipeline, sale_key: &str, fields: &[&str]) {
    let eval = pipeline.cmd("EVAL").arg(CURRENT.source());
    eval.arg(1).arg(sale_key).arg(fields);
}

/// Keys of a partition that every call names.
#[derive(Debug)]
pub(crate) struct PartitionKeys {
    pub(crate) orders: String,
    pub(crate) backlog: String,
}

impl ToRedisArgs for Batch<'_> {
    fn write_redis_args<W: ?Sized + RedisWrite>(&self, out: &mut W) {
        self.sale.0.write_redis_args(out);
        self.spread.write_redis_args(out);
        for claimant in self.claimants {
            claimant.buyer.0.write_redis_args(out);
        }
        for claimant in self.claimants {
            let mut tail = out.writer_for_next_arg();
            let written = match claimant.key {
                Some(key) => write!(tail, "{}:{key}", claimant.order),
                None => write!(tail, "{}:", claimant.order),
            };
            written.expect("memory takes what is written to it");
        }
    }
}
