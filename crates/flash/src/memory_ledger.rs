//! A [`Ledger`] in memory, to try the engine out and to test against. It keeps all that the trait promises, except that
//! nothing survives the process.

mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{
    Audit, BuyerId, DrainLease, Ended, Holding, Ledger, LedgerError, Order, OrderId, Partition,
    SaleId, StockUnit, Terms, WriteOutcome,
};
use state::State;

/// A [`Ledger`] in memory. A handle; clones share the ledger.
///
/// Every function is one transaction under one lock, and `initial = stock + live orders` holds for every sale.
#[derive(Clone, Debug, Default)]
pub struct MemoryLedger {
    state: Arc<Mutex<State>>,
}

/// An order that could not be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeadLetter {
    /// The order as the gate granted it.
    pub order: Order,
    /// Why it cannot be recorded, for a person.
    pub reason: String,
    /// Whether its unit is for sale again.
    pub unit: StockUnit,
}

/// A repair that a reconciliation made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedRepair {
    /// The sale that was repaired.
    pub sale: SaleId,
    /// The kind of repair.
    pub what: String,
    /// What was done, for a person.
    pub detail: String,
}

impl MemoryLedger {
    /// An empty ledger.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts up a sale, in place of one with this id. Nobody has bought yet: its stock is `terms.initial`.
    pub fn publish(&self, sale: SaleId, terms: Terms) {
        let stock = terms.initial;
        self.lock().sales.insert(sale, Terms { stock, ..terms });
    }

    /// Changes the terms of a sale and raises its epoch; `false` if there is no such sale. Tell the gate by
    /// [`Flash::amend`](crate::Flash::amend).
    pub fn change(&self, sale: SaleId, change: impl FnOnce(&mut Terms)) -> bool {
        let mut state = self.lock();
        let Some(terms) = state.sales.get_mut(&sale) else {
            return false;
        };
        change(terms);
        terms.epoch += 1;
        true
    }

    /// Ends an order and returns its unit to stock, as a cancellation does; `false` if there is no such live order. Tell the
    /// gate by [`Flash::return_unit`](crate::Flash::return_unit).
    pub fn return_unit(&self, order: OrderId) -> bool {
        self.lock().return_unit(order)
    }

    /// The terms of a sale.
    pub fn terms(&self, sale: SaleId) -> Option<Terms> {
        self.lock().sales.get(&sale).copied()
    }

    /// All orders ever recorded, in the order of their transactions.
    pub fn history(&self) -> Vec<Order> {
        self.lock().history.clone()
    }

    /// How many orders were ever recorded.
    pub fn order_count(&self) -> usize {
        self.lock().history.len()
    }

    /// Live orders of a sale, by id.
    pub fn live_orders(&self, sale: SaleId) -> Vec<Order> {
        self.lock().live_orders(sale)
    }

    /// Orders that could not be recorded, by id.
    pub fn dead_letters(&self) -> Vec<DeadLetter> {
        self.lock().dead_lettered.values().cloned().collect()
    }

    /// Repairs that reconciliations made.
    pub fn repairs(&self) -> Vec<RecordedRepair> {
        self.lock().repairs.clone()
    }

    /// The highest fencing token that was registered for a partition.
    pub fn fence(&self, partition: Partition) -> Option<i64> {
        self.lock().leases.get(&partition).copied()
    }

    /// Whether `initial = stock + live orders` holds for every sale. Only [`change`](Self::change) can break it.
    pub fn is_balanced(&self) -> bool {
        self.lock().is_balanced()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A transaction changes the state after everything that may panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger for MemoryLedger {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        Ok(*self.lock().partitions.get_or_insert(count))
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        Ok(self.terms(sale))
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let mut state = self.lock();
        Ok(state.sales.get_mut(&sale).map(|terms| {
            terms.epoch += 1;
            *terms
        }))
    }

    async fn holdings(
        &self,
        sale: SaleId,
        after: OrderId,
        limit: u32,
    ) -> Result<Vec<Holding>, LedgerError> {
        Ok(self.lock().holdings(sale, after, limit))
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        Ok(self.lock().held_by(sale, buyer))
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        Ok(self.lock().audit(sale))
    }

    async fn current_sales(&self, ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        let state = self.lock();
        let current = state
            .sales
            .iter()
            .filter(|(_, terms)| terms.end_ms > ended_after_ms);
        Ok(current.map(|(sale, _)| *sale).collect())
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        self.lock().take_drain_lease(lease)
    }

    async fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        self.lock().write_orders(lease, orders)
    }

    async fn dead_letter(
        &self,
        lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<(), LedgerError> {
        self.lock().dead_letter(lease, order, reason, unit)
    }

    async fn find_end(&self, order: OrderId) -> Result<Option<Ended>, LedgerError> {
        Ok(self.lock().find_end(order))
    }

    async fn live_among(&self, orders: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        let state = self.lock();
        let live = orders.iter().filter(|order| state.is_live(**order));
        Ok(live.copied().collect())
    }

    async fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> Result<(), LedgerError> {
        self.lock().repairs.push(RecordedRepair {
            sale,
            what: what.to_owned(),
            detail: detail.to_owned(),
        });
        Ok(())
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        Ok(self.lock().marks.get(name).copied())
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        let mut state = self.lock();
        let mark = state.marks.entry(name.to_owned()).or_insert(to);
        *mark = to.max(*mark);
        Ok(())
    }
}
