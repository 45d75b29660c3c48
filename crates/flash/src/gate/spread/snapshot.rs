//! One look at all buckets of a sale. They are not read at one moment: whoever concludes something looks twice.

use std::collections::HashMap;

use link::{Link, LinkError};

use crate::gate::ask_fields;
use crate::gate::bucket::Place;

/// All buckets, open under one load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) load: i64,
    /// By number.
    pub(crate) buckets: Vec<BucketLook>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BucketLook {
    pub(crate) epoch: i64,
    pub(crate) stock: u32,
    pub(crate) initial: i64,
    /// What left the bucket and is not known to have arrived, by road and number.
    pub(crate) journal: Vec<Transfer>,
    /// The last number that arrived from each bucket.
    pub(crate) received: HashMap<u16, u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Transfer {
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) number: u64,
    pub(crate) pieces: u32,
}

type Gate = (
    Option<String>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
);
type Raw = (Gate, HashMap<String, u32>, HashMap<u16, u64>);

impl Look {
    /// Nothing, unless all buckets are open under the same load, each on the master that it was loaded on.
    pub(crate) async fn at(link: &Link, places: &[Place]) -> Result<Option<Self>, LinkError> {
        if places.is_empty() {
            return Ok(None);
        }
        let mut pipe = redis::pipe();
        for place in places {
            let fields = ["state", "load", "epoch", "stock", "initial"];
            ask_fields(&mut pipe, &place.sale, &fields);
            pipe.cmd("HGETALL").arg(&place.moved);
            pipe.cmd("HGETALL").arg(&place.received);
        }
        let answers: Vec<redis::Value> = link.pipe(&pipe).await?;
        Ok(Self::read(&answers))
    }

    fn read(answers: &[redis::Value]) -> Option<Self> {
        let mut load = None;
        let mut buckets = Vec::new();
        for (answer, bucket) in answers.chunks(3).zip(0..) {
            let answer = redis::Value::Array(answer.to_vec());
            let (gate, moved, received): Raw = redis::from_redis_value(answer).ok()?;
            let (state, under, epoch, stock, initial) = gate;
            if state.as_deref() != Some("open") || load.is_some_and(|load| Some(load) != under) {
                return None;
            }
            load = under;
            buckets.push(BucketLook {
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

    /// Every bucket with what it has left.
    pub(crate) fn stocks(&self) -> impl Iterator<Item = (u16, u32)> {
        (0..)
            .zip(&self.buckets)
            .map(|(number, bucket)| (number, bucket.stock))
    }

    /// The bucket with the most pieces, if any has some.
    pub(crate) fn richest(&self) -> Option<(u16, u32)> {
        self.stocks()
            .filter(|(_, stock)| *stock > 0)
            .max_by_key(|(_, stock)| *stock)
    }

    pub(crate) fn epochs(&self) -> Vec<i64> {
        self.buckets.iter().map(|bucket| bucket.epoch).collect()
    }

    /// What the buckets and the roads between them stand for.
    pub(crate) fn stands_for(&self) -> Vec<(i64, &[Transfer])> {
        let buckets = self.buckets.iter();
        buckets
            .map(|bucket| (bucket.initial, &*bucket.journal))
            .collect()
    }

    /// Transfers in journals, by road and number.
    pub(crate) fn transfers(&self) -> impl Iterator<Item = Transfer> {
        self.buckets
            .iter()
            .flat_map(|bucket| &bucket.journal)
            .copied()
    }

    /// Pieces that have left one bucket and not arrived in another.
    pub(crate) fn in_transit(&self) -> i64 {
        let on_their_way = self
            .transfers()
            .filter(|transfer| !self.has_arrived(transfer));
        on_their_way
            .map(|transfer| i64::from(transfer.pieces))
            .sum()
    }

    fn has_arrived(&self, transfer: &Transfer) -> bool {
        let to = self.buckets.get(usize::from(transfer.to));
        let last = to.and_then(|to| to.received.get(&transfer.from));
        last.is_some_and(|last| *last >= transfer.number)
    }
}

/// Fields `<to>:<number>`; the others are the last number of each road.
fn journal(from: u16, moved: &HashMap<String, u32>) -> Vec<Transfer> {
    let mut journal: Vec<Transfer> = moved
        .iter()
        .filter_map(|(field, pieces)| {
            let (to, number) = field.split_once(':')?;
            Some(Transfer {
                from,
                to: to.parse().ok()?,
                number: number.parse().ok()?,
                pieces: *pieces,
            })
        })
        .collect();
    journal.sort_unstable();
    journal
}
