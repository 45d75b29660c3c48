//! A ledger with hooks: a test acts at every step of its reader.

use std::sync::Arc;

use flash::{
    Audit, BuyerId, DrainLease, Ended, Holding, Ledger, LedgerError, Order, OrderId, SaleId,
    StockUnit, Terms, WriteOutcome,
};
use futures_util::future::BoxFuture;

use crate::memory_ledger::MemoryLedger;

/// Done before and after each question a load asks.
pub(crate) type Hook = Arc<dyn Fn(&'static str) -> BoxFuture<'static, ()> + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Watched {
    pub(crate) book: MemoryLedger,
    pub(crate) hook: Hook,
}

impl Ledger for Watched {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        self.book.settle_partitions(count).await
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        (self.hook)("before sale").await;
        let terms = self.book.sale(sale).await;
        (self.hook)("after sale").await;
        terms
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        (self.hook)("before open_load").await;
        let terms = self.book.open_load(sale).await;
        (self.hook)("after open_load").await;
        terms
    }

    async fn holdings(
        &self,
        sale: SaleId,
        after: OrderId,
        limit: u32,
    ) -> Result<Vec<Holding>, LedgerError> {
        (self.hook)("before holdings").await;
        let page = self.book.holdings(sale, after, limit).await;
        (self.hook)("after holdings").await;
        page
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        self.book.held_by(sale, buyer).await
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        self.book.audit(sale).await
    }

    async fn current_sales(&self, ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        self.book.current_sales(ended_after_ms).await
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        self.book.take_drain_lease(lease).await
    }

    async fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        self.book.write_orders(lease, orders).await
    }

    async fn dead_letter(
        &self,
        lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<(), LedgerError> {
        self.book.dead_letter(lease, order, reason, unit).await
    }

    async fn find_end(&self, order: OrderId) -> Result<Option<Ended>, LedgerError> {
        self.book.find_end(order).await
    }

    async fn live_among(&self, orders: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        self.book.live_among(orders).await
    }

    async fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> Result<(), LedgerError> {
        self.book.record_repair(sale, what, detail).await
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        self.book.mark(name).await
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        self.book.raise_mark(name, to).await
    }
}
