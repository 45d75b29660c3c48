//! What the ledger has recorded. Every function is one transaction: all of it, or nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{DeadLetter, RecordedRepair};
use crate::{
    Audit, BuyerId, DrainLease, Ended, Holding, LedgerError, Order, OrderId, Partition, Refused,
    SaleId, StockUnit, Terms, WriteOutcome,
};

/// The unique key: one live order per slot of a buyer.
type Place = (SaleId, BuyerId, u8);

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) partitions: Option<u16>,
    pub(super) sales: BTreeMap<SaleId, Terms>,
    /// All orders; those of `live` hold a unit.
    orders: BTreeMap<OrderId, Order>,
    live: BTreeSet<OrderId>,
    slots: HashMap<Place, OrderId>,
    pub(super) history: Vec<Order>,
    pub(super) dead_lettered: BTreeMap<OrderId, DeadLetter>,
    pub(super) leases: HashMap<Partition, i64>,
    pub(super) marks: HashMap<String, i64>,
    pub(super) repairs: Vec<RecordedRepair>,
}

impl State {
    pub(super) fn take_drain_lease(&mut self, lease: DrainLease) -> Result<(), LedgerError> {
        let highest = self.leases.entry(lease.partition).or_insert(lease.fence);
        if *highest > lease.fence {
            return Err(LedgerError::Fenced);
        }
        *highest = lease.fence;
        Ok(())
    }

    pub(super) fn write_orders(
        &mut self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        self.take_drain_lease(lease)?;
        let mut new: Vec<&Order> = Vec::new();
        let mut taken = HashMap::new();
        let mut written = Vec::with_capacity(orders.len());
        for order in orders {
            let outcome = self.outcome(order, &taken);
            if outcome == WriteOutcome::New {
                taken.insert(place(order), order.id);
                new.push(order);
            }
            written.push(outcome);
        }
        self.check_stock(&new)?;
        for order in new {
            self.record(*order);
        }
        Ok(written)
    }

    /// Dead-lettered orders are final, like recorded ones: their units may have been sold again.
    fn outcome(&self, order: &Order, taken: &HashMap<Place, OrderId>) -> WriteOutcome {
        if self.is_settled(order.id) {
            return WriteOutcome::AlreadyRecorded;
        }
        if !self.sales.contains_key(&order.sale) {
            return WriteOutcome::Refused(Refused::NoSuchSale);
        }
        let holder = self.slots.get(&place(order));
        match holder.or_else(|| taken.get(&place(order))) {
            Some(id) if *id == order.id => WriteOutcome::AlreadyRecorded,
            Some(id) => WriteOutcome::Refused(Refused::SlotTaken(*id)),
            None => WriteOutcome::New,
        }
    }

    fn check_stock(&self, new: &[&Order]) -> Result<(), LedgerError> {
        let mut wanted: BTreeMap<SaleId, u32> = BTreeMap::new();
        for order in new {
            *wanted.entry(order.sale).or_default() += 1;
        }
        let short = wanted
            .iter()
            .find(|(sale, wanted)| self.sales[sale].stock < **wanted);
        short.map_or(Ok(()), |(sale, _)| Err(LedgerError::OutOfStock(*sale)))
    }

    fn record(&mut self, order: Order) {
        let terms = self.sales.get_mut(&order.sale).expect("it was looked up");
        terms.stock -= 1;
        self.orders.insert(order.id, order);
        self.live.insert(order.id);
        self.slots.insert(place(&order), order.id);
        self.history.push(order);
    }

    pub(super) fn return_unit(&mut self, id: OrderId) -> bool {
        if !self.live.remove(&id) {
            return false;
        }
        let order = self.orders[&id];
        self.slots.remove(&place(&order));
        let terms = self.sales.get_mut(&order.sale).expect("it was looked up");
        terms.stock += 1;
        terms.epoch += 1;
        true
    }

    /// An order that was recorded after all stays: its unit must not be sold twice.
    pub(super) fn dead_letter(
        &mut self,
        lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<(), LedgerError> {
        self.take_drain_lease(lease)?;
        if !self.is_settled(order.id) {
            let letter = DeadLetter {
                order: *order,
                reason: reason.to_owned(),
                unit,
            };
            self.dead_lettered.insert(order.id, letter);
        }
        Ok(())
    }

    fn is_settled(&self, order: OrderId) -> bool {
        self.orders.contains_key(&order) || self.dead_lettered.contains_key(&order)
    }

    pub(super) fn find_end(&self, order: OrderId) -> Option<Ended> {
        if self.dead_lettered.contains_key(&order) {
            Some(Ended::DeadLettered)
        } else if self.orders.contains_key(&order) && !self.is_live(order) {
            Some(Ended::Returned)
        } else {
            None
        }
    }

    pub(super) fn is_live(&self, order: OrderId) -> bool {
        self.live.contains(&order)
    }

    pub(super) fn live_orders(&self, sale: SaleId) -> Vec<Order> {
        let live = self.live.iter().map(|id| self.orders[id]);
        live.filter(|order| order.sale == sale).collect()
    }

    pub(super) fn holdings(&self, sale: SaleId, after: OrderId, limit: u32) -> Vec<Holding> {
        let orders = self.orders.values().filter(|order| order.sale == sale);
        let page = orders
            .filter(|order| order.id > after)
            .filter_map(|order| self.holding(order));
        page.take(usize::try_from(limit).unwrap_or(usize::MAX))
            .collect()
    }

    pub(super) fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Vec<Holding> {
        let orders = self.orders.values();
        let theirs = orders.filter(|order| order.sale == sale && order.buyer == buyer);
        theirs.filter_map(|order| self.holding(order)).collect()
    }

    /// A live order, or one that ended and whose request has a key.
    fn holding(&self, order: &Order) -> Option<Holding> {
        let slot = match self.is_live(order.id) {
            true => order.slot,
            false => 0,
        };
        (slot > 0 || order.key.is_some()).then_some(Holding {
            order: order.id,
            buyer: order.buyer,
            slot,
            key: order.key,
        })
    }

    pub(super) fn audit(&self, sale: SaleId) -> Option<Audit> {
        let terms = *self.sales.get(&sale)?;
        let live_orders = u64::try_from(self.live_orders(sale).len()).unwrap_or(u64::MAX);
        Some(Audit { terms, live_orders })
    }

    pub(super) fn is_balanced(&self) -> bool {
        let mut live: HashMap<SaleId, u32> = HashMap::new();
        for id in &self.live {
            *live.entry(self.orders[id].sale).or_default() += 1;
        }
        self.sales.iter().all(|(sale, terms)| {
            let held = live.get(sale).copied().unwrap_or_default();
            terms.initial == terms.stock + held
        })
    }
}

fn place(order: &Order) -> Place {
    (order.sale, order.buyer, order.slot)
}
