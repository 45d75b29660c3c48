//! The `Ledger` of the flash-sale engine on our database.
//!
//! It only translates types. Every transaction is one function of `storage`.

use std::time::Duration;

use domain::{OrderId, UserId, VoucherId};
use flash::{
    Audit, BuyerId, DrainLease, Ended, Holding, KeyHash, Ledger, LedgerError, Order, Refused,
    SaleId, StockUnit, Terms, WriteOutcome,
};
use jiff::Timestamp;
use storage::flash_sales::{self as sql, WriteRefusal};
use storage::{Db, id_marks, orders};

use super::claim_key::REMEMBERED_FOR;
use crate::outbox::OutboxWakeup;

#[derive(Clone, Debug)]
pub struct SqlLedger {
    db: Db,
    /// The payment period of an order.
    pay_within: Duration,
    outbox: OutboxWakeup,
}

impl SqlLedger {
    pub fn new(db: Db, pay_within: Duration, outbox: OutboxWakeup) -> Self {
        Self {
            db,
            pay_within,
            outbox,
        }
    }
}

impl Ledger for SqlLedger {
    async fn settle_partitions(&self, count: u16) -> Result<u16, LedgerError> {
        let settled = sql::settle_partitions(&self.db, count).await;
        settled.map_err(ledger_error)
    }

    async fn sale(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let found = sql::terms(&self.db, voucher(sale)).await;
        Ok(found.map_err(ledger_error)?.map(terms))
    }

    async fn open_load(&self, sale: SaleId) -> Result<Option<Terms>, LedgerError> {
        let opened = sql::open_load(&self.db, voucher(sale)).await;
        Ok(opened.map_err(ledger_error)?.map(terms))
    }

    async fn holdings(
        &self,
        sale: SaleId,
        after: flash::OrderId,
        limit: u32,
    ) -> Result<Vec<Holding>, LedgerError> {
        let after = OrderId::new(after.0);
        let named_after = Timestamp::now().checked_sub(REMEMBERED_FOR);
        let named_after = named_after.unwrap_or(Timestamp::MIN);
        let listed = sql::holdings(&self.db, voucher(sale), after, limit, named_after).await;
        let listed = listed.map_err(ledger_error)?;
        Ok(listed.into_iter().map(holding).collect())
    }

    async fn held_by(&self, sale: SaleId, buyer: BuyerId) -> Result<Vec<Holding>, LedgerError> {
        let user = UserId::new(buyer.0);
        let listed = sql::held_by(&self.db, voucher(sale), user).await;
        let listed = listed.map_err(ledger_error)?;
        Ok(listed.into_iter().map(holding).collect())
    }

    async fn audit(&self, sale: SaleId) -> Result<Option<Audit>, LedgerError> {
        let looked = sql::audit(&self.db, voucher(sale)).await;
        let audit = |row: sql::Audit| Audit {
            terms: terms(row.terms),
            live_orders: row.live_orders,
        };
        Ok(looked.map_err(ledger_error)?.map(audit))
    }

    async fn current_sales(&self, ended_after_ms: i64) -> Result<Vec<SaleId>, LedgerError> {
        let listed = sql::current_sales(&self.db, moment(ended_after_ms)).await;
        let listed = listed.map_err(ledger_error)?;
        Ok(listed.into_iter().map(|id| SaleId(id.get())).collect())
    }

    async fn take_drain_lease(&self, lease: DrainLease) -> Result<(), LedgerError> {
        let taken = sql::take_drain_lease(&self.db, sql_lease(lease)).await;
        taken.map_err(ledger_error)?.map_err(fenced)
    }

    async fn write_orders(
        &self,
        lease: DrainLease,
        orders: &[Order],
    ) -> Result<Vec<WriteOutcome>, LedgerError> {
        let rows: Vec<sql::SaleOrder> = orders.iter().map(sale_order).collect();
        let wrote = sql::write_orders(&self.db, sql_lease(lease), &rows, self.pay_within).await;
        let written = wrote
            .map_err(ledger_error)?
            .map_err(|refusal| match refusal {
                WriteRefusal::Fenced(is_fenced) => fenced(is_fenced),
                WriteRefusal::Short(id) => LedgerError::OutOfStock(SaleId(id.get())),
            })?;
        Ok(written.into_iter().map(write_outcome).collect())
    }

