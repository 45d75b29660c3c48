//! The engine's own words: sales, buyers, orders, partitions. Numbers, because the gate speaks of nothing else.

use std::fmt;
use std::num::NonZeroU16;

/// A sale: in Tandian the id of its voucher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SaleId(pub i64);

/// Whoever buys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BuyerId(pub i64);

/// An order, named before it is decided whether there will be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrderId(pub i64);

/// A short hash of what the buyer called this request, so that a repetition is known for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyHash(pub u64);

/// One of the parts that sales are divided into; its number is the hash tag of its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Partition(pub u16);

/// How many partitions there are: fixed for the life of a deployment, because it decides where a sale's keys are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partitions(NonZeroU16);

/// An order that the gate has granted and the ledger is to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    pub sale: SaleId,
    pub buyer: BuyerId,
    /// Which of the buyer's pieces this is, from 1 to the sale's limit.
    pub slot: u8,
    /// When it was granted, by the clock of Redis.
    pub granted_at_ms: i64,
}

impl Partitions {
    pub fn new(count: NonZeroU16) -> Self {
        Self(count)
    }

    pub fn count(self) -> u16 {
        self.0.get()
    }

    pub fn all(self) -> impl Iterator<Item = Partition> {
        (0..self.count()).map(Partition)
    }

    /// Where a bucket of a sale lives. Buckets of one sale are in different partitions as long as there are no more of
    /// them than partitions.
    pub fn of(self, sale: SaleId, bucket: u16) -> Partition {
        let count = i64::from(self.count());
        let home = sale.0.rem_euclid(count);
        let place = (home + i64::from(bucket)).rem_euclid(count);
        Partition(u16::try_from(place).expect("a remainder of a u16 is a u16"))
    }
}

impl fmt::Display for SaleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for BuyerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for OrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
