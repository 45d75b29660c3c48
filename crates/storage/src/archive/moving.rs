//! Moving rows from a table into its archive, in the caller's transaction: copied, then deleted, under locks.

use std::collections::BTreeSet;

use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult, Value};

use super::{Archived, in_list};
use crate::db::DatabaseTransaction;
use crate::sql::{by_primary_key, execute, statement};
use crate::{Backend, Db, time};

/// That all entries of the payment `p` are part of the running sums.
pub(super) const IS_FOLDED: &str = "NOT EXISTS (SELECT 1 FROM tb_ledger_entry e \
    WHERE e.payment_id = p.id AND e.id > \
    COALESCE((SELECT mark FROM tb_id_mark WHERE name = 'ledger:folded'), 0))";

const ORDER_COLUMNS: &str = "id, user_id, voucher_id, shop_id, pay_type, status, slot, \
    redeem_code, pay_deadline, pay_time, use_time, refund_time, create_time, update_time";
const PAYMENT_COLUMNS: &str = "id, order_id, user_id, provider, pay_type, amount_cents, state, \
    provider_ref, create_time, update_time";
const ENTRY_COLUMNS: &str = "id, payment_id, kind, account, amount_cents, order_id, create_time";

#[derive(FromQueryResult)]
struct Candidate {
    id: i64,
    voucher_id: i64,
    slot: Option<i16>,
}

/// Of these orders, those that may be archived, locked until the end of the transaction: first the orders, then their
/// sales, as everywhere.
pub(super) async fn lock_orders(
    db: &Db,
    transaction: &DatabaseTransaction,
    ids: &[i64],
    before: Timestamp,
) -> Result<Vec<i64>, DbErr> {
    let (index, lock) = (by_primary_key(transaction), for_update(db));
    let (marks, values) = in_list(ids);
    let sql = format!(
        "SELECT id, voucher_id, slot FROM tb_voucher_order {index} WHERE id IN ({marks}) \
         AND status IN (3, 4, 6) ORDER BY id {lock}"
    );
    let orders = Candidate::find_by_statement(statement(transaction, sql, values))
        .all(transaction)
        .await?;
    let open = lock_open_sales(db, transaction, &orders, before).await?;
    Ok(orders
        .into_iter()
        .filter(|order| order.slot.is_none() || !open.contains(&order.voucher_id))
        .map(|order| order.id)
        .collect())
}

/// Locks the sales of these orders, and names those that are not long over: a merchant may have opened one again.
async fn lock_open_sales(
    db: &Db,
    transaction: &DatabaseTransaction,
    orders: &[Candidate],
    before: Timestamp,
) -> Result<BTreeSet<i64>, DbErr> {
    let sales: BTreeSet<i64> = orders
        .iter()
        .filter(|order| order.slot.is_some())
        .map(|order| order.voucher_id)
        .collect();
    if sales.is_empty() {
        return Ok(sales);
    }
    let sales: Vec<i64> = sales.into_iter().collect();
    let (marks, values) = in_list(&sales);
    let lock = for_update(db);
    let sql = format!(
        "SELECT voucher_id, end_time FROM tb_seckill_voucher WHERE voucher_id IN ({marks}) \
         ORDER BY voucher_id {lock}"
    );
    let rows = transaction
        .query_all_raw(statement(transaction, sql, values))
        .await?;
    let before = time::to_sql(before);
    let mut open = BTreeSet::new();
    for row in rows {
        let end: chrono::NaiveDateTime = row.try_get("", "end_time")?;
        if end >= before {
            open.insert(row.try_get("", "voucher_id")?);
        }
    }
    Ok(open)
}

/// Moves orders that are locked, with their money.
pub(super) async fn move_all(
    transaction: &DatabaseTransaction,
    orders: &[i64],
) -> Result<Archived, DbErr> {
    if orders.is_empty() {
        return Ok(Archived::default());
    }
    let payments = payments_of(transaction, orders).await?;
    let (payments, entries) = move_money(transaction, &payments).await?;
    let month = match transaction.get_database_backend() {
        DbBackend::MySql => "CAST(DATE_FORMAT(create_time, '%Y%m') AS SIGNED)",
        _ => "CAST(strftime('%Y%m', create_time) AS INTEGER)",
    };
    let (marks, values) = in_list(orders);
    let copy = format!(
        "INSERT INTO tb_voucher_order_archive ({ORDER_COLUMNS}, month) \
         SELECT {ORDER_COLUMNS}, {month} FROM tb_voucher_order WHERE id IN ({marks})"
    );
    execute(transaction, copy, values).await?;
    let orders = delete(transaction, "tb_voucher_order", "id", orders).await?;
    Ok(Archived {
        orders,
        payments,
        entries,
    })
}

/// Moves payments and their entries, and says how many of each.
pub(super) async fn move_money(
    transaction: &DatabaseTransaction,
    payments: &[i64],
) -> Result<(u64, u64), DbErr> {
    if payments.is_empty() {
        return Ok((0, 0));
    }
    copy(
        transaction,
        "tb_ledger_entry",
        ENTRY_COLUMNS,
        "payment_id",
        payments,
    )
    .await?;
    let entries = delete(transaction, "tb_ledger_entry", "payment_id", payments).await?;
    copy(transaction, "tb_payment", PAYMENT_COLUMNS, "id", payments).await?;
    let payments = delete(transaction, "tb_payment", "id", payments).await?;
    Ok((payments, entries))
}

async fn payments_of(transaction: &DatabaseTransaction, orders: &[i64]) -> Result<Vec<i64>, DbErr> {
    let (marks, values) = in_list(orders);
    let sql = format!("SELECT id FROM tb_payment WHERE order_id IN ({marks}) ORDER BY id");
    let rows = transaction
        .query_all_raw(statement(transaction, sql, values))
        .await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

async fn copy(
    transaction: &DatabaseTransaction,
    table: &str,
    columns: &str,
    key: &str,
    ids: &[i64],
) -> Result<u64, DbErr> {
    let (marks, values) = in_list(ids);
    let sql = format!(
        "INSERT INTO {table}_archive ({columns}) SELECT {columns} FROM {table} \
         WHERE {key} IN ({marks})"
    );
    execute(transaction, sql, values).await
}

async fn delete(
    transaction: &DatabaseTransaction,
    table: &str,
    key: &str,
    ids: &[i64],
) -> Result<u64, DbErr> {
    let (marks, values) = in_list(ids);
    let values: Vec<Value> = values.collect();
    let sql = format!("DELETE FROM {table} WHERE {key} IN ({marks})");
    execute(transaction, sql, values).await
}

fn for_update(db: &Db) -> &'static str {
    match db.backend() {
        Backend::MySql => "FOR UPDATE",
        Backend::Sqlite => "",
    }
}
