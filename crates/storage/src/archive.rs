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

use domain::VoucherId;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

pub use export::{ArchivedEntry, ArchivedOrder, ArchivedPayment, Month, list_month, months};

use crate::db::DatabaseTransaction;
use crate::sql::{marks, statement};
use crate::{Db, Error, time};
use moving::{lock_orders, move_all, move_money};

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

/// The states of orders that take no further step: used, cancelled, refunded.
const ENDED: [i16; 3] = [3, 4, 6];

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
            let transaction = db.begin().await?;
            let ids = lock_orders(db, &transaction, &ids, before).await?;
            let archived = move_all(&transaction, &ids).await?;
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
        let sql = format!(
            "SELECT p.id FROM tb_payment p WHERE p.order_id IS NULL AND p.state = 1 \
             AND p.update_time < ? AND {} ORDER BY p.id LIMIT ?",
            moving::IS_FOLDED
        );
        let values: [Value; 2] = [time::to_sql(before).into(), limit.min(BATCH_LIMIT).into()];
        let rows = db
            .reader()
            .query_all_raw(statement(db.reader(), sql, values))
            .await?;
        let ids: Vec<i64> = ids_of(&rows)?;
        if ids.is_empty() {
            return Ok(Archived::default());
        }
        let transaction = db.begin().await?;
        let (payments, entries) = move_money(&transaction, &ids).await?;
        transaction.commit().await?;
        Ok(Archived {
            orders: 0,
            payments,
            entries,
        })
    };
    db.run("archive top-ups", archive).await
}

/// Found without a lock: hardly anything changes an order that ended long ago, and what does falls out then.
async fn list_ended(
    db: &Db,
    status: i16,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<i64>, DbErr> {
    let sql = format!(
        "SELECT o.id FROM tb_voucher_order o \
         LEFT JOIN tb_seckill_voucher s ON s.voucher_id = o.voucher_id \
         WHERE o.status = ? AND o.pay_deadline < ? AND o.update_time < ? \
         AND (s.voucher_id IS NULL OR s.end_time < ?) \
         AND NOT EXISTS (SELECT 1 FROM tb_payment p WHERE p.order_id = o.id AND \
            (p.state IN (0, 3, 5) OR p.update_time >= ? OR NOT ({}) OR EXISTS \
                (SELECT 1 FROM tb_outside_refund r WHERE r.payment_id = p.id))) \
         ORDER BY o.pay_deadline LIMIT ?",
        moving::IS_FOLDED
    );
    let before = time::to_sql(before);
    let values: [Value; 6] = [
        status.into(),
        before.into(),
        before.into(),
        before.into(),
        before.into(),
        limit.into(),
    ];
    let rows = db
        .reader()
        .query_all_raw(statement(db.reader(), sql, values))
        .await?;
    ids_of(&rows)
}

fn ids_of(rows: &[QueryResult]) -> Result<Vec<i64>, DbErr> {
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
