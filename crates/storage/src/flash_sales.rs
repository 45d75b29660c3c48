//! The SQL side of flash sales: gates are loaded from here and granted orders are recorded here.
//!
//! One equation holds after every function: `initial_stock = stock + live orders`, where a live order is one with a
//! `slot`. Every function is one transaction and sees everything committed before it.
//!
//! Locks are always taken in one order: the partition's drain lease, then orders, then sales by rising id. So drain
//! workers of several partitions, cancellations and payments cannot deadlock.

mod dead_letter;
mod leases;
mod write;

use domain::{OrderId, UserId, VoucherId, VoucherStatus};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, QueryResult, Statement, Value};

pub use dead_letter::{Ended, OrderDeadLettered, StockUnit, dead_letter, find_end};
pub use leases::{DrainLease, Fenced, settle_partitions, settled_partitions, take_drain_lease};
pub use write::{Refused, SaleOrder, WriteOutcome, WriteRefusal, write_orders};

use crate::{Db, Error, audit, sql, time};

/// A sale as stored in SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Total units: `initial = stock + live orders`, always.
    pub initial: u32,
    /// Units that no recorded order holds.
    pub stock: u32,
    pub begin_at: Timestamp,
    pub end_at: Timestamp,
    pub limit_per_user: u8,
    pub spread: u16,
    pub on_shelf: bool,
    /// Rises with every load, return and change of terms.
    pub epoch: i64,
}

/// An order that a gate must know: a live one, or an ended one whose claim had an idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    pub order: OrderId,
    pub user_id: UserId,
    /// From 1 for a live order; 0 for one that ended.
    pub slot: u8,
    /// The hash of the claim's idempotency key.
    pub key: Option<u64>,
}

/// A consistent snapshot of one sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audit {
    pub terms: Terms,
    pub live_orders: u64,
}

pub async fn terms(db: &Db, id: VoucherId) -> Result<Option<Terms>, Error> {
    db.run("get sale", read_terms(db.reader(), id)).await
}

/// Raises the sale's epoch and returns its terms as they are then.
pub async fn open_load(db: &Db, id: VoucherId) -> Result<Option<Terms>, Error> {
    let open = async {
        let transaction = db.begin().await?;
        let sql = "UPDATE tb_seckill_voucher SET epoch = epoch + 1 WHERE voucher_id = ?";
        let values = [Value::from(id.get())];
        let raise = sql::statement(db.reader(), sql, values);
        transaction.execute_raw(raise).await?;
        let terms = read_terms(&transaction, id).await?;
        transaction.commit().await?;
        Ok(terms)
    };
    db.run("open load of sale", open).await
}

/// At most `limit` orders with ids above `after`, by id: live ones, and ended ones whose claim had an idempotency key
/// and was granted after `named_after`. Includes archived orders that hold stock.
pub async fn holdings(
    db: &Db,
    id: VoucherId,
    after: OrderId,
    limit: u32,
    named_after: Timestamp,
) -> Result<Vec<Holding>, Error> {
    let present = "SELECT id, user_id, slot, claim_key FROM tb_voucher_order \
        WHERE voucher_id = ? AND id > ? \
        AND (slot IS NOT NULL OR (claim_key IS NOT NULL AND create_time > ?)) ORDER BY id LIMIT ?";
    let archived = "SELECT id, user_id, slot, NULL AS claim_key FROM tb_voucher_order_archive \
        WHERE voucher_id = ? AND id > ? AND slot IS NOT NULL ORDER BY id LIMIT ?";
    let (voucher, after) = (Value::from(id.get()), Value::from(after.get()));
    let named_after = time::to_sql(named_after).into();
    let values = vec![voucher.clone(), after.clone(), named_after, limit.into()];
    let mut holdings = list_holdings(db, present, values).await?;
    let values = vec![voucher, after, limit.into()];
    holdings.extend(list_holdings(db, archived, values).await?);
    holdings.sort_unstable_by_key(|holding| holding.order);
    // An order archived between the two queries is in both results.
    holdings.dedup_by_key(|holding| holding.order);
    holdings.truncate(limit as usize);
    Ok(holdings)
}

/// One buyer's orders of a sale, by id: live ones, archived ones that hold stock, and the latest ended ones whose
/// claim had an idempotency key.
pub async fn held_by(db: &Db, id: VoucherId, user: UserId) -> Result<Vec<Holding>, Error> {
    let present = "SELECT id, user_id, slot, claim_key FROM tb_voucher_order \
        WHERE voucher_id = ? AND user_id = ? AND (slot IS NOT NULL OR claim_key IS NOT NULL) \
        ORDER BY id DESC LIMIT ?";
    let archived = "SELECT id, user_id, slot, NULL AS claim_key FROM tb_voucher_order_archive \
        WHERE voucher_id = ? AND user_id = ? AND slot IS NOT NULL ORDER BY id DESC LIMIT ?";
    let mut holdings = Vec::new();
    for sql in [present, archived] {
        let values = vec![id.get().into(), user.get().into(), MAX_HELD.into()];
        holdings.extend(list_holdings(db, sql, values).await?);
    }
    holdings.sort_unstable_by_key(|holding| holding.order);
    holdings.dedup_by_key(|holding| holding.order);
    Ok(holdings)
}

async fn list_holdings(db: &Db, sql: &str, values: Vec<Value>) -> Result<Vec<Holding>, Error> {
    let statement = sql::statement(db.reader(), sql, values);
    let list = HoldingRow::find_by_statement(statement).all(db.reader());
    let rows = db.run("list holdings", list).await?;
    Ok(rows.into_iter().map(Holding::from_row).collect())
}

