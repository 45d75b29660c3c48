//! Moves rows from a table to its archive in the caller's transaction: lock, copy, delete.

use std::collections::BTreeSet;

use domain::OrderStatus;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use super::{Archived, in_list, list_ids};
use crate::accounts::MARK;
use crate::db::DatabaseTransaction;
use crate::payments::PaymentState;
use crate::sql::{codes, execute, for_update, force_primary_key, statement};
use crate::{Backend, time};

/// SQL condition: order `o` may be archived, with the values of [`old_order`]. It ended before the limit, its
/// payments are settled and part of the running sums, and it has no outside refund.
pub(super) fn is_old_order() -> String {
    let has_new_entries = has_new_entries();
    let unsettled = codes(
        [
            PaymentState::Begun,
            PaymentState::Refunding,
            PaymentState::Late,
        ]
        .map(PaymentState::code),
    );
    format!(
        "o.status = ? AND o.pay_deadline < ? AND o.update_time < ? \
         AND NOT EXISTS (SELECT 1 FROM tb_payment p WHERE p.order_id = o.id \
            AND (p.state IN ({unsettled}) OR p.update_time >= ? OR {has_new_entries} OR EXISTS \
                (SELECT 1 FROM tb_outside_refund r WHERE r.payment_id = p.id)))"
    )
}

/// SQL condition: top-up `p`, older than one bound value, may be archived.
pub(super) fn is_old_top_up() -> String {
    let has_new_entries = has_new_entries();
    let paid = PaymentState::Paid.code();
    format!(
        "p.order_id IS NULL AND p.state = {paid} AND p.update_time < ? AND NOT {has_new_entries}"
    )
}

/// SQL condition: some entry of payment `p` is not part of the running sums yet.
fn has_new_entries() -> String {
    format!("EXISTS (SELECT 1 FROM tb_ledger_entry e WHERE e.payment_id = p.id AND e.id > {MARK})")
}

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

pub(super) fn old_order(status: OrderStatus, before: Timestamp) -> [Value; 4] {
    let before = Value::from(time::to_sql(before));
    [status.code().into(), before.clone(), before.clone(), before]
}

/// Locks the orders among `ids` that may be archived until the end of the transaction: orders first, then their
/// sales, the lock order used everywhere.
pub(super) async fn lock_orders(
    transaction: &DatabaseTransaction,
    status: OrderStatus,
    ids: &[i64],
    before: Timestamp,
) -> Result<Vec<i64>, DbErr> {
    let (placeholders, ids) = in_list(ids);
    let (index, lock) = (
        force_primary_key(transaction),
        for_update(Backend::of(transaction)),
    );
    // Lock first, check afterwards: every change of an order or its money takes the order's lock.
    let sql = format!(
        "SELECT o.id FROM tb_voucher_order o {index} WHERE o.id IN ({placeholders}) ORDER BY o.id {lock}"
    );
    let locked = list_ids(transaction, sql, ids).await?;
    if locked.is_empty() {
        return Ok(locked);
    }
    let (placeholders, ids) = in_list(&locked);
    let is_old = is_old_order();
    let sql = format!(
        "SELECT o.id, o.voucher_id, o.slot FROM tb_voucher_order o {index} \
         WHERE o.id IN ({placeholders}) AND {is_old} ORDER BY o.id"
    );
    let values = ids.chain(old_order(status, before));
    let orders = Candidate::find_by_statement(statement(transaction, sql, values))
        .all(transaction)
        .await?;
    let open = lock_open_sales(transaction, &orders, before).await?;
    Ok(orders
        .into_iter()
        .filter(|order| order.slot.is_none() || !open.contains(&order.voucher_id))
        .map(|order| order.id)
        .collect())
}

