//! The library's ledger in memory, with switches for what a database may do to the engine.
//!
//! It says so when it is looked at and `initial = stock + live orders` does not hold.

mod faults;

use std::sync::Arc;

use flash::{
    Audit, BuyerId, DeadLetter, DrainLease, Ended, Holding, Ledger, LedgerError, Order, OrderId,
    Partition, RecordedRepair, SaleId, StockUnit, Terms, WriteOutcome,
};

use faults::Faults;
pub(crate) use faults::Stop;

/// A handle; clones share the ledger.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemoryLedger {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    ledger: flash::MemoryLedger,
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
        self.inner.ledger.publish(sale, terms);
    }

    /// Changes the terms of a sale as a person would, which raises its epoch.
    pub(crate) fn change(&self, sale: SaleId, change: impl FnOnce(&mut Terms)) {
        assert!(self.balanced().change(sale, change), "it was published");
        self.balanced();
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
        let returned = self.inner.ledger.return_unit(order);
        self.balanced();
        returned
    }

    pub(crate) fn switch(&self) -> &Faults {
        &self.inner.faults
    }

    pub(crate) fn terms(&self, sale: SaleId) -> Option<Terms> {
        self.inner.ledger.terms(sale)
    }

    /// All orders ever recorded, in the order of their transactions.
    pub(crate) fn history(&self) -> Vec<Order> {
        self.balanced().history()
    }

    /// Live orders of a sale, by id.
    pub(crate) fn live_orders(&self, sale: SaleId) -> Vec<Order> {
        self.inner.ledger.live_orders(sale)
    }

    pub(crate) fn order_count(&self) -> usize {
        self.inner.ledger.order_count()
    }

    pub(crate) fn dead_letters(&self) -> Vec<DeadLetter> {
        self.inner.ledger.dead_letters()
    }

    pub(crate) fn repairs(&self) -> Vec<RecordedRepair> {
        self.inner.ledger.repairs()
    }

    /// How often `write_orders` was called.
    pub(crate) fn write_count(&self) -> u64 {
        self.inner.faults.write_count()
    }

    /// The highest fence that was registered for a partition.
    pub(crate) fn fence(&self, partition: Partition) -> Option<i64> {
        self.inner.ledger.fence(partition)
    }

    fn balanced(&self) -> &flash::MemoryLedger {
        assert!(self.inner.ledger.is_balanced(), "{:?}", self.inner.ledger);
        &self.inner.ledger
    }

    /// The ledger, if it answers.
    fn answering(&self) -> Result<&flash::MemoryLedger, LedgerError> {
        self.inner.faults.answer()?;
        Ok(&self.inner.ledger)
    }
}

impl Ledger for MemoryLedger {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        self.answering()?.settle_partitions(count).await
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        self.answering()?.sale(sale).await
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        self.answering()?.open_load(sale).await
    }

    async fn holdings(
        &self,
        sale: SaleId,
        after: OrderId,
        limit: u32,
    ) -> Result<Vec<Holding>, LedgerError> {
        self.answering()?.holdings(sale, after, limit).await
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        self.answering()?.held_by(sale, buyer).await
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        self.answering()?;
        self.balanced().audit(sale).await
    }

    async fn current_sales(&self, ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        self.answering()?.current_sales(ended_after_ms).await
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        self.answering()?.take_drain_lease(lease).await
    }

    async fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        let Inner { ledger, faults } = &*self.inner;
        faults.before_write(orders).await?;
        let written = ledger.write_orders(lease, orders).await?;
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
        let ledger = self.answering()?;
        let live = ledger.live_among(&[order.id]).await?;
        assert_eq!(live, [], "{order:?} is live");
        ledger.dead_letter(lease, order, reason, unit).await
    }

    async fn find_end(&self, order: OrderId) -> Result<Option<Ended>, LedgerError> {
        self.answering()?.find_end(order).await
    }

    async fn live_among(&self, orders: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        self.answering()?.live_among(orders).await
    }

    async fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> Result<(), LedgerError> {
        self.answering()?.record_repair(sale, what, detail).await
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        self.answering()?.mark(name).await
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        self.answering()?.raise_mark(name, to).await
    }
}

fn add(units: u32, by: i64) -> u32 {
    let sum = i64::from(units) + by;
    u32::try_from(sum).expect("only unsold units are taken away")
}
