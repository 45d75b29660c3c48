//! The contract of a ledger: the one in memory keeps it, and a ledger that breaks a rule is found out.

use std::collections::HashMap;
use std::sync::Mutex;

use flash::ledger_contract::{Subject, violations};
use flash::{
    Audit, BuyerId, DrainLease, Ended, Holding, Ledger, LedgerError, MemoryLedger, Order, OrderId,
    SaleId, StockUnit, Terms, WriteOutcome,
};

/// What is wrong with a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    PartitionsFollowTheCaller,
    LoadKeepsTheEpoch,
    WriteIgnoresTheFence,
    DeadLetterIgnoresTheFence,
    RepetitionIsNew,
    ShortBatchIsRecordedInPart,
    ShortSaleGrows,
    KeyIsDropped,
    PageBeginsAnew,
    EndedKeysAreForgotten,
    DeadLettersAreForgotten,
    MarkFalls,
    EverySaleIsCurrent,
}

/// The rule that finds it out.
const FOUND_BY: [(Fault, &str); 13] = [
    (
        Fault::PartitionsFollowTheCaller,
        "the_first_number_of_partitions_stays",
    ),
    (Fault::LoadKeepsTheEpoch, "a_load_raises_the_epoch"),
    (Fault::WriteIgnoresTheFence, "a_lower_fence_changes_nothing"),
    (
        Fault::DeadLetterIgnoresTheFence,
        "a_lower_fence_changes_nothing",
    ),
    (
        Fault::RepetitionIsNew,
        "the_same_order_again_changes_nothing",
    ),
    (
        Fault::ShortBatchIsRecordedInPart,
        "a_batch_beyond_the_stock_records_nothing",
    ),
    (
        Fault::ShortSaleGrows,
        "writers_beside_each_other_never_oversell",
    ),
    (
        Fault::KeyIsDropped,
        "recorded_orders_take_units_and_are_found",
    ),
    (Fault::PageBeginsAnew, "holdings_are_paged_by_id"),
    (
        Fault::EndedKeysAreForgotten,
        "an_ended_order_with_a_key_is_still_found",
    ),
    (
        Fault::DeadLettersAreForgotten,
        "a_dead_lettered_order_is_final",
    ),
    (Fault::MarkFalls, "marks_never_fall"),
    (
        Fault::EverySaleIsCurrent,
        "sales_are_current_until_their_end",
    ),
];

/// A ledger with one fault.
struct Faulty {
    ledger: MemoryLedger,
    fault: Fault,
    marks: Mutex<HashMap<String, i64>>,
}

impl Faulty {
    fn new(fault: Fault) -> Self {
        Self {
            ledger: MemoryLedger::new(),
            fault,
            marks: Mutex::default(),
        }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// The lease as if it were the latest.
    fn latest(&self, lease: DrainLease) -> DrainLease {
        let fence = self.ledger.fence(lease.partition);
        DrainLease {
            fence: fence.unwrap_or(lease.fence).max(lease.fence),
            ..lease
        }
    }
}

impl Subject for Faulty {
    type Ledger = Self;

    fn ledger(&self) -> &Self {
        self
    }

    async fn publish(&self, number: i64, terms: Terms) -> SaleId {
        self.ledger.publish(SaleId(number), terms);
        SaleId(number)
    }

    async fn return_unit(&self, order: OrderId) {
        assert!(self.ledger.return_unit(order));
    }
}

impl Ledger for Faulty {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        if self.has(Fault::PartitionsFollowTheCaller) {
            return Ok(count);
        }
        self.ledger.settle_partitions(count).await
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        self.ledger.sale(sale).await
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        if self.has(Fault::LoadKeepsTheEpoch) {
            return self.ledger.sale(sale).await;
        }
        self.ledger.open_load(sale).await
    }

    async fn holdings(
        &self,
        sale: SaleId,
        mut after: OrderId,
        limit: u32,
    ) -> Result<Vec<Holding>, LedgerError> {
        if self.has(Fault::PageBeginsAnew) {
            after = OrderId(i64::MIN);
        }
        let mut page = self.ledger.holdings(sale, after, limit).await?;
        page.retain(|it| it.is_live() || !self.has(Fault::EndedKeysAreForgotten));
        Ok(page)
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        self.ledger.held_by(sale, buyer).await
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        self.ledger.audit(sale).await
    }

    async fn current_sales(&self, ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        let after_ms = match self.has(Fault::EverySaleIsCurrent) {
            true => i64::MIN,
            false => ended_after_ms,
        };
        self.ledger.current_sales(after_ms).await
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        self.ledger.take_drain_lease(lease).await
    }

    async fn write_orders(
        &self,
        mut lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        if self.has(Fault::WriteIgnoresTheFence) {
            lease = self.latest(lease);
        }
        let mut orders = orders.to_vec();
        if self.has(Fault::KeyIsDropped) {
            orders.iter_mut().for_each(|order| order.key = None);
        }
        let mut written = self.ledger.write_orders(lease, &orders).await;
        if let Err(LedgerError::OutOfStock(sale)) = written {
            if self.has(Fault::ShortBatchIsRecordedInPart) {
                self.ledger.write_orders(lease, &orders[..1]).await?;
            }
            if self.has(Fault::ShortSaleGrows) {
                let more = u32::try_from(orders.len()).unwrap();
                self.ledger.change(sale, |terms| {
                    terms.initial += more;
                    terms.stock += more;
                });
                written = self.ledger.write_orders(lease, &orders).await;
            }
        }
        let mut written = written?;
        if self.has(Fault::RepetitionIsNew) {
            for outcome in &mut written {
                if *outcome == WriteOutcome::AlreadyRecorded {
                    *outcome = WriteOutcome::New;
                }
            }
        }
        Ok(written)
    }

    async fn dead_letter(
        &self,
        mut lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<(), LedgerError> {
        if self.has(Fault::DeadLetterIgnoresTheFence) {
            lease = self.latest(lease);
        }
        self.ledger.dead_letter(lease, order, reason, unit).await
    }

    async fn find_end(&self, order: OrderId) -> Result<Option<Ended>, LedgerError> {
        let end = self.ledger.find_end(order).await?;
        let is_forgotten = self.has(Fault::DeadLettersAreForgotten);
        Ok(end.filter(|end| *end != Ended::DeadLettered || !is_forgotten))
    }

    async fn live_among(&self, orders: &[OrderId]) -> Result<Vec<OrderId>, LedgerError> {
        self.ledger.live_among(orders).await
    }

    async fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> Result<(), LedgerError> {
        self.ledger.record_repair(sale, what, detail).await
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        if self.has(Fault::MarkFalls) {
            return Ok(self.marks.lock().unwrap().get(name).copied());
        }
        self.ledger.mark(name).await
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        self.marks.lock().unwrap().insert(name.to_owned(), to);
        self.ledger.raise_mark(name, to).await
    }
}

#[tokio::test]
async fn the_ledger_in_memory_keeps_the_contract() {
    assert_eq!(violations(&Faulty::new(Fault::None)).await, []);
}

/// A contract that passes everything would prove nothing about anybody's ledger.
#[tokio::test]
async fn every_fault_is_found_by_its_rule() {
    for (fault, rule) in FOUND_BY {
        let found = violations(&Faulty::new(fault)).await;
        assert!(
            found.iter().any(|violation| violation.rule == rule),
            "{fault:?} is not found by {rule}: {found:#?}"
        );
    }
}