/// Locks the top-ups among `ids` that may be archived until the end of the transaction.
pub(super) async fn lock_top_ups(
    transaction: &DatabaseTransaction,
    ids: &[i64],
    before: Timestamp,
) -> Result<Vec<i64>, DbErr> {
    let locked = lock_payments(transaction, "id", ids).await?;
    if locked.is_empty() {
        return Ok(locked);
    }
    let (placeholders, values) = in_list(&locked);
    let is_old = is_old_top_up();
    let sql = format!("SELECT p.id FROM tb_payment p WHERE p.id IN ({placeholders}) AND {is_old}");
    let values = values.chain([time::to_sql(before).into()]);
    list_ids(transaction, sql, values).await
}

async fn lock_payments(
    transaction: &DatabaseTransaction,
    key: &str,
    ids: &[i64],
) -> Result<Vec<i64>, DbErr> {
    let (placeholders, values) = in_list(ids);
    let lock = for_update(Backend::of(transaction));
    let sql =
        format!("SELECT id FROM tb_payment WHERE {key} IN ({placeholders}) ORDER BY id {lock}");
    list_ids(transaction, sql, values).await
}

/// Locks the sales of these orders and returns those that ended too recently: a merchant may have reopened one.
async fn lock_open_sales(
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
    let (placeholders, values) = in_list(&sales);
    let lock = for_update(Backend::of(transaction));
    let sql = format!(
        "SELECT voucher_id, end_time FROM tb_seckill_voucher WHERE voucher_id IN ({placeholders}) \
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
pub(super) async fn move_orders(
    transaction: &DatabaseTransaction,
    orders: &[i64],
) -> Result<Archived, DbErr> {
    if orders.is_empty() {
        return Ok(Archived::default());
    }
    let payments = lock_payments(transaction, "order_id", orders).await?;
    let money = move_money(transaction, &payments).await?;
    let month = match Backend::of(transaction) {
        Backend::MySql => "CAST(DATE_FORMAT(create_time, '%Y%m') AS SIGNED)",
        Backend::Sqlite => "CAST(strftime('%Y%m', create_time) AS INTEGER)",
    };
    let (placeholders, values) = in_list(orders);
    let copy = format!(
        "INSERT INTO tb_voucher_order_archive ({ORDER_COLUMNS}, month) \
         SELECT {ORDER_COLUMNS}, {month} FROM tb_voucher_order WHERE id IN ({placeholders})"
    );
    execute(transaction, copy, values).await?;
    let orders = delete(transaction, "tb_voucher_order", orders).await?;
    Ok(Archived { orders, ..money })
}

/// Moves payments that are locked, and exactly those of their entries that are copied.
pub(super) async fn move_money(
    transaction: &DatabaseTransaction,
    payments: &[i64],
) -> Result<Archived, DbErr> {
    if payments.is_empty() {
        return Ok(Archived::default());
    }
    let (placeholders, values) = in_list(payments);
    let sql =
        format!("SELECT id FROM tb_ledger_entry WHERE payment_id IN ({placeholders}) ORDER BY id");
    let entries = list_ids(transaction, sql, values).await?;
    Ok(Archived {
        orders: 0,
        entries: move_rows(transaction, "tb_ledger_entry", ENTRY_COLUMNS, &entries).await?,
        payments: move_rows(transaction, "tb_payment", PAYMENT_COLUMNS, payments).await?,
    })
}

async fn move_rows(
    transaction: &DatabaseTransaction,
    table: &str,
    columns: &str,
    ids: &[i64],
) -> Result<u64, DbErr> {
    if ids.is_empty() {
        return Ok(0);
    }
    let (placeholders, values) = in_list(ids);
    let copy = format!(
        "INSERT INTO {table}_archive ({columns}) SELECT {columns} FROM {table} WHERE id IN ({placeholders})"
    );
    execute(transaction, copy, values).await?;
    delete(transaction, table, ids).await
}

async fn delete(transaction: &DatabaseTransaction, table: &str, ids: &[i64]) -> Result<u64, DbErr> {
    let (placeholders, values) = in_list(ids);
    let sql = format!("DELETE FROM {table} WHERE id IN ({placeholders})");
    execute(transaction, sql, values).await
}
