//! Two masters, each with its own processes, that begin day after day at the same moment, with a ledger that takes its time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use flash::{
    Audit, BuyerId, Clock, DrainLease, Ended, Holding, IdChoice, Keys, Ledger, LedgerError, Order,
    OrderId, OrderIds, SaleId, StockUnit, Terms, WriteOutcome,
};
use testkit::{Redis, unique_prefix};

use super::{assert_distinct, link};
use crate::memory_ledger::MemoryLedger;

const DAYS: usize = 100;
const DAY_MS: i64 = 86_400_000;

/// Noon of a day in 2026.
const NOON_MS: i64 = 1_794_744_000_000;

/// Keeps marks, and hesitates before and after, so that everything that can come between does.
#[derive(Debug, Default)]
struct Hesitant {
    book: MemoryLedger,
}

/// Mostly not, sometimes for as long as it takes the others to do all they do.
async fn hesitate() {
    if rand::random_ratio(1, 4) {
        let pause = Duration::from_millis(rand::random_range(1..15));
        tokio::time::sleep(pause).await;
    }
}

impl Ledger for Hesitant {
    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        hesitate().await;
        let mark = self.book.mark(name).await;
        hesitate().await;
        mark
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        hesitate().await;
        let raised = self.book.raise_mark(name, to).await;
        hesitate().await;
        raised
    }

    async fn settle_partitions(&self, _: u16) -> Result<u16, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn sale(&self, _: SaleId) -> Result<Option<Terms>, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn open_load(&self, _: SaleId) -> Result<Option<Terms>, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn holdings(&self, _: SaleId, _: OrderId, _: u32) -> Result<Vec<Holding>, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn held_by(&self, _: SaleId, _: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn audit(&self, _: SaleId) -> Result<Option<Audit>, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn current_sales(&self, _: i64) -> Result<Vec<SaleId>, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn take_drain_lease(&self, _: DrainLease) -> Result<(), LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn write_orders(
        &self,
        _: DrainLease,
        _: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn dead_letter(
        &self,
        _: DrainLease,
        _: &Order,
        _: &str,
        _: StockUnit,
    ) -> Result<(), LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn find_end(&self, _: OrderId) -> Result<Option<Ended>, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn live_among(&self, _: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        unreachable!("ids ask for marks only")
    }

    async fn record_repair(&self, _: SaleId, _: &str, _: &str) -> Result<(), LedgerError> {
        unreachable!("ids ask for marks only")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn generations_begun_at_once_by_masters_that_do_not_know_each_other_share_no_id() {
    let servers = [Redis::start().await, Redis::start().await];
    let (keys, ledger) = (Keys::new(&unique_prefix()), Arc::new(Hesitant::default()));
    let clock_ms = Arc::new(AtomicI64::new(NOON_MS));
    let mut processes = Vec::new();
    for server in servers.iter().chain(&servers) {
        processes.push(OrderIds::with_clock(
            link(&server.url()).await,
            keys.clone(),
            ledger.clone(),
            IdChoice::Counted,
            Clock::Manual(clock_ms.clone()),
        ));
    }
    for _ in 0..DAYS {
        clock_ms.fetch_add(DAY_MS, Ordering::SeqCst);
        let mut crowd = tokio::task::JoinSet::new();
        for process in processes.clone() {
            crowd.spawn(async move {
                // Late enough to meet the others at any of their steps.
                let late = Duration::from_micros(rand::random_range(0..15_000));
                tokio::time::sleep(late).await;
                let mut ids = Vec::new();
                // Who is made to begin again too often may give up.
                let _ = process.take_many(1_000, &mut ids).await;
                ids
            });
        }
        let ids = crowd.join_all().await.concat();
        assert!(!ids.is_empty());
        assert_distinct(ids);
    }
}