    async fn dead_letter(
        &self,
        lease: DrainLease,
        order: &Order,
        reason: &str,
        unit: StockUnit,
    ) -> Result<(), LedgerError> {
        let unit = match unit {
            StockUnit::Held => sql::StockUnit::Held,
            StockUnit::None => sql::StockUnit::None,
        };
        let (lease, order) = (sql_lease(lease), sale_order(order));
        let kept = sql::dead_letter(&self.db, lease, &order, reason, unit).await;
        kept.map_err(ledger_error)?.map_err(fenced)?;
        self.outbox.wake();
        Ok(())
    }

    async fn find_end(&self, order: flash::OrderId) -> Result<Option<Ended>, LedgerError> {
        let found = sql::find_end(&self.db, OrderId::new(order.0)).await;
        let end = |end| match end {
            sql::Ended::DeadLettered => Ended::DeadLettered,
            sql::Ended::Returned => Ended::Returned,
        };
        Ok(found.map_err(ledger_error)?.map(end))
    }

    async fn live_among(&self, ids: &[flash::OrderId]) -> Result<Vec<flash::OrderId>, LedgerError> {
        let ids: Vec<OrderId> = ids.iter().map(|id| OrderId::new(id.0)).collect();
        let live = orders::live_among(&self.db, &ids).await;
        let live = live.map_err(ledger_error)?;
        Ok(live
            .into_iter()
            .map(|id| flash::OrderId(id.get()))
            .collect())
    }

    async fn record_repair(
        &self,
        sale: SaleId,
        what: &str,
        detail: &str,
    ) -> Result<(), LedgerError> {
        let recorded = sql::record_repair(&self.db, voucher(sale), what, detail).await;
        recorded.map_err(ledger_error)
    }

    async fn mark(&self, name: &str) -> Result<Option<i64>, LedgerError> {
        id_marks::get(&self.db, name).await.map_err(ledger_error)
    }

    async fn raise_mark(&self, name: &str, to: i64) -> Result<(), LedgerError> {
        let raised = id_marks::raise(&self.db, name, to).await;
        raised.map_err(ledger_error)
    }
}

fn voucher(sale: SaleId) -> VoucherId {
    VoucherId::new(sale.0)
}

fn terms(row: sql::Terms) -> Terms {
    Terms {
        initial: row.initial,
        stock: row.stock,
        begin_ms: row.begin_at.as_millisecond(),
        end_ms: row.end_at.as_millisecond(),
        limit_per_buyer: row.limit_per_user,
        spread: row.spread,
        on_shelf: row.on_shelf,
        epoch: row.epoch,
    }
}

fn sql_lease(lease: DrainLease) -> sql::DrainLease {
    sql::DrainLease {
        partition: lease.partition.0,
        fence: lease.fence,
    }
}

fn sale_order(order: &Order) -> sql::SaleOrder {
    sql::SaleOrder {
        id: OrderId::new(order.id.0),
        voucher_id: voucher(order.sale),
        user_id: UserId::new(order.buyer.0),
        slot: order.slot,
        granted_at: moment(order.granted_at_ms),
        key: order.key.map(|key| key.0),
    }
}

fn holding(row: sql::Holding) -> Holding {
    Holding {
        order: flash::OrderId(row.order.get()),
        buyer: BuyerId(row.user_id.get()),
        slot: row.slot,
        key: row.key.map(KeyHash),
    }
}

/// A dead-lettered order is as final as a recorded one: nothing is left to do for it.
fn write_outcome(written: sql::WriteOutcome) -> WriteOutcome {
    match written {
        sql::WriteOutcome::New => WriteOutcome::New,
        sql::WriteOutcome::AlreadyRecorded | sql::WriteOutcome::DeadLettered => {
            WriteOutcome::AlreadyRecorded
        }
        sql::WriteOutcome::Refused(sql::Refused::NoSuchSale) => {
            WriteOutcome::Refused(Refused::NoSuchSale)
        }
        sql::WriteOutcome::Refused(sql::Refused::SlotTaken(id)) => {
            WriteOutcome::Refused(Refused::SlotTaken(flash::OrderId(id.get())))
        }
    }
}

/// Clamps to the range of a timestamp.
fn moment(ms: i64) -> Timestamp {
    let nearest = if ms < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    Timestamp::from_millisecond(ms).unwrap_or(nearest)
}

/// Only rows that the database rejects count against the orders. A bug of ours (a column of another version) counts
/// as an outage: the orders wait until it is fixed.
fn ledger_error(error: storage::Error) -> LedgerError {
    if error.is_rejection() {
        LedgerError::Failed(error.into())
    } else {
        LedgerError::Unavailable(error.into())
    }
}

fn fenced(_: sql::Fenced) -> LedgerError {
    LedgerError::Fenced
}
