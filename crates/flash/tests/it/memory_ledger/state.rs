//! What the book has written down. Every function is one transaction: all of it, or nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use flash::{
    Audit, BuyerId, DrainLease, Ended, Holding, LedgerError, Order, OrderId, Partition, Refused,
    SaleId, StockUnit, Terms, WriteOutcome,
};

/// An order that could not be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeadLetter {
    pub(crate) order: Order,
    pub(crate) reason: String,
    pub(crate) unit: StockUnit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) sale: SaleId,
    pub(crate) what: String,
    pub(crate) detail: String,
}

type Place = (SaleId, BuyerId, u8);

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) partitions: Option<u16>,
    pub(super) sales: BTreeMap<SaleId, Terms>,
    /// All orders; those of `live` hold a unit.
    orders: BTreeMap<OrderId, Order>,
    live: BTreeSet<OrderId>,
    /// The unique key: who sits in a slot of a sale.
    slots: HashMap<Place, OrderId>,
    pub(super) history: Vec<Order>,
    pub(super) dead_lettered: BTreeMap<OrderId, DeadLetter>,
    pub(super) leases: HashMap<Partition, i64>,
    pub(super) marks: HashMap<String, i64>,
    pub(super) repairs: Vec<Repair>,
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
            let fate = self.fate(order, &taken);
            if fate == WriteOutcome::New {
                taken.insert(place(order), order.id);
                new.push(order);
            }
            written.push(fate);
        }
        self.check_stock(&new)?;
        for order in new {
            self.record(*order);
        }
        Ok(written)
    }

    /// Dead-lettered orders are final, like recorded ones: their units may have been sold again.
    fn fate(&self, order: &Order, taken: &HashMap<Place, OrderId>) -> WriteOutcome {
        if self.orders.contains_key(&order.id) || self.dead_lettered.contains_key(&order.id) {
            return WriteOutcome::AlreadyRecorded;
        }
        if !self.sales.contains_key(&order.sale) {
            return WriteOutcome::Refused(Refused::NoSuchSale);
        }
        let sitter = self.slots.get(&place(order));
        match sitter.or_else(|| taken.get(&place(order))) {
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
        self.check();
        true
    }

    pub(super) fn dead_letter(
        &mut self,
        lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<(), LedgerError> {
        self.take_drain_lease(lease)?;
        assert!(!self.is_live(order.id), "{order:?} is alive");
        self.dead_lettered
            .entry(order.id)
            .or_insert_with(|| DeadLetter {
                order: *order,
                reason: reason.to_owned(),
                unit,
            });
        Ok(())
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
        page.take(usize::try_from(limit).expect("a page fits in memory"))
            .collect()
    }

    pub(super) fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Vec<Holding> {
        let orders = self.orders.values();
        let theirs = orders.filter(|order| order.sale == sale && order.buyer == buyer);
        theirs.filter_map(|order| self.holding(order)).collect()
    }

    /// A live order, or one that ended and whose request has a name.
    fn holding(&self, order: &Order) -> Option<Holding> {
        let slot = if self.is_live(order.id) {
            order.slot
        } else {
            0
        };
        (slot > 0 || order.key.is_some()).then_some(Holding {
            order: order.id,
            buyer: order.buyer,
            slot,
            key: order.key,
        })
    }

    pub(super) fn audit(&self, sale: SaleId) -> Option<Audit> {
        self.check();
        let terms = *self.sales.get(&sale)?;
        let live_orders = u64::try_from(self.live_orders(sale).len()).expect("a count");
        Some(Audit { terms, live_orders })
    }

    /// Says at once when the books do not balance.
    pub(super) fn check(&self) {
        let mut live: HashMap<SaleId, u32> = HashMap::new();
        for id in &self.live {
            *live.entry(self.orders[id].sale).or_default() += 1;
        }
        for (sale, terms) in &self.sales {
            let held = live.get(sale).copied().unwrap_or_default();
            assert_eq!(
                terms.initial,
                terms.stock + held,
                "the books of sale {sale}"
            );
        }
    }
}

fn place(order: &Order) -> Place {
    (order.sale, order.buyer, order.slot)
}
