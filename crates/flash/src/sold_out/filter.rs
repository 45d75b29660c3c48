//! The buyers of a sale, fetched once into a Bloom filter.

use fastbloom::BloomFilter;
use link::{Link, LinkError};

use crate::BuyerId;
use crate::sales::Sale;

/// One claimant in ten thousand asks the gate in vain.
const FALSE_POSITIVES: f64 = 1e-4;

/// Buyers per step of a scan: a reply of some twenty kilobytes, which holds up nobody.
const SCAN_COUNT: u32 = 500;

#[derive(Debug)]
pub(crate) struct Filter(BloomFilter);

impl Filter {
    pub(super) fn may_have(&self, buyer: BuyerId) -> bool {
        self.0.contains(&buyer.0)
    }

    /// Everybody who holds or held a piece.
    pub(crate) async fn fetch(link: &Link, sale: &Sale) -> Result<Self, LinkError> {
        let mut buyers = Vec::new();
        for bucket in &sale.buckets {
            scan(link, &bucket.buyers_key, &mut buyers).await?;
        }
        let mut filter =
            BloomFilter::with_false_pos(FALSE_POSITIVES).expected_items(buyers.len().max(1));
        filter.extend(&buyers);
        Ok(Self(filter))
    }
}

async fn scan(link: &Link, key: &str, buyers: &mut Vec<i64>) -> Result<(), LinkError> {
    let mut cursor = 0_u64;
    loop {
        let mut cmd = redis::cmd("HSCAN");
        cmd.arg(key).arg(cursor).arg("COUNT").arg(SCAN_COUNT);
        let (next, pairs): (u64, Vec<(i64, String)>) = link.run(&cmd).await?;
        buyers.extend(pairs.iter().map(|(buyer, _)| buyer));
        if next == 0 {
            return Ok(());
        }
        cursor = next;
    }
}
