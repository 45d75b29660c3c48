//! Recording granted orders: a batch is one transaction and a handful of statements, however many orders it has.
//!
//! Orders come at least once, and nearly always for the first time. So a batch is first written as if nothing of it was
//! there, and the unique keys say whether that is true. If one of them speaks up, nothing of the batch is recorded; a
//! second transaction reads what is there already, and the stock goes down by those that are really new. Should a key
//! speak up even then, or the condition on the stock, nothing is recorded either: they are the last defence.
//!
//! Nobody else records orders of the same buyers meanwhile: a buyer's orders of a sale come through one partition,
//! whose seat is held. So what was read stays true until the commit.

mod known;
mod rows;

use std::time::Duration;

use domain::{OrderId, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::DbErr;
use thiserror::Error;

use super::seats::{Fenced, Seat, hold};
use crate::db::DatabaseTransaction;
use crate::sql::{is_taken, settle};
use crate::{Db, Error};
use known::{Known, Past};

/// An order that the gate has granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaleOrder {
    pub id: OrderId,
    pub voucher_id: VoucherId,
    pub user_id: UserId,
    /// Which of the buyer's pieces this is, from 1 to the sale's limit.
    pub slot: u8,
    pub granted_at: Timestamp,
    /// What the buyer called the claim, as a hash.
    pub key: Option<u64>,
}

/// What became of one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    New,
    /// The same order was recorded before, whatever became of it since.
    AlreadyThere,
    /// It was buried before: its piece may be sold again, so it must not come back to life.
    Buried,
    Refused(Refused),
}

/// Why an order can never be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    #[error("there is no such sale")]
    NoSuchSale,
    #[error("the buyer's place is taken by order {0}")]
    SlotTaken(OrderId),
}

/// Why nothing was recorded at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WriteRefusal {
    #[error(transparent)]
    Fenced(#[from] Fenced),
    /// The sale has fewer pieces than these orders want.
    #[error("sale {0} has too few pieces left")]
    Short(VoucherId),
}

type Outcome = Result<Vec<Written>, WriteRefusal>;

/// Records orders and takes their pieces from the stock: all that can be recorded, or nothing. One answer per order, in
/// order. Each is to be paid within `pay_within` of its grant, or of this, whichever is later.
pub async fn write_orders(
    db: &Db,
    seat: Seat,
    orders: &[SaleOrder],
    pay_within: Duration,
) -> Result<Outcome, Error> {
    let batch = Batch {
        seat,
        orders,
        pay_within,
    };
    let write = async {
        match batch.write(db, Past::Unread).await {
            Err(error) if is_taken(&error) => batch.write(db, Past::Read).await,
            outcome => outcome,
        }
    };
    db.run("write orders", write).await
}

struct Batch<'a> {
    seat: Seat,
    orders: &'a [SaleOrder],
    pay_within: Duration,
}

impl Batch<'_> {
    async fn write(&self, db: &Db, past: Past) -> Result<Outcome, DbErr> {
        let transaction = db.begin().await?;
        let outcome = self.write_within(&transaction, past).await?;
        settle(transaction, outcome).await
    }

    async fn write_within(
        &self,
        transaction: &DatabaseTransaction,
        past: Past,
    ) -> Result<Outcome, DbErr> {
        if let Err(fenced) = hold(transaction, self.seat).await? {
            return Ok(Err(fenced.into()));
        }
        let mut known = Known::read(transaction, self.orders, past).await?;
        let judged = self.orders.iter().map(|order| known.judge(order));
        let written: Vec<Written> = judged.collect();
        let is_new = |(order, written): (&SaleOrder, &Written)| {
            (*written == Written::New).then(|| (*order, known.shop_of(order.voucher_id)))
        };
        let new: Vec<NewOrder> = self
            .orders
            .iter()
            .zip(&written)
            .filter_map(is_new)
            .collect();
        rows::insert(transaction, &new, self.pay_within).await?;
        Ok(match rows::take_pieces(transaction, &new).await? {
            Some(short) => Err(WriteRefusal::Short(short)),
            None => Ok(written),
        })
    }
}

/// With the id of the voucher's shop.
type NewOrder = (SaleOrder, i64);
