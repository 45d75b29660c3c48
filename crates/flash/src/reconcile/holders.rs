//! Compares the buyers of the gate with the orders of the ledger, in chunks, whatever their number.

use std::collections::HashSet;

use link::LinkError;

use super::survey::MAX_SUSPECTS;
use crate::gate::bucket::Bucket;
use crate::gate::items;
use crate::load::LoadError;
use crate::{BuyerId, Ended, Flash, Holding, Ledger, OrderId, SaleId};

/// Buyers read at a time.
const CHUNK: usize = 500;

/// Live orders of the ledger read at a time.
const PAGE: u32 = 1_000;

/// An order and its buyer, in the gate.
pub(super) type GateOrder = (OrderId, BuyerId);

#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Live items by bucket.
    pub(super) live: Vec<i64>,
    /// Live items that are not, or not yet, live orders of the ledger.
    pub(super) suspects: Vec<GateOrder>,
}

impl<L: Ledger> Flash<L> {
    /// Counts the live items of every bucket and looks up each of them in the ledger.
    pub(super) async fn scan(&self, buckets: &[Bucket]) -> Result<Scan, LoadError> {
        let mut scan = Scan::default();
        for bucket in buckets {
            let live = self.scan_bucket(bucket, &mut scan.suspects).await?;
            scan.live.push(live);
        }
        Ok(scan)
    }

    async fn scan_bucket(
        &self,
        bucket: &Bucket,
        suspects: &mut Vec<GateOrder>,
    ) -> Result<i64, LoadError> {
        let (mut cursor, mut live) = (0_u64, 0);
        loop {
            let mut scan = redis::cmd("HSCAN");
            scan.arg(&bucket.buyers_key)
                .arg(cursor)
                .arg("COUNT")
                .arg(CHUNK);
            let (next, buyers): (u64, Vec<(i64, String)>) = self.inner.link.run(&scan).await?;
            let held: Vec<GateOrder> = buyers
                .iter()
                .flat_map(|(buyer, value)| live_items(BuyerId(*buyer), value))
                .collect();
            live += i64::try_from(held.len()).unwrap_or(i64::MAX);
            let unknown = self.not_live(held).await?;
            let room = MAX_SUSPECTS.saturating_sub(suspects.len());
            suspects.extend(unknown.into_iter().take(room));
            cursor = next;
            if cursor == 0 {
                return Ok(live);
            }
        }
    }

    /// Those of the orders that are not live in the ledger.
    async fn not_live(&self, mut held: Vec<GateOrder>) -> Result<Vec<GateOrder>, LoadError> {
        for chunk in held.clone().chunks(CHUNK) {
            let orders: Vec<OrderId> = chunk.iter().map(|(order, _)| *order).collect();
            let live = self.inner.ledger.live_among(&orders).await?;
            let live: HashSet<OrderId> = live.into_iter().collect();
            held.retain(|(order, _)| !live.contains(order));
        }
        Ok(held)
    }

    /// Live orders that the gate lacks. The gate is read first and the ledger once more: orders end in the ledger first, so
    /// one that is still live there should have been in the gate.
    pub(super) async fn find_forgotten(
        &self,
        sale: SaleId,
        buckets: &[Bucket],
    ) -> Result<Vec<Holding>, LoadError> {
        let (mut after, mut forgotten) = (OrderId(i64::MIN), Vec::new());
        loop {
            let page = self.inner.ledger.holdings(sale, after, PAGE).await?;
            let Some(last) = page.last() else {
                return Ok(forgotten);
            };
            after = last.order;
            let missing = self.missing_in_gate(buckets, &page).await?;
            if !missing.is_empty() {
                let orders: Vec<OrderId> = missing.iter().map(|held| held.order).collect();
                let live = self.inner.ledger.live_among(&orders).await?;
                let live: HashSet<OrderId> = live.into_iter().collect();
                let still = missing
                    .into_iter()
                    .filter(|held| live.contains(&held.order));
                forgotten.extend(still);
            }
            if forgotten.len() >= MAX_SUSPECTS {
                return Ok(forgotten);
            }
        }
    }

    /// Those of the holdings that are not live items of the gate.
    async fn missing_in_gate(
        &self,
        buckets: &[Bucket],
        page: &[Holding],
    ) -> Result<Vec<Holding>, LinkError> {
        let held: Vec<GateOrder> = page.iter().map(|held| (held.order, held.buyer)).collect();
        let live = self.live_in_gate(buckets, &held).await?;
        let expected = page.iter().filter(|held| held.is_live());
        let missing = expected.filter(|held| !live.contains(&held.order));
        Ok(missing.copied().collect())
    }

    /// Those of the orders that are live items of the gate.
    async fn live_in_gate(
        &self,
        buckets: &[Bucket],
        held: &[GateOrder],
    ) -> Result<HashSet<OrderId>, LinkError> {
        let spread = u16::try_from(buckets.len()).expect("there are no more than partitions");
        let mut live = HashSet::new();
        for chunk in held.chunks(CHUNK) {
            let mut pipe = redis::pipe();
            for (_, buyer) in chunk {
                let bucket = &buckets[usize::from(buyer.bucket(spread))];
                pipe.cmd("HGET").arg(&bucket.buyers_key).arg(buyer.0);
            }
            let values: Vec<Option<String>> = self.inner.link.pipe(&pipe).await?;
            for ((order, buyer), value) in chunk.iter().zip(values) {
                let value = value.unwrap_or_default();
                if live_items(*buyer, &value).any(|(id, _)| id == *order) {
                    live.insert(*order);
                }
            }
        }
        Ok(live)
    }

    /// Those of the suspects that are live in the gate and neither in the ledger nor in the stream; and, separately, those
    /// that have ended in the ledger.
    pub(super) async fn find_orphaned(
        &self,
        buckets: &[Bucket],
        suspects: Vec<GateOrder>,
    ) -> Result<(Vec<GateOrder>, Vec<(GateOrder, Ended)>), LoadError> {
        if suspects.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        self.wait_for_barriers(buckets).await?;
        let unknown = self.not_live(suspects).await?;
        let live = self.live_in_gate(buckets, &unknown).await?;
        let mut unknown: Vec<GateOrder> = unknown;
        unknown.retain(|(order, _)| live.contains(order));
        unknown.sort_unstable();
        let (mut orphaned, mut ended) = (Vec::new(), Vec::new());
        for held in unknown {
            match self.inner.ledger.find_end(held.0).await? {
                Some(end) => ended.push((held, end)),
                None => orphaned.push(held),
            }
        }
        Ok((orphaned, ended))
    }
}

fn live_items(buyer: BuyerId, value: &str) -> impl Iterator<Item = GateOrder> {
    let live = items(value).filter(|item| item.is_live());
    live.map(move |item| (item.order, buyer))
}
