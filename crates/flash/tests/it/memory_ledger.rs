//! An honest [`Ledger`] in memory: all that the trait promises, and switches for what a database may do to the engine.
//!
//! It keeps `initial = stock + live orders` for every sale, and says so when it is looked at if it does not.

mod faults;
mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flash::{
    Audit, BuyerId, DrainLease, Ended, Holding, Ledger, LedgerError, Order, OrderId, Partition,
    SaleId, StockUnit, Terms, WriteOutcome,
};

use faults::Faults;
pub(crate) use faults::Stop;
use state::{DeadLetter, Repair, State};

/// A handle; clones share the ledger.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemoryLedger {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    faults: Faults,
}

/// A sale of one bucket that is open now and for a day.
pub(crate) fn open_sale(initial: u32) -> Terms {
    let now_ms = jiff::Timestamp::now().as_millisecond();
    Terms {
        initial,
        stock: initial,
        begin_ms: now_ms - 60_000,
        end_ms: now_ms + 86_400_000,
        limit_per_buyer: 1,
        spread: 1,
        on_shelf: true,
        epoch: 1,
    }
}

/// What a test does and sees.
impl MemoryLedger {
    /// Puts up a sale whose units are all there.
    pub(crate) fn publish(&self, sale: SaleId, terms: Terms) {
        assert_eq!(terms.initial, terms.stock, "nobody has bought yet");
        self.lock().sales.insert(sale, terms);
    }

    /// Changes the terms of a sale as a person would, which raises its epoch.
    pub(crate) fn change(&self, sale: SaleId, change: impl FnOnce(&mut Terms)) {
        let mut state = self.lock();
        let terms = state.sales.get_mut(&sale).expect("the sale was published");
        change(terms);
        terms.epoch += 1;
        state.check();
    }

    /// Adds units, or takes away unsold ones.
    pub(crate) fn change_initial(&self, sale: SaleId, by: i64) {
        self.change(sale, |terms| {
            terms.initial = add(terms.initial, by);
            terms.stock = add(terms.stock, by);
        });
    }

    /// Takes an order's unit back, as a cancellation does; `false` if there is no such live order.
    pub(crate) fn return_unit(&self, order: OrderId) -> bool {
        self.lock().return_unit(order)
    }

    pub(crate) fn switch(&self) -> &Faults {
        &self.inner.faults
    }

    pub(crate) fn terms(&self, sale: SaleId) -> Option<Terms> {
        self.lock().sales.get(&sale).copied()
    }

    /// All orders ever recorded, in the order of their transactions.
    pub(crate) fn history(&self) -> Vec<Order> {
        let state = self.lock();
        state.check();
        state.history.clone()
    }

    /// Live orders of a sale, by id.
    pub(crate) fn live_orders(&self, sale: SaleId) -> Vec<Order> {
        self.lock().live_orders(sale)
    }

    pub(crate) fn order_count(&self) -> usize {
        self.lock().history.len()
    }

    pub(crate) fn dead_letters(&self) -> Vec<DeadLetter> {
        self.lock().dead_lettered.values().cloned().collect()
    }

    pub(crate) fn repairs(&self) -> Vec<Repair> {
        self.lock().repairs.clone()
    }

    /// How often `write_orders` was called.
    pub(crate) fn write_count(&self) -> u64 {
        self.inner.faults.write_count()
    }

    /// The highest fence that sat down for a partition.
    pub(crate) fn fence(&self, partition: Partition) -> Option<i64> {
        self.lock().leases.get(&partition).copied()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A test that failed with the lock held has said why already.
        let state = self.inner.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger for MemoryLedger {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        self.inner.faults.answer()?;
        Ok(*self.lock().partitions.get_or_insert(count))
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        self.inner.faults.answer()?;
        Ok(self.terms(sale))
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        self.inner.faults.answer()?;
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
        self.inner.faults.answer()?;
        Ok(self.lock().holdings(sale, after, limit))
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        self.inner.faults.answer()?;
        Ok(self.lock().held_by(sale, buyer))
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        self.inner.faults.answer()?;
        Ok(self.lock().audit(sale))
    }

    async fn current_sales(&self, ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        self.inner.faults.answer()?;
        let state = self.lock();
        let sales = state.sales.iter();
        Ok(sales
            .filter(|(_, terms)| terms.end_ms > ended_after_ms)
            .map(|(sale, _)| *sale)
            .collect())
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        self.inner.faults.answer()?;
        self.lock().take_drain_lease(lease)
    }

    async fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        let faults = &self.inner.faults;
        faults.before_write(orders).await?;
        let written = self.lock().write_orders(lease, orders)?;
        faults.after_write().await?;
        Ok(written)
    }

    async fn dead_letter(
        &self,
        lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<(), LedgerError> {
        self.inner.faults.answer()?;
        self.lock().dead_letter(lease, order, reason, unit)
    }

    async fn find_end(&self, order: OrderId) -> Result<Option<Ended>, LedgerError> {
        self.inner.faults.answer()?;
        Ok(self.lock().find_end(order))
    }

    async fn live_among(&self, orders: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        self.inner.faults.answer()?;
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
        self.inner.faults.answer()?;
        self.lock().repairs.push(Repair {
            sale,
            what: what.to_owned(),
            detail: detail.to_owned(),
        });
        Ok(())
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        self.inner.faults.answer()?;
        Ok(self.lock().marks.get(name).copied())
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        self.inner.faults.answer()?;
        let mut state = self.lock();
        let mark = state.marks.entry(name.to_owned()).or_insert(to);
        *mark = to.max(*mark);
        Ok(())
    }
}

fn add(units: u32, by: i64) -> u32 {
    let sum = i64::from(units) + by;
    u32::try_from(sum).expect("only unsold units are taken away")
}
