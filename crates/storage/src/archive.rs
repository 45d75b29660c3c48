//! The archive: ended orders with their payments and ledger entries, out of the way and never deleted.
//!
//! Old orders that have come to their end (used, cancelled, refunded) move from the tables that every purchase touches
//! into tables of the same columns beside them (`…_archive`), a small batch in one transaction, so an order is always in
//! exactly one of the two. Their owners still find them: reads of [`crate::orders`] look here for what is not there.
//!
//! **What stays.** An order that may still take a step; one whose money is still to move, or was returned past this site;
//! one of a sale that is not long over, because the key of the live table is what keeps "one per person". A sale whose orders were archived is never
//! opened again ([`holds_pieces_of`]).
//!
//! **Money.** Entries leave only after they are part of the running sums (`tb_ledger_sum`), so the trial balance does not
//! notice. Archived payments keep their provider's number: the same money is recognised when it is told of again.

mod export;
mod moving;

use domain::{OrderStatus, VoucherId};
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, Value,
};

pub use export::{ArchivedEntry, ArchivedOrder, ArchivedPayment, Month, list_month, months};

use crate::accounts::lock_mark;
use crate::db::DatabaseTransaction;
use crate::entity::voucher_order as order;
use crate::sql::{marks, statement};
use crate::{Db, Error, time};
use moving::{
    is_old_order, is_old_top_up, lock_orders, lock_top_ups, move_money, move_orders, old_order,
};

/// How many rows one call moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Archived {
    pub orders: u64,
    pub payments: u64,
    pub entries: u64,
}

impl Archived {
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            orders: self.orders + other.orders,
            payments: self.payments + other.payments,
            entries: self.entries + other.entries,
        }
    }
}

/// Orders per call: their locks are held for a fraction of a second.
pub const BATCH_LIMIT: u32 = 500;

/// Orders that take no further step.
const ENDED: [OrderStatus; 3] = [
    OrderStatus::Used,
    OrderStatus::Cancelled,
    OrderStatus::Refunded,
];

/// Archives at most `limit` (and [`BATCH_LIMIT`]) orders that ended before `before`. Fewer than `limit` does not mean
/// that none is left: nothing at all does.
pub async fn archive_orders(db: &Db, before: Timestamp, limit: u32) -> Result<Archived, Error> {
    let limit = limit.min(BATCH_LIMIT);
    let archive = async {
        for status in ENDED {
            let ids = list_ended(db, status, before, limit).await?;
            if ids.is_empty() {
                continue;
            }
            let transaction = begin(db).await?;
            let ids = lock_orders(&transaction, status, &ids, before).await?;
            let archived = move_orders(&transaction, &ids).await?;
            transaction.commit().await?;
            if archived.orders > 0 {
                return Ok(archived);
            }
        }
        Ok(Archived::default())
    };
    db.run("archive orders", archive).await
}

/// Archives at most `limit` (and [`BATCH_LIMIT`]) payments into balances that came before `before`.
pub async fn archive_top_ups(db: &Db, before: Timestamp, limit: u32) -> Result<Archived, Error> {
    let archive = async {
        let is_old = is_old_top_up();
        let sql = format!("SELECT p.id FROM tb_payment p WHERE {is_old} ORDER BY p.id LIMIT ?");
        let values: [Value; 2] = [time::to_sql(before).into(), limit.min(BATCH_LIMIT).into()];
        let ids = list_ids(db.reader(), sql, values).await?;
        if ids.is_empty() {
            return Ok(Archived::default());
        }
        let transaction = begin(db).await?;
        let ids = lock_top_ups(&transaction, &ids, before).await?;
        let archived = move_money(&transaction, &ids).await?;
        transaction.commit().await?;
        Ok(archived)
    };
    db.run("archive top-ups", archive).await
}

/// How many orders there are to archive, at most: some may have to stay.
pub async fn count_ended(db: &Db, before: Timestamp) -> Result<u64, Error> {
    let statuses = ENDED.map(|status| status.code());
    let count = order::Entity::find()
        .filter(order::Column::Status.is_in(statuses))
        .filter(order::Column::PayDeadline.lt(time::to_sql(before)))
        .count(db.reader());
    db.run("count ended orders", count).await
}

/// One archives at a time: an operator's command and the runner of a server wait for each other, in place of locking the
/// same rows in different orders.
async fn begin(db: &Db) -> Result<DatabaseTransaction, DbErr> {
    let transaction = db.begin().await?;
    lock_mark(&transaction).await?;
    Ok(transaction)
}

/// Found without a lock: hardly anything changes an order that ended long ago, and what does falls out then.
async fn list_ended(
    db: &Db,
    status: OrderStatus,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<i64>, DbErr> {
    let is_old = is_old_order();
    let sql = format!(
        "SELECT o.id FROM tb_voucher_order o \
         LEFT JOIN tb_seckill_voucher s ON s.voucher_id = o.voucher_id \
         WHERE {is_old} AND (s.voucher_id IS NULL OR s.end_time < ?) \
         ORDER BY o.pay_deadline LIMIT ?"
    );
    let mut values = Vec::from(old_order(status, before));
    values.extend([time::to_sql(before).into(), limit.into()]);
    list_ids(db.reader(), sql, values).await
}

async fn list_ids(
    connection: &impl ConnectionTrait,
    sql: String,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<i64>, DbErr> {
    let rows = connection
        .query_all_raw(statement(connection, sql, values))
        .await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

/// Whether orders that hold pieces of this sale were archived: then it must not be opened again, because the key that
/// lets a person buy once does not see them. To be asked while the sale is locked.
pub(crate) async fn holds_pieces_of(
    transaction: &DatabaseTransaction,
    sale: VoucherId,
) -> Result<bool, DbErr> {
    let sql = "SELECT id FROM tb_voucher_order_archive \
        WHERE voucher_id = ? AND slot IS NOT NULL LIMIT 1";
    let found = statement(transaction, sql, [sale.get().into()]);
    Ok(transaction.query_one_raw(found).await?.is_some())
}

/// `?, ?, ?` and the values for them.
fn in_list(ids: &[i64]) -> (String, impl Iterator<Item = Value>) {
    (marks(ids.len()), ids.iter().map(|id| Value::from(*id)))
}
