//! An order that was granted and may not be in the ledger yet.

use redis::Pipeline;

use crate::gate::items;
use crate::{BuyerId, Flash, Ledger, LookError, OrderId, SaleId};

/// Sales that are searched for an order another process granted. A site has fewer at a time; beyond that a buyer waits
/// until the ledger has the order.
const MAX_SEARCHED: usize = 256;

impl<L: Ledger> Flash<L> {
    /// The sale of an order that was granted to this buyer: from what this process granted, or else from what the buyer
    /// holds of current sales.
    pub async fn find_order(
        &self,
        buyer: BuyerId,
        order: OrderId,
    ) -> Result<Option<SaleId>, LookError> {
        if let Some(sale) = self.inner.recent.find(buyer, order) {
            return Ok(Some(sale));
        }
        let grace_ms = i64::try_from(self.inner.options.grace.as_millis()).unwrap_or(i64::MAX);
        let now_ms = jiff::Timestamp::now().as_millisecond();
        let ended_after_ms = now_ms.saturating_sub(grace_ms);
        let current = self.inner.ledger.current_sales(ended_after_ms).await;
        let mut current = current.map_err(LookError::Ledger)?;
        // The latest sales are where an order can be on its way.
        current.sort_unstable_by(|one, other| other.cmp(one));
        current.truncate(MAX_SEARCHED);
        self.search(&current, buyer, order).await
    }

    async fn search(
        &self,
        sales: &[SaleId],
        buyer: BuyerId,
        order: OrderId,
    ) -> Result<Option<SaleId>, LookError> {
        let gates = self.find_gates(sales).await.map_err(LookError::Gate)?;
        let mut pipeline = Pipeline::new();
        for gate in gates.iter().flatten() {
            let bucket = gate.bucket(gate.bucket_of(buyer));
            pipeline.cmd("HGET").arg(&bucket.buyers_key).arg(buyer.0);
        }
        if pipeline.is_empty() {
            return Ok(None);
        }
        let held = self.inner.link.pipe(&pipeline).await;
        let held: Vec<Option<String>> = held.map_err(LookError::Gate)?;
        let mut asked = gates.iter().flatten().zip(held);
        let found = asked.find(|(_, held)| {
            let held = held.as_deref().unwrap_or_default();
            items(held).any(|item| item.order == order)
        });
        Ok(found.map(|(gate, _)| gate.id))
    }
}
