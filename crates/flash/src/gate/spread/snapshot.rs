//! A snapshot of all buckets of a sale. It is not atomic: a caller that concludes something from it reads twice.

use std::collections::HashMap;

use link::{Link, LinkError};

use crate::gate::bucket::Bucket;
use crate::gate::read_fields;

/// All buckets, open under one load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GateSnapshot {
    pub(crate) load: i64,
    /// By number.
    pub(crate) buckets: Vec<BucketSnapshot>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BucketSnapshot {
    pub(crate) epoch: i64,
    pub(crate) stock: u32,
    pub(crate) initial: i64,
    /// Transfers that left the bucket and are not known to have arrived, by pair and number.
    pub(crate) journal: Vec<StockTransfer>,
    /// The last number received from each bucket.
    pub(crate) received: HashMap<u16, u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StockTransfer {
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) number: u64,
    pub(crate) units: u32,
}

type GateReply = (
    Option<String>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
);
type BucketReply = (GateReply, HashMap<String, u32>, HashMap<u16, u64>);

impl GateSnapshot {
    /// `None` unless all buckets are open under the same load, each on the master it was loaded on.
    pub(crate) async fn read(link: &Link, buckets: &[Bucket]) -> Result<Option<Self>, LinkError> {
        if buckets.is_empty() {
            return Ok(None);
        }
        let mut pipe = redis::pipe();
        for bucket in buckets {
            let fields = ["state", "load", "epoch", "stock", "initial"];
            read_fields(&mut pipe, &bucket.sale_key, &fields);
            pipe.cmd("HGETALL").arg(&bucket.moved_key);
            pipe.cmd("HGETALL").arg(&bucket.received_key);
        }
        let replies: Vec<redis::Value> = link.pipe(&pipe).await?;
        Ok(Self::parse(&replies))
    }

    fn parse(replies: &[redis::Value]) -> Option<Self> {
        let mut load = None;
        let mut buckets = Vec::new();
        for (reply, bucket) in replies.chunks(3).zip(0..) {
            let reply = redis::Value::Array(reply.to_vec());
            let (gate, moved, received): BucketReply = redis::from_redis_value(reply).ok()?;
            let (state, under, epoch, stock, initial) = gate;
            if state.as_deref() != Some("open") || load.is_some_and(|load| Some(load) != under) {
                return None;
            }
            load = under;
            buckets.push(BucketSnapshot {
                epoch: epoch?,
                stock: u32::try_from(stock?).unwrap_or(0),
                initial: initial?,
                journal: journal(bucket, &moved),
                received,
            });
        }
        Some(Self {
            load: load?,
            buckets,
        })
    }

    pub(crate) fn stock(&self, bucket: u16) -> u32 {
        self.buckets
            .get(usize::from(bucket))
            .map_or(0, |bucket| bucket.stock)
    }

    /// The stock of every bucket.
    pub(crate) fn stocks(&self) -> impl Iterator<Item = (u16, u32)> {
        (0..)
            .zip(&self.buckets)
            .map(|(number, bucket)| (number, bucket.stock))
    }

    /// The bucket with the largest stock, if any has some.
    pub(crate) fn fullest(&self) -> Option<(u16, u32)> {
        self.stocks()
            .filter(|(_, stock)| *stock > 0)
            .max_by_key(|(_, stock)| *stock)
    }

    pub(crate) fn epochs(&self) -> Vec<i64> {
        self.buckets.iter().map(|bucket| bucket.epoch).collect()
    }

    /// `initial` and the journal of every bucket, which claims and returns do not change.
    pub(crate) fn initials(&self) -> Vec<(i64, &[StockTransfer])> {
        let buckets = self.buckets.iter();
        buckets
            .map(|bucket| (bucket.initial, &*bucket.journal))
            .collect()
    }

    /// Transfers in journals, by pair and number.
    pub(crate) fn transfers(&self) -> impl Iterator<Item = StockTransfer> {
        self.buckets
            .iter()
            .flat_map(|bucket| &bucket.journal)
            .copied()
    }

    /// Units that have left one bucket and not arrived in another.
    pub(crate) fn in_transit(&self) -> i64 {
        let in_transit = self
            .transfers()
            .filter(|transfer| !self.has_arrived(transfer));
        in_transit.map(|transfer| i64::from(transfer.units)).sum()
    }

    fn has_arrived(&self, transfer: &StockTransfer) -> bool {
        let to = self.buckets.get(usize::from(transfer.to));
        let last = to.and_then(|to| to.received.get(&transfer.from));
        last.is_some_and(|last| *last >= transfer.number)
    }
}

/// Fields `<to>:<number>`; the other fields are the last number of each pair.
fn journal(from: u16, moved: &HashMap<String, u32>) -> Vec<StockTransfer> {
    let mut journal: Vec<StockTransfer> = moved
        .iter()
        .filter_map(|(field, units)| {
            let (to, number) = field.split_once(':')?;
            Some(StockTransfer {
                from,
                to: to.parse().ok()?,
                number: number.parse().ok()?,
                units: *units,
            })
        })
        .collect();
    journal.sort_unstable();
    journal
}
