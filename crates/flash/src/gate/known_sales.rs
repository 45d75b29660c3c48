//! The sales that this process knows: their buckets, and the sold-out flag of each.
//!
//! Reading takes no lock. Only sales that have a gate are kept, so made-up ids cannot fill the memory.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;

use super::bucket::Bucket;
use crate::claim::sold_out::SoldOutFlag;
use crate::{BuyerId, SaleId};

/// A site has some hundred sales at a time. One more than this and the map starts empty again, which costs one query per
/// sale that is claimed again.
const MAX_SALES: usize = 10_000;

#[derive(Debug)]
pub(crate) struct KnownSale {
    pub(crate) id: SaleId,
    /// At least one.
    pub(crate) buckets: Box<[Bucket]>,
    pub(crate) flag: SoldOutFlag,
}

#[derive(Debug, Default)]
pub(crate) struct KnownSales {
    sales: ArcSwap<HashMap<SaleId, Arc<KnownSale>>>,
}

impl KnownSale {
    /// `ceiling` bounds how long the sold-out flag stands without another call to the gate.
    pub(crate) fn new(id: SaleId, buckets: Box<[Bucket]>, ceiling: Duration) -> Self {
        Self {
            id,
            flag: SoldOutFlag::new(buckets.len(), ceiling),
            buckets,
        }
    }

    pub(crate) fn spread(&self) -> u16 {
        u16::try_from(self.buckets.len()).expect("there is a bucket per number of a u16")
    }

    /// The number of the bucket that a buyer belongs to.
    pub(crate) fn bucket_of(&self, buyer: BuyerId) -> u16 {
        buyer.bucket(self.spread())
    }

    pub(crate) fn bucket(&self, number: u16) -> &Bucket {
        &self.buckets[usize::from(number)]
    }
}

impl KnownSales {
    /// The result of `read` for a known sale. Cheaper than [`get`](Self::get): it shares no reference count.
    pub(crate) fn with<T>(&self, sale: SaleId, read: impl FnOnce(&KnownSale) -> T) -> Option<T> {
        self.sales.load().get(&sale).map(|sale| read(sale))
    }

    pub(crate) fn get(&self, sale: SaleId) -> Option<Arc<KnownSale>> {
        self.sales.load().get(&sale).cloned()
    }

    /// Adds a sale, unless it is known with the same spread.
    pub(crate) fn insert(&self, sale: KnownSale) -> Arc<KnownSale> {
        let sale = Arc::new(sale);
        let before = self.sales.rcu(|sales| {
            let present = sales.get(&sale.id);
            if present.is_some_and(|present| present.spread() == sale.spread()) {
                return sales.clone();
            }
            let mut sales = match sales.len() < MAX_SALES {
                true => HashMap::clone(sales),
                false => HashMap::new(),
            };
            sales.insert(sale.id, sale.clone());
            Arc::new(sales)
        });
        drop(before);
        self.get(sale.id).unwrap_or(sale)
    }

    pub(crate) fn remove(&self, sale: SaleId) {
        self.sales.rcu(|sales| {
            let mut sales = HashMap::clone(sales);
            sales.remove(&sale);
            sales
        });
    }

    pub(crate) fn for_each(&self, each: impl FnMut(&Arc<KnownSale>)) {
        self.sales.load().values().for_each(each);
    }
}
