//! The archive: ended orders with their payments and ledger entries, moved out of the hot tables and never deleted.
//!
//! Old orders that ended (used, cancelled, refunded) move from the hot tables into archive tables with the same
//! columns (`…_archive`). Each batch moves in one transaction, so an order is always in exactly one of the two. Reads
//! in [`crate::orders`] also look here, so owners still find archived orders.
//!
//! **What stays.** An order that may still change status; one with money still to move or with an outside refund; one
//! of a sale that ended recently, because the hot table's unique key enforces "one per user". A sale with archived
//! orders cannot be reopened ([`holds_stock_of`]).
//!
//! **Money.** Entries move only after they are part of the running sums (`tb_ledger_sum`), so the trial balance does
//! not change. Archived payments keep their provider reference, so a repeated callback is recognised.

mod export;
mod moving;

use domain::{OrderStatus, VoucherId};
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, Value,
};

pub use export::{
    ArchivedEntry, ArchivedMonth, ArchivedOrder, ArchivedPayment, list_month, months,
};

use crate::accounts::lock_mark;
use crate::db::DatabaseTransaction;
use crate::entity::voucher_order as order;
use crate::sql::{placeholders, statement};
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

/// Final statuses.
const ENDED: [OrderStatus; 3] = [
    OrderStatus::Used,
    OrderStatus::Cancelled,
    OrderStatus::Refunded,
];

/// Archives at most `limit` (and [`BATCH_LIMIT`]) orders that ended before `before`. Only an empty result means that
/// none is left.
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

/// Archives at most `limit` (and [`BATCH_LIMIT`]) top-ups older than `before`.
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

/// An upper bound on the orders to archive: some may have to stay.
pub async fn count_ended(db: &Db, before: Timestamp) -> Result<u64, Error> {
    let statuses = ENDED.map(|status| status.code());
    let count = order::Entity::find()
        .filter(order::Column::Status.is_in(statuses))
        .filter(order::Column::PayDeadline.lt(time::to_sql(before)))
        .count(db.reader());
    db.run("count ended orders", count).await
}

/// Serialises archiving: the `tandian archive` command and the server's runner would otherwise lock the same rows in
/// different orders.
async fn begin(db: &Db) -> Result<DatabaseTransaction, DbErr> {
    let transaction = db.begin().await?;
    lock_mark(&transaction).await?;
    Ok(transaction)
}

/// Reads without a lock; the locking query drops orders that changed in between.
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

/// Whether archived orders hold stock of this sale. Such a sale must not be reopened, because the unique key that
/// limits purchases per user does not cover the archive. Call it while the sale is locked.
pub(crate) async fn holds_stock_of(
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
    (
        placeholders(ids.len()),
        ids.iter().map(|id| Value::from(*id)),
    )
}
