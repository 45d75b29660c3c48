//! Who holds what: the gate's buyers against the ledger's orders, in chunks, whatever the number of holders.

use std::collections::HashSet;

use link::LinkError;

use super::survey::MAX_SUSPECTS;
use crate::gate::bucket::Place;
use crate::gate::items;
use crate::load::LoadError;
use crate::{BuyerId, Ended, Flash, Holding, Ledger, OrderId, SaleId};

/// Buyers read at a time.
const CHUNK: usize = 500;

/// Live orders of the ledger read at a time.
const PAGE: u32 = 1_000;

/// An order and who has it, according to the gate.
pub(super) type Held = (OrderId, BuyerId);

#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Live items by bucket.
    pub(super) live: Vec<i64>,
    /// Live items that the ledger does not have as live orders, or not yet.
    pub(super) suspects: Vec<Held>,
}

impl<L: Ledger> Flash<L> {
    /// Counts the live items of every bucket and looks each of them up in the ledger.
    pub(super) async fn scan(&self, places: &[Place]) -> Result<Scan, LoadError> {
        let mut scan = Scan::default();
        for place in places {
            let live = self.scan_bucket(place, &mut scan.suspects).await?;
            scan.live.push(live);
        }
        Ok(scan)
    }

    async fn scan_bucket(&self, place: &Place, suspects: &mut Vec<Held>) -> Result<i64, LoadError> {
        let (mut cursor, mut live) = (0_u64, 0);
        loop {
            let mut ask = redis::cmd("HSCAN");
            ask.arg(&place.buyers).arg(cursor).arg("COUNT").arg(CHUNK);
            let (next, buyers): (u64, Vec<(i64, String)>) = self.inner.link.run(&ask).await?;
            let held: Vec<Held> = buyers
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

    /// Those that the ledger does not have as live orders.
    async fn not_live(&self, mut held: Vec<Held>) -> Result<Vec<Held>, LoadError> {
        for chunk in held.clone().chunks(CHUNK) {
            let orders: Vec<OrderId> = chunk.iter().map(|(order, _)| *order).collect();
            let live = self.inner.ledger.live_among(&orders).await?;
            let live: HashSet<OrderId> = live.into_iter().collect();
            held.retain(|(order, _)| !live.contains(order));
        }
        Ok(held)
    }

    /// Live orders that the gate does not know. The gate is asked first and the ledger once more: an order ends in the
    /// ledger first, so one that is live there after the gate did not have it should have been in the gate.
    pub(super) async fn find_forgotten(
        &self,
        sale: SaleId,
        places: &[Place],
    ) -> Result<Vec<Holding>, LoadError> {
        let (mut after, mut forgotten) = (OrderId(i64::MIN), Vec::new());
        loop {
            let page = self.inner.ledger.holdings(sale, after, PAGE).await?;
            let Some(last) = page.last() else {
                return Ok(forgotten);
            };
            after = last.order;
            let missing = self.missing_here(places, &page).await?;
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

    /// Of these holdings, those that are no live items of the gate.
    async fn missing_here(
        &self,
        places: &[Place],
        page: &[Holding],
    ) -> Result<Vec<Holding>, LinkError> {
        let held: Vec<Held> = page.iter().map(|held| (held.order, held.buyer)).collect();
        let live = self.live_in_gate(places, &held).await?;
        let expected = page.iter().filter(|held| held.is_live());
        let missing = expected.filter(|held| !live.contains(&held.order));
        Ok(missing.copied().collect())
    }

    /// Of these orders, those that are live items of the gate.
    async fn live_in_gate(
        &self,
        places: &[Place],
        held: &[Held],
    ) -> Result<HashSet<OrderId>, LinkError> {
        let spread = u16::try_from(places.len()).expect("there are no more than partitions");
        let mut live = HashSet::new();
        for chunk in held.chunks(CHUNK) {
            let mut pipe = redis::pipe();
            for (_, buyer) in chunk {
                let place = &places[usize::from(buyer.bucket(spread))];
                pipe.cmd("HGET").arg(&place.buyers).arg(buyer.0);
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

    /// Of the suspects those that are live in the gate and neither in the ledger nor on their way there; and of these
    /// apart the ones that have ended in the ledger.
    pub(super) async fn find_orphaned(
        &self,
        places: &[Place],
        suspects: Vec<Held>,
    ) -> Result<(Vec<Held>, Vec<(Held, Ended)>), LoadError> {
        if suspects.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        self.drain(places).await?;
        let unknown = self.not_live(suspects).await?;
        let live = self.live_in_gate(places, &unknown).await?;
        let mut unknown: Vec<Held> = unknown;
        unknown.retain(|(order, _)| live.contains(order));
        unknown.sort_unstable();
        let (mut orphaned, mut ended) = (Vec::new(), Vec::new());
        for held in unknown {
            match self.inner.ledger.end_of(held.0).await? {
                Some(end) => ended.push((held, end)),
                None => orphaned.push(held),
            }
        }
        Ok((orphaned, ended))
    }
}

fn live_items(buyer: BuyerId, value: &str) -> impl Iterator<Item = Held> {
    let live = items(value).filter(|item| item.is_live());
    live.map(move |item| (item.order, buyer))
}
