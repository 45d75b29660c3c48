//! Types of the engine: sales, buyers, orders, partitions. All of them are numbers, as in the gate.

use std::fmt;
use std::num::NonZeroU16;

/// The id of a sale, chosen by the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SaleId(pub i64);

/// The id of a buyer, chosen by the ledger. Buyers that are known by a UUID or a name get a number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BuyerId(pub i64);

/// The id of an order, chosen before the gate decides the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrderId(pub i64);

/// A short hash of the idempotency key of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyHash(pub u64);

/// A partition of the sales; its number is the hash tag of its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Partition(pub u16);

/// The number of partitions: fixed for the life of a deployment, because it decides where the keys of a sale are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partitions(NonZeroU16);

/// An order that the gate granted and the ledger has to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its id, unique for ever.
    pub id: OrderId,
    /// The sale it belongs to.
    pub sale: SaleId,
    /// Who bought.
    pub buyer: BuyerId,
    /// Which of the buyer's units this is, from 1 to the sale's limit.
    pub slot: u8,
    /// When the gate granted it, by the clock of Redis.
    pub granted_at_ms: i64,
    /// The idempotency key of the request, if it had one.
    pub key: Option<KeyHash>,
}

impl BuyerId {
    /// The bucket of a sale that the buyer belongs to, so that one bucket decides the limit per buyer. Fixed for ever: gates
    /// and loads rely on it.
    pub fn bucket(self, spread: u16) -> u16 {
        let bucket = mix(self.0.cast_unsigned()) % u64::from(spread.max(1));
        u16::try_from(bucket).expect("a remainder of a u16 is a u16")
    }
}

/// The finalizer of SplitMix64: consecutive ids get unrelated hashes.
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

impl Partitions {
    /// So many partitions.
    pub fn new(count: NonZeroU16) -> Self {
        Self(count)
    }

    /// How many there are.
    pub fn count(self) -> u16 {
        self.0.get()
    }

    /// Each of them.
    pub fn all(self) -> impl Iterator<Item = Partition> {
        (0..self.count()).map(Partition)
    }

    /// The number of buckets for a requested spread: at least one, and no two in one partition.
    pub fn spread(self, wanted: u16) -> u16 {
        wanted.clamp(1, self.count())
    }

    /// The partition of a bucket of a sale. Buckets of one sale are in different partitions as long as there are no more of
    /// them than partitions.
    pub fn of(self, sale: SaleId, bucket: u16) -> Partition {
        let count = i64::from(self.count());
        let first = sale.0.rem_euclid(count);
        let partition = (first + i64::from(bucket)).rem_euclid(count);
        Partition(u16::try_from(partition).expect("a remainder of a u16 is a u16"))
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

impl KeyHash {
    /// As [`Display`](fmt::Display) writes it: sixteen digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let plain = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_plain = text.len() == 16 && text.bytes().all(plain);
        let hash = u64::from_str_radix(text, 16).ok();
        hash.filter(|_| is_plain).map(Self)
    }
}

impl fmt::Display for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partitions(count: u16) -> Partitions {
        Partitions::new(NonZeroU16::new(count).unwrap())
    }

    #[test]
    fn buckets_of_a_sale_are_in_different_partitions() {
        let five = partitions(5);
        let numbers: Vec<u16> = (0..5).map(|bucket| five.of(SaleId(13), bucket).0).collect();
        assert_eq!(numbers, [3, 4, 0, 1, 2]);
        assert_eq!((five.spread(0), five.spread(3), five.spread(9)), (1, 3, 5));
    }

    #[test]
    fn the_bucket_of_a_buyer_never_changes() {
        let buckets = [1, 2, 3, 1_000_000, i64::MAX, -1].map(|buyer| BuyerId(buyer).bucket(8));
        assert_eq!(buckets, [5, 2, 0, 6, 5, 3]);
    }

    #[test]
    fn consecutive_ids_are_spread_evenly() {
        let mut counts = [0_u32; 8];
        for buyer in 0..80_000 {
            counts[usize::from(BuyerId(buyer).bucket(8))] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)));
    }
}
