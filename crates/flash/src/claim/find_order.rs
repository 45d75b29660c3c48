//! Finds an order that was granted and may not be in the ledger yet: it is in the memory of the process that granted it, in
//! its gate, and in the order stream until the ledger has it. Gates can be lost while the stream is not, so the stream is
//! searched last.

use redis::Pipeline;

use crate::gate::items;
use crate::ids::chosen_at_ms;
use crate::stream::entry::StreamEntry;
use crate::stream::read_range;
use crate::{BuyerId, Flash, Ledger, OrderId, SaleId, StateError};

/// Sales that are searched for an order that another process granted. A site has fewer at a time; beyond that a buyer waits
/// until the ledger has the order.
const MAX_SEARCHED: usize = 256;

/// How far the clocks of Redis and of a process may differ, plus the time that a claim may wait.
const AROUND_MS: i64 = 120_000;

/// Entries of a partition that are searched: at some hundred orders each, far more than a partition grants in that time.
const MAX_ENTRIES: usize = 5_000;

impl<L: Ledger> Flash<L> {
    /// The sale of an order that was granted to this buyer.
    pub async fn find_order(
        &self,
        buyer: BuyerId,
        order: OrderId,
    ) -> Result<Option<SaleId>, StateError> {
        if let Some(sale) = self.inner.recent_orders.find(buyer, order) {
            return Ok(Some(sale));
        }
        let grace_ms = i64::try_from(self.inner.options.grace.as_millis()).unwrap_or(i64::MAX);
        let now_ms = jiff::Timestamp::now().as_millisecond();
        let ended_after_ms = now_ms.saturating_sub(grace_ms);
        let current = self.inner.ledger.current_sales(ended_after_ms).await;
        let mut current = current.map_err(StateError::Ledger)?;
        // An order that the ledger does not have is in one of the latest sales.
        current.sort_unstable_by(|one, other| other.cmp(one));
        current.truncate(MAX_SEARCHED);
        match self.search_gates(&current, buyer, order).await? {
            Some(sale) => Ok(Some(sale)),
            None => self.search_streams(buyer, order).await,
        }
    }

    /// Searches the entries of the order streams that were written about when the id was chosen.
    async fn search_streams(
        &self,
        buyer: BuyerId,
        order: OrderId,
    ) -> Result<Option<SaleId>, StateError> {
        if self.backlog().await.map_err(StateError::Gate)? == 0 {
            return Ok(None);
        }
        let around = match chosen_at_ms(&self.inner.options.order_ids, order) {
            Some(at_ms) => at_ms.saturating_sub(AROUND_MS)..at_ms.saturating_add(AROUND_MS),
            None => 0..i64::MAX,
        };
        for partition in self.inner.partitions.all() {
            let stream = self.inner.keys.orders(partition);
            let read = read_range(&self.inner.link, &stream, around.clone(), MAX_ENTRIES);
            for entry in read.await.map_err(StateError::Gate)? {
                let Ok(StreamEntry::Orders(orders)) = StreamEntry::decode(&entry.fields) else {
                    continue;
                };
                let found = orders.iter().find(|it| it.id == order && it.buyer == buyer);
                if let Some(found) = found {
                    return Ok(Some(found.sale));
                }
            }
        }
        Ok(None)
    }

    async fn search_gates(
        &self,
        sales: &[SaleId],
        buyer: BuyerId,
        order: OrderId,
    ) -> Result<Option<SaleId>, StateError> {
        let gates = self.find_gates(sales).await.map_err(StateError::Gate)?;
        let mut pipeline = Pipeline::new();
        for gate in gates.iter().flatten() {
            let bucket = gate.bucket(gate.bucket_of(buyer));
            pipeline.cmd("HGET").arg(&bucket.buyers_key).arg(buyer.0);
        }
        if pipeline.is_empty() {
            return Ok(None);
        }
        let held = self.inner.link.pipe(&pipeline).await;
        let held: Vec<Option<String>> = held.map_err(StateError::Gate)?;
        let mut holdings = gates.iter().flatten().zip(held);
        let found = holdings.find(|(_, held)| {
            let held = held.as_deref().unwrap_or_default();
            items(held).any(|item| item.order == order)
        });
        Ok(found.map(|(gate, _)| gate.id))
    }
}
