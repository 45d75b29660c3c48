//! The gate: the state of a sale in Redis, and the script that decides claims.
//!
//! # State
//! Per sale and bucket, in the partition of the bucket, a hash `sale:<id>` whose fields are
//!
//! | field | |
//! |---|---|
//! | `state` | `loading` or `open`; nothing is sold unless it is `open` |
//! | `load` | the ledger's epoch at the load that wrote it: scripts of earlier loads are refused |
//! | `master` | the replication id of the master it was loaded on; on any other it counts as not loaded |
//! | `epoch` | begins at `load × 2^20`; rises whenever units return, lost buyers are restored or the terms change |
//! | `spread` | over how many buckets the sale is spread; a call with another number is refused |
//! | `stock` | units for sale |
//! | `initial` | `stock` + live items of the buyers, always |
//! | `total` | in bucket 0: the ledger's `initial`, which all buckets together add up to |
//! | `begin`, `end` | the window, in milliseconds; `begin <= now < end` by the clock of Redis |
//! | `limit` | live items a buyer may hold |
//! | `shelf` | `1`, or `0` for a sale that was taken off the shelf: it has ended |
//! | `terms` | the ledger's epoch of the terms last applied |
//! | `withheld`, `withheld_until` | in bucket 0: units withdrawn because the ledger is about to have fewer, and its deadline (ms) |
//!
//! and a hash `buyers:<id>` from buyer to [items](Item). A message `<sale>:<epoch>` on the partition's `epochs` channel
//! is published at every rise of an epoch.
//!
//! # How it decides
//! For each claim, in the order of the batch: the same order id again is granted again; the same key is granted under the
//! earlier id; a buyer with as many units as the limit allows gets "already bought" with the latest id; then the window
//! decides, then the stock. So a buyer gets the order back whatever happened to the sale since, and a call without a reply
//! is simply repeated.
//!
//! # How it fails
//! A script runs as a whole or, on a server that refuses writes, not at all. An append-only file has all its effects or
//! none.
//!
//! A replica that is promoted may lack the last of these effects, and a restarted server may have lost some. Redis changes
//! its replication id in both cases, so the gate on such a server belongs to another master, and the sale is loaded from
//! the ledger before it goes on. Each script that sells or moves units asks its own server for that id: what a connection
//! saw when it was opened may be out of date.

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

use link::{Execution, Link, LinkError, Script};
use redis::{Pipeline, RedisWrite, ToRedisArgs};
use thiserror::Error;

pub(crate) use item::items;
pub(crate) use reply::{BatchDecision, BatchReply};

use crate::gate::bucket::Bucket;
use crate::{BuyerId, KeyHash, OrderId, SaleId};

static CLAIM: Script = Script::new(include_str!("lua/claim.lua"));
static READ_GATE: Script = Script::new(include_str!("lua/read_gate.lua"));

/// A claim, with the id of its order if it is granted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GateClaim {
    pub(crate) buyer: BuyerId,
    pub(crate) order: OrderId,
    pub(crate) key: Option<KeyHash>,
}

/// Claims of one bucket of one sale: the arguments of the claim script.
#[derive(Debug)]
pub(crate) struct ClaimBatch<'a> {
    pub(crate) sale: SaleId,
    pub(crate) spread: u16,
    pub(crate) claims: &'a [GateClaim],
}

/// Why there is no decision.
#[derive(Debug, Error)]
pub(crate) enum GateError {
    #[error("the gate could not be called")]
    Link(#[from] LinkError),
    #[error("the reply of the gate cannot be parsed")]
    Garbled,
}

impl GateError {
    /// Whether the script certainly did nothing.
    pub(crate) fn is_without_effect(&self) -> bool {
        match self {
            // The script writes after it has decided everything, so a refusal comes before any effect.
            Self::Link(error) => {
                matches!(error.execution(), Execution::NotSent | Execution::Refused)
            }
            Self::Garbled => false,
        }
    }
}

/// Runs the claim script of a bucket. The same batch again gets the same reply.
pub(crate) async fn claim(
    link: &Link,
    bucket: &Bucket,
    partition_keys: &PartitionKeys,
    batch: &ClaimBatch<'_>,
) -> Result<BatchReply, GateError> {
    let keys = [
        bucket.sale_key.as_str(),
        bucket.buyers_key.as_str(),
        partition_keys.orders.as_str(),
        partition_keys.backlog.as_str(),
    ];
    let reply: Vec<u8> = link.eval(&CLAIM, &keys, batch).await?;
    BatchReply::parse(&reply, batch.claims).ok_or(GateError::Garbled)
}

/// Appends a command that reads fields of a gate; its reply is nil if the gate belongs to another master, or does not exist.
///
/// By source, because a pipeline cannot be repeated for a server that does not know the script; it is short.
pub(crate) fn read_fields(pipeline: &mut Pipeline, sale_key: &str, fields: &[&str]) {
    let eval = pipeline.cmd("EVAL").arg(READ_GATE.source());
    eval.arg(1).arg(sale_key).arg(fields);
}

/// Keys of a partition that every call needs.
#[derive(Debug)]
pub(crate) struct PartitionKeys {
    pub(crate) orders: String,
    pub(crate) backlog: String,
}

impl ToRedisArgs for ClaimBatch<'_> {
    fn write_redis_args<W: ?Sized + RedisWrite>(&self, out: &mut W) {
        self.sale.0.write_redis_args(out);
        self.spread.write_redis_args(out);
        for claim in self.claims {
            claim.buyer.0.write_redis_args(out);
        }
        for claim in self.claims {
            let mut tail = out.writer_for_next_arg();
            let written = match claim.key {
                Some(key) => write!(tail, "{}:{key}", claim.order),
                None => write!(tail, "{}:", claim.order),
            };
            written.expect("writing to memory does not fail");
        }
    }
}