/// Terms and the number of live orders in one statement, hence one snapshot.
pub async fn audit(db: &Db, id: VoucherId) -> Result<Option<Audit>, Error> {
    let sql = format!(
        "SELECT {TERMS}, (SELECT COUNT(*) FROM tb_voucher_order o \
            WHERE o.voucher_id = s.voucher_id AND o.slot IS NOT NULL) + \
            (SELECT COUNT(*) FROM tb_voucher_order_archive o \
            WHERE o.voucher_id = s.voucher_id AND o.slot IS NOT NULL) AS live_orders {FROM}"
    );
    let values = [Value::from(id.get())];
    let statement = sql::statement(db.reader(), sql, values);
    let read = async {
        let row = db.reader().query_one_raw(statement).await?;
        row.as_ref().map(Audit::from_row).transpose()
    };
    db.run("audit sale", read).await
}

/// Sales whose window is open, or will be, or ended after `ended_after`; by id.
pub async fn current_sales(db: &Db, ended_after: Timestamp) -> Result<Vec<VoucherId>, Error> {
    let sql = "SELECT voucher_id FROM tb_seckill_voucher WHERE end_time > ? ORDER BY voucher_id";
    let values = [Value::from(time::to_sql(ended_after))];
    let statement = sql::statement(db.reader(), sql, values);
    list_ids(db, "list current sales", statement).await
}

/// At most `limit` sales above `after`, however long ago they ended, by id.
pub async fn list_all(db: &Db, after: VoucherId, limit: u32) -> Result<Vec<VoucherId>, Error> {
    let sql = "SELECT voucher_id FROM tb_seckill_voucher WHERE voucher_id > ? ORDER BY voucher_id LIMIT ?";
    let statement = sql::statement(db.reader(), sql, [after.get().into(), limit.into()]);
    list_ids(db, "list sales", statement).await
}

async fn list_ids(
    db: &Db,
    operation: &'static str,
    statement: Statement,
) -> Result<Vec<VoucherId>, Error> {
    let list = async {
        let rows = db.reader().query_all_raw(statement).await?;
        let id = |row: &QueryResult| row.try_get("", "voucher_id").map(VoucherId::new);
        rows.iter().map(id).collect()
    };
    db.run(operation, list).await
}

/// Records a repair in the audit log.
pub async fn record_repair(db: &Db, id: VoucherId, what: &str, detail: &str) -> Result<(), Error> {
    let (subject, detail) = (format!("voucher:{id}"), format!("{what}: {detail}"));
    audit::record(db, None, "flash_repair", &subject, &detail).await
}

/// Orders read per buyer and sale: the limit on live ones is lower, and claims of the oldest ended ones are not
/// repeated.
const MAX_HELD: u32 = 512;

const TERMS: &str = "s.initial_stock, s.stock, s.begin_time, s.end_time, s.limit_per_user, \
    s.spread, s.epoch, v.status";
const FROM: &str =
    "FROM tb_seckill_voucher s JOIN tb_voucher v ON v.id = s.voucher_id WHERE s.voucher_id = ?";

async fn read_terms(
    connection: &impl ConnectionTrait,
    id: VoucherId,
) -> Result<Option<Terms>, DbErr> {
    let sql = format!("SELECT {TERMS} {FROM}");
    let values = [Value::from(id.get())];
    let statement = sql::statement(connection, sql, values);
    let row = TermsRow::find_by_statement(statement)
        .one(connection)
        .await?;
    Ok(row.map(Terms::from_row))
}

#[derive(FromQueryResult)]
struct TermsRow {
    initial_stock: i32,
    stock: i32,
    begin_time: chrono::NaiveDateTime,
    end_time: chrono::NaiveDateTime,
    limit_per_user: i32,
    spread: i32,
    epoch: i64,
    status: i16,
}

#[derive(FromQueryResult)]
struct HoldingRow {
    id: i64,
    user_id: i64,
    slot: Option<i16>,
    claim_key: Option<i64>,
}

impl Terms {
    fn from_row(row: TermsRow) -> Self {
        // Impossible values come from an adopted database: use the smallest valid one.
        let count = |units: i32| u32::try_from(units).unwrap_or(0);
        Self {
            initial: count(row.initial_stock),
            stock: count(row.stock),
            begin_at: time::from_sql(row.begin_time),
            end_at: time::from_sql(row.end_time),
            limit_per_user: u8::try_from(row.limit_per_user).unwrap_or(1).max(1),
            spread: u16::try_from(row.spread).unwrap_or(1).max(1),
            on_shelf: row.status == VoucherStatus::OnShelf.code(),
            epoch: row.epoch,
        }
    }
}

impl Audit {
    fn from_row(row: &QueryResult) -> Result<Self, DbErr> {
        let live_orders: i64 = row.try_get("", "live_orders")?;
        Ok(Self {
            terms: Terms::from_row(TermsRow::from_query_result(row, "")?),
            live_orders: u64::try_from(live_orders).unwrap_or(0),
        })
    }
}

impl Holding {
    fn from_row(row: HoldingRow) -> Self {
        Self {
            order: OrderId::new(row.id),
            user_id: UserId::new(row.user_id),
            slot: row
                .slot
                .map_or(0, |slot| u8::try_from(slot).unwrap_or(u8::MAX)),
            key: row.claim_key.map(i64::cast_unsigned),
        }
    }
}
