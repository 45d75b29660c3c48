//! What this process knows of sales: over how many buckets each is spread, the keys of those, and whether it is over.
//!
//! Reading costs no lock. Only sales that have a gate get in, so the memory cannot be filled with ids that do not exist.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;

use crate::claim::sold_out::Flag;
use crate::keys::Keys;
use crate::{BuyerId, Partition, Partitions, SaleId};

/// A site has some hundred sales at a time. One more than this and the memory starts afresh, which costs one question
/// per sale that is asked for again.
const MAX_SALES: usize = 10_000;

#[derive(Debug)]
pub(crate) struct Sale {
    pub(crate) id: SaleId,
    /// At least one.
    pub(crate) buckets: Box<[Bucket]>,
    pub(crate) flag: Flag,
}

/// A part of a sale's pieces, in a partition of its own.
#[derive(Debug)]
pub(crate) struct Bucket {
    pub(crate) partition: Partition,
    pub(crate) sale_key: String,
    pub(crate) buyers_key: String,
}

#[derive(Debug, Default)]
pub(crate) struct Sales {
    known: ArcSwap<HashMap<SaleId, Arc<Sale>>>,
}

impl Sale {
    pub(crate) fn new(
        id: SaleId,
        spread: u16,
        keys: &Keys,
        partitions: Partitions,
        ceiling: Duration,
    ) -> Self {
        let bucket = |bucket| {
            let partition = partitions.of(id, bucket);
            Bucket {
                partition,
                sale_key: keys.sale(partition, id),
                buyers_key: keys.buyers(partition, id),
            }
        };
        Self {
            id,
            buckets: (0..spread.max(1)).map(bucket).collect(),
            flag: Flag::new(usize::from(spread.max(1)), ceiling),
        }
    }

    pub(crate) fn spread(&self) -> u16 {
        u16::try_from(self.buckets.len()).expect("there is a bucket per number of a u16")
    }

    pub(crate) fn bucket_of(&self, buyer: BuyerId) -> u16 {
        buyer.bucket(self.spread())
    }

    pub(crate) fn bucket(&self, bucket: u16) -> &Bucket {
        &self.buckets[usize::from(bucket)]
    }
}

impl Sales {
    /// What `look` sees of a sale, if it is known. Cheaper than [`get`](Self::get), which everybody does at once.
    pub(crate) fn look<T>(&self, sale: SaleId, look: impl FnOnce(&Sale) -> T) -> Option<T> {
        self.known.load().get(&sale).map(|sale| look(sale))
    }

    pub(crate) fn get(&self, sale: SaleId) -> Option<Arc<Sale>> {
        self.known.load().get(&sale).cloned()
    }

    /// Keeps what is known of a sale, unless the same is known already.
    pub(crate) fn learn(&self, sale: Sale) -> Arc<Sale> {
        let sale = Arc::new(sale);
        let known = self.known.rcu(|known| {
            let present = known.get(&sale.id);
            if present.is_some_and(|present| present.spread() == sale.spread()) {
                return known.clone();
            }
            let mut known = match known.len() < MAX_SALES {
                true => HashMap::clone(known),
                false => HashMap::new(),
            };
            known.insert(sale.id, sale.clone());
            Arc::new(known)
        });
        drop(known);
        self.get(sale.id).unwrap_or(sale)
    }

    pub(crate) fn forget(&self, sale: SaleId) {
        self.known.rcu(|known| {
            let mut known = HashMap::clone(known);
            known.remove(&sale);
            known
        });
    }

    pub(crate) fn for_each(&self, each: impl FnMut(&Arc<Sale>)) {
        self.known.load().values().for_each(each);
    }
}
