//! Records granted orders: a batch is one transaction and a handful of statements, whatever its size.
//!
//! Orders are delivered at least once, and nearly always for the first time. So the first attempt inserts the batch
//! without looking. If a unique key is violated, it rolls back, and a second transaction reads which orders exist and
//! takes only the new ones from the stock. If a unique key or the stock condition fails even then, nothing is
//! recorded: they are the last line of defence.
//!
//! No other worker records orders of the same buyers meanwhile: a buyer's orders of a sale go through one partition,
//! whose drain lease this transaction holds. So the rows it read stay valid until the commit.

mod known_orders;
mod rows;

use std::time::Duration;

use domain::{OrderId, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::DbErr;
use thiserror::Error;

use super::leases::{DrainLease, Fenced, hold};
use crate::db::DatabaseTransaction;
use crate::sql::{commit_or_rollback, is_unique_violation};
use crate::{Db, Error};
use known_orders::{KnownOrders, ReplayCheck};

/// An order that the gate has granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaleOrder {
    pub id: OrderId,
    pub voucher_id: VoucherId,
    pub user_id: UserId,
    /// Which of the buyer's units this is, from 1 to the sale's limit.
    pub slot: u8,
    pub granted_at: Timestamp,
    /// The hash of the claim's idempotency key.
    pub key: Option<u64>,
}

/// What became of one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    New,
    /// The order was recorded before, whatever its status is by now.
    AlreadyRecorded,
    /// It was dead-lettered before: its unit may be sold again, so it must not be recorded.
    DeadLettered,
    Refused(Refused),
}

/// Why an order can never be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    #[error("there is no such sale")]
    NoSuchSale,
    #[error("the buyer's slot is taken by order {0}")]
    SlotTaken(OrderId),
}

/// Why nothing was recorded at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WriteRefusal {
    #[error(transparent)]
    Fenced(#[from] Fenced),
    /// The sale has fewer units than these orders need.
    #[error("sale {0} has too few units left")]
    Short(VoucherId),
}

type WriteResult = Result<Vec<WriteOutcome>, WriteRefusal>;

/// Records orders and takes their units from the stock: all that can be recorded, or nothing. One outcome per order,
/// in order. Each order must be paid within `pay_within` of its grant or of this call, whichever is later.
pub async fn write_orders(
    db: &Db,
    lease: DrainLease,
    orders: &[SaleOrder],
    pay_within: Duration,
) -> Result<WriteResult, Error> {
    let batch = OrderBatch {
        lease,
        orders,
        pay_within,
    };
    let write = async {
        match batch.write(db, ReplayCheck::Skip).await {
            Err(error) if is_unique_violation(&error) => batch.write(db, ReplayCheck::Check).await,
            written => written,
        }
    };
    db.run("write orders", write).await
}

struct OrderBatch<'a> {
    lease: DrainLease,
    orders: &'a [SaleOrder],
    pay_within: Duration,
}

impl OrderBatch<'_> {
    async fn write(&self, db: &Db, replays: ReplayCheck) -> Result<WriteResult, DbErr> {
        let transaction = db.begin().await?;
        let written = self.write_within(&transaction, replays).await?;
        commit_or_rollback(transaction, written).await
    }

    async fn write_within(
        &self,
        transaction: &DatabaseTransaction,
        replays: ReplayCheck,
    ) -> Result<WriteResult, DbErr> {
        if let Err(fenced) = hold(transaction, self.lease).await? {
            return Ok(Err(fenced.into()));
        }
        let mut known = KnownOrders::read(transaction, self.orders, replays).await?;
        let classified = self.orders.iter().map(|order| known.classify(order));
        let written: Vec<WriteOutcome> = classified.collect();
        let is_new = |(order, written): (&SaleOrder, &WriteOutcome)| {
            (*written == WriteOutcome::New).then(|| (*order, known.shop_of(order.voucher_id)))
        };
        let new: Vec<OrderOfShop> = self
            .orders
            .iter()
            .zip(&written)
            .filter_map(is_new)
            .collect();
        rows::insert(transaction, &new, self.pay_within).await?;
        Ok(match rows::take_stock(transaction, &new).await? {
            Some(short) => Err(WriteRefusal::Short(short)),
            None => Ok(written),
        })
    }
}

/// With the id of the voucher's shop.
type OrderOfShop = (SaleOrder, i64);
