//! The buyers of a sale in a Bloom filter.

use fastbloom::BloomFilter;
use link::{Link, LinkError};

use super::Observation;
use crate::BuyerId;
use crate::gate::known_sales::KnownSale;

/// One claim in ten thousand goes to the gate for nothing.
const FALSE_POSITIVES: f64 = 1e-4;

/// Buyers per step of a scan: a reply of some twenty kilobytes, which does not block Redis.
const SCAN_COUNT: u32 = 500;

#[derive(Debug)]
pub(crate) struct BuyerFilter(BloomFilter);

impl BuyerFilter {
    pub(super) fn may_have(&self, buyer: BuyerId) -> bool {
        self.0.contains(&buyer.0)
    }

    /// Every buyer who holds or held a unit; `None` if Redis fails, or if the flag has a new version meanwhile.
    pub(crate) async fn fetch(
        link: &Link,
        sale: &KnownSale,
        observation: &Observation,
    ) -> Option<Self> {
        let mut buyers = Vec::new();
        for bucket in &sale.buckets {
            let mut cursor = 0_u64;
            loop {
                cursor = scan(link, &bucket.buyers_key, cursor, &mut buyers)
                    .await
                    .ok()?;
                if sale.flag.is_outdated(observation) {
                    return None;
                }
                if cursor == 0 {
                    break;
                }
            }
        }
        Some(Self::of(&buyers))
    }

    pub(super) fn of(buyers: &[i64]) -> Self {
        let filter = BloomFilter::with_false_pos(FALSE_POSITIVES);
        let mut filter = filter.expected_items(buyers.len().max(1));
        filter.extend(buyers);
        Self(filter)
    }
}

/// One step. Returns the next cursor, which is zero after the last.
async fn scan(
    link: &Link,
    key: &str,
    cursor: u64,
    buyers: &mut Vec<i64>,
) -> Result<u64, LinkError> {
    let mut cmd = redis::cmd("HSCAN");
    cmd.arg(key).arg(cursor).arg("COUNT").arg(SCAN_COUNT);
    let (next, pairs): (u64, Vec<(i64, String)>) = link.run(&cmd).await?;
    buyers.extend(pairs.iter().map(|(buyer, _)| buyer));
    Ok(next)
}
